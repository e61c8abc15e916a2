; languages: go
; mark: "github.com/gorilla/mux"
; imported: "github\.com/gorilla/mux"

((call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @name . (_) @handler .)) @registers.route
  (#any-of? @_handle "HandleFunc" "Handle"))
((call_expression
  function: (selector_expression
    operand: (call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_handle)
      arguments: (argument_list . (_) @name . (_) @handler .)) @registers.route
    field: (field_identifier) @_methods)
  arguments: (argument_list) @verb)
  (#any-of? @_handle "HandleFunc" "Handle") (#eq? @_methods "Methods"))
; s := r.PathPrefix("/api").Subrouter()
([(short_var_declaration left: (expression_list . (identifier) @handler)
    right: (expression_list . (call_expression function: (selector_expression
      operand: (call_expression function: (selector_expression operand: (_) @router field: (field_identifier) @_prefix)
        arguments: (argument_list . (_) @name))
      field: (field_identifier) @_sub))))] @registers.router
  (#eq? @_prefix "PathPrefix") (#eq? @_sub "Subrouter"))
