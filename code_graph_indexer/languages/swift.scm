; grammar: tree_sitter_swift
; cut: ^[)}\]]+[;,]?[ \t]*\n
; lookup: class file imports peers stars global
; open-types: yes
; bracket-types: Array Dictionary
; extensions: .swift
; twins: .
; constructors: init
; variadic: ...
; labels: yes
; any-type: Any
; literal-types: String Substring StaticString | Character | Int Int64 UInt CGFloat Double Float | Double Float CGFloat TimeInterval | Bool
; implicit-parameter: $0
; runs: call callAsFunction
; runs: item subscript
; loops-over: pairs
; tests: *Tests.swift *Test.swift Tests/ *Tests/
; called-from-outside: \b(?:subscript|deinit)\b|\bfunc\s+(?:callAsFunction|dynamicallyCall|build[A-Z]\w+)\b
; hidden: ^(?!.*\b(?:public|open)\b)
; self: self Self
; super: super
; class-members: init self
; type-of: Type
; self-type: Self
; type-decoration: \b(?:inout|some|any|async)\s+(?=\S)|@\w+\s+
; wrapper-types: Optional Task Future Promise Lazy Mutex
; modules: file
; roots: Sources
; import-separator: .
; binds: all
; null: nil
; comparisons: == != < > <= >= && || === !==
; expression: name simple_identifier,self_expression,super_expression,type_identifier,user_type
; expression: name boolean_literal
; expression: text line_string_literal,multi_line_string_literal,raw_string_literal
; expression: number integer_literal,real_literal,hex_literal,bin_literal,oct_literal
; expression: null nil_literal
; expression: given key_path_expression 0
; expression: same try_expression expr
; expression: same await_expression expr
; expression: same tuple_expression value
; expression: same postfix_expression target
; expression: signed prefix_expression target
; expression: same assignment result target
; expression: same directly_assignable_expression 0
; expression: member navigation_expression target suffix
; expression: call call_expression 0 call_suffix/value_arguments
; expression: new constructor_expression constructed_type
; expression: either ternary_expression if_true if_false
; expression: either nil_coalescing_expression value if_nil
; expression: cast as_expression type
; expression: either if_statement 1 2
; expression: binary equality_expression lhs op rhs
; expression: leave control_transfer_statement
; expression: typed property_declaration name value type_annotation
; expression: typed function_declaration,init_declaration,subscript_declaration name body ->
; expression: typed parameter name = -1
; expression: typed lambda_literal type statements
; expression: new attribute 0
; expression: last statements
; expression: list array_literal
; expression: mapping dictionary_literal
; expression: labelled value_argument name value

; --- definitions

(class_declaration declaration_kind: "class" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_entry name: (simple_identifier) @variant . data_contents: (enum_type_parameters
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type)] @payload))
(class_declaration declaration_kind: "extension" name: (user_type . (type_identifier) @name . (type_arguments)? .) body: (_) @body) @scope
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @owner . (type_identifier) @name .) body: (_) @body) @scope
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.protocol

(_ "func" . name: _ @name ("->" . (_) @returns)? body: (function_body) @body) @definition.function
(function_declaration "func" . name: _ @name ("->" . (_) @returns)? !body) @definition.function
(protocol_function_declaration name: (simple_identifier) @name
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type)]? @returns)
  @definition.method
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_)? @body) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method
(macro_declaration (simple_identifier) @name) @definition.macro
(typealias_declaration name: (type_identifier) @name "=" . (_) @type) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type

