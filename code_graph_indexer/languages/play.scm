; inherits: scala
; filenames: routes
; extensions: .routes
; modules: path
; import-lookup: name
; roots: conf
; template: tags ^[ \t]*#[^\n]*|^([^\n]+)
; template: mount ^->[ \t]+(?P<name>/\S*)[ \t]+(?P<handler>[\w.]+?)(?=\.Routes\b|\s|$)
; template: route ^(?P<verb>[A-Z]+)[ \t]+(?P<name>/\S*)[ \t]+(?P<handler>[@\w.]+)
