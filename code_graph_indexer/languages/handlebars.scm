; inherits: javascript
; extensions: .hbs .handlebars .mustache .hjs
; import-lookup: view
; lookup: file imports
; template: tags (?s)\{\{!--.*?--\}\}|\{\{!.*?\}\}|(\{\{\{?.*?\}\}\}?)
; template: imports \{\{~?#?>\s*["']?([\w./-]+)
; template: binds #each\s+(?P<each>[A-Za-z_][\w.]*)\s+as\s+\|\s*(?P<name>\w+)
; template: apply \{\{\{?~?[#^]?\s*([A-Za-z][\w-]*)(?=\s+[^\s}~])
; template: apply \(\s*([A-Za-z][\w-]*)
; template: reads (?<![\w./@])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b
