; languages: go
; mark: google.golang.org/grpc"|\b(?:Unimplemented|Unsafe)\w+Server\b
; cut: ^(?:Register|Unimplemented|Unsafe)|Server$

((call_expression function: (selector_expression field: (field_identifier) @_register @name)
  arguments: (argument_list . (_) . [
    (unary_expression operand: (composite_literal type: (type_identifier) @handler))
    (composite_literal type: (type_identifier) @handler)
    (identifier) @handler (call_expression) @handler] .)) @registers.entry
  (#match? @_register "^Register.*Server$"))
((call_expression function: (selector_expression field: (field_identifier) @name)
  arguments: (argument_list . (_) . [
    (unary_expression operand: (composite_literal type: (type_identifier) @handler))
    (composite_literal type: (type_identifier) @handler)
    (identifier) @handler (call_expression) @handler] .)) @registers.serves
  (#match? @name "^Register.*Server$"))
; type server struct { pb.UnimplementedCartsServer }
((type_spec name: (type_identifier) @handler type: (struct_type (field_declaration_list
    (field_declaration !name type: (qualified_type name: (type_identifier) @name))))) @registers.serves
  (#match? @name "^(Unimplemented|Unsafe).*Server$"))
