; inherits: javascript
; extensions: .pug .jade
; import-lookup: view
; lookup: file imports stars
; template: tags (?m)^[ \t]*//[^\n]*|^[ \t]*((?:extends|include|mixin|each|if|unless|else if|while|case|when)\b[^\n]*)|^[ \t]*(-[ \t][^\n]*)|^[ \t]*(\+[^\n]*)|^[ \t]*[\w.#:-]*(\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))?!?=[ \t]*([^\n]+)|([#!]\{[^{}\n]*\})|(\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))
; template: imports \b(?P<star>extends|include)[ \t]+(?P<name>[\w./-]+\w)
; template: defines \bmixin[ \t]+(?P<name>\w+)
; template: binds \beach[ \t]+(?P<name>\w+)(?:,[ \t]*\w+)?[ \t]+in[ \t]+(?P<each>[A-Za-z_][\w.]*)
; template: calls \+(\w+)
; template: calls (?<![\w.+])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(
; template: reads (?<![\w./])([A-Za-z_]\w*(?:\.(?!pug\b|jade\b)[A-Za-z_]\w*)+)\b(?!\s*\()
