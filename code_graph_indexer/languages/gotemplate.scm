; inherits: go
; extensions: .tmpl .gotmpl .gohtml .html
; content: .html \{\{-?\s*(?:(?:define|template|block|range|end)\b|\.(?:[A-Z]|\s))
; modules: file
; import-lookup: view
; lookup: file imports
; template: tags (?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}|(\{\{.*?\}\})
; template: imports \b(?:template|block)\s+"([^"{}]+)"
; template: apply [|(]\s*([A-Za-z_]\w*)
; template: apply \{\{-?\s*(?:(?:else\s+)?(?:if|with|range)\s+)?(?:not\s+)?([A-Za-z_]\w*)(?=\s+[^\s}-])
; template: reads (?<=[\s({|$])(?:\$\w*)?\.([A-Z]\w*(?:\.[A-Z]\w*)*)\b
