; languages: php blade
; mark: \bview\(|::make\(|->(?:render\w*|view|markdown|make)\(|Twig(?:Filter|Function|Test)\b|\baddGlobal\(|(?:->|::)share\(|\b(?:route|action)\(|\bname:

; view("carts.show", ["cart" => $cart]), $this->render("cart/show.html.twig", ["cart" => $cart])
([(function_call_expression function: (name) @_view arguments: (arguments . (argument (string) @name)))
  (member_call_expression name: (name) @_view arguments: (arguments . (argument (string) @name)))
  (scoped_call_expression scope: (_) @_scope name: (name) @_view arguments: (arguments . (argument (string) @name)))] @registers.view
  (#not-eq? @_scope "Route")
  (#any-of? @_view "view" "make" "render" "renderView" "renderForm" "renderBlock" "markdown" "htmlTemplate" "textTemplate"))
([(function_call_expression function: (name) @_view arguments: (arguments . (argument (string) @name) . (argument (array_creation_expression (array_element_initializer (string) @variable (_) @handler)))))
  (member_call_expression name: (name) @_view arguments: (arguments . (argument (string) @name) . (argument (array_creation_expression (array_element_initializer (string) @variable (_) @handler)))))
  (scoped_call_expression name: (name) @_view arguments: (arguments . (argument (string) @name) . (argument (array_creation_expression (array_element_initializer (string) @variable (_) @handler)))))] @registers.context
  (#any-of? @_view "view" "make" "render" "renderView" "renderForm" "renderBlock"))
; view("carts.show", compact("cart")), and view("carts.show")->with("cart", $cart), ->with(["cart" => $cart]), ->with(compact("cart"))
([(function_call_expression function: (name) @_view arguments: (arguments . (argument (string) @name) . (argument (function_call_expression function: (name) @_compact arguments: (arguments (argument (string) @variable @handler))))))
  (scoped_call_expression name: (name) @_view arguments: (arguments . (argument (string) @name) . (argument (function_call_expression function: (name) @_compact arguments: (arguments (argument (string) @variable @handler))))))] @registers.context
  (#any-of? @_view "view" "make") (#eq? @_compact "compact") (#set! expression "${name}"))
((member_call_expression object: (function_call_expression function: (name) @_view arguments: (arguments . (argument (string) @name)))
  name: (name) @_with arguments: (arguments . (argument (string) @variable) . (argument (_) @handler))) @registers.context
  (#eq? @_view "view") (#eq? @_with "with"))
((member_call_expression object: (function_call_expression function: (name) @_view arguments: (arguments . (argument (string) @name)))
  name: (name) @_with arguments: (arguments . (argument (array_creation_expression (array_element_initializer (string) @variable (_) @handler))))) @registers.context
  (#eq? @_view "view") (#eq? @_with "with"))
((member_call_expression object: (function_call_expression function: (name) @_view arguments: (arguments . (argument (string) @name)))
  name: (name) @_with arguments: (arguments . (argument (function_call_expression function: (name) @_compact arguments: (arguments (argument (string) @variable @handler)))))) @registers.context
  (#eq? @_view "view") (#eq? @_with "with") (#eq? @_compact "compact") (#set! expression "${name}"))
; filters, functions and tests of Twig
((object_creation_expression (name) @_twig (arguments . (argument (string) @name) . (argument (array_creation_expression
  . (array_element_initializer [(variable_name) @handler (class_constant_access_expression . (_) @handler)]) . (array_element_initializer (string) @member))))) @registers.helper
  (#match? @_twig "^Twig(Filter|Function|Test)$"))
((object_creation_expression (name) @_twig (arguments . (argument (string) @name) . (argument [
    (member_call_expression object: (_) @handler name: (name) @member arguments: (arguments (variadic_placeholder)))
    (string) @handler]))) @registers.helper
  (#match? @_twig "^Twig(Filter|Function|Test)$"))
((method_declaration attributes: (attribute_list (attribute_group (attribute (name) @_as parameters: (arguments . (argument (string) @name)))))
  name: (name) @handler) @registers.helper (#match? @_as "^AsTwig(Filter|Function|Test)$"))
; A function without a name belongs to the method around.
((method_declaration name: (name) @handler body: (compound_statement (return_statement [
    (object_creation_expression (name) @_twig (arguments . (argument (string) @name) . (argument [(anonymous_function) (arrow_function)]))) @registers.helper
    (array_creation_expression (array_element_initializer
      (object_creation_expression (name) @_twig (arguments . (argument (string) @name) . (argument [(anonymous_function) (arrow_function)]))) @registers.helper))])))
  (#match? @_twig "^Twig(Filter|Function|Test)$"))
; View::share("cart", $cart), $twig->addGlobal("cart", $cart): all templates get it
([(member_call_expression name: (name) @_share arguments: (arguments . (argument (string) @variable) . (argument (_) @handler)))
  (scoped_call_expression name: (name) @_share arguments: (arguments . (argument (string) @variable) . (argument (_) @handler)))] @registers.context
  (#any-of? @_share "share" "addGlobal"))
; names of routes
((method_declaration attributes: (attribute_list (attribute_group (attribute (name) @_route parameters: (arguments (argument name: (name) @_name (string) @name)))))
  name: (name) @handler) @registers.named (#eq? @_route "Route") (#eq? @_name "name"))
([(function_call_expression function: (name) @_link arguments: (arguments . (argument [(string) (encapsed_string)] @name)))
  (member_call_expression name: (name) @_link arguments: (arguments . (argument [(string) (encapsed_string)] @name)))] @registers.link
  (#any-of? @_link "route" "to_route" "redirectToRoute" "generateUrl" "signedRoute"))
