; inherits: javascript
; extensions: .ejs
; script: (?s)<%(?![%#])[-_=]?(.*?)(?=[-_]?%>)
