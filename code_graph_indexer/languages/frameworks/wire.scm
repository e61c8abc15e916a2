; languages: javascript typescript tsx vue svelte
; mark: \bfetch\w*\(|\.\$?(?:get|post|put|patch|delete|request)(?:<[^>]*>)?\(\s*["'`]

; fetch("/api/carts"), fetch(`${BASE}/carts/${id}`, { method: "POST" })
((call_expression function: [(identifier) @_fetch (member_expression property: (property_identifier) @_fetch)]
  arguments: (arguments . [(string) (template_string) (binary_expression)] @name .)) @registers.wire
  (#match? @_fetch "^\\$?fetch$") (#set! verb "GET"))
((call_expression function: [(identifier) @_fetch (member_expression property: (property_identifier) @_fetch)]
  arguments: (arguments . [(string) (template_string) (binary_expression)] @name . (object) @_options)) @registers.wire
  (#match? @_fetch "^\\$?fetch$") (#not-match? @_options "\\bmethod\\b") (#set! verb "GET"))
((call_expression function: [(identifier) @_fetch (member_expression property: (property_identifier) @_fetch)]
  arguments: (arguments . [(string) (template_string) (binary_expression)] @name
    . (object (pair key: (property_identifier) @_method value: (string) @verb)))) @registers.wire
  (#match? @_fetch "^\\$?fetch$") (#eq? @_method "method"))
; axios.get("/api/carts"), and any other client, such as $axios.$get
((call_expression function: (member_expression property: (property_identifier) @verb)
  arguments: (arguments . [(string) (template_string) (binary_expression)] @name)) @registers.wire
  (#match? @verb "^\\$?(get|post|put|patch|delete|head)$") (#match? @name "/"))
