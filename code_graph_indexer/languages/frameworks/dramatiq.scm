; languages: python
; mark: \bdramatiq\b

((decorated_definition (decorator [(identifier) @_actor (attribute attribute: (identifier) @_actor)
    (call function: [(identifier) @_actor (attribute attribute: (identifier) @_actor)])]) @registers.task
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_actor "actor"))
((call function: (attribute object: (_) @handler attribute: (identifier) @_send)) @registers.start
  (#any-of? @_send "send" "send_with_options" "message"))
