; languages: ruby erb haml slim
; mark: \brender\w*\b|_(?:path|url)\b

; render "row", render partial: "carts/row", render :new
((call method: (identifier) @_render arguments: (argument_list . [(string) (simple_symbol)] @name)) @registers.view
  (#any-of? @_render "render" "render_to_string"))
((call method: (identifier) @_render arguments: (argument_list (pair key: [(hash_key_symbol) (simple_symbol)] @_key value: [(string) (simple_symbol)] @name))) @registers.view
  (#any-of? @_render "render" "render_to_string") (#match? @_key "^:?(template|action|layout)$"))
((call method: (identifier) @_render arguments: (argument_list (pair key: [(hash_key_symbol) (simple_symbol)] @_key value: [(string) (simple_symbol)] @name))) @registers.view
  (#any-of? @_render "render" "render_to_string") (#match? @_key "^:?partial$") (#set! path "%{name}"))
; render "row", cart: cart, and render partial: "row", locals: { cart: cart }
((call method: (identifier) @_render arguments: (argument_list . (string) @name (pair key: (hash_key_symbol) @variable value: (_) @handler))) @registers.context
  (#eq? @_render "render"))
((call method: (identifier) @_render arguments: (argument_list (pair key: (_) @_partial value: (string) @name)
    (pair key: (_) @_locals value: (hash (pair key: [(hash_key_symbol) (simple_symbol)] @variable value: (_) @handler))))) @registers.context
  (#eq? @_render "render") (#match? @_partial "^:?partial$") (#match? @_locals "^:?locals$"))
; the functions that write the path of a route
((call !receiver method: (identifier) @name) @registers.link (#match? @name "_(path|url)$"))
((identifier) @name @registers.link (#match? @name "_(path|url)$"))
