; languages: java
; mark: ImplBase\b
; cut: ^(?:\w+\.)*(?=\w+ImplBase)|ImplBase

((class_declaration superclass: (superclass (_) @_base) body: (class_body (method_declaration name: (identifier) @handler @name) @registers.entry))
  (#match? @_base "ImplBase$"))
((class_declaration superclass: (superclass (_) @name @_base) body: (class_body (method_declaration name: (identifier) @handler @name) @registers.serves))
  (#match? @_base "ImplBase$"))
