; languages: java
; mark: \bcom\.google\.inject\b|\b(?:javax|jakarta)\.inject\b
; imported: \bcom\.google\.inject\b
; members: get

; bind(Payment.class).to(Card.class), in the same way `toProvider` and `addBinding().to`, and getInstance(Cart.class)
((method_invocation name: (identifier) @_to arguments: (argument_list . (class_literal (type_identifier) @handler))) @registers.dependency
  (#any-of? @_to "to" "toProvider" "getInstance" "getProvider"))
((method_invocation object: (method_invocation name: (identifier) @_bind arguments: (argument_list (class_literal (type_identifier) @name)))
    name: (identifier) @_to arguments: (argument_list . (class_literal (type_identifier) @handler))) @registers.provider
  (#any-of? @_bind "bind" "newSetBinder" "newOptionalBinder") (#any-of? @_to "to" "toProvider"))
((method_invocation object: (method_invocation object: (method_invocation name: (identifier) @_bind arguments: (argument_list
      (class_literal (type_identifier) @name))))
    name: (identifier) @_to arguments: (argument_list . (class_literal (type_identifier) @handler))) @registers.provider
  (#any-of? @_bind "bind" "newSetBinder" "newOptionalBinder") (#any-of? @_to "to" "toProvider"))
; @Provides Payment payment() { … }
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_provides)
    (annotation name: (identifier) @_provides)])
  type: [(type_identifier) @name (generic_type . (type_identifier) @name)] name: (identifier) @handler) @registers.provider
  (#any-of? @_provides "Provides" "ProvidesIntoSet" "Produces"))
((method_declaration name: (identifier) @handler @name parameters: (formal_parameters)) @registers.entry
  (#any-of? @handler "configure" "configureServlets"))

; what is injected: @Inject Cart(Payment payment), @Inject Payment payment, also of a set or provider
((constructor_declaration (modifiers [
    (marker_annotation name: (identifier) @_inject)
    (annotation name: (identifier) @_inject)]) parameters: (formal_parameters (formal_parameter type: [
    (type_identifier) @handler
    (generic_type [(type_identifier) @handler (type_arguments (type_identifier) @handler)])] @registers.dependency)))
  (#any-of? @_inject "Inject" "AssistedInject"))
((constructor_declaration (modifiers [
    (marker_annotation name: (identifier) @_inject)
    (annotation name: (identifier) @_inject)]) name: (identifier) @handler @name) @registers.entry
  (#any-of? @_inject "Inject" "AssistedInject"))
((field_declaration (modifiers [
    (marker_annotation name: (identifier) @_inject)
    (annotation name: (identifier) @_inject)]) type: [
    (type_identifier) @handler
    (generic_type [(type_identifier) @handler (type_arguments (type_identifier) @handler)])]) @registers.dependency
  (#eq? @_inject "Inject"))
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_provides)
    (annotation name: (identifier) @_provides)]) parameters: (formal_parameters (formal_parameter type: [
    (type_identifier) @handler
    (generic_type [(type_identifier) @handler (type_arguments (type_identifier) @handler)])] @registers.dependency)))
  (#any-of? @_provides "Provides" "ProvidesIntoSet" "Inject"))
