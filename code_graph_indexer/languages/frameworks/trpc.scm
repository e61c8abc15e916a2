; languages: typescript tsx javascript
; mark: \bprocedure\b|Procedure\b

((pair key: (property_identifier) @name value: (call_expression
    function: (member_expression object: (_) @_procedure property: (property_identifier) @_operation)
    arguments: (arguments . [(arrow_function) (function_expression) (identifier) @handler (member_expression) @handler (call_expression) @handler] .))) @registers.entry
  (#any-of? @_operation "query" "mutation" "subscription") (#match? @_procedure "[pP]rocedure"))
