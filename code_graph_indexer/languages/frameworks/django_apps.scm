; languages: python
; mark: AppConfig\b|register\.\w+|admin\.(?:register|site)|Migration\(
; members: ready process_request process_response get_queryset

((class_definition name: (identifier) @handler @name
  superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])) @registers.entry
  (#any-of? @_base "AppConfig" "Migration"))
; filters and tags of templates: `@register.filter`, `@register.filter("money")`, `@register.filter(name="money")`
((decorated_definition
  (decorator [(attribute object: (identifier) @_register attribute: (identifier) @_tag)
    (call function: (attribute object: (identifier) @_register attribute: (identifier) @_tag))]) @_decorator
  definition: (function_definition name: (identifier) @handler @name)) @registers.helper
  (#eq? @_register "register") (#any-of? @_tag "filter" "simple_tag" "tag" "inclusion_tag" "simple_block_tag")
  (#not-match? @_decorator "\\([\"'][^\"'.]*[\"']|\\bname="))
((decorated_definition
  (decorator (call function: (attribute object: (identifier) @_register attribute: (identifier) @_tag)
    arguments: (argument_list [(string) @name (keyword_argument name: (identifier) @_name value: (string) @name)])))
  definition: (function_definition name: (identifier) @handler)) @registers.helper
  (#eq? @_register "register") (#any-of? @_tag "filter" "simple_tag" "tag" "inclusion_tag" "simple_block_tag") (#eq? @_name "name")
  (#not-match? @name "\\.\\w+.$"))
((call function: (attribute object: (identifier) @_register attribute: (identifier) @_tag)
  arguments: (argument_list . (string) @name . (_) @handler)) @registers.helper
  (#eq? @_register "register") (#any-of? @_tag "filter" "simple_tag" "tag"))
((decorated_definition
  (decorator (call function: (attribute object: (identifier) @_admin attribute: (identifier) @_register) arguments: (argument_list . (_) @name))) @registers.entry
  definition: (class_definition name: (identifier) @handler))
  (#eq? @_admin "admin") (#eq? @_register "register"))
