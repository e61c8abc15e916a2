; languages: python
; mark: \bstrawberry\b|\bgraphene\b|\bariadne\b
; cut: (?<=/)resolve_

((decorated_definition (decorator [
    (attribute object: (_) @_schema attribute: (identifier) @_field)
    (call function: (attribute object: (_) @_schema attribute: (identifier) @_field))]) @registers.entry
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_schema "strawberry") (#any-of? @_field "field" "mutation" "subscription"))
((decorated_definition (decorator (call function: (attribute attribute: (identifier) @_field)
    arguments: (argument_list . (string) @name))) @registers.entry
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_field "field"))
((class_definition body: (block [
    (function_definition name: (identifier) @handler @name) @registers.entry
    (decorated_definition definition: (function_definition name: (identifier) @handler @name)) @registers.entry]))
  (#match? @handler "^(resolve_.|mutate$)"))
; what a schema declares as `Query.cart`
((class_definition name: (identifier) @name body: (block [
    (function_definition name: (identifier) @handler @name) @registers.serves
    (decorated_definition definition: (function_definition name: (identifier) @handler @name)) @registers.serves])))
((decorated_definition (decorator (call function: (attribute object: (identifier) @name attribute: (identifier) @_field)
    arguments: (argument_list . (string) @name))) @registers.serves
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_field "field"))
