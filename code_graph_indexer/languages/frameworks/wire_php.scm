; languages: php
; mark: ->(?:get|post|put|patch|delete)(?:Json)?\(\s*["']/

((member_call_expression name: (name) @verb arguments: (arguments . (argument [(string) (encapsed_string)] @name))) @registers.wire
  (#match? @verb "^(get|post|put|patch|delete)(Json)?$") (#match? @name "^./"))
