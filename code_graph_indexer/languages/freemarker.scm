; inherits: java
; extensions: .ftl .ftlh .ftlx
; import-lookup: view
; lookup: file imports stars
; template: tags (?s)<#--.*?-->|<#noparse>.*?</#noparse>|(\$\{.*?\})|(<#[a-z].*?>)|(</#(?:macro|function))|(<@.*?>)
; template: imports <#(?P<star>include)\s+["'](?P<name>[^"'{}]+)["']
; template: imports <#import\s+["'](?P<name>[^"'{}]+)["']\s+as\s+(?P<alias>\w+)
; template: defines (?s)<#(?:macro|function)\s+(?P<name>\w+).*?</#(?:macro|function)
; template: binds <#list\s+(?P<each>[A-Za-z_][\w.]*)\S*\s+as\s+(?P<name>\w+)
; template: binds <#(?:assign|local|global)\s+(?P<name>\w+)\s*=\s*(?P<value>[A-Za-z_][\w.]*)
; template: apply <@\s*([A-Za-z_]\w*)
; template: calls <@\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
; template: calls (?<![\w.?@])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(
; template: reads (?<![\w.?@/])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b(?!\s*\()
