; languages: go
; mark: cobra\.Command

((composite_literal type: (qualified_type name: (type_identifier) @_command) body: (literal_value
  (keyed_element (literal_element (identifier) @_use) (literal_element (interpreted_string_literal) @name)))) @registers.command
  (#eq? @_command "Command") (#eq? @_use "Use"))
((composite_literal type: (qualified_type name: (type_identifier) @_command) body: (literal_value
  (keyed_element (literal_element (identifier) @_use) (literal_element (interpreted_string_literal) @name))
  (keyed_element (literal_element (identifier) @_run) (literal_element [(identifier) (selector_expression)] @handler)))) @registers.command
  (#eq? @_command "Command") (#eq? @_use "Use") (#any-of? @_run "Run" "RunE"))
; what runs before and after a command answers nothing
((composite_literal type: (qualified_type name: (type_identifier) @_command) body: (literal_value
  (keyed_element (literal_element (identifier) @_run) (literal_element [(identifier) (selector_expression)] @handler)))) @registers.middleware
  (#eq? @_command "Command") (#match? @_run "^(Persistent)?(Pre|Post)RunE?$"))
