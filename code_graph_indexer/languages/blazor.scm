; inherits: csharp
; extensions: .razor
; modules: file
; import-lookup: view
; lookup: file imports helpers global
; helpers: \.razor$
; script: (?ms)@(?:code|functions)\s*\{(.*?)^\}
; template: imports <(?P<name>[A-Z]\w+)
; template: calls @\(?(?:await\s+)?((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\s*\(
; template: references @(?:on\w+|bind[\w:-]*)="@?([A-Za-z_]\w*)"
; template: calls @(?:on\w+)="@?\([^()\n]*\)\s*=>\s*((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\(
; template: binds @inject\s+(?P<type>[\w.<>?]+)\s+(?P<name>\w+)
; template: route @page\s+"(?P<name>/[^"]*)"
