; languages: python
; mark: \brest_framework\b

; `@action(detail=True)` is a route of one element of the class that a router registers
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list ) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#match? @_arguments "detail\\s*=\\s*True") (#not-match? @_arguments "url_path") (#not-match? @_arguments "methods") (#set! verb "GET") (#set! path "/{pk}"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#eq? @_methods "methods") (#match? @_arguments "detail\\s*=\\s*True") (#not-match? @_arguments "url_path") (#set! path "/{pk}"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*True") (#not-match? @_arguments "methods") (#set! verb "GET") (#set! path "/{pk}"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb) (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*True") (#set! path "/{pk}"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name) (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*True") (#set! path "/{pk}"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list ) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#match? @_arguments "detail\\s*=\\s*False") (#not-match? @_arguments "url_path") (#not-match? @_arguments "methods") (#set! verb "GET"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#eq? @_methods "methods") (#match? @_arguments "detail\\s*=\\s*False") (#not-match? @_arguments "url_path"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*False") (#not-match? @_arguments "methods") (#set! verb "GET"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb) (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*False"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name) (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*False"))
