; languages: java
; mark: \breturn\s+"[\w/-]+"|\bModelAndView\(|\bgetRequestDispatcher\(

; a method that a path leads to returns the name of its template
((method_declaration (modifiers (annotation name: (identifier) @_mapping)) body: (block (return_statement (string_literal) @name))) @registers.view
  (#match? @_mapping "Mapping$") (#match? @name "^.[\\w/-]+.$"))
((object_creation_expression type: (type_identifier) @_model arguments: (argument_list . (string_literal) @name)) @registers.view
  (#eq? @_model "ModelAndView"))
; request.getRequestDispatcher("/WEB-INF/cart.jsp")
((method_invocation name: (identifier) @_get arguments: (argument_list . (string_literal) @name)) @registers.view
  (#eq? @_get "getRequestDispatcher"))
; model.addAttribute("cart", cart) in such a method, and request.setAttribute("cart", cart) before such a call
((method_invocation object: (identifier) @passed name: (identifier) @_add
    arguments: (argument_list . (string_literal) @variable . (_) @handler)) @registers.context
  (#any-of? @_add "addAttribute" "setAttribute"))
((method_declaration (modifiers (annotation name: (identifier) @_mapping))
    parameters: (formal_parameters (formal_parameter name: (identifier) @passed))
    body: (block (return_statement (string_literal) @name))) @registers.context
  (#match? @_mapping "Mapping$") (#match? @name "^.[\\w/-]+.$"))
((method_invocation object: (identifier) @passed name: (identifier) @_get arguments: (argument_list . (string_literal) @name)) @registers.context
  (#eq? @_get "getRequestDispatcher"))
