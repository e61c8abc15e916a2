; languages: javascript typescript tsx
; mark: \bdispatchEvent\(|\.addEventListener\(
; factories: \.bind\(\)$

; cart.addEventListener('paid', mail), cart.dispatchEvent(new CustomEvent('paid'))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_on)
  arguments: (arguments . (string) @name . [
    (identifier) @handler
    (member_expression) @handler
    (call_expression) @handler
    (arrow_function body: (call_expression function: (_) @handler))])) @registers.listener
  (#eq? @_on "addEventListener"))
((call_expression function: (member_expression object: (_) @router property: (property_identifier) @_dispatch)
  arguments: (arguments . (new_expression constructor: (identifier) @_event arguments: (arguments . (string) @name)))) @registers.emit
  (#eq? @_dispatch "dispatchEvent") (#match? @_event "Event$"))
