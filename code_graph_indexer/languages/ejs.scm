; inherits: javascript
; family: js
; grammar: tree_sitter_javascript
; extensions: .ejs
; script: (?s)<%(?![%#])[-_=]?(.*?)(?=[-_]?%>)
