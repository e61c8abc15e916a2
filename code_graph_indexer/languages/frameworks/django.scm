; languages: python
; mark: \bpath\(|re_path\(|\burl\(|\binclude\(|\bregister\w*\(|handler\d{3}
; imported: \b(?:django|rest_framework)\b
; factories: \.as_view\(\)$
; members: to_python to_url get post put patch delete head options dispatch list create retrieve update partial_update destroy get_queryset get_context_data get_object form_valid form_invalid get_serializer_class perform_create perform_update perform_destroy get_permissions

((call function: [(identifier) @_path (attribute attribute: (identifier) @_path)]
  arguments: (argument_list . (_) @name . (_) @handler)) @registers.route
  (#any-of? @_path "path" "re_path" "url") (#not-match? @handler "^(.*\\.)?include\\(|^\\("))
((call function: [(identifier) @_path (attribute attribute: (identifier) @_path)]
  arguments: (argument_list . (_) @name . (call function: [(identifier) @_include (attribute attribute: (identifier) @_include)]
    arguments: (argument_list . [
      (string) @handler (identifier) @handler (attribute) @handler
      (tuple . [(string) @handler (identifier) @handler (attribute) @handler])])))) @registers.mount
  (#any-of? @_path "path" "re_path" "url") (#eq? @_include "include"))
((call function: [(identifier) @_path (attribute attribute: (identifier) @_path)]
  arguments: (argument_list . (_) @name . (call function: [(identifier) @_include (attribute attribute: (identifier) @_include)]
    arguments: (argument_list . [(list) @inside (tuple . (list) @inside)])))) @registers.group
  (#any-of? @_path "path" "re_path" "url") (#eq? @_include "include"))
((call function: (attribute object: (_) @router attribute: (identifier) @_register)
  arguments: (argument_list . (string) @name . (_) @handler)) @registers.route
  (#eq? @_register "register"))
; what Django REST framework adds to a class
((call function: (attribute object: (_) @router attribute: (identifier) @_register)
  arguments: (argument_list . (string) @name . (_) @handler)) @registers.prefix
  (#eq? @_register "register"))
((assignment left: (identifier) @name right: [(identifier) @handler (string) @handler (attribute) @handler]) @registers.listener
  (#match? @name "^handler(400|403|404|500)$"))
((call function: [(identifier) @_register (attribute attribute: (identifier) @_register)]
  arguments: (argument_list . (_) @handler . (string) @name)) @registers.entry
  (#eq? @_register "register_converter"))
