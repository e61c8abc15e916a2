; languages: csharp
; mark: \b(?:Partial)?View\(

((invocation_expression function: (identifier) @_view arguments: (argument_list . (argument (string_literal) @name))) @registers.view
  (#any-of? @_view "View" "PartialView"))
; return View() shows the template of the action
((method_declaration name: (identifier) @name body: (block (return_statement (invocation_expression function: (identifier) @_view)))) @registers.shows
  (#any-of? @_view "View" "PartialView"))
