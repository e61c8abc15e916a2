; inherits: eex elixir
; extensions: .heex
; script: (?s)<%(?![%#!])=?(.*?)(?=%>)|(?<=[\s=>])\{([^{};]*)(?=\})
; template: calls <(?:\.|(?=[A-Z]))([\w.]+)(?=[\s/>])
; behind: {Name}HTML (?:.*/)?(?P<Name>\w+)_html/[^/]+
