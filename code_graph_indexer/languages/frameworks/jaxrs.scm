; languages: java
; mark: \bws\.rs\b

((class_declaration (modifiers (annotation name: (identifier) @_path arguments: (annotation_argument_list . (_) @name)))) @registers.group
  (#eq? @_path "Path"))
((interface_declaration (modifiers (annotation name: (identifier) @_path arguments: (annotation_argument_list . (_) @name)))) @registers.group
  (#eq? @_path "Path"))
((method_declaration (modifiers (marker_annotation name: (identifier) @verb)) name: (identifier) @handler) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((method_declaration (modifiers (marker_annotation name: (identifier) @verb)
    (annotation name: (identifier) @_path arguments: (annotation_argument_list . (_) @name))) name: (identifier) @handler) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS") (#eq? @_path "Path"))
((method_declaration (modifiers (annotation name: (identifier) @_path arguments: (annotation_argument_list . (_) @name))
    (marker_annotation name: (identifier) @verb)) name: (identifier) @handler) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS") (#eq? @_path "Path"))
((class_declaration (modifiers (annotation name: (identifier) @_path arguments: (annotation_argument_list . (_) @name)))) @registers.global
  (#eq? @_path "ApplicationPath"))
