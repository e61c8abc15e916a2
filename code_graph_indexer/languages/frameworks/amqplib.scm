; languages: javascript typescript tsx
; mark: ['"]amqplib|['"]amqp-connection-manager['"]

((call_expression function: (member_expression property: (property_identifier) @_consume)
  arguments: (arguments . (_) @name . [(arrow_function) (function_expression) (identifier) @handler (member_expression) @handler (call_expression) @handler])) @registers.listener (#eq? @_consume "consume"))
((call_expression function: (member_expression property: (property_identifier) @_send)
  arguments: (arguments . (_) @name)) @registers.emit (#eq? @_send "sendToQueue"))
