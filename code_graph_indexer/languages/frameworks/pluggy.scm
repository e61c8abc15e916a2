; languages: python
; mark: \bhook(?:impl|spec)\b|\.hook\.\w

; @hookimpl def total(cart), which manager.hook.total(cart=cart) calls; @hookspec says that there is such a hook
((decorated_definition
  (decorator [
    (identifier) @_impl
    (attribute attribute: (identifier) @_impl)
    (call function: [(identifier) @_impl (attribute attribute: (identifier) @_impl)])])
  definition: (function_definition name: (identifier) @handler @name)) @registers.listener
  (#match? @_impl "hookimpl$"))
((decorated_definition
  (decorator (call function: [(identifier) @_impl (attribute attribute: (identifier) @_impl)]
    arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string) @name))))
  definition: (function_definition name: (identifier) @handler)) @registers.listener
  (#match? @_impl "hookimpl$") (#eq? @_name "specname"))
((decorated_definition
  (decorator [
    (identifier) @_spec
    (attribute attribute: (identifier) @_spec)
    (call function: [(identifier) @_spec (attribute attribute: (identifier) @_spec)])])
  definition: (function_definition name: (identifier) @handler @name)) @registers.named
  (#match? @_spec "hookspec$"))
((attribute object: [(identifier) @_hook (attribute attribute: (identifier) @_hook)] attribute: (identifier) @name) @registers.emit
  (#eq? @_hook "hook"))
((attribute object: [(identifier) @_hook (attribute attribute: (identifier) @_hook)] attribute: (identifier) @name) @registers.link
  (#eq? @_hook "hook"))
