; languages: php
; path: (?:^|/)Listeners/

; The type of its first parameter tells which event a listener hears.
((method_declaration name: (name) @handler
    parameters: (formal_parameters . (_ type: [(named_type (_) @name) (union_type (named_type (_) @name))]))) @registers.listener
  (#match? @handler "^(handle|__invoke)"))
