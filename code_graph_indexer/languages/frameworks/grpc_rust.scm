; languages: rust
; mark: \btonic::
; cut: ^(?:\w+::)+

((attribute_item (attribute (scoped_identifier name: (identifier) @_async))) . (impl_item trait: (_)
    body: (declaration_list (function_item name: (identifier) @handler @name) @registers.entry))
  (#eq? @_async "async_trait"))
((attribute_item (attribute (scoped_identifier name: (identifier) @_async))) . (impl_item trait: (_) @name
    body: (declaration_list (function_item name: (identifier) @handler @name) @registers.serves))
  (#eq? @_async "async_trait"))
