; languages: go
; mark: "github.com/robfig/cron
; members: Run

((call_expression function: (selector_expression field: (field_identifier) @_add)
  arguments: (argument_list . (_) @name . [(func_literal) (identifier) @handler (selector_expression) @handler
    (composite_literal) @handler (unary_expression) @handler (call_expression) @handler] .)) @registers.task
  (#any-of? @_add "AddFunc" "AddJob"))
