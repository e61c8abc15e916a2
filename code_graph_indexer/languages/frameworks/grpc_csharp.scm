; languages: csharp
; mark: \bServerCallContext\b
; cut: ^(?:\w+\.)*(?=\w+Base\b)|Base(?=/|$)

((class_declaration (base_list . (qualified_name) @_base) body: (declaration_list (method_declaration name: (identifier) @handler @name
    parameters: (parameter_list) @_parameters) @registers.entry))
  (#match? @_base "Base$") (#match? @_parameters "ServerCallContext"))
((class_declaration (base_list . (qualified_name) @name) body: (declaration_list (method_declaration name: (identifier) @handler @name
    parameters: (parameter_list) @_parameters) @registers.serves))
  (#match? @_parameters "ServerCallContext"))
