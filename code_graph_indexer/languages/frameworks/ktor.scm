; languages: kotlin
; mark: \bio\.ktor\.server\b

((call_expression (call_expression (identifier) @_route (value_arguments . (value_argument (_) @name))) (annotated_lambda) @inside) @registers.group
  (#any-of? @_route "route"))
((call_expression (call_expression (identifier) @verb (value_arguments . (value_argument (_) @name))) (annotated_lambda)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "webSocket"))
((call_expression (identifier) @verb (annotated_lambda)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
; `carts()` below `route("/carts")` registers the routes of `fun Route.carts()`
((lambda_literal (call_expression (identifier) @handler (value_arguments)) @registers.mount))
; The configuration names `fun Application.module()`.
((function_declaration (user_type (identifier) @_application) name: (identifier) @handler @name) @registers.entry
  (#eq? @_application "Application"))
