; languages: python
; mark: Servicer\b

((class_definition superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])
    body: (block [
      (function_definition name: (identifier) @handler @name) @registers.entry
      (decorated_definition definition: (function_definition name: (identifier) @handler @name)) @registers.entry]))
  (#match? @_base "Servicer$") (#match? @name "^[A-Z]"))
