; languages: typescript javascript
; path: (?:^|/)app/routes\.[jt]s$
; mark: @react-router/dev/routes|@remix-run/route-config
; text: ./{file}.default (?:\./)?(?P<file>.+?)(?:\.[jt]sx?)?

; route("carts/:id", "./carts/show.tsx", [route("edit", "./carts/edit.tsx")])
((call_expression function: (identifier) @_route arguments: (arguments . (_) @name . (string) @handler)) @registers.route
  (#eq? @_route "route") (#set! verb "GET"))
((call_expression function: (identifier) @_index arguments: (arguments . (string) @handler)) @registers.route
  (#eq? @_index "index") (#set! verb "GET") (#set! path "/"))
((call_expression function: (identifier) @_route arguments: (arguments . (_) @name . (string) . (object)? . (array) @inside)) @registers.group
  (#eq? @_route "route"))
((call_expression function: (identifier) @_prefix arguments: (arguments . (_) @name . (_) @inside)) @registers.group
  (#eq? @_prefix "prefix"))
((call_expression function: (identifier) @name arguments: (arguments . (string) @handler)) @registers.entry
  (#eq? @name "layout"))
