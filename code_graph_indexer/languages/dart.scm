; grammar: tree_sitter_dart
; cut: ^[)}\]]+[;,]?[ \t]*\n
; lookup: class file imports peers stars
; open-types: yes
; extension-methods: yes
; literal-types: String | String | int num | double num | bool
; platform-bases: Object Iterable Comparable
; extensions: .dart
; tests: *_test.dart test/ integration_test/ test_driver/
; linear-bases: last
; hidden: ^\w+ _
; self: this
; super: super
; class-members: new
; type-of: Type
; type-decoration: \b(?:final|const|var)\s+(?=\S)|@\w+\s+
; wrapper-types: Future Optional Option Lazy
; union-types: Either
; function-types: Function
; types-first: yes
; constructors: <class>
; re-exports: yes
; runs: call call
; runs: item []
; runs: each iterator
; common: addAll addListener asBroadcastStream catchError containsKey copyWith endsWith firstWhere forEach hashCode indexOf isEmpty isNotEmpty noSuchMethod putIfAbsent removeListener removeWhere replaceAll runtimeType setState startsWith toIso8601String toList toLowerCase toSet toString toUpperCase whenComplete
; modules: file
; roots: lib
; import-separator: /
; import-prefix: package:
; binds: last
; manifest: pubspec.yaml ^name:\s*["']?(?P<name>[\w.]+)
; null: null void
; expression: name identifier,identifier_dollar_escaped,type_identifier,this,super,true,false
; expression: text string_literal
; expression: number decimal_integer_literal,hex_integer_literal,decimal_floating_point_literal
; expression: null null_literal
; expression: row parenthesized_expression
; expression: row await_expression
; expression: row unary_expression
; expression: row argument
; expression: same selector 0
; expression: row assignment_expression
; expression: member unconditional_assignable_selector ^ -1
; expression: member conditional_assignable_selector ^ -1
; expression: member cascade_selector ^ 0
; expression: call argument_part ^ arguments
; expression: index index_selector ^ 0
; expression: new new_expression 0 arguments
; expression: new const_object_expression 1 arguments
; expression: cast type_cast_expression 1/-1
; expression: mapping set_or_map_literal
; expression: either conditional_expression consequence alternative
; expression: list list_literal
; expression: member constructor_param this identifier
; expression: labelled named_argument label/identifier -1
; The grammar sets neighbours where others nest: a signature and its body, a name and its selectors, a type and its arguments.
; A capture of several neighbours means them together.

; --- definitions

(class_definition name: (identifier) @name body: (_) @body) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.trait
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.enum_member
(extension_type_declaration name: (identifier) @name body: (_) @body) @definition.class
(representation_declaration type: (_) @type name: (identifier) @name) @definition.field
; What is in an extension belongs to the type; its own name is another one of it.
(extension_declaration class: (type_identifier) @name . class: (type_arguments)? body: (_) @scope)
(extension_declaration name: (identifier) @name @definition.type class: (type_identifier) @type . class: (type_arguments)? body: (_))
(type_alias . (type_identifier) @name . (type_parameters)? . "=" . (_) @type . (_)? @type . (_)? @type) @definition.type
(type_alias (type_identifier) @name . (formal_parameter_list)) @definition.type

; Members, with the annotations before them; what stands before those tells where they begin.
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.property
  . (method_signature (setter_signature name: (identifier) @name)) @definition.property
  . (function_body) @definition.property @body)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.property
  . (declaration (setter_signature name: (identifier) @name)) @definition.property)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.property
  . (method_signature (getter_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name)) @definition.property
  . (function_body) @definition.property @body)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.property
  . (declaration (getter_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name)) @definition.property)
; Functions, operators and constructors; those with a name of their own, factories.
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.method
  . (method_signature (_ . (const_builtin)?
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . [(identifier) (binary_operator) "[]" "[]=" "~"] @name . [(type_parameters) (formal_parameter_list)])) @definition.method
  . (function_body) @definition.method @body)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.method
  . (declaration (_ . (const_builtin)?
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . [(identifier) (binary_operator) "[]" "[]=" "~"] @name . [(type_parameters) (formal_parameter_list)])) @definition.method)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.method
  . (method_signature [
    (_ (identifier) @returns . (identifier) @name . (formal_parameter_list))
    (_ "factory" . (identifier) @name . (formal_parameter_list))]) @definition.method
  . (function_body) @definition.method @body)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.method
  . (declaration [
    (_ (identifier) @returns . (identifier) @name . (formal_parameter_list))
    (_ "factory" . (identifier) @name . (formal_parameter_list))]) @definition.method)

