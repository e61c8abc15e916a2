; languages: typescript javascript
; path: (?:^|/)app/routes\.[jt]s$
; mark: @react-router/dev/routes|@remix-run/route-config
; text: ./{file} (?:\./)?(?P<file>.+)

((call_expression function: (identifier) @_route arguments: (arguments . (_) @name . (string) @handler)) @registers.mount
  (#eq? @_route "route"))
((call_expression function: (identifier) @_index arguments: (arguments . (string) @handler)) @registers.mount
  (#eq? @_index "index") (#set! path "/"))
((call_expression function: (identifier) @_layout arguments: (arguments . (string) @handler)) @registers.mount
  (#eq? @_layout "layout"))
