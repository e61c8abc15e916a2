; inherits: php
; extensions: .twig
; import-lookup: view
; lookup: file imports
; template: tags (?s)\{#.*?#\}|\{%-?\s*verbatim\s*-?%\}.*?\{%-?\s*end|(\{\{.*?\}\})|(\{%.*?%\})
; template: imports \b(?:extends|include|embed|import|use|form_theme\s+\w+)\s*+\(?\s*+["'](?P<name>[^"'{}]+)["'](?:\s+as\s+(?P<alias>\w+))?
; template: imports \bfrom\s+["'](?P<name>[^"'{}]+)["']\s+import\s++(?P<names>[\w, ]+?)(?<! )\s*-?%
; template: link \b(?:path|url|route)\(\s*["']([\w.:-]+)["']
; template: view \b(?:controller|render)\(\s*["']([\w./-]+\.twig)["']
; template: defines (?s)\{%-?\s*macro\s+(?P<name>\w+).*?endmacro
; template: binds \bfor\s+(?:\w+\s*,\s*)?(?P<name>[a-z_]\w*)\s+in\s+(?P<each>[A-Za-z_][\w.]*)
; template: binds \bset\s+(?P<name>[a-z_]\w*)\s*=\s*(?P<value>[A-Za-z_][\w.]*)
; template: apply \|\s*([A-Za-z_]\w*)
; template: apply \{%-?\s*([A-Za-z_]\w*)
; template: apply \bis\s+(?:not\s+)?([a-z_]\w*)
; template: apply (?<![\w.|])([A-Za-z_]\w*)\s*\(
; template: calls (?<![\w.|])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(
; template: reads (?<![\w.|])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b(?!\s*\()
