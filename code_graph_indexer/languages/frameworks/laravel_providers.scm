; languages: php
; path: (?:^|/)(?:config/app|bootstrap/providers)\.php$
; members: register boot

((array_element_initializer (class_constant_access_expression . (_) @handler)) @registers.entry)
