; languages: rust
; mark: #\[(?:\w+::)?(?:get|post|put|patch|delete|head|options|route|actix_web::)|web::(?:scope|resource|get|post|put|patch|delete|route)\(|\.configure\(
; imported: \bactix

(((attribute_item (attribute [(identifier) @verb (scoped_identifier name: (identifier) @verb)]
  arguments: (token_tree . (string_literal) @name))) @registers.route
  . (attribute_item)* . (function_item name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "route"))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name . (call_expression
    function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]) field: (field_identifier) @_to)
    arguments: (arguments . (_) @handler)))) @registers.route
  (#eq? @_route "route") (#any-of? @_to "to" "to_async"))
; web::resource("/x").route(web::get().to(handler))
((call_expression function: (field_expression
    value: (call_expression function: (scoped_identifier name: (identifier) @_resource) arguments: (arguments . (_) @name))
    field: (field_identifier) @_route)
  arguments: (arguments . (call_expression
    function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]) field: (field_identifier) @_to)
    arguments: (arguments . (_) @handler)))) @registers.route
  (#eq? @_resource "resource") (#eq? @_route "route") (#eq? @_to "to"))
((call_expression function: (field_expression
    value: (call_expression function: (field_expression
      value: (call_expression function: (scoped_identifier name: (identifier) @_resource) arguments: (arguments . (_) @name))))
    field: (field_identifier) @_route)
  arguments: (arguments . (call_expression
    function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]) field: (field_identifier) @_to)
    arguments: (arguments . (_) @handler)))) @registers.route
  (#eq? @_resource "resource") (#eq? @_route "route") (#eq? @_to "to"))
((call_expression function: (field_expression field: (field_identifier) @_configure)
  arguments: (arguments . [(identifier) (scoped_identifier)] @handler)) @registers.mount
  (#eq? @_configure "configure"))
((call_expression function: [(identifier) @_scope (scoped_identifier name: (identifier) @_scope)]
  arguments: (arguments . (string_literal) @name)) @registers.group @chain
  (#eq? @_scope "scope"))
