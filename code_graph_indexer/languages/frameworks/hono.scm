; languages: typescript tsx javascript
; inherits: express
; mark: \bHono\b|\.openapi\(|\bcreateRoute\(|\.basePath\(|\.route\(['"]|['"]hono
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

; @hono/zod-openapi: app.openapi(createRoute({ method: 'get', path: '/carts' }), handler), or a constant in place of the call
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_openapi)
  arguments: (arguments . [(identifier) (member_expression)] @name . (_) @handler)) @registers.route
  (#eq? @_openapi "openapi"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_openapi)
  arguments: (arguments . (call_expression arguments: (arguments . (object
    (pair key: (property_identifier) @_method value: (_) @verb)
    (pair key: (property_identifier) @_path value: (_) @name)))) . (_) @handler)) @registers.route
  (#eq? @_openapi "openapi") (#eq? @_method "method") (#eq? @_path "path"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_openapi)
  arguments: (arguments . (call_expression arguments: (arguments . (object
    (pair key: (property_identifier) @_path value: (_) @name)
    (pair key: (property_identifier) @_method value: (_) @verb)))) . (_) @handler)) @registers.route
  (#eq? @_openapi "openapi") (#eq? @_method "method") (#eq? @_path "path"))
((variable_declarator name: (identifier) @handler value: (call_expression function: (identifier) @_create
    arguments: (arguments . (object
      (pair key: (property_identifier) @_method value: (_) @verb)
      (pair key: (property_identifier) @_path value: (_) @name))))) @registers.described
  (#eq? @_create "createRoute") (#eq? @_method "method") (#eq? @_path "path"))
((variable_declarator name: (identifier) @handler value: (call_expression function: (identifier) @_create
    arguments: (arguments . (object
      (pair key: (property_identifier) @_path value: (_) @name)
      (pair key: (property_identifier) @_method value: (_) @verb))))) @registers.described
  (#eq? @_create "createRoute") (#eq? @_method "method") (#eq? @_path "path"))