; One case takes its whole declaration, of several each is its own definition; of several properties the first takes it.
(enum_entry "case" . name: (simple_identifier) @name .) @definition.enum_member
(enum_entry "case" . name: (simple_identifier) @name . (enum_type_parameters) .) @definition.enum_member
(enum_entry "case" . name: (simple_identifier) @name . "=" . (_) .) @definition.enum_member
(enum_entry name: (simple_identifier) @name @definition.enum_member . ",")
(enum_entry name: (simple_identifier) @name @definition.enum_member . (enum_type_parameters) . ",")
(enum_entry name: (simple_identifier) @name @definition.enum_member . "=" . (_) . ",")
(enum_entry "," name: (simple_identifier) @name @definition.enum_member .)
(enum_entry "," name: (simple_identifier) @name @definition.enum_member . (enum_type_parameters) .)
(enum_entry "," name: (simple_identifier) @name @definition.enum_member . "=" . (_) .)
(source_file (_ (value_binding_pattern mutability: "let") . name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation)? @type [(computed_property) (willset_didset_block)]? @body) @definition.constant)
(source_file (_ (value_binding_pattern mutability: "let")
  "," . name: (pattern bound_identifier: (simple_identifier) @name) @definition.constant . (type_annotation)? @type))
(source_file (_ (value_binding_pattern mutability: "var") . name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation)? @type [(computed_property) (willset_didset_block)]? @body) @definition.variable)
(source_file (_ (value_binding_pattern mutability: "var")
  "," . name: (pattern bound_identifier: (simple_identifier) @name) @definition.variable . (type_annotation)? @type))
(class_body (_ (value_binding_pattern) . name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation)? @type [(computed_property) (willset_didset_block)]? @body) @definition.property)
(class_body (_ (value_binding_pattern)
  "," . name: (pattern bound_identifier: (simple_identifier) @name) @definition.property . (type_annotation)? @type))
(enum_class_body (_ (value_binding_pattern) . name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation)? @type [(computed_property) (willset_didset_block)]? @body) @definition.property)
(enum_class_body (_ (value_binding_pattern)
  "," . name: (pattern bound_identifier: (simple_identifier) @name) @definition.property . (type_annotation)? @type))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation) @type
  (protocol_property_requirements) @body) @definition.property

[(comment) (multiline_comment)] @comment

; --- references
; `#selector(start)`, `#selector(self.start(_:with:))`
(selector_expression (simple_identifier) @reference.value)
(selector_expression (call_expression . (simple_identifier) @reference.value))
(selector_expression [
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.value))
  (call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.value)))])

; A subscript is a call_expression too.
(call_expression . [
  (simple_identifier) @reference.call
  (navigation_expression target: (postfix_expression target: (_) @receiver) suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  (navigation_expression target: [
      (simple_identifier) (navigation_expression) (self_expression) (super_expression) (call_expression) (constructor_expression)
      (array_literal) (dictionary_literal) (line_string_literal) (tuple_expression) (user_type) (prefix_expression)] @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  ; `.some(x)`, an implicit member
  (prefix_expression target: (simple_identifier) @reference.call)]
  . (call_suffix [(value_arguments . "(") (lambda_literal)]))
(call_expression . [
  (simple_identifier) @called
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @called))
  (prefix_expression target: (simple_identifier) @called)] . (call_suffix) @arguments)
(constructor_expression constructed_type: (user_type (type_identifier) @called . (type_arguments)? .) (constructor_suffix) @arguments)
(constructor_expression constructed_type: [
  (user_type . (type_identifier) @reference.call . (type_arguments)? .)
  (user_type (type_identifier) @receiver . (type_identifier) @reference.call . (type_arguments)? .)])
(macro_invocation . (simple_identifier) @reference.call)

; `case .red:`, `if case .red = color`
(switch_statement expr: (_) @value (switch_entry (switch_pattern [
  (pattern . "." . (simple_identifier) @implicit) (pattern . (value_binding_pattern) . "." . (simple_identifier) @implicit)])))
(switch_statement expr: (_) @value (switch_entry (switch_pattern
  (pattern (simple_identifier) @variant (pattern . "." . (simple_identifier) @implicit)))))
; `if`, `guard` and `while`. To compile the statements one by one takes a third of a second, and `_` takes nothing.
(_ condition: "case" . condition: "." . condition: (simple_identifier) @implicit condition: "=" . condition: (_) @value)
(_ condition: "case" . condition: "." . condition: (simple_identifier) @implicit . "(" ")" . "=" . condition: (_) @value)
(_ condition: "case" . condition: (value_binding_pattern) . condition: "." . condition: (simple_identifier) @implicit . "(" ")" . "="
  . condition: (_) @value)
