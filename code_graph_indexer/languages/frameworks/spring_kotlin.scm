; languages: kotlin
; mark: \borg\.springframework\b

((class_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @_mapping)
  (value_arguments . (value_argument . (_) @name .)))))) @registers.group (#eq? @_mapping "RequestMapping"))
((class_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @_mapping)
  (value_arguments (value_argument . (identifier) @_key . (_) @name)))))) @registers.group
  (#eq? @_mapping "RequestMapping") (#any-of? @_key "value" "path"))
; The grammar reads annotations above a class as expressions, of which the last may have the arguments.
(((annotated_expression (annotation (user_type (identifier) @_mapping)) (parenthesized_expression (_) @name))
  . (class_declaration) @registers.group @inside) (#eq? @_mapping "RequestMapping"))
(((annotated_expression (annotated_expression (annotation (user_type (identifier) @_mapping)) (parenthesized_expression (_) @name)))
  . (class_declaration) @registers.group @inside) (#eq? @_mapping "RequestMapping"))
(((annotated_expression (annotated_expression (annotated_expression (annotation (user_type (identifier) @_mapping)) (parenthesized_expression (_) @name))))
  . (class_declaration) @registers.group @inside) (#eq? @_mapping "RequestMapping"))
((function_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @verb)
  (value_arguments (value_argument . [(string_literal) (collection_literal) (binary_expression) (navigation_expression)] @name .)))) @registers.route)
  name: (identifier) @handler) (#match? @verb "^(Get|Post|Put|Patch|Delete|Request)Mapping$"))
((function_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @verb)
  (value_arguments (value_argument . (identifier) @_key . (_) @name)))) @registers.route)
  name: (identifier) @handler) (#match? @verb "^(Get|Post|Put|Patch|Delete|Request)Mapping$") (#any-of? @_key "value" "path"))
((function_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @_mapping)
  (value_arguments (value_argument . (identifier) @_key . (_) @name) (value_argument . (identifier) @_method . (_) @verb)))) @registers.route)
  name: (identifier) @handler) (#eq? @_mapping "RequestMapping") (#any-of? @_key "value" "path") (#eq? @_method "method"))
((function_declaration (modifiers (annotation (constructor_invocation (user_type (identifier) @_mapping)
  (value_arguments . (value_argument . (string_literal) @name .) (value_argument . (identifier) @_method . (_) @verb)))) @registers.route)
  name: (identifier) @handler) (#eq? @_mapping "RequestMapping") (#eq? @_method "method"))
((function_declaration (modifiers (annotation [(user_type (identifier) @verb) (constructor_invocation (user_type (identifier) @verb))]) @registers.route)
  name: (identifier) @handler) (#match? @verb "^(Get|Post|Put|Patch|Delete)Mapping$"))

; router { "/api".nest { GET("/carts", handler::list) } }
((call_expression (navigation_expression (string_literal) @name (identifier) @_nest) (annotated_lambda) @inside) @registers.group
  (#eq? @_nest "nest"))
((call_expression (identifier) @verb (value_arguments . (value_argument (string_literal) @name) . (value_argument (_) @handler) .)) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((call_expression (call_expression (identifier) @verb (value_arguments . (value_argument (string_literal) @name))) (annotated_lambda)) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
