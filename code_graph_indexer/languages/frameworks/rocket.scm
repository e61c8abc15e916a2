; languages: rust
; inherits: actix
; mark: \brocket\b
; imported: \brocket\b

; rocket::build().mount("/base", routes![show, carts::list])
((call_expression function: (field_expression field: (field_identifier) @_mount)
  arguments: (arguments . (_) @name . (macro_invocation macro: [(identifier) @_routes (scoped_identifier name: (identifier) @_routes)]
    (token_tree) @list))) @registers.prefix
  (#eq? @_mount "mount") (#eq? @_routes "routes"))
(((attribute_item (attribute [(identifier) @_catch (scoped_identifier name: (identifier) @_catch)]
  arguments: (token_tree . (_) @name))) @registers.listener
  . (attribute_item)* . (function_item name: (identifier) @handler)) (#eq? @_catch "catch"))
