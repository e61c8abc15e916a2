; grammar: tree_sitter_kotlin
; cut: ^[ \t]*+[)}\]]++[ \t]*+\n|^([ \t]*+(?:@\w+(?:\([^()\n]*\))?\s+)*+(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|unsafe|ref|file|new|final|open|data|inner|override|actual|expect|annotation|value|enum|fun|export|default|declare|strictfp|non-sealed)\s++)*+(?:class|interface|object)\b(?:[^\n]*+(?<=\{)|[^\n{}]*+\(\n(?:[ \t]++(?!\))[^\n{}]*+\n){0,60}+[ \t]*+\)[^{}\n]*+(?:\n[ \t]++\w[^{}\n()]*+){0,8}+\{)[ \t]*+\n)
; mend: ␠ \bclass[ \t]+\w+(?:<[^\n]*>)?[ \t]*(\n)(?=[ \t]*(?:@\w+(?:\([^()\n]*\))?[ \t]+)*+(?:(?:private|internal|protected|public|actual)[ \t]+)?constructor\b)
; mend: ␠ ^[ \t]*(context\([^()\n]*\))
; mend: ␠ \b(actual|expect)(?=\s+constructor\b)|^[ \t]*(@\w+(?:\([^()\n]*\))?\s+)(?=(?:set|get)\b)|(\$\$)(?=")|\bis\s+[\w.<>]+(\s+if\b[^\n]*?)(?=\s*->)|=\s*(suspend)(?=\s*\{)
; mend: x \b(i)(?=n\d)|^[ \t]+(o)(?=pen\s*=[^=])|^[ \t]+(s)(?=et\s*=[^=])|(?:^|[{;])[ \t]*(o)(?=pen\()
; mend: ; [^\s{;,]( )(?=\}(?:[ \t]*\})*[ \t]*$)
; mend: ␠ \}(;)(?=[ \t])
; family: jvm
; loops-over: pairs
; called-from-outside: \b(?:operator|actual)\b|^(?!.*\bclass\b).*\bconstructor\s*\(
; operators: + plus - minus * times / div % rem
; lookup: class imports file peers stars
; functions-apart: yes
; open-types: yes
; declarations: module
; extensions: .kt .kts
; implicit-super: yes
; extension-methods: yes
; runs: call invoke
; runs: item get
; runs: each iterator
; runs: contains contains
; runs: store set
; runs: equals equals
; variadic: vararg
; implicit-parameter: it
; lends-self: apply run with
; text-calls: .toString() .trim() .substring() .lowercase() .uppercase() .joinToString()
; any-type: Any
; platform-bases: Any Iterable Collection MutableCollection Sequence CharSequence Comparable
; literal-types: String CharSequence | Char Comparable | Int Long Short Byte UInt ULong Number Comparable Any | Double Float Number Comparable Any | Boolean Comparable | Long Number Comparable Any | Short Number Comparable Any | Byte Number Comparable Any | UInt Comparable Any | ULong Comparable Any | Float Number Comparable Any
; defaults-elsewhere: override actual
; common: toString equals hashCode forEach isEmpty isNotEmpty getOrNull firstOrNull joinToString toList toMutableList containsKey getValue indexOf startsWith endsWith addAll removeAll mapNotNull filterNotNull toInt toLong and or xor shl shr ushr inv
; tests: test/ tests/ *Test/ *Test.kt *Tests.kt
; hidden: ^[^(]*\b(?:private|internal)\b
; wrappers: annotated_expression
; self: this
; super: super
; class-members: class Companion
; class-getters: class
; type-of: KClass Class
; type-decoration: \b(?:in|out)\s+(?=\S)|@\w+\s+
; wrapper-types: Optional Option Future CompletableFuture Deferred Promise Task Lazy Provider
; union-types: Either
; function-types: Callable
; modules: declared
; import-lookup: name
; import-separator: .
; binds: last
; blank: ^[ \t]*(?:public|internal|protected|private)[ \t]+(actual|expect)(?=[ \t]+constructor\b)
; null: null Unit
; alternative-operators: || ?: or
; comparisons: == != < > <= >= && || === !==
; expression: name identifier,this_expression,super_expression,qualified_identifier
; expression: text string_literal,multiline_string_literal,character_literal
; expression: number number_literal,float_literal,range_expression
; expression: same parenthesized_expression 0
; expression: same annotated_expression -1
; expression: same labeled_expression -1
; expression: signed unary_expression argument
; expression: member navigation_expression 0 1
; expression: call call_expression 0 value_arguments
; expression: new constructor_invocation 0 value_arguments
; expression: same callable_reference -1
; expression: index index_expression 0 1
; expression: either if_expression 1 2
; expression: last block
; expression: binary binary_expression left operator right
; expression: cast as_expression 1
; expression: labelled value_argument 0 -1
; expression: number lambda_literal
; expression: list collection_literal
; The grammar stumbles over two modifiers before a constructor on a line of its own, and loses the class.

; --- definitions

(package_header (qualified_identifier) @module)

(class_declaration "interface" name: (identifier) @name (class_body)? @body) @definition.interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration name: (identifier) @name [(class_body) (enum_class_body)]? @body) @definition.class
; After an annotation, the grammar takes `actual class X {…}` for an infix expression.
((infix_expression . (identifier) @_modifier . (identifier) @_class
  . [(identifier) @name (call_expression . (identifier) @name . (annotated_lambda) @body .)] .) @definition.class
 (#match? @_modifier "^(actual|expect|annotation|inner)$") (#eq? @_class "class"))
(object_declaration name: (identifier) @name (class_body)? @body) @definition.object
; What is in a companion object without a name belongs to the class, as it is called through the class.
(companion_object name: (identifier) @name (class_body)? @body) @definition.object
(enum_entry . (modifiers)? . (identifier) @name (class_body)? @body) @definition.enum_member
(type_alias type: (identifier) @name (type_parameters)? . "=" . (_) @type) @definition.type

(function_declaration [(user_type) @owner (nullable_type (user_type) @owner) (non_nullable_type (user_type) @owner) (parenthesized_type) @owner] . name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @returns (function_body)? @body) @definition.method
(function_declaration [(user_type) @owner (nullable_type (user_type) @owner) (non_nullable_type (user_type) @owner) (parenthesized_type) @owner] . name: (identifier) @name
  (function_body)? @body) @definition.method
; In a class body, also of an anonymous object or an enum entry.
(class_body (function_declaration name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @returns (function_body)? @body) @definition.method)
(class_body (function_declaration name: (identifier) @name (function_body)? @body) @definition.method)
(function_declaration name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @returns (function_body)? @body) @definition.function
(function_declaration name: (identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block)? @body) @definition.method
; What is in a companion object belongs to the class itself.
(companion_object !name (class_body (function_declaration) @static))
(class_declaration (primary_constructor (class_parameters (class_parameter ["val" "var"] (identifier) . (_) @payload))))
(property_declaration (variable_declaration . (identifier) @name) . [(lambda_literal) (anonymous_function)] @body) @definition.function

(class_parameter ["val" "var"] (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @type) @definition.property
(source_file (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.constant)
(source_file (property_declaration [(user_type) @owner (nullable_type (user_type) @owner) (non_nullable_type (user_type) @owner) (parenthesized_type) @owner] . (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.property)
(source_file (property_declaration (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.property)
(class_body (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.constant)
(class_body (property_declaration [(user_type) @owner (nullable_type (user_type) @owner) (non_nullable_type (user_type) @owner) (parenthesized_type) @owner] . (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.property)
(class_body (property_declaration (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.property)
(enum_class_body (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.constant)
(enum_class_body (property_declaration [(user_type) @owner (nullable_type (user_type) @owner) (non_nullable_type (user_type) @owner) (parenthesized_type) @owner] . (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.property)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.property)

[(line_comment) (block_comment)] @comment

; --- references

(call_expression . (identifier) @reference.call)
(call_expression . (navigation_expression (unary_expression argument: (_) @receiver operator: "!!") . (identifier) @reference.call .))
(call_expression . (navigation_expression . (_) @receiver . (identifier) @reference.call .))
; A function that stands behind the brackets is an argument too.
(call_expression . [(identifier) @called (navigation_expression (identifier) @called .)] [(value_arguments) (annotated_lambda)] @arguments)
(call_expression . (call_expression . [(identifier) @called (navigation_expression (identifier) @called .)] (value_arguments)) (annotated_lambda) @arguments)
; `f<T>(x)` with one plain argument is parsed as two comparisons.
(binary_expression
  left: (binary_expression left: [
    (identifier) @reference.call
    (navigation_expression . (_) @receiver . (identifier) @reference.call .)
  ] operator: "<")
  operator: ">" right: (parenthesized_expression))
(infix_expression . (_) @receiver . (identifier) @reference.call . (_) (#not-match? @reference.call "^(class|interface)$"))
(navigation_expression . (_) @receiver . "::" . (identifier) @reference.call (#not-eq? @reference.call "class"))
(callable_reference (identifier) @reference.call . (#not-eq? @reference.call "class"))
(annotation [
  (user_type (identifier) @receiver . (identifier) @reference.call .)
  (user_type (identifier) @receiver . (identifier) @reference.call . (type_arguments) .)
  (user_type . (identifier) @reference.call .)
  (user_type . (identifier) @reference.call . (type_arguments) .)
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @reference.call .))
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @reference.call . (type_arguments) .))
  (constructor_invocation (user_type . (identifier) @reference.call .))
  (constructor_invocation (user_type . (identifier) @reference.call . (type_arguments) .))
])
(object_literal (class_body) @anonymous)
(object_literal (delegation_specifiers . (delegation_specifier [(user_type) @base (constructor_invocation (user_type) @base)])) (class_body) @anonymous)
(class_declaration (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @receiver . (identifier) @inherits .)
  (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .)
  (user_type . (identifier) @inherits .)
  (user_type . (identifier) @inherits . (type_arguments) .)
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @inherits .))
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .))
  (constructor_invocation (user_type . (identifier) @inherits .))
  (constructor_invocation (user_type . (identifier) @inherits . (type_arguments) .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @inherits .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .))
  (explicit_delegation (user_type . (identifier) @inherits .))
  (explicit_delegation (user_type . (identifier) @inherits . (type_arguments) .))
])))
(object_declaration (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @receiver . (identifier) @inherits .)
  (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .)
  (user_type . (identifier) @inherits .)
  (user_type . (identifier) @inherits . (type_arguments) .)
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @inherits .))
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .))
  (constructor_invocation (user_type . (identifier) @inherits .))
  (constructor_invocation (user_type . (identifier) @inherits . (type_arguments) .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @inherits .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .))
  (explicit_delegation (user_type . (identifier) @inherits .))
  (explicit_delegation (user_type . (identifier) @inherits . (type_arguments) .))
])))
(companion_object (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @receiver . (identifier) @inherits .)
  (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .)
  (user_type . (identifier) @inherits .)
  (user_type . (identifier) @inherits . (type_arguments) .)
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @inherits .))
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .))
  (constructor_invocation (user_type . (identifier) @inherits .))
  (constructor_invocation (user_type . (identifier) @inherits . (type_arguments) .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @inherits .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @inherits . (type_arguments) .))
  (explicit_delegation (user_type . (identifier) @inherits .))
  (explicit_delegation (user_type . (identifier) @inherits . (type_arguments) .))
])))

