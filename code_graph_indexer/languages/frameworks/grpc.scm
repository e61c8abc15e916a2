; languages: python
; mark: Servicer\b
; cut: Servicer$

((class_definition superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])
    body: (block [
      (function_definition name: (identifier) @handler @name) @registers.entry
      (decorated_definition definition: (function_definition name: (identifier) @handler @name)) @registers.entry]))
  (#match? @_base "Servicer$") (#match? @name "^[A-Z]"))
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @name (attribute attribute: (identifier) @name)])) @registers.serves
  (#match? @name "Servicer$"))
