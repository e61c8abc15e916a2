; inherits: java
; family: proto
; extensions: .proto
; import-lookup: path
; modules: file
; roots: proto protos api
; lookup: class file imports stars global
; called-from-outside: ^(?:service|rpc|message|enum)\b
; template: tags (?s)/\*.*?\*/|//[^\n]*|([^\s/][^\n/]*)
; template: imports \bimport\s+(?:public\s+|weak\s+)?(?P<star>")(?P<name>[^"\n]+)"
; template: defines (?ms)^message\s+(?P<class>\w+)\s*\{[^\n}]*\n.*?^\}
; template: defines ^[ \t]*message\s+(?P<class>\w+)\s*\{[^\n}]*\}
; template: defines ^[ \t]+message\s+(?P<class>\w+)\s*\{[^\n}]*\n[^}]*\}
; template: defines \benum\s+(?P<enum>\w+)\s*\{[^}]*\}
; template: defines (?ms)^service\s+(?P<interface>\w+)\s*\{[^\n}]*\n.*?^\}
; template: defines \brpc\s+(?P<method>\w+)\s*\([^()]*\)\s*returns\s*\([^()]*\)
; template: defines ^[ \t]+(?:(?:repeated|optional|required)\s+)?(?:map\s*<[^<>\n]*>|(?!option\b|return\b)[\w.]+)\s+(?P<field>[a-z]\w*)\s*=\s*\d+[^;\n]*
; template: defines ^[ \t]+(?P<enum_member>[A-Z]\w*)\s*=\s*-?\w+
; template: references [(,]\s*(?:stream\s+)?(?:[a-z]\w*\.)*([A-Z]\w*)\s*[)>]
; template: references ^[ \t]+(?:(?:repeated|optional|required)\s+)?(?:[a-z]\w*\.)*([A-Z]\w*)\s+[a-z]\w*\s*=
; template: declares \brpc\s+(\w+)