; Labels of arguments, and the attribute of a program.
(attribute (simple_identifier) @silent . ":")
(parameter external_name: (simple_identifier) @silent)
(enum_type_parameters (simple_identifier) @silent . ":")
(pattern (simple_identifier) @silent . ":")
((attribute (user_type . (type_identifier) @silent .)) (#any-of? @silent "main" "available" "objc" "inlinable"))

(inheritance_specifier inherits_from: [
  (user_type . (type_identifier) @inherits . (type_arguments)? .)
  (user_type (type_identifier) @receiver . (type_identifier) @inherits . (type_arguments)? .)])

; --- imports

((import_declaration (identifier) @import.module) @_import
  (#not-match? @_import "import\\s+(struct|class|enum|protocol|func|let|var|typealias)\\s"))
(import_declaration ["struct" "class" "enum" "protocol" "func" "let" "var" "typealias"]
  (identifier . (simple_identifier) @import.module . (simple_identifier) @import.name .))

; --- local types

; A variable ends with its block.
[(if_statement) (for_statement) (while_statement) (do_statement) (switch_entry) (lambda_literal) (catch_block)] @block
(parameter name: (simple_identifier) @param
  [(user_type) (optional_type) (array_type) (dictionary_type) (opaque_type) (existential_type) (function_type) (tuple_type)] @type)
(parameter name: (simple_identifier) @param . (_) @type "..." @many)
(call_expression . (_) @callee (call_suffix [
    (lambda_literal type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter name: (simple_identifier) @local)))) @within
    (value_arguments (value_argument
      value: (lambda_literal type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter name: (simple_identifier) @local)))) @within))]))
(call_expression . (_) @callee (call_suffix [(lambda_literal) @lambda (value_arguments (value_argument value: (lambda_literal) @lambda))]))
((call_expression . (_) @callee (call_suffix (value_arguments (value_argument value: (navigation_expression) @lambda))))
  (#match? @lambda "^\\\\[.]"))
(lambda_parameter name: (simple_identifier) @local [(user_type) (optional_type) (array_type)] @type)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @local) . (type_annotation) @type)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @local) . value: (_) @value)
(_ name: (pattern bound_identifier: (simple_identifier) @local) . value: [
  (constructor_expression constructed_type: (_) @type)
  (as_expression (as_operator) . (_) @type)])
(property_declaration name: (pattern (pattern)) @unpack . value: (_) @value)
(for_statement item: (pattern (pattern)) @unpack collection: (_) @each)
; `case let cart as Cart`, `catch let error as CartError`
(pattern (pattern bound_identifier: (simple_identifier) @local) (user_type) @type)
(catch_block error: (pattern (pattern bound_identifier: (simple_identifier) @local) (user_type) @type))
; What a variant of an enum holds.
(switch_statement expr: (_) @value (switch_entry (switch_pattern (pattern (simple_identifier) @variant
  (pattern bound_identifier: (simple_identifier) @held)))) @within)
(switch_statement expr: (_) @value (switch_entry (switch_pattern (pattern (value_binding_pattern) (simple_identifier) @variant
  (pattern (simple_identifier) @held)))) @within)
(_ condition: (simple_identifier) @variant . "(" . condition: (pattern bound_identifier: (simple_identifier) @held) . ")" . "=" . condition: (_) @value)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local) collection: (_) @each)
; `if let cart = find()`, and `guard let cart`, whose value is what has the name already.
([
  (_ bound_identifier: (simple_identifier) @local . "=" . [(as_expression (as_operator) . (_) @type) (_) @value])
  (_ bound_identifier: (simple_identifier) @local @value . ["," "{" (else)])])
(assignment target: (directly_assignable_expression (_ target: (self_expression) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @field)))
  result: (_) @value)
(type_parameter . (type_identifier) @typevar)
(type_parameter (type_identifier) @typevar name: (_) @type)
(inheritance_constraint constrained_type: (identifier . (simple_identifier) @typevar .) . ":" . (_) @type)
