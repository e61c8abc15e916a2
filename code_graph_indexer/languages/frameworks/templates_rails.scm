; languages: ruby
; path: app/controllers/

; An action without `render` shows the template of its name.
((method name: (identifier) @name) @registers.shows)
