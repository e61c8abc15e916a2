; inherits: typescript
; grammar: tree_sitter_typescript:language_typescript
; extensions: .vue
; script: (?s)<script\b[^>]*>(.*?)</script>
; template: references (?<=\s)(?:@|:|v-)[\w:.@-]+="\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*"
; template: calls (?<![\w.$<])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?=\()
; template: calls <([A-Z][\w.]*|[a-z]+(?:-[a-z0-9]+)+)(?=[\s/>])
