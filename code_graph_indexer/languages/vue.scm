; inherits: typescript
; grammar: tree_sitter_typescript:language_typescript
; extensions: .vue
; script: (?s)<script\b[^>]*>(.*?)</script>
; template-components: <([A-Z][\w.]*|[a-z]+(?:-[a-z0-9]+)+)(?=[\s/>])
; template-calls: (?<![\w.$<])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?=\()
; template-handlers: (?<=\s)(?:@|:|v-)[\w:.@-]+="\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*"
