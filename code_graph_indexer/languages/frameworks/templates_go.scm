; languages: go
; mark: \.(?:html?|tmpl|gohtml)"|\bFuncMap\{

((interpreted_string_literal) @name @registers.view (#match? @name "^.[\\w/.-]+\\.(html?|tmpl|gohtml).$"))
; pages.ExecuteTemplate(w, "show.html", cart), c.HTML(200, "show.html", cart)
((call_expression function: (selector_expression field: (field_identifier) @_execute)
    arguments: (argument_list . (_) . (interpreted_string_literal) @name . (_) @handler)) @registers.context
  (#any-of? @_execute "ExecuteTemplate" "HTML" "Render") (#match? @name "^.[\\w/.-]+\\.(html?|tmpl|gohtml).$") (#set! variable "dot"))
; template.FuncMap{"money": money}
((composite_literal type: [(qualified_type name: (type_identifier) @_map) (type_identifier) @_map]
  body: (literal_value (keyed_element (literal_element (interpreted_string_literal) @name) (literal_element (_) @handler)))) @registers.helper
  (#eq? @_map "FuncMap"))
