; languages: python
; mark: \bapscheduler\b|\bschedule\.every\(

((call function: (attribute attribute: (identifier) @_add) arguments: (argument_list . [(identifier) (attribute) (string)] @handler @name)) @registers.task
  (#any-of? @_add "add_job" "do"))
((decorated_definition (decorator (call function: (attribute attribute: (identifier) @_job))) @registers.task
  definition: (function_definition name: (identifier) @handler @name)) (#eq? @_job "scheduled_job"))
