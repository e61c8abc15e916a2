; languages: ruby
; path: (?:^|/)(?:test|spec)s?/
; mark: \b(?:get|post|put|patch|delete)[ (]["']/

((call !receiver method: (identifier) @verb arguments: (argument_list . (string) @name)) @registers.wire
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#match? @name "^./"))
