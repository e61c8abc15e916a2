; languages: go
; mark: \bhttp\.(?:Get|Post|Head|NewRequest)|\bhttptest\.NewRequest

((call_expression function: (selector_expression operand: (identifier) @_http field: (field_identifier) @verb)
  arguments: (argument_list . [(interpreted_string_literal) (binary_expression)] @name)) @registers.wire
  (#eq? @_http "http") (#any-of? @verb "Get" "Post" "Head" "PostForm"))
((call_expression function: (selector_expression operand: (identifier) @_http field: (field_identifier) @_new)
  arguments: (argument_list . [(interpreted_string_literal) (selector_expression)] @verb . [(interpreted_string_literal) (binary_expression)] @name)) @registers.wire
  (#any-of? @_http "http" "httptest") (#eq? @_new "NewRequest"))