; One field alone takes its whole declaration, of several each is its own definition.
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.constant
  . (declaration (const_builtin)
    . [(type_identifier) (void_type) (function_type) (record_type)]? @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type
    . (static_final_declaration_list . (static_final_declaration . (identifier) @name) .)) @definition.constant)
(["{" ";" (function_body) (comment) (documentation_comment)] . (annotation)* @definition.field
  . (declaration . [(final_builtin) (inferred_type)]?
    . [(type_identifier) (void_type) (function_type) (record_type)]? @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type
    . [(initialized_identifier_list . (initialized_identifier . (identifier) @name) .)
       (static_final_declaration_list . (static_final_declaration . (identifier) @name) .)
       (identifier_list . (identifier) @name .)]) @definition.field)
(declaration (const_builtin) . [(type_identifier) (void_type) (function_type) (record_type)]? @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . [
  (static_final_declaration_list "," (static_final_declaration . (identifier) @name) @definition.constant)
  (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.constant . ",")])
(declaration . [(final_builtin) (inferred_type)]? . [(type_identifier) (void_type) (function_type) (record_type)]? @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . [
  (initialized_identifier_list "," (initialized_identifier . (identifier) @name) @definition.field)
  (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.field . ",")
  (static_final_declaration_list "," (static_final_declaration . (identifier) @name) @definition.field)
  (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.field . ",")])

; The same at the top of a file, and functions inside functions.
([";" (function_body) (import_or_export) (part_directive) (part_of_directive) (library_name) (class_definition) (enum_declaration)
    (mixin_declaration) (extension_declaration) (extension_type_declaration) (type_alias) (comment) (documentation_comment)]
  . (annotation)* @definition.function
  . (function_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name) @definition.function
  . (function_body) @definition.function @body)
(program
  . (function_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name) @definition.function
  . (function_body) @definition.function @body)
(program "external"
  (function_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name) @definition.function . ";")
(lambda_expression
  parameters: (function_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name)
  body: (_) @body) @definition.function
(program
  (getter_signature
    . [(type_identifier) (void_type) (function_type) (record_type)]? @returns . (type_identifier)? @returns . (type_arguments)? @returns . (nullable_type)? @returns
    . name: (identifier) @name) @definition.property
  . (function_body) @definition.property @body)
(program (setter_signature name: (identifier) @name) @definition.property . (function_body) @definition.property @body)
(program (const_builtin) @definition.constant
  . [(type_identifier) (void_type) (function_type) (record_type)]? @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type
  . (static_final_declaration_list . (static_final_declaration . (identifier) @name) .) @definition.constant)
([";" (function_body) (import_or_export) (part_directive) (part_of_directive) (library_name) (class_definition) (enum_declaration)
    (mixin_declaration) (extension_declaration) (extension_type_declaration) (type_alias) (comment) (documentation_comment)]
  . (annotation)* @definition.variable
  . [(final_builtin) (inferred_type) (type_identifier) (function_type) (record_type)] @definition.variable
  . (type_identifier)? . (type_identifier)? . (type_arguments)? . (nullable_type)?
  . [(initialized_identifier_list . (initialized_identifier . (identifier) @name) .)
     (static_final_declaration_list . (static_final_declaration . (identifier) @name) .)] @definition.variable)
