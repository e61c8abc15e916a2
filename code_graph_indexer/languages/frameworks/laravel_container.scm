; languages: php
; mark: ->(?:bind|singleton|scoped|give)\(|\bEvent::listen\(|\$listen\b|\bevent\(|::dispatch\(
; members: handle

; $this->app->bind(Gateway::class, StripeGateway::class)
((member_call_expression name: (name) @_bind arguments: (arguments (argument (class_constant_access_expression . (_) @handler)) .)) @registers.dependency
  (#any-of? @_bind "bind" "bindIf" "singleton" "singletonIf" "scoped" "give"))
; Event::listen(OrderPaid::class, SendMail::class), and the property `$listen` of a provider
((scoped_call_expression scope: (name) @_event name: (name) @_listen arguments: (arguments
  . (argument (class_constant_access_expression . (_) @name)) . (argument (class_constant_access_expression . (_) @handler)))) @registers.listener
  (#eq? @_event "Event") (#eq? @_listen "listen"))
((property_declaration (property_element (variable_name) @_listen (array_creation_expression (array_element_initializer
  (class_constant_access_expression . (_) @name)
  (array_creation_expression (array_element_initializer (class_constant_access_expression . (_) @handler))))))) @registers.listener
  (#eq? @_listen "$listen"))
((function_call_expression function: (name) @_event arguments: (arguments . (argument (object_creation_expression (name) @name)))) @registers.emit
  (#eq? @_event "event"))
((scoped_call_expression scope: (name) @name name: (name) @_dispatch) @registers.emit (#eq? @_dispatch "dispatch"))
