; languages: python
; mark: \.(?:html?|jinja2?|j2)["']

; The text that names a template by its file: render(request, "carts/show.html")
((string) @name @registers.view (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
; render(request, "carts/show.html", {"cart": cart}), render_template("carts/show.html", cart=cart)
((call arguments: (argument_list . (string) @name [
    (dictionary (pair key: (string) @variable value: (_) @handler))
    (keyword_argument name: (identifier) @variable value: (_) @handler)
    (keyword_argument value: (dictionary (pair key: (string) @variable value: (_) @handler)))])) @registers.context
  (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
((call arguments: (argument_list . (_) . (string) @name [
    (dictionary (pair key: (string) @variable value: (_) @handler))
    (keyword_argument name: (identifier) @variable value: (_) @handler)
    (keyword_argument value: (dictionary (pair key: (string) @variable value: (_) @handler)))])) @registers.context
  (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
; context = {"cart": cart} and context["cart"] = cart, then render(request, "carts/show.html", context)
((assignment left: (identifier) @passed right: (dictionary (pair key: (string) @variable value: (_) @handler))) @registers.context)
((assignment left: (subscript value: (identifier) @passed subscript: (string) @variable) right: (_) @handler) @registers.context)
((call arguments: (argument_list . (string) @name . (identifier) @passed)) @registers.context
  (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
((call arguments: (argument_list . (_) . (string) @name . (identifier) @passed)) @registers.context
  (#match? @name "^.[\\w/.-]+\\.(html?|txt|xml|jinja2?|j2)[\"']$"))
; template_name = "carts/show.html", and get_context_data of the class: context["cart"] = cart
((class_definition name: (identifier) @class body: (block
    (expression_statement (assignment left: (identifier) @_template right: (string) @name)))) @registers.context
  (#eq? @_template "template_name"))
