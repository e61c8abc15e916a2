; languages: javascript typescript tsx
; inherits: express
; mark: ['"]@?koa\b|\.routes\(\)|new Router\(|\.prefix\(
; imported: ['"]@?koa\b
; cut: (?<=.)/$

; router.get('carts', '/carts', list): a route may have a name
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @verb)
  arguments: (arguments . (string) . (string) @name (_) @handler .)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options" "del") (#match? @name "^.[/*]"))
((variable_declarator name: (identifier) @handler value: (new_expression constructor: (_) @_router
  arguments: (arguments (object (pair key: (property_identifier) @_key value: (_) @name))))) @registers.router
  (#match? @_router "Router$") (#eq? @_key "prefix"))
((call_expression function: (member_expression object: (identifier) @handler property: (property_identifier) @_prefix)
  arguments: (arguments . (_) @name .)) @registers.router
  (#eq? @_prefix "prefix") (#match? @handler "[rR]outer$|[aA]pi"))
; router.use('/carts', carts.routes(), carts.allowedMethods())
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . (_) @name
    (call_expression function: (member_expression object: (_) @handler property: (property_identifier) @_routes)))) @registers.mount
  (#eq? @_use "use") (#any-of? @_routes "routes" "middleware") (#not-match? @name "\\("))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments .
    (call_expression function: (member_expression object: (_) @handler property: (property_identifier) @_routes)))) @registers.mount
  (#eq? @_use "use") (#any-of? @_routes "routes" "middleware"))
; app.use(mount('/api', api)), of koa-mount
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . (call_expression function: (identifier) @_mount arguments: (arguments . (string) @name . (_) @handler)))) @registers.mount
  (#eq? @_use "use") (#eq? @_mount "mount"))
