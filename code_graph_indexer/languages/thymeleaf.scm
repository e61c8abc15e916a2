; inherits: java
; extensions: .html .jsp .jspf .tag
; content: .html \bth:[a-z]+=
; import-lookup: view
; lookup: file imports global
; template: tags (?s)<!--.*?-->|<%--.*?--%>|([$*@]\{.*?\})|(~\{.*?\})|(<%@\s*include\b.*?%>)|(<jsp:include\b[^>]*>)|(\bth:(?:replace|insert|include|each)="[^"]*")
; template: imports ~\{\s*([\w/.-]+)
; template: imports \bth:(?:replace|insert|include)="([\w/.-]+)
; template: imports \b(?:file|page)="([\w/.-]+)"
; template: binds \bth:each="(?P<name>\w+)(?:\s*,\s*\w+)?\s*:\s*[$*]\{(?P<each>[A-Za-z_][\w.]*)
; template: calls (?<![\w.@#])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(
; template: reads (?<![\w.@#])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b(?!\s*\()
