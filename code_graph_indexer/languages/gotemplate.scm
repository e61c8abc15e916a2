; inherits: go
; extensions: .tmpl .gotmpl .gohtml .html
; content: .html \{\{-?\s*(?:(?:define|template|block|range|end)\b|\.(?:[A-Z]|\s))
; modules: file
; import-lookup: view
; lookup: file imports
; loops-over: values
; template: tags (?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}|(\{\{.*?\}\})
; template: imports \b(?:template|block)\s+"([^"{}]+)"
; template: apply [|(]\s*([A-Za-z_]\w*)
; template: apply \{\{-?\s*(?:(?:else\s+)?(?:if|with|range)\s+)?(?:not\s+)?([A-Za-z_]\w*)(?=\s+[^\s}-])
; template: opens \{\{-?\s*range\s+(?:\$\w+\s*(?:,\s*\$\w+\s*)?:=\s*)?(?P<each>[$.][\w.]*)\s*-?\}
; template: opens \{\{-?\s*with\s+(?:\$\w+\s*:=\s*)?(?P<value>[$.][\w.]*)\s*-?\}
; template: opens \{\{-?\s*(?P<keeps>if|block|define)\b
; template: opens \{\{-?\s*(range|with)\b
; template: closes \{\{-?\s*(end|else)\b
; template: context \b(?:template|block)\s+"(?P<name>[^"{}]+)"\s+(?P<value>[$.][\w.]*)
; template: binds \brange\s+(?:\$\w+\s*,\s*)?\$(?P<name>\w+)\s*:=\s*(?P<each>[$.][\w.]*)
; template: binds \{\{-?\s*(?:with\s+|if\s+)?\$(?P<name>\w+)\s*:=\s*(?P<value>[$.][\w.]*)\s*-?\}
; template: reads (?<=[\s({|=])(?P<root>\$)?(?P<name>\.[A-Z]\w*(?:\.[A-Z]\w*)*)\b
; template: reads \$(?P<name>\w+(?:\.[A-Z]\w*)+)\b
