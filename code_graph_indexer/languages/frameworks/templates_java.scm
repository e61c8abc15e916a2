; languages: java
; mark: \breturn\s+"[\w/-]+"|\bModelAndView\(

; a method that a path leads to returns the name of its template
((method_declaration (modifiers (annotation name: (identifier) @_mapping)) body: (block (return_statement (string_literal) @name))) @registers.view
  (#match? @_mapping "Mapping$") (#match? @name "^.[\\w/-]+.$"))
((object_creation_expression type: (type_identifier) @_model arguments: (argument_list . (string_literal) @name)) @registers.view
  (#eq? @_model "ModelAndView"))
