; languages: typescript tsx javascript
; path: (?:^|/)app/(?:(.*)/)?(?:route|page)\.[jt]sx?$|(?:^|/)pages/(?!_)(.*?)(?:/?index)?\.[jt]sx?$
; cut: \([^)]*\)/?|@\w+/?

((export_statement declaration: (function_declaration name: (identifier) @handler @verb)) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @handler @verb))) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
(export_statement "default" declaration: (function_declaration name: (identifier) @handler)) @registers.route
(export_statement "default" value: [(identifier) (call_expression)] @handler) @registers.route
((export_statement (export_clause (export_specifier name: (identifier) @handler alias: (identifier) @verb @registers.route)))
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((export_statement declaration: (function_declaration name: (identifier) @handler @name)) @registers.entry
  (#any-of? @handler "getServerSideProps" "getStaticProps" "getStaticPaths" "generateMetadata" "generateStaticParams"))
