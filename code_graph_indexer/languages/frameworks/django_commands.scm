; languages: python
; path: (?:^|/)management/commands/(\w+)\.py$
; members: handle add_arguments

((class_definition name: (identifier) @handler) @registers.command (#eq? @handler "Command"))
