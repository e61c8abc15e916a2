; languages: python
; mark: \bfrom aiohttp import .*\bweb\b|\baiohttp\.web\b|\.router\.add_
; imported: \baiohttp\b
; members: get post put patch delete head options

; web.get("/carts", list_carts)
((call function: (attribute object: (identifier) @_web attribute: (identifier) @verb)
  arguments: (argument_list . (_) @name . (_) @handler)) @registers.route
  (#eq? @_web "web") (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "view"))
; app.router.add_get("/carts", list_carts)
((call function: (attribute object: (attribute object: (_) @router attribute: (identifier) @_router) attribute: (identifier) @verb)
  arguments: (argument_list . (_) @name . (_) @handler)) @registers.route
  (#eq? @_router "router") (#match? @verb "^add_(get|post|put|patch|delete|head|options|view)$"))
((call function: (attribute object: (attribute object: (_) @router attribute: (identifier) @_router) attribute: (identifier) @_add)
  arguments: (argument_list . (string) @verb . (_) @name . (_) @handler)) @registers.route
  (#eq? @_router "router") (#eq? @_add "add_route"))
; add_route = app.router.add_route
((call function: (identifier) @_add arguments: (argument_list . (string) @verb . (string) @name . (_) @handler)) @registers.route
  (#eq? @_add "add_route"))
((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @verb)
    arguments: (argument_list . (_) @name))) @registers.route
  definition: (_ name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "view"))
((call function: (attribute object: (_) @router attribute: (identifier) @_add)
  arguments: (argument_list . (_) @name . (_) @handler)) @registers.mount
  (#eq? @_add "add_subapp"))
