; languages: elixir
; mark: \brender\w*\(|\bput_view\b

; render(conn, :show), render(conn, "show.html", cart: cart)
((call target: (identifier) @_render (arguments . (_) . [(atom) (string)] @name)) @registers.view (#eq? @_render "render"))
((call target: (identifier) @_render (arguments . (_) . [(atom) (string)] @name
  (keywords (pair key: (keyword) @variable value: (_) @handler)))) @registers.context (#eq? @_render "render"))
