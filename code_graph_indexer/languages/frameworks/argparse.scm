; languages: python
; mark: \.set_defaults\(
; imported: \bargparse\b

; commands.add_parser("pay").set_defaults(func=pay)
((call function: (attribute attribute: (identifier) @_set) arguments: (argument_list
    (keyword_argument name: (identifier) @_run value: [(identifier) (attribute)] @handler @name))) @registers.command
  (#eq? @_set "set_defaults") (#match? @_run "^(func|function|fn|handler|callback|cmd|command|run|main)$"))
