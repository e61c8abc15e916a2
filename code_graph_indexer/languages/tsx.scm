; inherits: typescript
; grammar: tree_sitter_typescript:language_tsx
; extensions: .tsx

(jsx_attribute (jsx_expression [
  (identifier) @reference.value
  (member_expression object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value)]))
(jsx_opening_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_self_closing_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
