; languages: csharp
; mark: \b(?:Partial)?View\(

((invocation_expression function: (identifier) @_view arguments: (argument_list . (argument (string_literal) @name))) @registers.view
  (#any-of? @_view "View" "PartialView"))
