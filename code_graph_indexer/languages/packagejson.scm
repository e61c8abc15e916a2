; inherits: javascript
; source-type: text
; filenames: package.json
; modules: file
; lookup: file imports
; template: tags (?:main|module|browser|bin|import|require|default|node|types|"\.[^"\n]*|"bin"\s*:\s*\{[^{}]*?)"\s*:\s*("[^"\n]+\.[cm]?[jt]sx?")
; template: imports "(?P<name>[\w@./-]+)"
