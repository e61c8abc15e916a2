; languages: php
; mark: ->(?:bind|singleton|scoped|give|make)(?:If)?\(|\bEvent::listen\(|\$(?:listen|bindings|singletons)\b|\b(?:event|dispatch|dispatch_sync|broadcast|app|resolve)\(|::dispatch\w*\(|\bShouldQueue\b|::observe\(|\bObservedBy\b|\bgetFacadeAccessor\b|\bfunction __construct\(\s*(?:(?:private|protected|public|readonly)\s+)*\??\\?[A-Z]
; members: handle created creating updated updating saved saving deleted deleting restored restoring forceDeleted forceDeleting retrieved replicating

; $this->app->bind(Gateway::class, StripeGateway::class)
((member_call_expression name: (name) @_bind arguments: (arguments (argument (class_constant_access_expression . (_) @handler)) .)) @registers.dependency
  (#any-of? @_bind "bind" "bindIf" "singleton" "singletonIf" "scoped" "give"))
((member_call_expression
    object: (member_call_expression name: (name) @_needs arguments: (arguments (argument (class_constant_access_expression . (_) @name))))
    name: (name) @_give arguments: (arguments (argument (class_constant_access_expression . (_) @handler)))) @registers.provider
  (#eq? @_needs "needs") (#eq? @_give "give"))
; bind(Gateway::class, StripeGateway::class), bind('gateway', fn () => new StripeGateway())
((member_call_expression name: (name) @_bind arguments: (arguments
    (argument [(class_constant_access_expression . (_) @name) (string) @name]) . (argument [
      (class_constant_access_expression . (_) @handler)
      (arrow_function body: (object_creation_expression (name) @handler))
      (anonymous_function body: (compound_statement (return_statement (object_creation_expression (name) @handler))))]) .)) @registers.provider
  (#any-of? @_bind "bind" "bindIf" "singleton" "singletonIf" "scoped"))
; class Cart extends Facade { protected static function getFacadeAccessor() { return 'cart'; } }
((class_declaration name: (name) @handler body: (declaration_list (method_declaration name: (name) @_accessor
    body: (compound_statement (return_statement [(string) @name (class_constant_access_expression . (_) @name)]))))) @registers.proxy
  (#eq? @_accessor "getFacadeAccessor"))
; public $bindings = [Gateway::class => StripeGateway::class]
((property_declaration (property_element (variable_name) @_bindings (array_creation_expression (array_element_initializer
  (class_constant_access_expression . (_) @name) (class_constant_access_expression . (_) @handler))))) @registers.provider
  (#any-of? @_bindings "$bindings" "$singletons"))
; function __construct(private Gateway $gateway), app(Gateway::class), $this->app->make(Gateway::class)
((method_declaration name: (name) @_construct
    parameters: (formal_parameters (_ type: [(named_type (_) @handler) (optional_type (named_type (_) @handler))] @registers.need)))
  (#eq? @_construct "__construct"))
((function_call_expression function: (name) @_app arguments: (arguments . (argument (class_constant_access_expression . (_) @handler)))) @registers.dependency
  (#any-of? @_app "app" "resolve"))
((member_call_expression object: (_) @_app name: (name) @_make
    arguments: (arguments . (argument (class_constant_access_expression . (_) @handler)))) @registers.dependency
  (#match? @_app "\\b[aA]pp\\b|[cC]ontainer") (#any-of? @_make "make" "makeWith"))
((scoped_call_expression scope: (name) @_app name: (name) @_make
    arguments: (arguments . (argument (class_constant_access_expression . (_) @handler)))) @registers.dependency
  (#eq? @_app "App") (#any-of? @_make "make" "makeWith"))
; Order::observe(OrderObserver::class), #[ObservedBy([OrderObserver::class])]
((scoped_call_expression name: (name) @_observe arguments: (arguments (argument [
    (class_constant_access_expression . (_) @handler)
    (array_creation_expression (array_element_initializer (class_constant_access_expression . (_) @handler)))]))) @registers.dependency
  (#eq? @_observe "observe"))
((attribute (name) @_observed parameters: (arguments (argument [
    (class_constant_access_expression . (_) @handler)
    (array_creation_expression (array_element_initializer (class_constant_access_expression . (_) @handler)))]))) @registers.dependency
  (#eq? @_observed "ObservedBy"))
; a job runs where it is dispatched
((class_declaration name: (name) @name @_job (class_interface_clause (_) @_queued)
    body: (declaration_list (method_declaration name: (name) @handler))) @registers.listener
  (#match? @_queued "\\bShouldQueue$") (#eq? @handler "handle"))
; Event::listen(OrderPaid::class, SendMail::class), and the property `$listen` of a provider
((scoped_call_expression scope: (name) @_event name: (name) @_listen arguments: (arguments
  . (argument (class_constant_access_expression . (_) @name)) . (argument (class_constant_access_expression . (_) @handler)))) @registers.listener
  (#eq? @_event "Event") (#eq? @_listen "listen"))
((property_declaration (property_element (variable_name) @_listen (array_creation_expression (array_element_initializer
  (class_constant_access_expression . (_) @name)
  (array_creation_expression (array_element_initializer (class_constant_access_expression . (_) @handler))))))) @registers.listener
  (#eq? @_listen "$listen"))
((function_call_expression function: (name) @_event arguments: (arguments . (argument (object_creation_expression (name) @name)))) @registers.emit
  (#any-of? @_event "event" "dispatch" "dispatch_sync" "broadcast"))
((scoped_call_expression scope: (name) @name name: (name) @_dispatch) @registers.emit
  (#any-of? @_dispatch "dispatch" "dispatchSync" "dispatchIf" "dispatchUnless" "dispatchAfterResponse"))
((scoped_call_expression scope: (name) @_bus name: (name) @_dispatch
    arguments: (arguments . (argument (object_creation_expression (name) @name)))) @registers.emit
  (#any-of? @_bus "Event" "Bus" "Queue") (#any-of? @_dispatch "dispatch" "dispatchSync" "push"))
