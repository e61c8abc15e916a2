; inherits: javascript
; filenames: package.json
; modules: file
; roots: .
; lookup: file imports
; template: tags (?s)"bin"\s*:\s*("[^"]*"|\{[^}]*\})|"(?:start|serve|dev)[\w:-]*"\s*:\s*("(?:[^"\\\n]|\\.)*")
; template: imports (?<![\w./@-])(?:\./)?(?P<name>[\w@-][\w./@-]*\.[cm]?[jt]sx?)(?![\w/])
