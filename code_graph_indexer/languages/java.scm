; grammar: tree_sitter_java
; cut: ^[ \t]*+[)}\]]++;?+[ \t]*+\n|^([ \t]*+(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|unsafe|ref|file|new|final|open|data|inner|override|actual|expect|annotation|value|enum|fun|export|default|declare|strictfp|non-sealed)\s++)*+(?:class|interface|enum|record)\b[^\n{;]*+\{[ \t]*+\n)
; flat-functions: yes
; family: jvm
; lookup: class file imports peers stars
; functions-apart: yes
; extensions: .java
; tests: test/ tests/ androidTest/ *Test.java *Tests.java *TestCase.java *IT.java
; hidden: ^(?!.*\b(?:public|protected)\b)
; self: this
; super: super
; class-members: class
; class-getters: class
; type-of: Class
; type-decoration: \b(?:final|static)\s+(?=\S)|\?\s+(?:extends|super)\s+|@\w+\s+
; wrapper-types: Optional Option Future CompletableFuture Promise Task Lazy Provider
; union-types: Either
; function-types: Callable
; constructors: <class>
; variadic: ...
; text-calls: .toString() String.valueOf() String.format() String.join() .trim() .substring() .toLowerCase() .toUpperCase()
; any-type: Object
; literal-types: String CharSequence | char int long float double Character Comparable Object | int long float double Integer Number Comparable Object short byte | double Double Number Comparable Object | boolean Boolean Comparable Object | long float double Long Number Comparable Object | float double Float Number Comparable Object | short int long float double Short Number Comparable Object | byte short int long float double Byte Number Comparable Object | Integer Number Comparable Object int long float double | Long Number Comparable Object long float double | Float Number Comparable Object float double | Double Number Comparable Object double | Short Number Comparable Object short int long float double | Byte Number Comparable Object byte short int long float double | Character Comparable Object char int long float double | Boolean Comparable Object boolean
; implicit-super: yes
; runs: each iterator
; common: toString hashCode equals getClass getName getValue getKey isEmpty containsKey indexOf toArray addAll removeAll getMessage getCause putAll keySet entrySet toLowerCase toUpperCase startsWith endsWith charAt intValue longValue doubleValue booleanValue getType nextInt hasNext printStackTrace compareTo isAssignableFrom isInstance getDeclaringClass getClassLoader getComponentType getSuperclass getInterfaces getAnnotation isAnnotationPresent getDeclaredMethods getDeclaredFields getDeclaredConstructor getParameterTypes getParameterCount getReturnType getSimpleName getModifiers newInstance getResourceAsStream
; modules: declared
; import-lookup: name
; import-separator: .
; binds: last
; null: null void
; comparisons: == != < > <= >= && || instanceof
; expression: name identifier,type_identifier,this,super,true,false,scoped_identifier,scoped_type_identifier
; expression: text string_literal,character_literal
; expression: number decimal_integer_literal,hex_integer_literal,octal_integer_literal,binary_integer_literal,decimal_floating_point_literal,hex_floating_point_literal
; expression: null null_literal
; expression: same parenthesized_expression 0
; expression: same assignment_expression right
; expression: signed unary_expression operand
; expression: member field_access object field
; expression: name method_reference
; expression: step class_literal 0 .class
; expression: method method_invocation object name arguments
; expression: new object_creation_expression type arguments
; expression: index array_access array index
; expression: either ternary_expression consequence alternative
; expression: cast cast_expression type

; --- definitions

(package_declaration [(identifier) (scoped_identifier)] @module)

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name body: (_)? @body) @definition.enum_member
(module_declaration name: (_) @name body: (_) @body) @definition.module

(method_declaration type: (_) @returns name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(annotation_type_element_declaration type: (_) @returns name: (identifier) @name) @definition.method

; A declaration of one field is the whole statement; of several, each has its own part.
(field_declaration (modifiers "static" "final") type: (_) @type . declarator: (variable_declarator name: (identifier) @name) .) @definition.constant
(field_declaration (modifiers "static" "final") type: (_) @type declarator: (variable_declarator name: (identifier) @name) @definition.constant
  . (variable_declarator))
(field_declaration (modifiers "static" "final") type: (_) @type (variable_declarator)
  . declarator: (variable_declarator name: (identifier) @name) @definition.constant)
(field_declaration type: (_) @type . declarator: (variable_declarator name: (identifier) @name) .) @definition.field
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name) @definition.field . (variable_declarator))
(field_declaration type: (_) @type (variable_declarator) . declarator: (variable_declarator name: (identifier) @name) @definition.field)
(constant_declaration type: (_) @type . declarator: (variable_declarator name: (identifier) @name) .) @definition.constant
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name) @definition.constant . (variable_declarator))
(constant_declaration type: (_) @type (variable_declarator) . declarator: (variable_declarator name: (identifier) @name) @definition.constant)
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @type name: (identifier) @name) @definition.field))

[(line_comment) (block_comment)] @comment

; --- references

