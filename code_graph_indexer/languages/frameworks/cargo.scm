; languages: rust
; mark: CARGO_BIN_EXE_|\bcargo_bin\b
; cut: ^CARGO_BIN_EXE_

; env!("CARGO_BIN_EXE_rg"), std::env::var("CARGO_BIN_EXE_rg")
((string_literal) @name @registers.program (#match? @name "^\"CARGO_BIN_EXE_"))
; Command::cargo_bin("rg"), cargo_bin!("rg")
((call_expression function: [(identifier) @_bin (scoped_identifier name: (identifier) @_bin)]
  arguments: (arguments . (string_literal) @name)) @registers.program (#eq? @_bin "cargo_bin"))
((macro_invocation macro: [(identifier) @_bin (scoped_identifier name: (identifier) @_bin)]
  (token_tree . (string_literal) @name)) @registers.program (#any-of? @_bin "cargo_bin" "cargo_bin_cmd"))
