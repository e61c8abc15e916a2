; languages: ruby
; members: validate
; mark: \b(?:before|after|around)_\w+|\bvalidates?\b|\brescue_from\b|\bhelper_method\b

((call method: (identifier) @name arguments: (argument_list (simple_symbol) @handler)) @registers.listener
  (#match? @name "^(before|after|around|prepend_before|append_before|skip_before)_\\w+$|^validate$"))
((call method: (identifier) @name arguments: (argument_list (pair key: (hash_key_symbol) @_with value: (simple_symbol) @handler))) @registers.listener
  (#eq? @name "rescue_from") (#eq? @_with "with"))
; `before_save PriceRounder` calls the method of that name, and `validates_with` an object's method `validate`
((call method: (identifier) @name @member arguments: (argument_list [(constant) (scope_resolution)] @handler)) @registers.listener
  (#match? @name "^(before|after|around)_\\w+$"))
((call method: (identifier) @name arguments: (argument_list [(constant) (scope_resolution)] @handler)) @registers.dependency
  (#eq? @name "validates_with"))
; helper_method :current_cart
((call method: (identifier) @_helper arguments: (argument_list (simple_symbol) @name @handler)) @registers.helper
  (#eq? @_helper "helper_method"))
