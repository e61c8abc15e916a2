; languages: typescript tsx javascript
; inherits: remix
; path: (?:^|/)app/(?!routes/|root\.|entry\.)()
; mark: \+types/|["'](?:react-router|@react-router/|@remix-run/)
; replace: {?} ^$

; Route modules that only `app/routes.ts` names.