(method_invocation !object name: (identifier) @reference.call)
(method_invocation (super) @receiver . name: (identifier) @reference.call)
(method_invocation object: (_) @receiver name: (identifier) @reference.call)
(method_reference . (_) @receiver . (identifier) @reference.call .)
(method_reference . (identifier) @reference.call . "::" . "new")
(method_reference . (generic_type . (type_identifier) @reference.call) . "::" . "new")
(object_creation_expression type: [
  (type_identifier) @reference.call
  (scoped_type_identifier (_) @receiver . (type_identifier) @reference.call .)
  (generic_type . (type_identifier) @reference.call)
  (generic_type . (scoped_type_identifier (_) @receiver . (type_identifier) @reference.call .))
] arguments: (_) .)
(object_creation_expression type: (_) @base (class_body) @anonymous)
(enum_declaration name: (_) @type body: (enum_body (enum_constant name: (identifier) @constant)))
(enum_constant name: (identifier) @called arguments: (argument_list) @arguments)
; Without arguments it gives none, as its name has nothing inside.
(enum_constant name: (identifier) @called @arguments !arguments)
(enum_declaration name: (_) @base body: (enum_body (enum_constant body: (class_body) @anonymous)))
(explicit_constructor_invocation constructor: [(super) (this)] @reference.call)
(method_invocation name: (_) @called arguments: (_) @arguments)
(object_creation_expression type: [
  (type_identifier) @called
  (scoped_type_identifier (type_identifier) @called .)
  (generic_type . [(type_identifier) @called (scoped_type_identifier (type_identifier) @called .)])
] arguments: (_) @arguments)
(explicit_constructor_invocation constructor: (_) @called arguments: (_) @arguments)
(marker_annotation name: (identifier) @reference.call)
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @reference.call))
(annotation name: (identifier) @reference.call)
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @reference.call))

(superclass [
  (type_identifier) @inherits
  (scoped_type_identifier (_) @receiver . (type_identifier) @inherits .)
  (generic_type . (type_identifier) @inherits)
  (generic_type . (scoped_type_identifier (_) @receiver . (type_identifier) @inherits .))
])
(super_interfaces (type_list [
  (type_identifier) @inherits
  (scoped_type_identifier (_) @receiver . (type_identifier) @inherits .)
  (generic_type . (type_identifier) @inherits)
  (generic_type . (scoped_type_identifier (_) @receiver . (type_identifier) @inherits .))
]))
(extends_interfaces (type_list [
  (type_identifier) @inherits
  (scoped_type_identifier (_) @receiver . (type_identifier) @inherits .)
  (generic_type . (type_identifier) @inherits)
  (generic_type . (scoped_type_identifier (_) @receiver . (type_identifier) @inherits .))
]))

; --- imports

(import_declaration (_) @import.module . (asterisk) @import.star)
(import_declaration (scoped_identifier scope: (_) @import.module name: (identifier) @import.name) . ";")
(import_declaration (identifier) @import.module . ";")

; --- local types

; A variable ends with its block.
[(block) (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause) (lambda_expression) (switch_block_statement_group) (switch_rule)] @block
(formal_parameter type: (_) @type name: (identifier) @param)
(spread_parameter (_) @type . "..." @many . (variable_declarator name: (identifier) @local))
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local) (#not-eq? @type "var"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @local value: (_) @value) (#eq? @_type "var"))
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement type: (_) @type name: (identifier) @local (#not-eq? @type "var"))
(enhanced_for_statement type: (_) @_type name: (identifier) @local value: (_) @each (#eq? @_type "var"))
(resource type: (_) @type name: (identifier) @local (#not-eq? @type "var"))
(resource type: (_) @_type name: (identifier) @local value: (_) @value (#eq? @_type "var"))
(instanceof_expression right: (_) @type name: (identifier) @local)
(type_pattern (_) @type . (identifier) @local)
(catch_formal_parameter (catch_type . (_) @type .) name: (identifier) @local)
(catch_formal_parameter (catch_type (_) . (_)) name: (identifier) @local)
(method_invocation !object name: (identifier) @callee arguments: (argument_list (lambda_expression parameters: [(identifier) @local (inferred_parameters (identifier) @local)]) @within))
(method_invocation object: (_) @callee name: (identifier) @callee arguments: (argument_list (lambda_expression parameters: [(identifier) @local (inferred_parameters (identifier) @local)]) @within))
(object_creation_expression type: (_) @callee arguments: (argument_list (lambda_expression parameters: [(identifier) @local (inferred_parameters (identifier) @local)]) @within))
(field_declaration type: (_) @signature declarator: (variable_declarator value: (lambda_expression parameters: [(identifier) @local (inferred_parameters (identifier) @local)]) @within))
(local_variable_declaration type: (_) @signature declarator: (variable_declarator value: (lambda_expression parameters: [(identifier) @local (inferred_parameters (identifier) @local)]) @within))
(lambda_expression parameters: [(identifier) @local (inferred_parameters (identifier) @local)]) @within
(assignment_expression left: (field_access object: (_) @receiver field: (identifier) @field) right: (_) @value)
(type_parameter (type_identifier) @typevar)
(type_parameter (type_identifier) @typevar (type_bound (_) @type))
