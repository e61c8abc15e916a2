; languages: java
; inherits: guice
; mark: \bimport dagger\b|\b(?:javax|jakarta)\.inject\b
; imported: \bimport dagger\b

; @Binds abstract Payment payment(Card card)
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_binds)
    (annotation name: (identifier) @_binds)])
  type: [(type_identifier) @name (generic_type . (type_identifier) @name)]
  parameters: (formal_parameters . (formal_parameter type: (type_identifier) @handler))) @registers.provider
  (#eq? @_binds "Binds"))
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_binds)
    (annotation name: (identifier) @_binds)]) name: (identifier) @handler @name) @registers.entry
  (#any-of? @_binds "Binds" "BindsOptionalOf" "Multibinds"))
; @Component(modules = ShopModule.class) interface Shop { Cart cart(); }
((interface_declaration (modifiers [
    (marker_annotation name: (identifier) @_component)
    (annotation name: (identifier) @_component)])
  name: (identifier) @handler @name) @registers.entry
  (#any-of? @_component "Component" "Subcomponent" "Module" "EntryPoint"))
((class_declaration (modifiers [
    (marker_annotation name: (identifier) @_component)
    (annotation name: (identifier) @_component)])
  name: (identifier) @handler @name) @registers.entry
  (#any-of? @_component "Module" "AndroidEntryPoint" "HiltAndroidApp"))
((interface_declaration (modifiers [
    (marker_annotation name: (identifier) @_component)
    (annotation name: (identifier) @_component)])
  body: (interface_body (method_declaration type: [(type_identifier) @handler (generic_type (type_arguments (type_identifier) @handler))] name: (_)) @registers.dependency))
  (#any-of? @_component "Component" "Subcomponent" "EntryPoint"))
