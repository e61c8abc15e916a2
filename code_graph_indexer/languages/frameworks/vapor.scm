; languages: swift
; mark: \bimport Vapor\b|\bRoutesBuilder\b
; members: boot

; app.get("hello", ":name") { req in … }, but not the client of a request
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix . (lambda_literal))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#not-match? @router "[cC]lient$"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument !name value: (_) @name) .) . (lambda_literal))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#not-match? @router "[cC]lient$"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument !name value: (_) @name) . (value_argument !name value: (_) @name) .) . (lambda_literal))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#not-match? @router "[cC]lient$"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument !name value: (_) @name) . (value_argument !name value: (_) @name) . (value_argument !name value: (_) @name) .) . (lambda_literal))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#not-match? @router "[cC]lient$"))
; carts.get(":id", use: show)
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument name: (value_argument_label) @_use value: (_) @handler) .))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_use "use"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument !name value: (_) @name) . (value_argument name: (value_argument_label) @_use value: (_) @handler) .))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_use "use"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument !name value: (_) @name) . (value_argument !name value: (_) @name) . (value_argument name: (value_argument_label) @_use value: (_) @handler) .))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_use "use"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @verb))
  (call_suffix (value_arguments . (value_argument !name value: (_) @name) . (value_argument !name value: (_) @name) . (value_argument !name value: (_) @name) . (value_argument name: (value_argument_label) @_use value: (_) @handler) .))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_use "use"))
; let carts = routes.grouped("carts")
((property_declaration name: (pattern bound_identifier: (simple_identifier) @handler) value: (call_expression
    (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @_grouped))
    (call_suffix (value_arguments . (value_argument !name value: (line_string_literal) @name) . (value_argument !name value: (line_string_literal) @name)? .)))) @registers.mount
  (#eq? @_grouped "grouped"))
; carts.group(":id") { cart in … }, carts.group(":id") { $0.get … }
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @_group))
  (call_suffix (value_arguments . (value_argument !name value: (line_string_literal) @name) .) . (lambda_literal
    type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter name: (simple_identifier) @handler)))))) @registers.mount
  (#eq? @_group "group"))
((call_expression (navigation_expression target: (_) @router suffix: (navigation_suffix suffix: (simple_identifier) @_group))
  (call_suffix (value_arguments . (value_argument !name value: (line_string_literal) @name) .) . (lambda_literal !type) @inside)) @registers.group
  (#eq? @_group "group"))
; app.register(collection: CartController())
((call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @_register))
  (call_suffix (value_arguments . (value_argument name: (value_argument_label) @_collection value: (call_expression . (simple_identifier) @handler @name)) .))) @registers.entry
  (#eq? @_register "register") (#eq? @_collection "collection"))
