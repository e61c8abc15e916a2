; languages: javascript typescript tsx
; mark: \.addService\(
; cut: ^(?:\w+\.)*?(?=\w+(?:\.service)?/)|(?:\.service|Service)(?=/)
; factories: \.bind\(\)$

; server.addService(proto.Carts.service, { getCart, watch: watchCart })
((call_expression function: (member_expression property: (property_identifier) @_add) arguments: (arguments . (_)
    . (object [(pair key: (property_identifier) @name value: (_) @handler) (shorthand_property_identifier) @name @handler]))) @registers.entry
  (#eq? @_add "addService"))
((call_expression function: (member_expression property: (property_identifier) @_add) arguments: (arguments . (_) @name
    . (object [(pair key: (property_identifier) @name value: (_) @handler) (shorthand_property_identifier) @name @handler]))) @registers.serves
  (#eq? @_add "addService"))
