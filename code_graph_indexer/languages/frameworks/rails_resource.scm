; languages: ruby
; path: (?:^|/)config/routes(?:\.rb|/.*\.rb)$
; text: {Name}sController.{action} (?:.*/)?(?P<Name>\w+)#(?P<action>\w*)
; resources: GET / show | POST / create | GET /new new | GET /edit edit | PATCH,PUT / update | DELETE / destroy

; `resource` has no id, and the controller's name is the plural
((call method: (identifier) @_resource arguments: (argument_list . (simple_symbol) @name)) @registers.resources
  (#eq? @_resource "resource"))
((call method: (identifier) @_resource arguments: (argument_list . (simple_symbol) @name
  (pair key: (_) @_only value: (_) @only))) @registers.resources
  (#eq? @_resource "resource") (#match? @_only "^:?only$"))
((call method: (identifier) @_resource arguments: (argument_list . (simple_symbol) @name
  (pair key: (_) @_except value: (_) @except))) @registers.resources
  (#eq? @_resource "resource") (#match? @_except "^:?except$"))
((call method: (identifier) @_resource arguments: (argument_list . (simple_symbol) @name) block: (_) @inside) @registers.group
  (#eq? @_resource "resource"))
