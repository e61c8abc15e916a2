; languages: javascript typescript ejs
; mark: \b(?:render|view|renderFile|include|registerHelper)\(\s*["'`]

; res.render("carts/show", { cart })
((call_expression function: (member_expression property: (property_identifier) @_render) arguments: (arguments . (string) @name)) @registers.view
  (#any-of? @_render "render" "view" "renderFile"))
((call_expression function: (member_expression property: (property_identifier) @_render) arguments: (arguments . (string) @name . (object [
    (pair key: (property_identifier) @variable value: (_) @handler)
    (shorthand_property_identifier) @handler]))) @registers.context
  (#any-of? @_render "render" "view" "renderFile"))
((call_expression function: (identifier) @_include arguments: (arguments . (string) @name)) @registers.view (#eq? @_include "include"))
((call_expression function: (member_expression property: (property_identifier) @_register) arguments: (arguments . (string) @name . (_) @handler)) @registers.helper
  (#eq? @_register "registerHelper"))
