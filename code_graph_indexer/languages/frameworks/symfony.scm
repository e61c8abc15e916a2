; languages: php
; mark: Annotation.Route\b|Attribute.Route\b|#\[[\w ]*\bRoute\(

((class_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments . (argument !name (_) @name))))) body: (_) @inside) @registers.group (#eq? @_route "Route"))
((class_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments (argument name: (name) @_path (_) @name))))) body: (_) @inside) @registers.group
  (#eq? @_route "Route") (#eq? @_path "path"))
((method_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments . (argument !name (_) @name))) @registers.route)) name: (name) @handler) (#eq? @_route "Route"))
((method_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments (argument name: (name) @_path (_) @name))) @registers.route)) name: (name) @handler)
  (#eq? @_route "Route") (#eq? @_path "path"))
((method_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments . (argument !name (_) @name) (argument name: (name) @_methods (_) @verb))) @registers.route)) name: (name) @handler)
  (#eq? @_route "Route") (#eq? @_methods "methods"))
((method_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments (argument name: (name) @_path (_) @name) (argument name: (name) @_methods (_) @verb))) @registers.route)) name: (name) @handler)
  (#eq? @_route "Route") (#eq? @_path "path") (#eq? @_methods "methods"))
((method_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments (argument name: (name) @_methods (_) @verb) (argument name: (name) @_path (_) @name))) @registers.route)) name: (name) @handler)
  (#eq? @_route "Route") (#eq? @_path "path") (#eq? @_methods "methods"))
; A controller of one action.
((class_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments . (argument !name (_) @name))) @registers.absolute))
  body: (declaration_list (method_declaration name: (name) @handler)))
  (#eq? @_route "Route") (#eq? @handler "__invoke"))
((class_declaration attributes: (attribute_list (attribute_group (attribute [(name) @_route (qualified_name (name) @_route)]
  parameters: (arguments . (argument !name (_) @name) (argument name: (name) @_methods (_) @verb))) @registers.absolute))
  body: (declaration_list (method_declaration name: (name) @handler)))
  (#eq? @_route "Route") (#eq? @handler "__invoke") (#eq? @_methods "methods"))
