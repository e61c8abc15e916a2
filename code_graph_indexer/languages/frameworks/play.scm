; languages: scala
; mark: \bsird\b
; cut: (?<=.)/$

; case GET(p"/$id") => controller.show(id)
((case_clause pattern: (case_class_pattern type: (type_identifier) @verb pattern: [
    (interpolated_string_expression (interpolated_string) @name)
    (infix_pattern left: (interpolated_string_expression (interpolated_string) @name))])
  body: [(field_expression) @handler (call_expression function: (field_expression) @handler) (call_expression)]) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
