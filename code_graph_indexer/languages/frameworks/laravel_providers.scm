; languages: php
; path: (?:^|/)(?:config/app|bootstrap/providers)\.php$
; members: register boot

((array_element_initializer (class_constant_access_expression . (_) @handler)) @registers.entry)
; 'aliases' => ['Cart' => CartFacade::class]
((array_element_initializer (string) @_aliases (array_creation_expression
    (array_element_initializer (string) @variable (class_constant_access_expression . (_) @handler)))) @registers.context
  (#match? @_aliases "^.aliases.$"))
