; languages: go
; mark: Resolver\) [A-Z]\w*\(
; imported: 99designs/gqlgen|graph-gophers/graphql-go|\bgenerated\.\w+Resolver\b
; cut: Resolver\b

; func (r *queryResolver) Cart(ctx context.Context, id string) (*model.Cart, error)
((method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @name @_type)))
    name: (field_identifier) @handler @name) @registers.serves
  (#match? @_type "Resolver$"))
((method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @_type)))
    name: (field_identifier) @handler @name) @registers.entry
  (#match? @_type ".Resolver$") (#match? @name "^[A-Z]"))
