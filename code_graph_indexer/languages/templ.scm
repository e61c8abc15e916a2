; inherits: go
; extensions: .templ
; lookup: file imports peers stars
; helpers: \.templ$
; script: (?ms)^(?:templ|css|script)\s.*?^\}|^([^\n]*\n)
; template: defines (?ms)^(?:templ|css|script)\s+(?:\([^()\n]*\)\s*)?(?P<name>\w+)\(.*?^\}
; template: calls @((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\(
; template: calls (?<=[{(,=\s!&|])(?!(?:if|for|switch|case|func)\b)((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\((?=[^\n]*\}|[^\n]*\{$)
; template: binds ^templ\s+\w+\(\s*(?P<name>\w+)\s+[*\[\]]*(?P<type>[\w.]+)
; template: binds ^templ\s+\w+\([^(),\n]+,\s*(?P<name>\w+)\s+[*\[\]]*(?P<type>[\w.]+)
; template: binds ^templ\s+\w+\([^(),\n]+,[^(),\n]+,\s*(?P<name>\w+)\s+[*\[\]]*(?P<type>[\w.]+)
