; languages: typescript javascript tsx
; mark: ['"]bullmq['"]

((new_expression constructor: (identifier) @_worker arguments: (arguments . (_) @name . (_) @handler)) @registers.task
  (#eq? @_worker "Worker"))
