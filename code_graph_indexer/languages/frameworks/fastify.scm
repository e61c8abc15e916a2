; languages: javascript typescript tsx
; inherits: express
; mark: ['"]@?fastify|\bfastify\b|\.register\(
; imported: ['"]@?fastify
; cut: (?<=.)/$

((call_expression function: (member_expression object: (_) @router property: (property_identifier) @verb)
  arguments: (arguments . (_) @name . (object [
    (pair key: (property_identifier) @_handler value: (_) @handler)
    (method_definition name: (property_identifier) @_handler)]) .)) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "all" "head" "options") (#eq? @_handler "handler"))
; `fastify.route({ method, url, … handler })`: method and url come first, or every three keys of any object would be tried
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_route)
  arguments: (arguments . (object
    . (pair key: (property_identifier) @_method value: (_) @verb)
    . (pair key: (property_identifier) @_url value: (_) @name)
    [(pair key: (property_identifier) @_handler value: (_) @handler) (method_definition name: (property_identifier) @_handler)]))) @registers.route
  (#eq? @_route "route") (#eq? @_method "method") (#any-of? @_url "url" "path") (#eq? @_handler "handler"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_route)
  arguments: (arguments . (object
    . (pair key: (property_identifier) @_url value: (_) @name)
    . (pair key: (property_identifier) @_method value: (_) @verb)
    [(pair key: (property_identifier) @_handler value: (_) @handler) (method_definition name: (property_identifier) @_handler)]))) @registers.route
  (#eq? @_route "route") (#eq? @_method "method") (#any-of? @_url "url" "path") (#eq? @_handler "handler"))

; fastify.register(carts, { prefix: '/carts' })
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_register)
  arguments: (arguments . [(identifier) (member_expression)] @handler
    . (object (pair key: (property_identifier) @_key value: (_) @name)))) @registers.mount
  (#eq? @_register "register") (#eq? @_key "prefix"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_register)
  arguments: (arguments . [(identifier) (member_expression)] @handler) @_arguments) @registers.mount
  (#eq? @_register "register") (#not-match? @_arguments "\\bprefix\\b"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_register)
  arguments: (arguments . [
      (call_expression function: (_) @_require arguments: (arguments . (string) @handler))
      (await_expression (call_expression function: (_) @_require arguments: (arguments . (string) @handler)))
      (call_expression function: (import) @_require arguments: (arguments . (string) @handler))]
    . (object (pair key: (property_identifier) @_key value: (_) @name)))) @registers.mount
  (#eq? @_register "register") (#any-of? @_require "require" "import") (#eq? @_key "prefix"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_register)
  arguments: (arguments . [
      (call_expression function: (_) @_require arguments: (arguments . (string) @handler))
      (call_expression function: (import) @_require arguments: (arguments . (string) @handler))]) @_arguments) @registers.mount
  (#eq? @_register "register") (#any-of? @_require "require" "import") (#not-match? @_arguments "\\bprefix\\b"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_register)
  arguments: (arguments . [(arrow_function) (function_expression)] @inside
    . (object (pair key: (property_identifier) @_key value: (_) @name)))) @registers.group
  (#eq? @_register "register") (#eq? @_key "prefix"))

((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_hook)
  arguments: (arguments . (string) @name . [(identifier) (member_expression)] @handler)) @registers.listener
  (#eq? @_hook "addHook"))
; fastify.register(autoload, { dir: path.join(import.meta.dirname, 'routes') })
((call_expression function: (member_expression property: (property_identifier) @_register)
  arguments: (arguments . (_) @_loader . (object (pair key: (property_identifier) @_dir value: [
    (string) @name
    (template_string (string_fragment) @name .)
    (call_expression arguments: (arguments (string) @name .))])))) @registers.folder
  (#eq? @_register "register") (#eq? @_dir "dir") (#match? @_loader "[aA]uto_?[lL]oad"))
; module.exports.autoPrefix = '/admin', for @fastify/autoload
((program (expression_statement (assignment_expression
  left: (member_expression property: (property_identifier) @_prefix) right: (_) @name))) @registers.group
  (#eq? @_prefix "autoPrefix"))
((program (export_statement declaration: (lexical_declaration (variable_declarator
  name: (identifier) @_prefix value: (_) @name)))) @registers.group
  (#eq? @_prefix "autoPrefix"))
