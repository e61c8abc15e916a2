; languages: python
; mark: \b(?:from|import) (?:django_)?rq\b

((call function: (attribute attribute: (identifier) @_enqueue) arguments: (argument_list . [(identifier) (attribute) (string)] @handler)) @registers.start
  (#any-of? @_enqueue "enqueue" "enqueue_call" "enqueue_many"))
((call function: (attribute attribute: (identifier) @_enqueue) arguments: (argument_list . (_) . [(identifier) (attribute) (string)] @handler)) @registers.start
  (#any-of? @_enqueue "enqueue_at" "enqueue_in"))
((decorated_definition (decorator (call function: [(identifier) @_job (attribute attribute: (identifier) @_job)])) @registers.task
  definition: (function_definition name: (identifier) @handler @name)) (#eq? @_job "job"))
