; languages: ruby
; path: (?:^|/)(?:controllers|mailers)/(.+?)(?:_controller)?\.rb$

; An action without `render` shows the template of its name, in the folder of its controller.
((method name: (identifier) @name) @registers.shows (#set! path "{path}/{name}"))
