; languages: kotlin
; mark: \bimport dagger\b|\b(?:javax|jakarta)\.inject\b

; class Cart @Inject constructor(payment: Payment)
((primary_constructor (modifiers (annotation (user_type (identifier) @_inject)))
  (class_parameters (class_parameter (user_type (identifier) @handler) @registers.dependency)))
  (#any-of? @_inject "Inject" "AssistedInject"))
((class_declaration (modifiers (annotation [(user_type (identifier) @_module) (constructor_invocation (user_type (identifier) @_module))]))
  name: (identifier) @handler @name) @registers.entry
  (#any-of? @_module "Module" "HiltViewModel" "AndroidEntryPoint" "HiltAndroidApp" "Component" "Subcomponent" "EntryPoint" "InstallIn"))
; @Binds abstract fun payment(card: Card): Payment, @Provides fun payment(): Payment = …
((function_declaration (modifiers (annotation (user_type (identifier) @_binds)))
  (function_value_parameters (parameter (user_type (identifier) @handler)))
  (user_type . (identifier) @name)) @registers.provider
  (#eq? @_binds "Binds"))
((function_declaration (modifiers (annotation (user_type (identifier) @_provides)))
  name: (identifier) @handler (user_type . (identifier) @name)) @registers.provider
  (#eq? @_provides "Provides"))
((function_declaration (modifiers (annotation (user_type (identifier) @_binds))) name: (identifier) @handler @name) @registers.entry
  (#any-of? @_binds "Binds" "BindsOptionalOf" "Multibinds"))
((function_declaration (modifiers (annotation (user_type (identifier) @_provides)))
  (function_value_parameters (parameter (user_type (identifier) @handler) @registers.dependency)))
  (#eq? @_provides "Provides"))
((property_declaration (modifiers (annotation (user_type (identifier) @_inject)))
  (variable_declaration (user_type (identifier) @handler))) @registers.dependency (#eq? @_inject "Inject"))
