; inherits: typescript
; family: graphql
; extensions: .graphql .graphqls .gql
; modules: file
; lookup: file global
; called-from-outside: .
; template: tags (?s)""".*?"""|"[^"\n]*"|\#[^\n]*|([^\s"#][^\n"#]*)
; template: defines (?ms)^(?:extend[ \t]+)?(?:type|input)\s+(?P<class>\w+)[^{}\n]*\{[^\n}]*\n.*?^\}
; template: defines ^(?:extend[ \t]+)?(?:type|input)\s+(?P<class>\w+)[^{}\n]*\{[^\n}]*\}
; template: defines ^(?:extend[ \t]+)?interface\s+(?P<interface>\w+)[^{}]*\{[^}]*\}
; template: defines ^(?:extend[ \t]+)?enum\s+(?P<enum>\w+)[^{}]*\{[^}]*\}
; template: defines ^(?:extend[ \t]+)?union\s+(?P<union>\w+)[^=\n]*=[^\n]*(?:\n[ \t]*\|[^\n]*)*
; template: defines ^scalar\s+(?P<type>\w+)
; template: defines ^[ \t]+(?P<field>\w+)\s*(?:\([^()]*\)\s*)?:[^\n]*
; template: defines ^[ \t]+(?P<enum_member>[A-Z][A-Z0-9_]*)[ \t]*$
; template: defines (?ms)^(?:query|mutation|subscription)\s+(?P<function>\w+)[^{}]*\{[^\n}]*\n.*?^\}
; template: defines (?ms)^fragment\s+(?P<type>\w+)\s+on\s[^{}]*\{[^\n}]*\n.*?^\}
; template: references [:\[]\s*\[?\s*([A-Z]\w*)
; template: references \b(?:implements|on)\s+([A-Z]\w*)
; template: references [=|&]\s*([A-Z]\w*)
; template: references \.\.\.\s*(?!on\b)([A-Za-z]\w*)
; template: declares ^[ \t]+(\w+)\s*(?:\([^()]*\)\s*)?:
