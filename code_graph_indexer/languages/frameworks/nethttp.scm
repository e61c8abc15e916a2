; languages: go
; mark: "net/http"
; imported: "net/http"

((call_expression function: (selector_expression field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @name . (_) @handler .)) @registers.route
  (#any-of? @_handle "HandleFunc" "Handle"))
; mux.Handle("GET /carts", http.HandlerFunc(list))
((call_expression function: (selector_expression field: (field_identifier) @_handle)
  arguments: (argument_list . (_) @name . (call_expression function: (_) arguments: (argument_list . [(identifier) (selector_expression)] @handler .)) .))
  @registers.route
  (#any-of? @_handle "HandleFunc" "Handle"))
