; languages: javascript typescript tsx
; mark: \.(?:get|post|put|patch|delete|all|use|route|head|options)\(
; imported: ['"]express
; factories: \.bind\(\)$

((call_expression function: (member_expression object: (_) @router property: (property_identifier) @verb)
  arguments: (arguments . (string) @name (_) @handler .)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options" "del")
  (#match? @name "^.[/*]") (#not-match? @handler "^[{\\[]")
  (#not-match? @router "^(axios|https?|\\$http|request|\\$|fetch\\w*|\\w*[cC]lient|cy|agent|\\w*[aA]xios|this\\.(http\\w*|\\w*[cC]lient))(\\(.*\\))?$"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @verb)
  arguments: (arguments . (string) @name [(identifier) (member_expression)] @handler)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options" "del")
  (#match? @name "^.[/*]") (#not-match? @handler "^[{\\[]")
  (#not-match? @router "^(axios|https?|\\$http|request|\\$|fetch\\w*|\\w*[cC]lient|cy|agent|\\w*[aA]xios|this\\.(http\\w*|\\w*[cC]lient))(\\(.*\\))?$"))
; a list of paths, a pattern, or a path that has other parts than text
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @verb)
  arguments: (arguments . [(array) (regex) (template_string) (binary_expression) (identifier) (member_expression)] @name (_) @handler .)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options" "del")
  (#match? @router "^(this\\.)?(app|server|api|fastify|instance|\\w*[rR]outer|\\w*[rR]outes?|\\w*App)$") (#not-match? @handler "^[{\\[]"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @verb)
  arguments: (arguments . [(array) (regex) (template_string) (binary_expression) (identifier) (member_expression)] @name
    [(identifier) (member_expression)] @handler)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options" "del")
  (#match? @router "^(this\\.)?(app|server|api|fastify|instance|\\w*[rR]outer|\\w*[rR]outes?|\\w*App)$"))
; app.route('/x').get(handler).post(handler)
((call_expression function: (member_expression
    object: (call_expression function: (member_expression object: (_) @router property: (property_identifier) @_route)
      arguments: (arguments . (string) @name))
    property: (property_identifier) @verb)
  arguments: (arguments (_) @handler)) @registers.route
  (#eq? @_route "route") (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options"))
((call_expression function: (member_expression
    object: (call_expression function: (member_expression
      object: (call_expression function: (member_expression object: (_) @router property: (property_identifier) @_route)
        arguments: (arguments . (string) @name))))
    property: (property_identifier) @verb)
  arguments: (arguments (_) @handler)) @registers.route
  (#eq? @_route "route") (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options"))
((call_expression function: (member_expression
    object: (call_expression function: (member_expression
      object: (call_expression function: (member_expression
        object: (call_expression function: (member_expression object: (_) @router property: (property_identifier) @_route)
          arguments: (arguments . (string) @name))))))
    property: (property_identifier) @verb)
  arguments: (arguments (_) @handler)) @registers.route
  (#eq? @_route "route") (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options"))

; routers and middleware
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . [(string) (array) (template_string) (binary_expression)] @name [(identifier) (member_expression)] @handler .)) @registers.mount
  (#eq? @_use "use"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . [(string) (array) (template_string) (binary_expression)] @name
    (call_expression function: (identifier) @handler) .)) @registers.mount
  (#eq? @_use "use") (#not-eq? @handler "require"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . [(identifier) (member_expression)] @handler .)) @registers.mount
  (#eq? @_use "use"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . [(string) (array) (template_string) (binary_expression)] @name (call_expression function: (_) @_require arguments: (arguments . (string) @handler)) .)) @registers.mount
  (#eq? @_use "use") (#eq? @_require "require"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_use)
  arguments: (arguments . (call_expression function: (_) @_require arguments: (arguments . (string) @handler)) .)) @registers.mount
  (#eq? @_use "use") (#eq? @_require "require"))
((call_expression function: (member_expression object: (_) @_app property: (property_identifier) @_use)
  arguments: (arguments [(identifier) (member_expression)] @handler)) @registers.middleware
  (#eq? @_use "use"))

; [{ path: '/carts', route: carts }].forEach((one) => router.use(one.path, one.route))
((object
  (pair key: (property_identifier) @_path value: (string) @name) . (pair)?
  . (pair key: (property_identifier) @_route value: (identifier) @handler)) @registers.mount
  (#any-of? @_path "path" "url" "prefix") (#any-of? @_route "route" "router" "routes") (#match? @name "^./"))
