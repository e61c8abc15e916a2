; inherits: python
; extensions: .jinja .jinja2 .j2 .html .htm
; content: .html \{%[-+]?\s*[a-z]
; content: .htm \{%[-+]?\s*[a-z]
; import-lookup: view
; lookup: file imports
; template: tags (?s)\{#.*?#\}|\{%-?\s*comment\b.*?endcomment\b|\{%-?\s*(?:raw|verbatim)\s*-?%\}.*?\{%-?\s*end|(\{\{.*?\}\})|(\{%.*?%\})
; template: imports \b(?:extends|include|import)\s+["'](?P<name>[^"'{}]+)["'](?:\s+as\s+(?P<alias>\w+))?
; template: imports \bfrom\s+["'](?P<name>[^"'{}]+)["']\s+import\s++(?P<names>[\w, ]+?)(?<! )(?:\s+with(?:out)?\s+context)?\s*-?%
; template: link \{%-?\s*url\s+["']([\w:.-]+)["']
; template: link \burl_for\(\s*["']([\w.]+)["']
; template: defines (?s)\{%-?\s*macro\s+(?P<name>\w+).*?endmacro
; template: binds \bfor\s+(?P<name>[a-z_]\w*)\s+in\s+(?P<each>[A-Za-z_][\w.]*)
; template: binds \b(?:set|with)\s+(?P<name>[a-z_]\w*)\s*=\s*(?P<value>[A-Za-z_][\w.]*)
; template: binds \bwith\s+(?P<value>[A-Za-z_][\w.]*)\s+as\s+(?P<name>[a-z_]\w*)
; template: apply \|\s*([A-Za-z_]\w*)
; template: apply \{%-?\s*([A-Za-z_]\w*)
; template: apply \bis\s+(?:not\s+)?([a-z_]\w*)
; template: apply (?<![\w.|])([A-Za-z_]\w*)\s*\(
; template: calls (?<![\w.|])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(
; template: reads (?<![\w.|])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b(?!\s*\()
