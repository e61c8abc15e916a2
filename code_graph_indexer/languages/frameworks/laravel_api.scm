; languages: php
; path: (?:^|/)routes/(api)\.php$

; The framework gives the routes of this file a prefix, which is its name.
(program) @registers.group
