; languages: python
; mark: \b(?:Route|WebSocketRoute|Mount)\(|\.add_(?:route|websocket_route|event_handler|exception_handler)\(
; members: get post put patch delete head options on_connect on_receive on_disconnect

((call function: [(identifier) @_route (attribute attribute: (identifier) @_route)]
  arguments: (argument_list . (string) @name . [
    (identifier) @handler (attribute) @handler (call) @handler (keyword_argument name: (identifier) @_endpoint value: (_) @handler)]
    (keyword_argument name: (identifier) @_key value: (_) @verb))) @registers.route
  (#any-of? @_route "Route" "WebSocketRoute" "add_route" "add_websocket_route") (#eq? @_endpoint "endpoint") (#eq? @_key "methods"))
((call function: [(identifier) @_route (attribute attribute: (identifier) @_route)]
  arguments: (argument_list . (string) @name . [
    (identifier) @handler (attribute) @handler (call) @handler (keyword_argument name: (identifier) @_endpoint value: (_) @handler)])) @registers.route
  (#any-of? @_route "Route" "WebSocketRoute" "add_route" "add_websocket_route") (#eq? @_endpoint "endpoint"))
; a function answers GET if no method is said, and a class what it has methods for
((call function: [(identifier) @_route (attribute attribute: (identifier) @_route)]
  arguments: (argument_list . (string) @name . [
    (identifier) @handler (attribute) @handler (keyword_argument name: (identifier) @_endpoint value: (_) @handler)]) @_arguments) @registers.route
  (#any-of? @_route "Route" "add_route") (#eq? @_endpoint "endpoint")
  (#match? @handler "(^|[.])[a-z_]\\w*$") (#not-match? @_arguments "\\bmethods\\s*=") (#set! verb "GET"))
((call function: (identifier) @_mount arguments: (argument_list . (string) @name . [
    (list) @inside (call) @inside (keyword_argument value: [(list) (call)] @inside)])) @registers.group
  (#eq? @_mount "Mount"))
((call function: (identifier) @_mount arguments: (argument_list . (string) @name . [
    (identifier) @handler (attribute) @handler (keyword_argument value: [(identifier) (attribute)] @handler)])) @registers.mount
  (#eq? @_mount "Mount"))
((call function: (attribute attribute: (identifier) @_mount) arguments: (argument_list . (string) @name . (_) @handler)) @registers.mount
  (#eq? @_mount "mount"))
((call function: (attribute attribute: (identifier) @_add) arguments: (argument_list . (_) @name . (_) @handler)) @registers.listener
  (#any-of? @_add "add_event_handler" "add_exception_handler"))
