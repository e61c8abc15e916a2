; languages: typescript javascript tsx
; mark: ['"]@apollo/server|['"]apollo-server|['"]graphql|\bresolvers\b

((pair key: (property_identifier) @_operation value: (object [
    (pair key: (property_identifier) @name value: [(arrow_function) (function_expression) (identifier) @handler (member_expression) @handler (call_expression) @handler]) @registers.entry
    (method_definition name: (property_identifier) @name) @registers.entry
    (shorthand_property_identifier) @name @handler @registers.entry]))
  (#any-of? @_operation "Query" "Mutation" "Subscription"))
; what a schema declares as `Query.users` or `Cart.total`
((pair key: (property_identifier) @name @_type value: (object [
    (pair key: (property_identifier) @name value: [(identifier) (member_expression)] @handler) @registers.serves
    (pair key: (property_identifier) @name @handler value: [(arrow_function) (function_expression)]) @registers.serves
    (method_definition name: (property_identifier) @name @handler) @registers.serves
    (shorthand_property_identifier) @name @handler @registers.serves]))
  (#match? @_type "^[A-Z]"))
