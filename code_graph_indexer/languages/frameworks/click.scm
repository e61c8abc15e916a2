; languages: python
; mark: @(?:\w+\.)*(?:command|group)\b
; imported: \b(?:from|import) (?:click|rich_click|asyncclick)\b

((decorated_definition
  (decorator (call function: [(identifier) @_command (attribute attribute: (identifier) @_command)]
    arguments: (argument_list [(string) @name (keyword_argument name: (identifier) @_name value: (string) @name)]))) @registers.command
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_command "command" "group") (#eq? @_name "name"))
((decorated_definition
  (decorator [(identifier) @_command (attribute attribute: (identifier) @_command)
    (call function: [(identifier) @_command (attribute attribute: (identifier) @_command)])]) @registers.command
  definition: (function_definition name: (identifier) @handler @name))
  (#any-of? @_command "command" "group" "callback" "result_callback"))
