; languages: typescript javascript
; path: (?:^|/)server/(?:(?=api/)|routes/)(.*?)(?:/?\bindex)?(?:\.(?P<verb>get|post|put|patch|delete|head|options))?\.[jt]s$
; mark: \bdefine(?:Cached)?EventHandler\b|\beventHandler\b

((export_statement "default" value: (call_expression function: (identifier) @_define
  arguments: (arguments . [(arrow_function) (function_expression)]))) @registers.route
  (#any-of? @_define "defineEventHandler" "defineCachedEventHandler" "eventHandler"))
((export_statement "default" value: (call_expression function: (identifier) @_define
  arguments: (arguments . [(identifier) (member_expression)] @handler))) @registers.route
  (#any-of? @_define "defineEventHandler" "defineCachedEventHandler" "eventHandler"))
