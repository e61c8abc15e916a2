; languages: go
; mark: google.golang.org/grpc"

((call_expression function: (selector_expression field: (field_identifier) @_register @name)
  arguments: (argument_list . (_) . [
    (unary_expression operand: (composite_literal type: (type_identifier) @handler))
    (composite_literal type: (type_identifier) @handler)
    (identifier) @handler (call_expression) @handler] .)) @registers.entry
  (#match? @_register "^Register.*Server$"))
