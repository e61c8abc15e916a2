; languages: rust
; mark: \.route\(|\.nest\(|\.merge\(|\.fallback\(
; imported: \baxum
; cut: (?<=.)/$

((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name (_) @verb)) @registers.route
  (#any-of? @_route "route" "at") (#match? @verb "^(routing::|axum::routing::)?(get|post|put|patch|delete|head|options|any|on)\\("))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))) @registers.route
  (#any-of? @_route "route" "at"))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: (field_expression field: (field_identifier) @verb)
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))) @registers.route
  (#any-of? @_route "route" "at"))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))))) @registers.route
  (#any-of? @_route "route" "at"))
; chains of three and four: `get(show).put(change).delete(remove)`
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: (field_expression value: (call_expression function: (field_expression field: (field_identifier) @verb)
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))))) @registers.route
  (#any-of? @_route "route" "at"))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))))))) @registers.route
  (#any-of? @_route "route" "at"))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression field: (field_identifier) @verb)
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))))))) @registers.route
  (#any-of? @_route "route" "at"))
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name
    (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]
      arguments: (arguments . [(identifier) (scoped_identifier)] @handler)))))))))) @registers.route
  (#any-of? @_route "route" "at"))
((call_expression function: (field_expression field: (field_identifier) @_nest)
  arguments: (arguments . (string_literal) @name . (call_expression function: [(identifier) (scoped_identifier)] @handler))) @registers.mount
  (#any-of? @_nest "nest" "nest_service"))
((call_expression function: (field_expression field: (field_identifier) @_nest)
  arguments: (arguments . (string_literal) @name . (identifier) @handler)) @registers.mount
  (#any-of? @_nest "nest" "nest_service"))
((call_expression function: (field_expression field: (field_identifier) @_nest)
  arguments: (arguments . (string_literal) @name . (_) @inside)) @registers.group
  (#eq? @_nest "nest"))
((call_expression function: (field_expression field: (field_identifier) @_merge)
  arguments: (arguments . (call_expression function: [(identifier) (scoped_identifier)] @handler))) @registers.mount
  (#eq? @_merge "merge"))
((call_expression function: (field_expression field: (field_identifier) @_fallback)
  arguments: (arguments . [(identifier) (scoped_identifier)] @handler)) @registers.listener
  (#eq? @_fallback "fallback"))
