; inherits: javascript
; source-type: text
; filenames: package.json
; modules: file
; lookup: file imports
; roots: .
; template: tags (?s)"bin"\s*:\s*("[^"]*"|\{[^}]*\})|"(?:start|serve|dev)[\w:-]*"\s*:\s*("(?:[^"\\\n]|\\.)*")|(?:main|module|browser|import|require|default|node|types|"\.[^"\n]*)"\s*:\s*("[^"\n]+\.[cm]?[jt]sx?")
; template: imports (?<![\w./@-])(?:\./)?(?P<name>[\w@-][\w./@-]*\.[cm]?[jt]sx?)(?![\w/])
