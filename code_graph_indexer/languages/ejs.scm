; inherits: javascript
; extensions: .ejs .ejs.t
; script: (?s)<%(?![%#])[-_=]?(.*?)(?=[-_]?%>)
