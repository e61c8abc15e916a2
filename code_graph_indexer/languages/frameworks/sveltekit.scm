; languages: typescript javascript
; path: (?:^|/)src/routes/(?:(.*)/)?\+(?:server|page\.server|page|layout\.server|layout)\.[jt]s$
; cut: \([^)]*\)/?

((export_statement declaration: [
  (function_declaration name: (identifier) @handler @verb)
  (lexical_declaration (variable_declarator name: (identifier) @handler @verb))]) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((export_statement declaration: [
  (function_declaration name: (identifier) @handler @name)
  (lexical_declaration (variable_declarator name: (identifier) @handler @name))]) @registers.entry
  (#any-of? @handler "load" "actions" "entries" "match"))
