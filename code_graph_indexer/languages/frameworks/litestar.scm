; languages: python
; mark: \blitestar\b
; imported: \blitestar\b
; cut: (?<=.)/$

((decorated_definition
  (decorator (call function: (identifier) @verb arguments: (argument_list . [(string) (list) (concatenated_string) (binary_operator)] @name))) @registers.route
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "websocket"))
((decorated_definition
  (decorator (call function: (identifier) @verb arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name)))) @registers.route
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "websocket") (#eq? @_path "path"))
((decorated_definition
  (decorator (call function: (identifier) @verb arguments: (_) @_arguments)) @registers.route
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "websocket") (#not-match? @_arguments "\\bpath\\s*="))
((class_definition superclasses: (argument_list [(identifier) @_controller (attribute attribute: (identifier) @_controller)])
  body: (block (expression_statement (assignment left: (identifier) @_path right: (_) @name)))) @registers.group
  (#match? @_controller "Controller$") (#eq? @_path "path"))
; Router(path="/api", route_handlers=[CartController, show])
((call function: (identifier) @_router arguments: (argument_list
  (keyword_argument name: (identifier) @_path value: (_) @name) . (keyword_argument)?
  . (keyword_argument name: (identifier) @_handlers value: (list) @list))) @registers.prefix
  (#eq? @_router "Router") (#eq? @_path "path") (#eq? @_handlers "route_handlers"))
