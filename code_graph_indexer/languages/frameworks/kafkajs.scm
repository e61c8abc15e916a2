; languages: javascript typescript tsx
; mark: ['"]kafkajs['"]

((call_expression function: (member_expression property: (property_identifier) @_run)
  arguments: (arguments . (object (pair key: (property_identifier) @name value: [(arrow_function) (function_expression) (identifier) @handler (member_expression) @handler (call_expression) @handler])))) @registers.listener
  (#eq? @_run "run") (#any-of? @name "eachMessage" "eachBatch"))
((call_expression function: (member_expression property: (property_identifier) @_run)
  arguments: (arguments . (object (method_definition name: (property_identifier) @name)))) @registers.listener
  (#eq? @_run "run") (#any-of? @name "eachMessage" "eachBatch"))
