; languages: php
; mark: \bapiResource\(
; resources: GET / index | POST / store | GET /{one} show | PUT /{one} update | DELETE /{one} destroy

; `apiResource` has no forms
([(scoped_call_expression scope: (name) @_route name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])))
  (member_call_expression object: (scoped_call_expression scope: (name) @_route) name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])))] @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "apiResource"))
((scoped_call_expression scope: (name) @_route name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])
      (argument (array_creation_expression (array_element_initializer (string) @_only (array_creation_expression) @only)))))
  @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "apiResource") (#match? @_only "only"))
((scoped_call_expression scope: (name) @_route name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])
      (argument (array_creation_expression (array_element_initializer (string) @_except (array_creation_expression) @except)))))
  @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "apiResource") (#match? @_except "except"))
((member_call_expression
    object: (scoped_call_expression scope: (name) @_route name: (name) @_resource
      arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)]))) @registers.resources
    name: (name) @_only arguments: (arguments (argument (array_creation_expression) @only)))
  (#eq? @_route "Route") (#eq? @_resource "apiResource") (#eq? @_only "only"))
((member_call_expression
    object: (scoped_call_expression scope: (name) @_route name: (name) @_resource
      arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)]))) @registers.resources
    name: (name) @_except arguments: (arguments (argument (array_creation_expression) @except)))
  (#eq? @_route "Route") (#eq? @_resource "apiResource") (#eq? @_except "except"))