(program
  (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type
  . [(initialized_identifier_list . (initialized_identifier . (identifier) @local) .)
     (static_final_declaration_list . (static_final_declaration . (identifier) @local) .)])
(program [
  (initialized_identifier_list "," (initialized_identifier . (identifier) @name) @definition.variable)
  (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.variable . ",")])

[(comment) (documentation_comment)] @comment

; --- references

((identifier) @reference.call . (selector (argument_part)))
([(identifier) (this) (parenthesized_expression) (string_literal) (list_literal) (set_or_map_literal) (new_expression)
    (const_object_expression)] @receiver . (selector [
    (unconditional_assignable_selector) (conditional_assignable_selector) (argument_part) "!"])* @receiver
  . (selector (_ . (identifier) @reference.call .)) . (selector (argument_part)))
((identifier) @receiver . (selector (type_arguments)) . (selector (_ . (identifier) @reference.call .)) . (selector (argument_part)))
((super) @receiver . (unconditional_assignable_selector (identifier) @reference.call) . (selector (argument_part)))
((super) @receiver . (unconditional_assignable_selector) @receiver . (selector)* @receiver
  . (selector (_ . (identifier) @reference.call .)) . (selector (argument_part)))
; `a..b()..c.d()`
([(identifier) (this) (parenthesized_expression) (string_literal) (list_literal) (set_or_map_literal) (new_expression)
    (const_object_expression)] @receiver . (selector)* @receiver . (cascade_section)*
  . (cascade_section (cascade_selector (identifier) @reference.call) . (argument_part)))
((postfix_expression (constructor_invocation . (type_identifier) @receiver)) . (cascade_section)*
  . (cascade_section (cascade_selector (identifier) @reference.call) . (argument_part)))
(cascade_section (cascade_selector (identifier) @receiver) . (_)* @receiver
  . (_ . (identifier) @reference.call .) . (argument_part))
; `List<int>.filled(1, 2)`, where it is given to something
(constructor_invocation (type_identifier) @receiver . (type_arguments)? . (identifier) @reference.call . (arguments))
(new_expression . (type_identifier) @reference.call . (type_arguments)? . (arguments))
(new_expression . (type_identifier) @receiver . [(type_identifier) (identifier)] @reference.call . (arguments))
(const_object_expression (const_builtin) . (type_identifier) @reference.call . (type_arguments)? . (arguments))
(const_object_expression (const_builtin) . (type_identifier) @receiver . [(type_identifier) (identifier)] @reference.call . (arguments))
(redirection (this) @reference.call . (arguments))
(redirection (this) @receiver . (identifier) @reference.call . (arguments))
(initializer_list_entry (super) @reference.call . (arguments))
(initializer_list_entry (super) @receiver . (identifier) @reference.call . (arguments))
(redirecting_factory_constructor_signature "=" . (type_identifier) @reference.call .)
(redirecting_factory_constructor_signature "=" . (type_identifier) @receiver . (type_identifier) @reference.call .)
(annotation name: (identifier) @reference.call (arguments))
(annotation name: (identifier) @reference.value .)

; `Box(this.text)` writes the field, and the declaration of `Box.named` is no use of its class.
(constructor_param (this) (identifier) @written)
([(constructor_signature . (identifier) @silent . (identifier)) (factory_constructor_signature . (identifier) @silent . (identifier))
  (constant_constructor_signature . (const_builtin) . (identifier) @silent . (identifier))
  (redirecting_factory_constructor_signature . (const_builtin)? . (identifier) @silent . (identifier))])

; functions and types as values
(argument . (identifier) @reference.value .)
(named_argument (label) . (identifier) @reference.value .)
((argument . (identifier) @receiver . (selector (unconditional_assignable_selector (identifier) @reference.value)) .)
  (#match? @receiver "^_?[A-Z]"))
((named_argument (label) . (identifier) @receiver . (selector (unconditional_assignable_selector (identifier) @reference.value)) .)
  (#match? @receiver "^_?[A-Z]"))
(argument_part (type_arguments (type_identifier) @reference.value))

([
  (superclass (type_identifier) @receiver . "." . (type_identifier) @inherits)
  (interfaces (type_identifier) @receiver . "." . (type_identifier) @inherits)
  (mixins (type_identifier) @receiver . "." . (type_identifier) @inherits)])
([
  (superclass (type_identifier) @inherits . [(type_arguments) (mixins)])
  (superclass (type_identifier) @inherits .)
  (interfaces (type_identifier) @inherits . ["," (type_arguments)])
  (interfaces (type_identifier) @inherits .)
  (mixins (type_identifier) @inherits . ["," (type_arguments)])
  (mixins (type_identifier) @inherits .)
  (mixin_application (type_identifier) @inherits)
  (mixin_declaration "on" (type_identifier) @inherits)])

; --- imports

(library_import (import_specification "import" @import.star . (configurable_uri . (uri) @import.module) . [(combinator "hide") ";"]))
(library_import (import_specification (configurable_uri . (uri) @import.module) (identifier) @import.alias))
(library_import (import_specification (configurable_uri . (uri) @import.module) . (combinator "show" (identifier) @import.name)))
(library_export "export" @import.star . (configurable_uri . (uri) @import.module) . [(combinator "hide") ";"])
(library_export (configurable_uri . (uri) @import.module) . (combinator "show" (identifier) @import.name))
(configurable_uri (configuration_uri "if" @import.star (uri) @import.module))
(part_directive "part" @import.star . (uri) @import.module)
(part_of_directive (part_of_builtin) @import.star . (uri) @import.module)

; --- local types

; A variable ends with its block.
[(block) (for_statement)] @block
(formal_parameter . (final_builtin)?
  . (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . name: (identifier) @param)
(formal_parameter "covariant" . (final_builtin)?
  . (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . name: (identifier) @param)
(formal_parameter [(inferred_type) (record_type)] name: (identifier) @param)
(formal_parameter (function_type) @type name: (identifier) @param)
(function_expression parameters: (formal_parameter_list (formal_parameter (identifier) @local .))) @within
([(identifier) (this) (parenthesized_expression) (string_literal) (list_literal) (new_expression) (const_object_expression)] @callee
  . (selector)* @callee . (selector (argument_part (arguments
    (argument (function_expression parameters: (formal_parameter_list (formal_parameter . (identifier) @local .)))) @within))))
(initialized_variable_definition . [(final_builtin) (const_builtin)]?
  . (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . name: (identifier) @local)
(initialized_variable_definition . [(final_builtin) (const_builtin) (inferred_type)] . name: (identifier) @local
  . value: (_) @value . value: (selector)* @value . value: (cascade_section)? .)
(initialized_variable_definition . [(final_builtin) (const_builtin) (inferred_type)] . name: (identifier) @local
  . value: (_) @value . value: (selector)* @value . value: (cascade_section) . value: (cascade_section))
(initialized_variable_definition name: (identifier) @local . value: (postfix_expression (constructor_invocation . (type_identifier) @type)))
(for_loop_parts (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . name: (identifier) @local)
(for_loop_parts . [(final_builtin) (inferred_type)] . name: (identifier) @local
  . value: (_) @each . value: (selector)* @each . value: (cascade_section)? .)
(try_statement "on" . (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type
  . (catch_clause (catch_parameters . (identifier) @local)) . (block) @within)
(try_statement (catch_clause (catch_parameters (identifier) @local)) . (block) @within)
(variable_pattern . (final_builtin)?
  . (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type . (identifier) @local)
(variable_pattern (inferred_type) (identifier) @local)
((if_statement (type_test_expression . (identifier) @local (type_test (is_operator) @_is
    . (type_identifier) @type . (type_identifier)? @type . (type_arguments)? @type . (nullable_type)? @type)) consequence: (_) @within)
  (#eq? @_is "is"))
([(switch_statement condition: (parenthesized_expression . (identifier) @local .)
    body: (switch_block (switch_statement_case (object_pattern . (type_identifier) @type)) @within))
  (switch_expression condition: (parenthesized_expression . (identifier) @local .)
    body: (switch_expression_case . (object_pattern . (type_identifier) @type)) @within)
  (if_statement (identifier) @local . "case" . (object_pattern . (type_identifier) @type) consequence: (_) @within)])
; What is tested may be a field.
([(type_test_expression . (identifier) @reassigned . (type_test)) (if_statement (identifier) @reassigned . "case")
  (switch_statement condition: (parenthesized_expression . (identifier) @reassigned .))
  (switch_expression condition: (parenthesized_expression . (identifier) @reassigned .))])
; After `if (x is! P) return;` it holds to the end of the block.
((block (if_statement (type_test_expression . (identifier) @local (type_test (is_operator) @_is . (type_identifier) @type))
    consequence: [(return_statement) (block (return_statement) .)] !alternative) . (_)+ @within .)
  (#match? @_is "!"))
(assignment_expression left: (assignable_expression (this) @receiver . (unconditional_assignable_selector (identifier) @field))
  right: (_) @value . right: (selector)* @value . right: (cascade_section)? .)
(static_final_declaration . (identifier) @local . (_) @value . (selector)* @value . (cascade_section)? .)
(initialized_identifier . (identifier) @local . (_) @value . (selector)* @value . (cascade_section)? .)
(type_parameter (type_identifier) @typevar)
(type_parameter (type_identifier) @typevar (type_bound (type_identifier) @type))
