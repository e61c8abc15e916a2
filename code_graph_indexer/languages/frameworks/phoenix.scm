; languages: elixir
; path: router\.ex$
; mark: :router\b|Phoenix\.Router
; resources: GET / index | GET /new new | POST / create | GET /:id show | GET /:id/edit edit | PATCH /:id update | PUT /:id update | DELETE /:id delete

((call target: (identifier) @verb (arguments . (string) @name . (alias) @named . (atom) @member)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "live"))
((call target: (identifier) @_resources (arguments . (string) @name . (alias) @named)) @registers.resources
  (#eq? @_resources "resources"))
((call target: (identifier) @_resources (arguments . (string) @name . (alias) @named
    (keywords (pair key: (keyword) @_only value: (_) @only)))) @registers.resources
  (#eq? @_resources "resources") (#match? @_only "^only:"))
((call target: (identifier) @_resources (arguments . (string) @name . (alias) @named
    (keywords (pair key: (keyword) @_except value: (_) @except)))) @registers.resources
  (#eq? @_resources "resources") (#match? @_except "^except:"))
((call target: (identifier) @_resources (arguments . (string) @name . (alias)) (do_block) @inside) @registers.nested
  (#eq? @_resources "resources"))
((call target: (identifier) @_scope (arguments . (string) @name) (do_block) @inside) @registers.group
  (#eq? @_scope "scope"))
((call target: (identifier) @_scope (arguments . (string) . (alias) @named) (do_block) @inside) @registers.owner
  (#eq? @_scope "scope"))
((call target: (identifier) @_scope (arguments . (alias) @named) (do_block) @inside) @registers.owner
  (#eq? @_scope "scope"))
