; languages: rust
; path: (?:^|/)tests/
; mark: \bcurrent_exe\b

; Tests find the program beside their own one: `env::current_exe()`.
((call_expression function: [(identifier) @_own (scoped_identifier name: (identifier) @_own)]) @registers.program
  (#eq? @_own "current_exe"))
