; languages: python
; inherits: click
; mark: \btyper\b
; imported: \b(?:from|import) typer\b
((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @_callback))) @registers.command
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_callback "callback"))
((call function: (attribute object: (_) @router attribute: (identifier) @_add) arguments: (argument_list . (_) @handler)) @registers.mount
  (#eq? @_add "add_typer"))
