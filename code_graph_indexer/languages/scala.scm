; grammar: tree_sitter_scala
; blank: \b(_root_\.)(?=[A-Za-z_])
; cut: ^[)}\]]+[;,]?[ \t]*\n
; family: jvm
; lookup: class file imports peers stars
; open-types: yes
; extensions: .scala .sc .sbt
; runs: call apply
; extension-methods: yes
; platform-bases: Any AnyRef Iterable IterableOnce Seq Traversable
; loops-over: pairs
; cast-ending: asInstanceOf
; operators: + + - - * * / /
; shebangs: scala scala-cli
; tests: test/ tests/ *Spec.scala *Suite.scala *Test.scala *Tests.scala
; linear-bases: last
; hidden: ^[^(]*\bprivate\b
; self: this
; super: super
; class-members: class
; common: isInstanceOf asInstanceOf toString hashCode getClass getOrElse getOrElseUpdate orElse orNull isEmpty nonEmpty isDefined headOption lastOption foldLeft foldRight flatMap flatten mkString groupBy sortBy sortWith zipWithIndex withFilter toSeq toList toVector toArray toMap toSet toInt toLong startsWith endsWith onComplete
; called-from-outside: \bimplicit\s+(?:\w+\s+)*(?:def|val|object|class)\b|^\s*given\b|\bdef\s+unapply(?:Seq)?\b
; variadic: *
; literal-types: String CharSequence | Char | Int Long Double | Double Float | Boolean
; self-type: type
; getter: \bdef\s+[^\s(\[:=]+(?:\[[^(=]*?\]+)?\s*(?:[:=]|$)
; class-getters: class
; type-of: Class
; type-decoration: @\w+\s+
; wrapper-types: Option Optional Future CompletableFuture Promise Task Lazy Ref Deferred Provider
; union-types: Either
; function-types: Callable
; modules: declared
; import-lookup: name
; import-separator: .
; binds: last
; null: null None Unit
; expression: name identifier,type_identifier,stable_identifier,stable_type_identifier,wildcard,boolean_literal,operator_identifier
; expression: text string,character_literal,interpolated_string_expression
; expression: number integer_literal,floating_point_literal
; expression: null null_literal
; expression: same parenthesized_expression 0
; expression: signed prefix_expression 0
; expression: put assignment_expression left right
; expression: same ascription_expression 0
; expression: last indented_block
; expression: last block
; expression: member field_expression value field
; expression: call call_expression function arguments
; expression: generic generic_function function type_arguments
; expression: new instance_expression 0 arguments
; expression: either if_expression consequence alternative
; expression: binary infix_expression left operator right
; expression: list tuple_expression

; --- definitions

; A file may name its package part by part, one clause each.
(compilation_unit (package_clause name: (package_identifier) @module !body)+)
; The members of the first are seen in the second.
(compilation_unit (package_clause name: (package_identifier) @import.module !body) @import.star . (package_clause !body))
(package_clause name: (package_identifier) @name body: (_) @body) @scope

(class_definition name: [(identifier) (operator_identifier)] @name body: (_)? @body) @definition.class
(object_definition name: [(identifier) (operator_identifier)] @name body: (_)? @body) @definition.object
(package_object name: (identifier) @name body: (_)? @body) @definition.object
(trait_definition name: [(identifier) (operator_identifier)] @name body: (_)? @body) @definition.trait
(enum_definition name: (identifier) @name body: (_)? @body) @definition.enum
(simple_enum_case name: [(identifier) (operator_identifier)] @name) @definition.enum_member
(full_enum_case name: [(identifier) (operator_identifier)] @name) @definition.enum_member
(type_definition name: (type_identifier) @name type: (_)? @type) @definition.type

; given name: T with …, given name(using …): T = …, given name: T = …
(given_definition name: [(identifier) (operator_identifier)] @name return_type: (_) @returns body: (with_template_body) @body) @definition.object
(given_definition name: [(identifier) (operator_identifier)] @name parameters: (_) return_type: (_) @returns body: (_)? @body) @definition.function
(given_definition name: [(identifier) (operator_identifier)] @name return_type: (_) @type body: (_)? @body) @definition.constant
(given_definition !name return_type: [(type_identifier) @name (generic_type type: (type_identifier) @name)] body: (with_template_body) @body) @scope
(extension_definition parameters: (parameters . (parameter type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
])) body: (_) @body) @scope

; In a template, also of an anonymous class.
(template_body (function_definition name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns body: (_) @body) @definition.method)
(template_body (function_declaration name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns) @definition.method)
(with_template_body (function_definition name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns body: (_) @body) @definition.method)
(function_definition name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns body: (_) @body) @definition.function
(function_declaration name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns) @definition.function
(val_definition pattern: (identifier) @name value: (lambda_expression) @body) @definition.function

(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name type: (_) @type) @definition.field))
(full_enum_case class_parameters: (class_parameters (class_parameter name: (identifier) @name type: (_) @type) @definition.field))
(class_parameter ["val" "var"] name: (identifier) @name type: (_) @type) @definition.field
; A val of an object or a file is a constant.
(compilation_unit (val_definition pattern: (identifier) @name type: (_)? @type) @definition.constant)
(compilation_unit (var_definition pattern: (identifier) @name type: (_)? @type) @definition.variable)
(object_definition body: (template_body (val_definition pattern: (identifier) @name type: (_)? @type) @definition.constant))
(package_object body: (template_body (val_definition pattern: (identifier) @name type: (_)? @type) @definition.constant))
(template_body (val_definition pattern: (identifier) @name type: (_)? @type) @definition.field)
(template_body (val_definition pattern: [(tuple_pattern (identifier) @name @definition.field) (identifiers (identifier) @name @definition.field)]))
(template_body (var_definition pattern: (identifier) @name type: (_)? @type) @definition.field)
(template_body (val_declaration name: (identifier) @name type: (_) @type) @definition.field)
(template_body (var_declaration name: (identifier) @name type: (_) @type) @definition.field)
(with_template_body (val_definition pattern: (identifier) @name type: (_)? @type) @definition.field)
(enum_body (val_definition pattern: (identifier) @name type: (_)? @type) @definition.field)

(class_definition "case" class_parameters: (class_parameters (class_parameter type: (_) @payload)))
(full_enum_case name: (_) @variant class_parameters: (class_parameters (class_parameter type: (_) @payload)))
; The object of a class holds what belongs to the class itself.
(object_definition body: (template_body (function_definition) @static))
((class_definition (modifiers) @_implicit class_parameters: (class_parameters . (class_parameter type: (_) @type) .)
  body: (template_body (function_definition) @extended)) (#match? @_implicit "implicit"))

[(comment) (block_comment)] @comment

; --- references

(call_expression function: (identifier) @reference.call (#not-match? @reference.call "^(this|super)$"))
(call_expression function: (field_expression value: (_) @receiver field: [(identifier) (operator_identifier)] @reference.call))
(generic_function function: (identifier) @reference.call (#not-match? @reference.call "^(this|super)$"))
(generic_function function: (field_expression value: (_) @receiver field: (identifier) @reference.call))
(infix_expression left: (_) @receiver operator: (identifier) @reference.call)
(method_value . (identifier) @reference.call)
(method_value . (field_expression value: (_) @receiver field: (identifier) @reference.call))
(call_expression function: [
  (identifier) @called
  (field_expression field: (identifier) @called)
  (generic_function function: [(identifier) @called (field_expression field: (identifier) @called)])] arguments: (arguments) @arguments)
(interpolated_string_expression interpolator: (identifier) @reference.call (#not-match? @reference.call "^(s|f|raw)$"))
(instance_expression . [
  (type_identifier) @reference.call
  (stable_type_identifier . (_) @receiver . (type_identifier) @reference.call .)
  (generic_type type: (type_identifier) @reference.call)
  (generic_type type: (stable_type_identifier . (_) @receiver . (type_identifier) @reference.call .))
])
(instance_expression [(type_identifier) (generic_type) (stable_type_identifier)] @base [(template_body) (with_template_body)] @anonymous)
(instance_expression (compound_type base: (_) @base) [(template_body) (with_template_body)] @anonymous)
(instance_expression (compound_type base: [
  (type_identifier) @reference.call
  (stable_type_identifier . (_) @receiver . (type_identifier) @reference.call .)
  (generic_type type: (type_identifier) @reference.call)
  (generic_type type: (stable_type_identifier . (_) @receiver . (type_identifier) @reference.call .))
  (applied_constructor_type . (type_identifier) @reference.call)
  (applied_constructor_type . (generic_type type: (type_identifier) @reference.call))
]))
(annotation name: [
  (type_identifier) @reference.call
  (stable_type_identifier . (_) @receiver . (type_identifier) @reference.call .)
  (generic_type type: (type_identifier) @reference.call)
  (generic_type type: (stable_type_identifier . (_) @receiver . (type_identifier) @reference.call .))
])
(extends_clause [
  (type_identifier) @inherits
  (stable_type_identifier . (_) @receiver . (type_identifier) @inherits .)
  (generic_type type: (type_identifier) @inherits)
  (generic_type type: (stable_type_identifier . (_) @receiver . (type_identifier) @inherits .))
])

; `self: Accounts with Issues =>`
(self_type [
  (type_identifier) @requires
  (generic_type type: (type_identifier) @requires)
  (compound_type base: (type_identifier) @requires)
  (compound_type extra: (type_identifier) @requires)])

; --- imports

(import_declaration) @import.tree
(export_declaration) @import.tree

; --- local types

; A variable ends with its block.
[(block) (indented_block) (lambda_expression) (for_expression) (case_clause)] @block
(parameter name: (identifier) @param type: (_) @type)
(parameter name: (identifier) @param type: (repeated_parameter_type (_) @type "*" @many))
(class_parameter name: (identifier) @local type: (_) @type)
(binding name: (identifier) @local type: (_) @type)
(typed_pattern pattern: (identifier) @local type: (_) @type)
(val_definition pattern: (identifier) @local type: (_) @type)
(var_definition pattern: (identifier) @local type: (_) @type)
(val_declaration name: (identifier) @local type: (_) @type)
(val_definition pattern: (identifier) @local value: (_) @value)
(var_definition pattern: (identifier) @local value: (_) @value)
(enumerator . (identifier) @local . "<-" . (_) @each)
(enumerator . (identifier) @local . "=" . (_) @value)
(enumerator . (tuple_pattern) @unpack . "<-" . (_) @each)
(val_definition pattern: (tuple_pattern) @unpack value: (_) @value)
(call_expression function: (_) @callee arguments: (case_block (case_clause pattern: (tuple_pattern) @unpack)) @within)
(call_expression function: (_) @callee arguments: [
  (arguments [(lambda_expression parameters: [(identifier) @local (bindings (binding name: (identifier) @local !type))])
    (lambda_expression "implicit" . (identifier) @local)] @within)
  (block [(lambda_expression parameters: [(identifier) @local (bindings (binding name: (identifier) @local !type))])
    (lambda_expression "implicit" . (identifier) @local)] @within)])
(call_expression function: (_) @callee arguments: (case_block (case_clause pattern: (identifier) @local)) @within)
; `carts.foreach(_.sum())`
(call_expression function: (_) @callee arguments: (arguments (field_expression value: (wildcard) @local)) @within)
(call_expression function: (_) @callee arguments: (arguments (call_expression function: (field_expression value: (wildcard) @local)) @within))
; `carts.filter(_.total == 3)`, `carts.filter(!_.items.isEmpty)`
(call_expression function: (_) @callee arguments: (arguments [
  (field_expression value: (field_expression value: (wildcard) @local))
  (infix_expression left: (field_expression value: (wildcard) @local))
  (infix_expression left: (field_expression value: (field_expression value: (wildcard) @local)))
  (prefix_expression (field_expression value: (wildcard) @local))
  (prefix_expression (field_expression value: (field_expression value: (wildcard) @local)))
  (call_expression function: (field_expression value: (field_expression value: (wildcard) @local)))] @within))
(match_expression value: (_) @enter body: (case_block (case_clause pattern: (case_class_pattern type: (type_identifier) @_some
  pattern: (identifier) @local)) @within) (#any-of? @_some "Some" "Right" "Success"))
((case_class_pattern type: (_) @variant (identifier) @held) (#not-match? @variant "^(Some|Right|Left|Success|Failure)$"))
(function_definition !return_type body: [(identifier) (call_expression) (field_expression) (instance_expression)] @result)
; Among arguments it names a parameter.
([(block) (indented_block) (template_body) (case_clause) (lambda_expression) (function_definition) (if_expression) (while_expression) (do_while_expression) (for_expression) (try_expression) (finally_clause) (val_definition)]
  (assignment_expression left: (identifier) @assigned right: (_) @value))
(assignment_expression left: (field_expression value: (_) @receiver field: (identifier) @field) right: (_) @value)
(capture_pattern name: (identifier) @local pattern: [(case_class_pattern type: (_) @type) (typed_pattern type: (_) @type)])
; In a pattern, a name with a small letter is a variable.
([(tuple_pattern (identifier) @local) (case_class_pattern (identifier) @local) (infix_pattern (identifier) @local) (capture_pattern name: (identifier) @local) (case_clause pattern: (identifier) @local)]
  (#match? @local "^[a-z_]"))
(type_parameters name: (identifier) @typevar)
(type_parameters name: (identifier) @typevar . bound: (upper_bound type: (_) @type))
