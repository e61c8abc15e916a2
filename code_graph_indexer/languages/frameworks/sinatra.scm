; languages: ruby
; mark: \b[sS]inatra\b

((call !receiver method: (identifier) @verb arguments: (argument_list . (_) @name) block: (_)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
; sinatra/namespace
((call !receiver method: (identifier) @_namespace arguments: (argument_list . (_) @name) block: (_) @inside) @registers.group
  (#eq? @_namespace "namespace"))
