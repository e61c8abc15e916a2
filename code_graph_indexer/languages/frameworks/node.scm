; languages: javascript typescript tsx
; mark: \.(?:on|once|addListener|prependListener|emit)\(['"]
; factories: \.bind\(\)$
; common: error data end close finish drain open message connect disconnect exit listening connection request response upgrade ready change abort readable pipe line timeout SIGINT SIGTERM

((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_on)
  arguments: (arguments . (string) @name . [(identifier) (member_expression) (call_expression)] @handler)) @registers.listener
  (#any-of? @_on "on" "once" "addListener" "prependListener"))
; on('paid', () => this.mail()), on('paid', function () { mail(); })
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_on)
  arguments: (arguments . (string) @name . [
    (arrow_function body: (call_expression function: (_) @handler))
    (arrow_function body: (statement_block . (expression_statement (call_expression function: (_) @handler)) .))
    (function_expression body: (statement_block . (expression_statement (call_expression function: (_) @handler)) .))])) @registers.listener
  (#any-of? @_on "on" "once" "addListener" "prependListener"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_emit)
  arguments: (arguments . (string) @name)) @registers.emit
  (#eq? @_emit "emit"))
