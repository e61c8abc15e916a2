; inherits: typescript
; extensions: .html
; content: .html \s\(\w[\w.-]*\)="|\s\[[\w.-]+\]="|\*ng[A-Z]|@(?:if|for|switch)\s*\([^\n]*\{
; modules: file
; import-lookup: view
; lookup: class file imports
; behind: {Name}Component (?:.*/)?(?P<Name>[\w-]+)\.component\.html
; behind: {Name} (?:.*/)?(?P<Name>[\w-]+)\.html
; template: tags (?s)<!--.*?-->|\{\{(.*?)\}\}|\s\[?\(?[\w.-]+\)?\]?(?<=[)\]])="([^"]*)"|\s\*ng\w+="([^"]*)"|@(?:if|for|switch|case|else if|let)\b\s*([^\n{]*)|<(\w+-[\w-]+)
; template: binds \blet\s+(?P<name>\w+)\s+of\s+(?P<each>\w[\w.]*)
; template: binds \((?P<name>\w+)\s+of\s+(?P<each>\w[\w.]*)
; template: apply \|\s*(\w+)
; template: apply (?<![\w-])([a-z]\w*(?:-\w+)+)(?![\w-])
; template: calls (?<![\w.$|])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*\(
; template: reads (?<![\w.$|-])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\b(?!\s*\()
