; languages: typescript tsx javascript
; path: (?:^|/)app/(?:root|entry\.\w+)\.[jt]sx?$
; mark: \+types/|["'](?:react-router|@react-router/|@remix-run/)

; What runs around every route.
((export_statement declaration: [
  (function_declaration name: (identifier) @handler @name)
  (lexical_declaration (variable_declarator name: (identifier) @handler @name))]) @registers.entry
  (#any-of? @handler "loader" "clientLoader" "action" "clientAction" "Layout" "ErrorBoundary" "handleError" "handleDataRequest"))
(export_statement "default" declaration: (function_declaration name: (identifier) @handler @name)) @registers.entry
