; languages: csharp
; path: (?:^|/)(\w+)Controller\.cs$
; mark: \b(?:Partial)?View\(

; return View() shows the template of the action, in the folder of its controller.
((method_declaration name: (identifier) @name body: (block (return_statement (invocation_expression function: (identifier) @_view)))) @registers.shows
  (#any-of? @_view "View" "PartialView") (#set! path "{path}/{name}"))
