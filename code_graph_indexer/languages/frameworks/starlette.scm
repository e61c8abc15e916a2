; languages: python
; mark: \b(?:Route|WebSocketRoute|Mount)\(|\.add_(?:route|websocket_route|event_handler|exception_handler)\(
; members: get post put patch delete head options on_connect on_receive on_disconnect

((call function: [(identifier) @_route (attribute attribute: (identifier) @_route)]
  arguments: (argument_list . (string) @name . (_) @handler (keyword_argument name: (identifier) @_key value: (_) @verb))) @registers.route
  (#any-of? @_route "Route" "WebSocketRoute" "add_route" "add_websocket_route") (#eq? @_key "methods")
  (#not-match? @handler "="))
((call function: [(identifier) @_route (attribute attribute: (identifier) @_route)]
  arguments: (argument_list . (string) @name . (_) @handler)) @registers.route
  (#any-of? @_route "Route" "WebSocketRoute" "add_route" "add_websocket_route") (#not-match? @handler "="))
((call function: [(identifier) @_route (attribute attribute: (identifier) @_route)]
  arguments: (argument_list . (string) @name (keyword_argument name: (identifier) @_key value: (_) @handler))) @registers.route
  (#any-of? @_route "Route" "WebSocketRoute") (#eq? @_key "endpoint"))
((call function: (identifier) @_mount arguments: (argument_list . (string) @name) @inside) @registers.group
  (#eq? @_mount "Mount"))
((call function: (attribute attribute: (identifier) @_mount) arguments: (argument_list . (string) @name . (_) @handler)) @registers.mount
  (#eq? @_mount "mount"))
((call function: (attribute attribute: (identifier) @_add) arguments: (argument_list . (_) @name . (_) @handler)) @registers.listener
  (#any-of? @_add "add_event_handler" "add_exception_handler"))
