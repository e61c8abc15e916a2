; languages: python
; mark: \.(?:html?|jinja2?|j2)["']

; The text that names a template by its file: render(request, "carts/show.html")
((string) @name @registers.view (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
; render(request, "carts/show.html", {"cart": cart}), render_template("carts/show.html", cart=cart)
((call arguments: (argument_list . (_)? . (string) @name [
    (dictionary (pair key: (string) @variable value: (_) @handler))
    (keyword_argument name: (identifier) @variable value: (_) @handler)
    (keyword_argument value: (dictionary (pair key: (string) @variable value: (_) @handler)))])) @registers.context
  (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
; context = {"cart": cart}, then render(request, "carts/show.html", context)
((block
    (expression_statement (assignment left: (identifier) @_context right: (dictionary (pair key: (string) @variable value: (_) @handler))))
    (_ [(call arguments: (argument_list (string) @name (identifier) @_passed)) (assignment right: (call arguments: (argument_list (string) @name (identifier) @_passed)))])) @registers.context
  (#eq? @_context @_passed) (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
((block
    (expression_statement (assignment left: (subscript value: (identifier) @_context subscript: (string) @variable) right: (_) @handler))
    (_ [(call arguments: (argument_list (string) @name (identifier) @_passed)) (assignment right: (call arguments: (argument_list (string) @name (identifier) @_passed)))])) @registers.context
  (#eq? @_context @_passed) (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
; template_name = "carts/show.html", and get_context_data of the class: context["cart"] = cart
((class_definition body: (block
    (expression_statement (assignment left: (identifier) @_template right: (string) @name))
    (function_definition body: (block
      (expression_statement (assignment left: (subscript value: (identifier) subscript: (string) @variable) right: (_) @handler)))))) @registers.context
  (#eq? @_template "template_name"))
