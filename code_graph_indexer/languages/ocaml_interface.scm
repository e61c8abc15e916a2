; grammar: tree_sitter_ocaml:language_ocaml_interface
; family: ocaml
; extensions: .mli
; declarations: module
; tests: test/ tests/
; self: self
; type-decoration: '\w+\s+(?=\w)
; null: unit
; modules: stem
; roots: src lib bin
; import-lookup: stem
; import-separator: .
; binds: last
; re-exports: yes
; alternative-operators: || or
; expression: name module_path,module_name,extended_module_path

; What an interface declares; an implementation (ocaml.scm) has the same, and more.

; --- definitions

(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: (function_type) @returns) @definition.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: (_) @type) @definition.constant
(external [(value_name) @name (parenthesized_operator (_) @name)] type: (_) @returns) @definition.function

; A `type` of one binding is the whole statement; of several, joined by `and`, each is its own definition.
([(type_definition . (type_binding name: (_) @name body: (record_declaration) @body) .) @definition.struct
  (type_definition (type_binding name: (_) @name body: (record_declaration) @body) @definition.struct (type_binding))
  (type_definition (type_binding) (type_binding name: (_) @name body: (record_declaration) @body) @definition.struct)])
([(type_definition . (type_binding name: (_) @name body: (variant_declaration) @body) .) @definition.enum
  (type_definition (type_binding name: (_) @name body: (variant_declaration) @body) @definition.enum (type_binding))
  (type_definition (type_binding) (type_binding name: (_) @name body: (variant_declaration) @body) @definition.enum)])
([(type_definition . (type_binding name: (type_constructor) @name) .) @definition.type
  (type_definition (type_binding name: (type_constructor) @name) @definition.type (type_binding))
  (type_definition (type_binding) (type_binding name: (type_constructor) @name) @definition.type)])
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(variant_declaration (constructor_declaration (constructor_name) @name) @definition.enum_member)
(field_declaration (field_name) @name type: (_) @type) @definition.field

(module_type_definition (module_type_name) @name body: (_) @body) @definition.interface
(module_definition (module_binding (module_name) @name module_type: (_) @body !body)) @definition.module
(class_definition (class_binding (class_name) @name class_type: (_) @body !body)) @definition.class
(class_type_definition (class_type_binding (class_type_name) @name body: (_) @body)) @definition.interface
(method_specification (method_name) @name type: (_) @returns) @definition.method

(comment) @comment

; --- references

; The function in C that an external one is.
(external (string (string_content) @reference.call))
([(type_constructor_path . (type_constructor) @reference.value)
  (type_constructor_path (extended_module_path) @receiver (type_constructor) @reference.value)
  (module_parameter module_type: (module_type_path (extended_module_path)? @receiver (module_type_name) @reference.value))])

; What a module implements or includes.
(module_binding module_type: [
  (module_type_path (extended_module_path)? @receiver (module_type_name) @inherits)
  (module_type_constraint module_type: (module_type_path (extended_module_path)? @receiver (module_type_name) @inherits))])
(signature (include_module_type module_type: [
  (module_type_path (extended_module_path)? @receiver (module_type_name) @inherits)
  (module_type_constraint module_type: (module_type_path (extended_module_path)? @receiver (module_type_name) @inherits))]))

; --- imports

(open_module_signature module: (_) @import.module) @import.star
