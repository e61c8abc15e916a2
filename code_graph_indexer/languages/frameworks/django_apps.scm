; languages: python
; mark: AppConfig\b|register\.\w+|admin\.(?:register|site)|Migration\(
; members: ready process_request process_response get_queryset

((class_definition name: (identifier) @handler @name
  superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.entry
  (#any-of? @_base "AppConfig" "Migration"))
((decorated_definition
  (decorator [
    (attribute object: (identifier) @_register attribute: (identifier) @name)
    (call function: (attribute object: (identifier) @_register attribute: (identifier) @name))]) @registers.entry
  definition: (function_definition name: (identifier) @handler))
  (#eq? @_register "register") (#any-of? @name "filter" "simple_tag" "tag" "inclusion_tag" "simple_block_tag"))
((decorated_definition
  (decorator (call function: (attribute object: (identifier) @_admin attribute: (identifier) @_register) arguments: (argument_list . (_) @name))) @registers.entry
  definition: (class_definition name: (identifier) @handler))
  (#eq? @_admin "admin") (#eq? @_register "register"))
