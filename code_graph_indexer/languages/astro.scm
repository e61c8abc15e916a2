; inherits: typescript
; grammar: tree_sitter_typescript:language_typescript
; extensions: .astro
; script: (?s)\A\s*---[ \t]*\n(.*?)^---|<script\b[^>]*>(.*?)</script>
; template: references =\{\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*\}
; template: calls (?<![\w.$<])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?=\()
; template: calls <([A-Z][\w.]*)(?=[\s/>])
