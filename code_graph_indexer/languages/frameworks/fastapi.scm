; languages: python
; mark: @[\w.]+\.(?:get|post|put|patch|delete|head|options|websocket|api_route|on_event|exception_handler|middleware)\(|include_router|APIRouter\(|\bDepends\(|\bSecurity\(|add_api_route
; imported: \b(?:from|import) fastapi

((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @verb)
    arguments: (argument_list . (string) @name))) @registers.route
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "trace" "websocket"))
((decorated_definition
  (decorator (call function: (attribute object: (_) @router attribute: (identifier) @_route)
    arguments: (argument_list . (string) @name (keyword_argument name: (identifier) @_key value: (_) @verb)))) @registers.route
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_route "api_route") (#eq? @_key "methods"))
((call function: (attribute object: (_) @router attribute: (identifier) @_add)
  arguments: (argument_list . (string) @name . (_) @handler)) @registers.route
  (#any-of? @_add "add_api_route" "add_api_websocket_route"))

((decorated_definition
  (decorator (call function: (attribute attribute: (identifier) @_event) arguments: (argument_list . (_) @name))) @registers.listener
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_event "on_event" "exception_handler" "middleware"))

((assignment left: (identifier) @handler right: (call function: [(identifier) @_router (attribute attribute: (identifier) @_router)]
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (string) @name)))) @registers.router
  (#eq? @_router "APIRouter") (#eq? @_key "prefix"))
((call function: (attribute object: (_) @router attribute: (identifier) @_include)
  arguments: (argument_list . (_) @handler .)) @registers.mount
  (#eq? @_include "include_router"))
((call function: (attribute object: (_) @router attribute: (identifier) @_include)
  arguments: (argument_list . (_) @handler (keyword_argument name: (identifier) @_key value: (_) @name))) @registers.mount
  (#eq? @_include "include_router") (#eq? @_key "prefix"))
((call function: (attribute object: (_) @router attribute: (identifier) @_include)
  arguments: (argument_list . (_) @handler (keyword_argument name: (identifier) @_key))) @registers.mount
  (#eq? @_include "include_router") (#not-eq? @_key "prefix"))

((call function: (identifier) @_depends arguments: (argument_list . (_) @handler)) @registers.dependency
  (#any-of? @_depends "Depends" "Security"))
; SessionDep = Annotated[Session, Depends(session)], for all parameters of that type
((assignment left: (identifier) @name right: (subscript value: (_) @_annotated subscript: (call function: (identifier) @_depends
    arguments: (argument_list . (_) @handler)))) @registers.provider
  (#match? @_annotated "Annotated$") (#any-of? @_depends "Depends" "Security"))
((typed_parameter type: (type (identifier) @handler) @registers.need) (#match? @handler "^[A-Z]"))
; page: Annotated[Page, Depends()], page: Page = Depends()
((typed_parameter type: (type (generic_type (identifier) @_annotated (type_parameter . (type (identifier) @handler)
    (type (call function: (identifier) @_depends arguments: (argument_list) @_none)))))) @registers.dependency
  (#eq? @_annotated "Annotated") (#any-of? @_depends "Depends" "Security") (#eq? @_none "()"))
((typed_default_parameter type: (type (identifier) @handler)
    value: (call function: (identifier) @_depends arguments: (argument_list) @_none)) @registers.dependency
  (#any-of? @_depends "Depends" "Security") (#eq? @_none "()"))
