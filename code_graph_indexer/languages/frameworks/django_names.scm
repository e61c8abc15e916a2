; languages: python
; mark: \bname\s*=\s*["']|\b(?:reverse|reverse_lazy|redirect|resolve_url)\(
; imported: \bdjango\b
; factories: \.as_view\(\)$

; path("<int:pk>/", views.show, name="cart-show")
((call function: [(identifier) @_path (attribute attribute: (identifier) @_path)]
  arguments: (argument_list . (_) . (_) @handler (keyword_argument name: (identifier) @_name value: (string) @name))) @registers.named
  (#any-of? @_path "path" "re_path" "url") (#eq? @_name "name"))
((call function: [(identifier) @_reverse (attribute attribute: (identifier) @_reverse)] arguments: (argument_list . (string) @name)) @registers.link
  (#any-of? @_reverse "reverse" "reverse_lazy" "redirect" "resolve_url"))
