; languages: python
; mark: @(?:\w+\.)*(?:shared_task|task|periodic_task)\b|\.(?:delay|apply_async|send_task)\(
; members: run

((decorated_definition
  (decorator [(identifier) @_task (attribute attribute: (identifier) @_task)
    (call function: [(identifier) @_task (attribute attribute: (identifier) @_task)])]) @registers.task
  definition: (function_definition name: (identifier) @handler @name))
  (#any-of? @_task "shared_task" "task" "periodic_task"))
((call function: (attribute object: (_) @handler attribute: (identifier) @_delay)) @registers.start
  (#any-of? @_delay "delay" "apply_async" "s" "si" "signature"))
((call function: (attribute attribute: (identifier) @_send) arguments: (argument_list . (string) @handler)) @registers.start
  (#eq? @_send "send_task"))
