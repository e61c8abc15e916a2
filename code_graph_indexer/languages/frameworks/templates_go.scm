; languages: go
; mark: \.(?:html?|tmpl|gohtml)"|\bFuncMap\{

((interpreted_string_literal) @name @registers.view (#match? @name "^.[\\w/.-]+\\.(html?|tmpl|gohtml).$"))
; template.FuncMap{"money": money}
((composite_literal type: [(qualified_type name: (type_identifier) @_map) (type_identifier) @_map]
  body: (literal_value (keyed_element (literal_element (interpreted_string_literal) @name) (literal_element (_) @handler)))) @registers.helper
  (#eq? @_map "FuncMap"))
