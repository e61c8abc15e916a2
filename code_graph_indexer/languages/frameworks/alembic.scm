; languages: python
; mark: \bfrom alembic import\b
; imported: \balembic\b

; what `alembic upgrade` and `alembic downgrade` call of a version
((module (function_definition name: (identifier) @handler @name) @registers.entry) (#any-of? @handler "upgrade" "downgrade"))
