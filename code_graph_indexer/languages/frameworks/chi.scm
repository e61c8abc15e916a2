; languages: go
; mark: \.(?:Get|Post|Put|Patch|Delete|Head|Options|HandleFunc|Handle|Method|Mount|Route)\(
; imported: "github\.com/go-chi/chi

((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @verb)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal) (binary_expression)] @name . (_) @handler .)) @registers.route
  (#any-of? @verb "Get" "Post" "Put" "Patch" "Delete" "Head" "Options" "Connect" "Trace" "HandleFunc")
  (#match? @name "[\"`](/|[A-Z]+ /)"))
((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_method)
  arguments: (argument_list . (_) @verb . (_) @name . (_) @handler .)) @registers.route
  (#any-of? @_method "Method" "MethodFunc"))
((call_expression function: (selector_expression operand: (_) @_r field: (field_identifier) @_route)
  arguments: (argument_list . (_) @name . (func_literal) @inside)) @registers.group
  (#eq? @_route "Route"))
((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_mount)
  arguments: (argument_list . (_) @name . [
    (call_expression function: (_) @handler) (identifier) @handler])) @registers.mount
  (#eq? @_mount "Mount"))
