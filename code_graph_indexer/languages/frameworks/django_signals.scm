; languages: python
; mark: [sS]ignals?\b|@receiver\b

; Other libraries have methods `connect` and `send` too, but their files do not name signals.
((decorated_definition
  (decorator (call function: (identifier) @_receiver arguments: (argument_list . (_) @name))) @registers.listener
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_receiver "receiver"))
((call function: (attribute object: (_) @name attribute: (identifier) @_connect)
  arguments: (argument_list . (_) @handler)) @registers.listener
  (#eq? @_connect "connect"))
((call function: (attribute object: (_) @name attribute: (identifier) @_send)) @registers.emit
  (#any-of? @_send "send" "send_robust"))
