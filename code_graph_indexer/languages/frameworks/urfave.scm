; languages: go
; mark: urfave/cli

; &cli.Command{Name: "pay", Action: pay}, also without its type in a list
((literal_value
    (keyed_element (literal_element (identifier) @_name) (literal_element (interpreted_string_literal) @name))
    (keyed_element (literal_element (identifier) @_run) (literal_element [(identifier) (selector_expression) (func_literal)] @handler))) @registers.command
  (#eq? @_name "Name") (#any-of? @_run "Action" "Before" "After"))
