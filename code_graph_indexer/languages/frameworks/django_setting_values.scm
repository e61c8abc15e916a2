; languages: python
; path: (?:^|/)(?:settings|conf|config)(?:_\w+|/[^/]+)?\.py$|_settings\.py$
; mark: (?m)^[A-Z][A-Z\d_]+\s*(?::[^=\n]+)?=

; A file of settings gives each value to `settings`.
((module (expression_statement (assignment left: (identifier) @name @handler) @registers.named))
  (#set! path "settings.{name}") (#match? @name "^[A-Z]"))
((module (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name @handler) @registers.named))))
  (#set! path "settings.{name}") (#match? @name "^[A-Z]"))
