; languages: typescript tsx javascript
; path: (?:^|/)app/routes/((?!.*\.(?:server|client|test|spec)\.|(?:.*/)?(?:\+|(?:page|layout)\.))[^.].*?)(?:/route)?\.[jt]sx?$
; replace: / \.(?![^\[\]]*\])
; replace: :\1? \(\$(\w+)\)
; replace: \1? \((\w+)\)
; replace: :\1 \$(\w+)
; replace: /* (?:^|/)\$$
; cut: (?:^|/)(?:_[^/]*|index)(?=/|$)|(?<=\w)_(?=/|$)|[\[\]]

; app/routes/carts.$id.tsx
((export_statement declaration: [
  (function_declaration name: (identifier) @handler)
  (lexical_declaration (variable_declarator name: (identifier) @handler))]) @registers.placed
  (#any-of? @handler "loader" "clientLoader") (#set! verb "GET"))
((export_statement declaration: [
  (function_declaration name: (identifier) @handler)
  (lexical_declaration (variable_declarator name: (identifier) @handler))]) @registers.placed
  (#any-of? @handler "action" "clientAction") (#set! verb "POST,PUT,PATCH,DELETE"))
((export_statement (export_clause (export_specifier name: (identifier) @handler) @registers.placed))
  (#any-of? @handler "loader" "clientLoader") (#set! verb "GET"))
((export_statement (export_clause (export_specifier name: (identifier) @handler) @registers.placed))
  (#any-of? @handler "action" "clientAction") (#set! verb "POST,PUT,PATCH,DELETE"))
; A component has a capital letter. A router of Express has none.
((export_statement "default" [declaration: (function_declaration name: (identifier) @handler) value: (identifier) @handler]) @registers.placed
  (#match? @handler "^[A-Z]") (#set! verb "GET"))
