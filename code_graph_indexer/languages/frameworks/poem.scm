; languages: rust
; inherits: axum
; mark: \bpoem\b
; imported: \bpoem\b
