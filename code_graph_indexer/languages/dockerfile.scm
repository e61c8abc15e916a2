; inherits: bash
; family: dockerfile
; source-type: text
; filenames: Dockerfile Containerfile
; extensions: .dockerfile
; import-lookup: path
; lookup: class file
; modules: path
; roots: .
; template: tags ^[ \t]*\#[^\n]*|([^\s#][^\n]*)
; template: defines (?ims)^FROM\s+\S[^\n]*?\sAS\s+(?P<object>[\w.-]+).*?(?=^FROM\s|\Z)
; template: defines ^(?:ARG|ENV)\s+(?P<variable>\w+)
; template: references (?i)\bFROM\s+(?:--platform=\S+\s+)?([\w-]+)(?=\s|$)
; template: references --from=([\w.-]+)
; template: references \btarget=([\w.-]+)
; template: reads (?<!\\)\$\{?([A-Za-z_]\w*)
