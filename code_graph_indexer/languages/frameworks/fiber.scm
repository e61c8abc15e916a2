; languages: go
; inherits: chi
; mark: "github.com/gofiber/fiber
; imported: "github\.com/gofiber/fiber

((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @verb)
  arguments: (argument_list . (_) @name (_) @handler .)) @registers.route
  (#any-of? @verb "Get" "Post" "Put" "Patch" "Delete" "Head" "Options" "All") (#match? @name "^[\"`]/"))
([(short_var_declaration left: (expression_list . (identifier) @handler)
    right: (expression_list . (call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_group)
      arguments: (argument_list . (_) @name))))
  (assignment_statement left: (expression_list . (identifier) @handler)
    right: (expression_list . (call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_group)
      arguments: (argument_list . (_) @name))))] @registers.router
  (#eq? @_group "Group"))
; carts.Register(v1), where the function registers on its parameter
((call_expression function: [(identifier) (selector_expression)] @handler arguments: (argument_list . (identifier) @router)) @registers.mount
  (#match? @router "^(\\w*[rR]outer|r|app|v\\d|api\\w*|\\w*[gG]roup)$")
  (#match? @handler "(^|\\.)\\w*([rR]egister|[rR]oute|[sS]etup|[aA]dd|[iI]nit|[mM]ount|Handler)\\w*$"))
