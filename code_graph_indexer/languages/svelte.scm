; inherits: typescript
; grammar: tree_sitter_typescript:language_typescript
; extensions: .svelte
; script: (?s)<script\b[^>]*>(.*?)</script>
; template: references =\{\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*\}
; template: references \{(?:[#@:][a-z ]+ )?!?\s*([A-Za-z_][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?=[\s}[?!=<>&|+*/,-])
; template: references (?<![\w.$\\])\$([A-Za-z_]\w*)
; template: calls (?<![\w.$<])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?=\()
; template: calls <([A-Z][\w.]*)(?=[\s/>])
