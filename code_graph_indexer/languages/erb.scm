; inherits: ruby
; grammar: tree_sitter_ruby
; family: ruby
; extensions: .erb .rhtml
; script: (?s)<%(?![%#])[-=]*(.*?)(?=-?%>)
; lookup: class file imports helpers peers stars global
; helpers: (?:^|/)app/(?:helpers|components)/
; behind: {Name}Controller (?:.*/)?app/views/(?P<Name>.+)/[^/]+
