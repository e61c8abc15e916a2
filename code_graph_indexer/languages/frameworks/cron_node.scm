; languages: javascript typescript tsx
; mark: ['"](?:node-)?cron['"]|['"]node-schedule['"]

((call_expression function: (member_expression property: (property_identifier) @_schedule)
  arguments: (arguments . [(string) (template_string) (identifier) (member_expression)] @name . [(arrow_function) (function_expression) (identifier) @handler (member_expression) @handler (call_expression) @handler])) @registers.task
  (#any-of? @_schedule "schedule" "scheduleJob"))
((new_expression constructor: (_) @_job arguments: (arguments . (_) @name . [(arrow_function) (function_expression) (identifier) @handler (member_expression) @handler (call_expression) @handler])) @registers.task
  (#match? @_job "CronJob$"))