; `"$name"`, which the grammar reads as two texts.
(string_literal (string_content) @_mark . (string_content) @template (#eq? @_mark "$"))

; What runs a method by an operator.
(binary_expression left: [(identifier) (navigation_expression) (call_expression)] @runs.operator operator: _ @sign)
(binary_expression left: [(identifier) (navigation_expression)] @runs.equals operator: ["==" "!="])
(in_expression right: [(identifier) (navigation_expression)] @runs.contains)
(assignment left: (index_expression . [(identifier) (navigation_expression)] @runs.store))
(index_expression . [(identifier) (navigation_expression)] @runs.item)
(for_statement (variable_declaration) . [(identifier) (navigation_expression)] @runs.each)

; --- imports

((import . (qualified_identifier) @import.tree .) @_import (#not-match? @_import "\\*$"))
(import (qualified_identifier) @import.module "*" @import.star)
(import (qualified_identifier) @import.module . (identifier) @import.alias)

; --- local types

; A variable ends with its block.
[(block) (lambda_literal) (for_statement) (catch_block)] @block
(parameter . (identifier) @param . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @type)
(function_value_parameters (parameter_modifiers (parameter_modifier "vararg" @many)) . (parameter . (identifier) @param . (_) @type))
; A parameter of a class without `val` is seen where its fields are set.
(class_parameter (identifier) @local . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @type)
(variable_declaration . (identifier) @local . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @type)
; What a test says of a variable holds where the test is true.
([(is_expression left: (identifier) @reassigned) (when_subject "(" . (identifier) @reassigned . ")")])
(if_expression condition: (is_expression left: (identifier) @local "is" right: (_) @type) . (_) @within)
(binary_expression left: (is_expression left: (identifier) @local "is" right: (_) @type) "&&" right: (_) @within)
(when_expression (when_subject (identifier) @local) (when_entry . condition: (type_test "is" (_) @type) . (_) @within))
(when_entry . condition: (is_expression left: (identifier) @local "is" right: (_) @type) . (_) @within)
(block (if_expression condition: (is_expression left: (identifier) @local "!is" right: (_) @type)
  . [(return_expression) (throw_expression) (block [(return_expression) (throw_expression)] .)] .) . (_)+ @within .)
(property_declaration (variable_declaration . (identifier) @local .) "=" . (_) @value)
(property_declaration (variable_declaration . (identifier) @local .) "=" . [(lambda_literal) (anonymous_function)] @function)
(property_declaration (variable_declaration . (identifier) @local .) (getter (function_body "=" . (_) @value)))
(property_declaration (variable_declaration . (identifier) @local .) (property_delegate (call_expression . (identifier) @_lazy
    (annotated_lambda (lambda_literal . (_) @value .)))) (#eq? @_lazy "lazy"))
(property_declaration (multi_variable_declaration) @unpack "=" . (_) @value)
(for_statement (multi_variable_declaration) @unpack . "in" . (_) @each)
(call_expression . (_) @callee (annotated_lambda (lambda_literal (lambda_parameters (multi_variable_declaration) @unpack))) @within)
(function_declaration (function_value_parameters) . (function_body "=" . (_) @result))
(for_statement (variable_declaration . (identifier) @local .) . "in" . (_) @each)
(lambda_literal (lambda_parameters (variable_declaration . (identifier) @local))) @within
(call_expression . (_) @callee (annotated_lambda (lambda_literal (lambda_parameters (variable_declaration . (identifier) @local))) @within))
(call_expression . (_) @callee (annotated_lambda (lambda_literal) @lambda))
(call_expression . (_) @callee (value_arguments (value_argument (lambda_literal (lambda_parameters (variable_declaration . (identifier) @local))) @within)))
(call_expression . (_) @callee (value_arguments (value_argument (lambda_literal) @lambda)))
(catch_block (identifier) @local . [(user_type) (nullable_type) (non_nullable_type) (function_type) (parenthesized_type)] @type)
(assignment left: (identifier) @assigned right: (_) @value)
(assignment left: (navigation_expression . (_) @receiver . (identifier) @field .) right: (_) @value)
(type_parameter (identifier) @typevar)
(type_parameter (identifier) @typevar . ":" . (_) @type)
(type_constraint (identifier) @typevar . ":" . (_) @type)
