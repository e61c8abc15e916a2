; languages: go
; inherits: gin
; mark: "github.com/labstack/echo
; imported: "github\.com/labstack/echo

((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_add)
  arguments: (argument_list . (_) @verb . (_) @name . (_) @handler)) @registers.route
  (#any-of? @_add "Add" "Match") (#match? @name "^\"/"))
