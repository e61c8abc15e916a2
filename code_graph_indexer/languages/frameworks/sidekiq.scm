; languages: ruby
; mark: \bSidekiq::(?:Job|Worker)\b|\.perform_(?:async|in|at)\b
; members: perform

((class name: (_) @handler @name body: (body_statement (call method: (identifier) @_include
  arguments: (argument_list (scope_resolution scope: (constant) @_sidekiq name: (constant) @_job))))) @registers.task
  (#eq? @_include "include") (#eq? @_sidekiq "Sidekiq") (#any-of? @_job "Job" "Worker"))
((call receiver: (_) @handler method: (identifier) @_perform) @registers.start
  (#any-of? @_perform "perform_async" "perform_in" "perform_at" "perform_bulk"))
