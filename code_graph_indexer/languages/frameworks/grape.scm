; languages: ruby
; mark: \bGrape::API\b

; `prefix :api` and `version 'v1', using: :path` hold for the whole class
((class body: (body_statement (call !receiver method: (identifier) @_prefix arguments: (argument_list . (_) @name)))) @registers.group
  (#eq? @_prefix "prefix"))
((class body: (body_statement (call !receiver method: (identifier) @_version
    arguments: (argument_list . (_) @name (pair key: (hash_key_symbol) @_using value: (simple_symbol) @_path))))) @registers.group
  (#eq? @_version "version") (#eq? @_using "using") (#eq? @_path ":path"))
((call !receiver method: (identifier) @_resource arguments: (argument_list . (_) @name) block: (_) @inside) @registers.group
  (#any-of? @_resource "resource" "resources" "namespace" "group" "segment"))
((call !receiver method: (identifier) @_param arguments: (argument_list . (simple_symbol) @parameter) block: (_) @inside) @registers.group
  (#eq? @_param "route_param"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (_) @name) block: (_)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
((call !receiver method: (identifier) @verb !arguments block: (_)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
((call !receiver method: (identifier) @_mount arguments: (argument_list . [(constant) (scope_resolution)] @handler)) @registers.prefix
  (#eq? @_mount "mount"))
((call !receiver method: (identifier) @_mount
    arguments: (argument_list (pair key: [(constant) (scope_resolution)] @handler value: (_) @name))) @registers.prefix
  (#eq? @_mount "mount"))
