; languages: javascript typescript tsx
; mark: \.command\(
; imported: ['"](?:commander|cac|sade|@commander-js/extra-typings)['"]

; program.command("pay <id>").description("…").option("--now").action(pay)
((call_expression function: (member_expression object: (call_expression function: (member_expression property: (property_identifier) @_command) arguments: (arguments . (string) @name))
    property: (property_identifier) @_action) arguments: (arguments . (_) @handler)) @registers.command
  (#eq? @_command "command") (#eq? @_action "action"))
((call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression property: (property_identifier) @_command) arguments: (arguments . (string) @name))))
    property: (property_identifier) @_action) arguments: (arguments . (_) @handler)) @registers.command
  (#eq? @_command "command") (#eq? @_action "action"))
((call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression property: (property_identifier) @_command) arguments: (arguments . (string) @name))))))
    property: (property_identifier) @_action) arguments: (arguments . (_) @handler)) @registers.command
  (#eq? @_command "command") (#eq? @_action "action"))
((call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression property: (property_identifier) @_command) arguments: (arguments . (string) @name))))))))
    property: (property_identifier) @_action) arguments: (arguments . (_) @handler)) @registers.command
  (#eq? @_command "command") (#eq? @_action "action"))
((call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression property: (property_identifier) @_command) arguments: (arguments . (string) @name))))))))))
    property: (property_identifier) @_action) arguments: (arguments . (_) @handler)) @registers.command
  (#eq? @_command "command") (#eq? @_action "action"))
((call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression object: (call_expression function: (member_expression property: (property_identifier) @_command) arguments: (arguments . (string) @name))))))))))))
    property: (property_identifier) @_action) arguments: (arguments . (_) @handler)) @registers.command
  (#eq? @_command "command") (#eq? @_action "action"))
