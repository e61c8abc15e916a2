; languages: python
; mark: \brest_framework\b|ViewSet\b

; `@action(detail=True)` is a route of one element of the class that a router registers
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list ) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#match? @_arguments "detail\\s*=\\s*True") (#not-match? @_arguments "url_path") (#not-match? @_arguments "methods") (#set! verb "GET") (#set! path "/{pk}/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#eq? @_methods "methods") (#match? @_arguments "detail\\s*=\\s*True") (#not-match? @_arguments "url_path") (#set! path "/{pk}/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*True") (#not-match? @_arguments "methods") (#set! verb "GET") (#set! path "/{pk}/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb) . (keyword_argument)? . (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*True") (#set! path "/{pk}/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name) . (keyword_argument)? . (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*True") (#set! path "/{pk}/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list ) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#match? @_arguments "detail\\s*=\\s*False") (#not-match? @_arguments "url_path") (#not-match? @_arguments "methods") (#set! verb "GET") (#set! path "/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler @name))
  (#eq? @_action "action") (#eq? @_methods "methods") (#match? @_arguments "detail\\s*=\\s*False") (#not-match? @_arguments "url_path") (#set! path "/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*False") (#not-match? @_arguments "methods") (#set! verb "GET") (#set! path "/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_methods value: (_) @verb) . (keyword_argument)? . (keyword_argument name: (identifier) @_path value: (_) @name)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*False") (#set! path "/{name}/"))
((decorated_definition (decorator (call function: [(identifier) @_action (attribute attribute: (identifier) @_action)] arguments: (argument_list (keyword_argument name: (identifier) @_path value: (_) @name) . (keyword_argument)? . (keyword_argument name: (identifier) @_methods value: (_) @verb)) @_arguments)) @registers.inner
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_action "action") (#eq? @_methods "methods") (#eq? @_path "url_path") (#match? @_arguments "detail\\s*=\\s*False") (#set! path "/{name}/"))

; what the bases of a class bring
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.inner
  (#any-of? @_base "ModelViewSet" "ReadOnlyModelViewSet" "ListModelMixin") (#set! verb "GET") (#set! path "/"))
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.inner
  (#any-of? @_base "ModelViewSet" "CreateModelMixin") (#set! verb "POST") (#set! path "/"))
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.inner
  (#any-of? @_base "ModelViewSet" "ReadOnlyModelViewSet" "RetrieveModelMixin") (#set! verb "GET") (#set! path "/{pk}/"))
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.inner
  (#any-of? @_base "ModelViewSet" "UpdateModelMixin") (#set! verb "PUT") (#set! path "/{pk}/"))
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.inner
  (#any-of? @_base "ModelViewSet" "UpdateModelMixin") (#set! verb "PATCH") (#set! path "/{pk}/"))
((class_definition name: (identifier) @handler superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.inner
  (#any-of? @_base "ModelViewSet" "DestroyModelMixin") (#set! verb "DELETE") (#set! path "/{pk}/"))

; its own methods
((class_definition superclasses: (argument_list) @_bases body: (block [
    (function_definition name: (identifier) @handler) @registers.inner
    (decorated_definition definition: (function_definition name: (identifier) @handler)) @registers.inner]))
  (#eq? @handler "list") (#match? @_bases "ViewSet\\b") (#set! verb "GET") (#set! path "/"))
((class_definition superclasses: (argument_list) @_bases body: (block [
    (function_definition name: (identifier) @handler) @registers.inner
    (decorated_definition definition: (function_definition name: (identifier) @handler)) @registers.inner]))
  (#eq? @handler "create") (#match? @_bases "ViewSet\\b") (#set! verb "POST") (#set! path "/"))
((class_definition superclasses: (argument_list) @_bases body: (block [
    (function_definition name: (identifier) @handler) @registers.inner
    (decorated_definition definition: (function_definition name: (identifier) @handler)) @registers.inner]))
  (#eq? @handler "retrieve") (#match? @_bases "ViewSet\\b") (#set! verb "GET") (#set! path "/{pk}/"))
((class_definition superclasses: (argument_list) @_bases body: (block [
    (function_definition name: (identifier) @handler) @registers.inner
    (decorated_definition definition: (function_definition name: (identifier) @handler)) @registers.inner]))
  (#eq? @handler "update") (#match? @_bases "ViewSet\\b") (#set! verb "PUT") (#set! path "/{pk}/"))
((class_definition superclasses: (argument_list) @_bases body: (block [
    (function_definition name: (identifier) @handler) @registers.inner
    (decorated_definition definition: (function_definition name: (identifier) @handler)) @registers.inner]))
  (#eq? @handler "partial_update") (#match? @_bases "ViewSet\\b") (#set! verb "PATCH") (#set! path "/{pk}/"))
((class_definition superclasses: (argument_list) @_bases body: (block [
    (function_definition name: (identifier) @handler) @registers.inner
    (decorated_definition definition: (function_definition name: (identifier) @handler)) @registers.inner]))
  (#eq? @handler "destroy") (#match? @_bases "ViewSet\\b") (#set! verb "DELETE") (#set! path "/{pk}/"))
