; languages: csharp
; mark: \.(?:Try)?Add(?:Keyed)?(?:Scoped|Singleton|Transient|HttpClient)<|\.Get(?:Required)?(?:Keyed)?Service<|\(\s*(?:\[\w+\]\s*)?I[A-Z]\w*(?:<[^()\n]*>)?\s+\w+\s*[,)]

; AddScoped<IPayment, Card>(), also `TryAdd…`, `AddKeyed…` and `AddHttpClient`
((invocation_expression function: (member_access_expression name: (generic_name (identifier) @_add
  (type_argument_list . [(identifier) @name (generic_name (identifier) @name)] . [(identifier) @handler (generic_name (identifier) @handler)] .)))) @registers.provider
  (#match? @_add "^(Try)?Add(Keyed)?(Scoped|Singleton|Transient|HttpClient)$"))
; AddScoped<IPayment>(services => new Card())
((invocation_expression function: (member_access_expression name: (generic_name (identifier) @_add
    (type_argument_list . [(identifier) @name (generic_name (identifier) @name)] .)))
  arguments: (argument_list (argument [
    (lambda_expression body: (object_creation_expression type: (identifier) @handler))
    (object_creation_expression type: (identifier) @handler)]) .)) @registers.provider
  (#match? @_add "^(Try)?Add(Keyed)?(Scoped|Singleton|Transient|HttpClient)$"))
((invocation_expression function: (member_access_expression name: (identifier) @_add)
  arguments: (argument_list (argument (typeof_expression type: [(identifier) @name (generic_name (identifier) @name)]))
    (argument (typeof_expression type: [(identifier) @handler (generic_name (identifier) @handler)])) .)) @registers.provider
  (#match? @_add "^(Try)?Add(Keyed)?(Scoped|Singleton|Transient)$"))
; GetRequiredService<IPayment>()
((invocation_expression function: (member_access_expression name: (generic_name (identifier) @_get
  (type_argument_list . (identifier) @handler .)))) @registers.need
  (#match? @_get "^Get(Required)?(Keyed)?Services?$"))
((constructor_declaration parameters: (parameter_list (parameter type: [(identifier) @handler (generic_name (identifier) @handler)] @registers.need))))
((class_declaration (parameter_list (parameter type: [(identifier) @handler (generic_name (identifier) @handler)] @registers.need))))
; app.MapGet("/carts", (IPayment payment) => …)
((lambda_expression parameters: (parameter_list (parameter type: (identifier) @handler @registers.need))))
