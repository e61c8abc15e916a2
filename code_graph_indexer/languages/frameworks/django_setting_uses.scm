; languages: python
; mark: settings\b
; imported: \bdjango\b

; settings.MAX_PARCELS, getattr(settings, "MAX_PARCELS", 3), @override_settings(MAX_PARCELS=4)
((attribute object: (identifier) @_settings attribute: (identifier) @name) @registers.link
  (#eq? @_settings "settings") (#set! path "settings.{name}") (#match? @name "^[A-Z]"))
((call function: (identifier) @_read arguments: (argument_list . (identifier) @_settings . (string) @name)) @registers.link
  (#any-of? @_read "getattr" "hasattr") (#eq? @_settings "settings") (#set! path "settings.{name}"))
((call function: [(identifier) @_override (attribute attribute: (identifier) @_override)]
  arguments: (argument_list (keyword_argument name: (identifier) @name))) @registers.link
  (#any-of? @_override "override_settings" "modify_settings" "settings") (#set! path "settings.{name}") (#match? @name "^[A-Z]"))
