; languages: java
; mark: \bio\.micronaut\b
; imported: \bio\.micronaut\b

((class_declaration (modifiers (annotation name: (identifier) @_controller arguments: (annotation_argument_list . [
  (string_literal) @name (identifier) @name (field_access) @name (binary_expression) @name
  (element_value_pair key: (identifier) @_key value: (_) @name)])))) @registers.group
  (#eq? @_controller "Controller") (#any-of? @_key "value"))
((method_declaration (modifiers (annotation name: (identifier) @verb arguments: (annotation_argument_list . [
  (string_literal) @name (identifier) @name (field_access) @name (binary_expression) @name (element_value_array_initializer) @name
  (element_value_pair key: (identifier) @_key value: (_) @name)])) @registers.route) name: (identifier) @handler)
  (#any-of? @verb "Get" "Post" "Put" "Patch" "Delete" "Head" "Options") (#any-of? @_key "value" "uri" "uris"))
((method_declaration (modifiers [
  (marker_annotation name: (identifier) @verb) @registers.route
  (annotation name: (identifier) @verb) @registers.route]) name: (identifier) @handler)
  (#any-of? @verb "Get" "Post" "Put" "Patch" "Delete" "Head" "Options"))
((class_declaration (modifiers [
  (marker_annotation name: (identifier) @_component)
  (annotation name: (identifier) @_component)]) name: (identifier) @handler @name) @registers.entry
  (#any-of? @_component "Controller" "Singleton" "Factory"))
