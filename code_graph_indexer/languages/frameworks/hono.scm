; languages: typescript tsx javascript
; inherits: express
; mark: \bHono\b|\.basePath\(|\.route\(['"]|['"]hono
; imported: ['"](?:npm:|jsr:|@)?hono
; cut: (?<=.)/$

((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_on)
  arguments: (arguments . (_) @verb . (string) @name (_) @handler .)) @registers.route
  (#eq? @_on "on"))
((call_expression function: (member_expression object: (call_expression) @router property: (property_identifier) @verb)
  arguments: (arguments . (string) @name (_) @handler .)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "options"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_route)
  arguments: (arguments . (string) @name . (_) @handler .)) @registers.mount
  (#eq? @_route "route"))
((variable_declarator name: (identifier) @handler value: (call_expression
  function: (member_expression property: (property_identifier) @_base)
  arguments: (arguments . (string) @name))) @registers.router
  (#eq? @_base "basePath"))
