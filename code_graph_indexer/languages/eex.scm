; inherits: elixir
; extensions: .eex .leex
; script: (?s)<%(?![%#!])=?(.*?)(?=%>)
; lookup: modules file imports helpers peers stars used
; helpers: (?:^|/)components/|_(?:html|view|helpers|components)\.ex$
; behind: {Name}View (?:.*/)?templates/(?P<Name>.+)/[^/]+

; In a template, `@cart` is what the caller passes, and no attribute of a module.
(unary_operator operator: "@" operand: (identifier) @silent)
