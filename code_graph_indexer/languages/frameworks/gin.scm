; languages: go
; mark: \.(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Handle|Group)\(
; imported: "github\.com/gin-gonic/gin"

((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @verb)
  arguments: (argument_list . (_) @name (_) @handler .)) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @verb)
  arguments: (argument_list . (_) @name [(identifier) (selector_expression)] @handler)) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
; r.Any("/carts", showCarts), and not slog.Any("error", err)
((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @verb)
  arguments: (argument_list . (_) @name (_) @handler .)) @registers.route
  (#eq? @verb "Any") (#match? @name "^[^\"`]|^[\"`][/:*]"))
((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_handle)
  arguments: (argument_list . (interpreted_string_literal) @verb . (_) @name (_) @handler .)) @registers.route
  (#eq? @_handle "Handle"))
([(short_var_declaration left: (expression_list . (identifier) @handler)
    right: (expression_list . (call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_group)
      arguments: (argument_list . (_) @name))))
  (assignment_statement left: (expression_list . (identifier) @handler)
    right: (expression_list . (call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_group)
      arguments: (argument_list . (_) @name))))] @registers.router
  (#eq? @_group "Group"))
; users.Register(v1.Group("/users"))
((call_expression function: (_) @handler arguments: (argument_list (call_expression
  function: (selector_expression operand: (_) @router field: (field_identifier) @_group)
  arguments: (argument_list . (_) @name)))) @registers.mount
  (#eq? @_group "Group"))
; users.Register(v1), where the function registers on its parameter
((call_expression function: [(identifier) (selector_expression)] @handler arguments: (argument_list . (identifier) @router)) @registers.mount
  (#match? @router "^(\\w*[rR]outer|r|rg|g|e|v\\d|api\\w*|\\w*[gG]roup|engine|auth\\w*|public|private|protected|admin)$")
  (#match? @handler "(^|\\.)\\w*([rR]egister|[rR]oute|[sS]etup|[aA]dd|[iI]nit|[mM]ount|Handler)\\w*$"))
