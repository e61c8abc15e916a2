; inherits: ruby
; extensions: .erb .rhtml
; script: (?s)<%(?![%#])[-=]*(.*?)(?=-?%>)
; lookup: class file imports helpers peers stars global
; helpers: (?:^|/)(?:helpers|components)/|(?:^|[/_])helpers?\.rb$
; behind: {Name} (?:.*/)?components/(?:.*/)?(?P<Name>\w+)\.[^/]+
; behind: {Name}Controller (?:.*/)?views/(?P<Name>.+)/[^/]+
; behind: {Name}Controller (?:.*/)?views/(?P<Name>.+)/[^/]+/_[^/]+
; behind: {Name} (?:.*/)?views/(?P<Name>.+)/[^/]+
; behind: {Name}Controller (?:.*/)?views/(?P<Name>[^/]+)/.+
; behind: ApplicationController (?:.*/)?views/.+
