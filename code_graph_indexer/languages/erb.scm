; inherits: ruby
; extensions: .erb .rhtml
; script: (?s)<%(?![%#])[-=]*(.*?)(?=-?%>)
; lookup: class file imports helpers peers stars global
; helpers: (?:^|/)(?:helpers|components)/|(?:^|[/_])helpers?\.rb$
; behind: {Name}Controller (?:.*/)?app/views/(?P<Name>.+)/[^/]+
; behind: {Name} (?:.*/)?app/views/(?P<Name>.+_mailer)/[^/]+
