; languages: python
; mark: @[\w.]+\.(?:route|get|post|put|patch|delete|errorhandler|cli\.command|before_\w+|after_\w+|teardown_\w+|context_processor|template_\w+|user_loader|shell_context_processor)\b|add_url_rule|Blueprint\(|register_blueprint|add_namespace\(|\bNamespace\(|\.add_resource\(|url_for\(|\.(?:filters|tests|globals)\[
; imported: \b(?:from|import) (?:flask|quart)
; factories: \.as_view\(\)$
; members: get post put patch delete head options dispatch_request

((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @_route)
    arguments: (argument_list . (_) @name (keyword_argument name: (identifier) @_key value: (_) @verb)?))) @registers.route
  definition: (_ name: (identifier) @handler))
  (#eq? @_route "route") (#eq? @_key "methods"))
((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @_route)
    arguments: (argument_list . (_) @name) @_arguments)) @registers.route
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_route "route") (#not-match? @_arguments "^\\(\\s*\\w+\\s*=|\\bmethods\\s*=") (#set! verb "GET"))
((call function: (attribute object: (_) @router attribute: (identifier) @_rule)
  arguments: (argument_list . (_) @name (keyword_argument name: (identifier) @_view value: (_) @handler))) @registers.route
  (#eq? @_rule "add_url_rule") (#eq? @_view "view_func"))
((call function: (attribute object: (_) @router attribute: (identifier) @_rule)
  arguments: (argument_list . (_) @name (keyword_argument name: (identifier) @_view value: (_) @handler)
    (keyword_argument name: (identifier) @_key value: (_) @verb))) @registers.route
  (#eq? @_rule "add_url_rule") (#eq? @_view "view_func") (#eq? @_key "methods"))
((call function: (attribute object: (_) @router attribute: (identifier) @_rule)
  arguments: (argument_list . (string) @name . (_) . (_) @handler)) @registers.route
  (#eq? @_rule "add_url_rule"))
((call function: (attribute object: (_) @router attribute: (identifier) @_add)
  arguments: (argument_list . (_) @handler (string) @name)) @registers.route
  (#eq? @_add "add_resource"))

; what the application calls around requests, and commands of `flask`
((decorated_definition
  (decorator [(attribute attribute: (identifier) @name)
    (call function: (attribute attribute: (identifier) @name))]) @registers.listener
  definition: (_ name: (identifier) @handler))
  (#match? @name "^(errorhandler|app_errorhandler|before_\\w+|after_\\w+|teardown_\\w+|(app_)?context_processor|shell_context_processor|user_loader|url_(defaults|value_preprocessor))$"))
((decorated_definition
  (decorator (call function: (attribute object: (attribute attribute: (identifier) @_cli) attribute: (identifier) @_command)
    arguments: (argument_list . (string)? @name))) @registers.command
  definition: (_ name: (identifier) @handler))
  (#eq? @_cli "cli") (#eq? @_command "command"))

((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @verb)
    arguments: (argument_list . (string) @name))) @registers.route
  definition: (_ name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#match? @name "^.?.?[/\"'<]"))

; filters, tests and functions of templates
((decorated_definition
  (decorator [(attribute attribute: (identifier) @_template) (call function: (attribute attribute: (identifier) @_template))]) @_decorator
  definition: (function_definition name: (identifier) @handler @name)) @registers.helper
  (#match? @_template "^(app_)?template_(filter|test|global)$") (#not-match? @_decorator "\\((\"|')|name="))
((decorated_definition
  (decorator (call function: (attribute attribute: (identifier) @_template) arguments: (argument_list (string) @name)))
  definition: (function_definition name: (identifier) @handler)) @registers.helper
  (#match? @_template "^(app_)?template_(filter|test|global)$"))
((decorated_definition
  (decorator (call function: (attribute attribute: (identifier) @_template)
    arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string) @name))))
  definition: (function_definition name: (identifier) @handler)) @registers.helper
  (#match? @_template "^(app_)?template_(filter|test|global)$") (#eq? @_name "name"))
((call function: (attribute object: (_) attribute: (identifier) @_template) arguments: (argument_list . (_) @handler . (string) @name)) @registers.helper
  (#match? @_template "^add_(app_)?template_(filter|test|global)$"))
((assignment
  left: (subscript value: (attribute object: (_) attribute: (identifier) @_table) subscript: (string) @name)
  right: (_) @handler) @registers.helper
  (#any-of? @_table "filters" "tests" "globals"))

; the name of a route is that of its function, or the endpoint
((decorated_definition
  (decorator (call function: (attribute attribute: (identifier) @_route) arguments: (argument_list) @_arguments))
  definition: (function_definition name: (identifier) @handler @name)) @registers.named
  (#any-of? @_route "route" "get" "post" "put" "patch" "delete") (#not-match? @_arguments "\\bendpoint\\s*="))
((decorated_definition
  (decorator (call function: (attribute attribute: (identifier) @_route)
    arguments: (argument_list (keyword_argument name: (identifier) @_endpoint value: (string) @name))))
  definition: (function_definition name: (identifier) @handler)) @registers.named
  (#any-of? @_route "route" "get" "post" "put" "patch" "delete") (#eq? @_endpoint "endpoint"))
((call function: [(identifier) @_url (attribute attribute: (identifier) @_url)] arguments: (argument_list . (string) @name)) @registers.link
  (#any-of? @_url "url_for"))

; blueprints
((assignment left: (identifier) @handler right: (call function: [(identifier) @_blueprint (attribute attribute: (identifier) @_blueprint)]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @name)))) @registers.router
  (#eq? @_blueprint "Blueprint") (#eq? @_key "url_prefix"))
((call function: (attribute object: (_) @router attribute: (identifier) @_register)
  arguments: (argument_list . (_) @handler) @_arguments) @registers.mount
  (#any-of? @_register "register_blueprint") (#not-match? @_arguments "url_prefix"))
((call function: (attribute object: (_) @router attribute: (identifier) @_register)
  arguments: (argument_list . (_) @handler (keyword_argument name: (identifier) @_key value: (_) @name))) @registers.remount
  (#any-of? @_register "register_blueprint") (#eq? @_key "url_prefix"))
; Flask-RESTX: carts = Namespace("carts", path="/carts"), api = Api(blueprint), api.add_namespace(carts, "/carts")
((assignment left: (identifier) @handler right: (call function: (identifier) @_namespace
  arguments: (argument_list . (string) @name) @_arguments)) @registers.router
  (#eq? @_namespace "Namespace") (#not-match? @_arguments "\\bpath\\s*="))
((assignment left: (identifier) @handler right: (call function: (identifier) @_namespace
  arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name)))) @registers.router
  (#eq? @_namespace "Namespace") (#eq? @_path "path"))
((assignment left: (identifier) @handler right: (call function: (identifier) @_api
  arguments: (argument_list . (identifier) @router))) @registers.router
  (#eq? @_api "Api") (#set! path "/"))
((call function: (attribute object: (_) @router attribute: (identifier) @_add)
  arguments: (argument_list . (_) @handler .)) @registers.mount
  (#eq? @_add "add_namespace"))
((call function: (attribute object: (_) @router attribute: (identifier) @_add)
  arguments: (argument_list . (_) @handler [(keyword_argument name: (identifier) @_path value: (_) @name) (string) @name])) @registers.remount
  (#eq? @_add "add_namespace") (#eq? @_path "path"))

; `flask run` calls the factory of an application.
((module (function_definition name: (identifier) @handler @name) @registers.entry) (#any-of? @handler "create_app" "make_app"))
