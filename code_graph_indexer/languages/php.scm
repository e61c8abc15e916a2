; grammar: tree_sitter_php:language_php
; extensions: .php .phtml .php3 .php4 .php5 .php7 .php8 .phps
; constructors: __construct
; runs: call __invoke
; runs: item offsetGet
; runs: missing __call
; runs: static __callStatic
; common: getMessage getName getValue toArray getIterator offsetGet __toString jsonSerialize getCode format
; shebangs: php
; tests: *Test.php *_test.php *TestCase.php tests/ Tests/ test/
; called-from-outside: \bfunction\s+__\w+
; hidden: ^[^(]*\bprivate\b
; twins: (?:if|switch|try)\b
; self: $this
; self-type: self static
; super: parent
; class-members: class
; class-getters: class
; type-of: class
; type-decoration: \b(?:readonly|static|final|var)\s+(?=\S)|(?<=\bclass)-string(?=<)
; vague-types: array iterable object mixed
; doc-types: @param\s+(?P<type>(?!\\?Closure\b)[?\\]*(?:\w+\\)*(?:[A-Z]|self\b|static\b|(?:array|iterable|list|class-string)(?=<))(?:[^\s<>*]|<[^>\n]*>?)*)\s+&?(?:\.\.\.)?(?P<name>\$\w+)
; doc-types: @(?:var|type)\s+(?P<type>(?!\\?Closure\b)[?\\]*(?:\w+\\)*(?:[A-Z]|self\b|static\b|(?:array|iterable|list|class-string)(?=<))(?:[^\s<>*]|<[^>\n]*>?)*)(?:\s+(?P<name>\$\w+))?
; doc-types: @return\s+(?P<result>(?!\\?Closure\b)[?\\]*(?:\w+\\)*(?:[A-Z]|self\b|static\b|(?:array|iterable|list|class-string)(?=<))(?:[^\s<>*]|<[^>\n]*>?)*)
; doc-types: @(?:\w+-)?template(?:-\w+)?\s+(?P<variable>\w+)(?:\s+(?:of|as)\s+(?P<bound>[\\\w]+))?
; late-members: yes
; functions-apart: yes
; loops-over: values
; lookup: below file imports peers top stars
; modules: declared
; roots: src lib app
; import-lookup: name
; import-separator: \
; binds: last
; null: null NULL void never
; alternative-operators: || ?? ?: or
; comparisons: == != < > <= >= && || === !== instanceof
; expression: name variable_name,name,qualified_name,namespace_name,relative_scope,boolean
; expression: text string,encapsed_string,heredoc,nowdoc
; expression: number integer,float
; expression: null null
; expression: same parenthesized_expression 0
; expression: same assignment_expression right
; expression: same reference_assignment_expression right
; expression: same clone_expression 0
; expression: signed unary_op_expression argument
; expression: same error_suppression_expression 0
; expression: same cast_type 0
; expression: member member_access_expression object name
; expression: member nullsafe_member_access_expression object name
; expression: member scoped_property_access_expression scope name
; expression: member class_constant_access_expression 0 1
; expression: method member_call_expression object name arguments
; expression: method nullsafe_member_call_expression object name arguments
; expression: method scoped_call_expression scope name arguments
; expression: call function_call_expression function arguments
; expression: new object_creation_expression 0 arguments
; expression: index subscript_expression 0 1
; expression: either conditional_expression body alternative
; expression: binary binary_expression left operator right
; expression: cast cast_expression type
; expression: list array_creation_expression 0
; expression: labelled argument name -1

; --- definitions

(namespace_definition name: (namespace_name) @module)

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(anonymous_class "class" @name body: (_) @body) @scope
(function_definition name: (name) @name return_type: (_)? @returns body: (_) @body) @definition.function
(method_declaration name: (name) @name return_type: (_)? @returns body: (_)? @body) @definition.method
(expression_statement (assignment_expression left: (variable_name) @name
  right: [(anonymous_function return_type: (_)? @returns body: (_) @body)
          (arrow_function return_type: (_)? @returns "=>" @body)])) @definition.function
(enum_case name: (name) @name) @definition.enum_member

; One constant or property takes its whole declaration; of several each is its own definition.
(const_declaration "const" . type: (_)? @type . (const_element . (name) @name) . ";") @definition.constant
(const_declaration type: (_)? @type (const_element . (name) @name) @definition.constant . ",")
(const_declaration "," @_comma . (const_element . (name) @name) @definition.constant)
((expression_statement (function_call_expression function: (name) @_define
  arguments: (arguments . (argument . (string (string_content) @name) .)))) @definition.constant
  (#eq? @_define "define"))
(property_declaration type: (_) @type . (property_element name: (variable_name (name) @name)) . [";" (property_hook_list)]) @definition.field
(property_declaration !type [(visibility_modifier) (static_modifier) (readonly_modifier) (var_modifier)]
  . (property_element name: (variable_name (name) @name)) . [";" (property_hook_list)]) @definition.field
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name)) @definition.field . ",")
(property_declaration type: (_)? @type "," @_comma . (property_element name: (variable_name (name) @name)) @definition.field)
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @name)) @definition.field
(program (expression_statement (assignment_expression left: (variable_name) @name)) @definition.variable)

; The file's own docblock.
((php_tag) . (comment) @doc (#match? @doc "^/\\*\\*[^*]"))
(comment) @comment

; --- references

(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name prefix: (namespace_name)? @receiver (name) @reference.call))
(function_call_expression function: (relative_name prefix: (namespace_name)? @receiver (name) @reference.call))
(member_call_expression object: (_) @receiver name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(function_call_expression function: (variable_name) @reference.call)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name prefix: (namespace_name)? @receiver (name) @reference.call))
(attribute (name) @reference.call)
(attribute (qualified_name prefix: (namespace_name)? @receiver (name) @reference.call))

; An array is a value: to set or remove an element, or to take a list apart, writes what holds it.
([(assignment_expression left: (subscript_expression . (member_access_expression name: (name) @written)))
  (assignment_expression left: (subscript_expression . (scoped_property_access_expression name: (variable_name (name) @written))))
  (assignment_expression left: (subscript_expression . (subscript_expression . (member_access_expression name: (name) @written))))
  (assignment_expression left: (subscript_expression . (subscript_expression . (scoped_property_access_expression name: (variable_name (name) @written)))))
  (augmented_assignment_expression left: (subscript_expression . (member_access_expression name: (name) @written)))
  (augmented_assignment_expression left: (subscript_expression . (scoped_property_access_expression name: (variable_name (name) @written))))
  (update_expression argument: (member_access_expression name: (name) @written))
  (update_expression argument: (scoped_property_access_expression name: (variable_name (name) @written)))
  (unset_statement (member_access_expression name: (name) @written))
  (unset_statement (subscript_expression . (member_access_expression name: (name) @written)))
  (unset_statement (subscript_expression . (scoped_property_access_expression name: (variable_name (name) @written))))
  (list_literal (member_access_expression name: (name) @written))
  (list_literal (scoped_property_access_expression name: (variable_name (name) @written)))])

; Functions that are passed by their names, and methods as pairs: `[$this, 'load']`.
((function_call_expression function: (name) @_caller arguments: (arguments (argument [
    (string (string_content) @reference.value) (encapsed_string . (string_content) @reference.value .)])))
  (#any-of? @_caller "add_action" "add_filter" "remove_action" "remove_filter" "add_shortcode" "call_user_func" "call_user_func_array" "array_map"
    "array_filter" "array_walk" "array_reduce" "usort" "uasort" "uksort" "is_callable" "register_activation_hook" "register_deactivation_hook"
    "register_uninstall_hook" "register_shutdown_function" "set_error_handler" "set_exception_handler" "spl_autoload_register" "ob_start"))
(array_creation_expression . (array_element_initializer . (_) @receiver .) . (array_element_initializer . [
    (string (string_content) @reference.value) (encapsed_string . (string_content) @reference.value .)] .) .)

([(base_clause (name) @inherits) (class_interface_clause (name) @inherits) (use_declaration (name) @inherits)])
([(base_clause (qualified_name prefix: (namespace_name)? @receiver (name) @inherits))
  (class_interface_clause (qualified_name prefix: (namespace_name)? @receiver (name) @inherits))
  (use_declaration (qualified_name prefix: (namespace_name)? @receiver (name) @inherits))])

; --- imports

(namespace_use_declaration (namespace_use_clause !alias
  (qualified_name prefix: (namespace_name) @import.module (name) @import.name)))
(namespace_use_declaration (namespace_use_clause
  (qualified_name prefix: (namespace_name) @import.module (name) @import.name) alias: (name) @import.alias))
(namespace_use_declaration (namespace_use_clause !alias (name) @import.module))
(namespace_use_declaration (namespace_use_clause . (name) @import.module alias: (name) @import.alias))
(namespace_use_declaration (namespace_name) @import.module
  body: (namespace_use_group (namespace_use_clause !alias [(name) (qualified_name)] @import.name)))
(namespace_use_declaration (namespace_name) @import.module
  body: (namespace_use_group (namespace_use_clause [(name) (qualified_name)] @import.name alias: (name) @import.alias)))
([(include_expression [(string) (encapsed_string)] @import.module)
  (include_once_expression [(string) (encapsed_string)] @import.module)
  (require_expression [(string) (encapsed_string)] @import.module)
  (require_once_expression [(string) (encapsed_string)] @import.module)
  (include_expression (_ [(string) (encapsed_string)] @import.module))
  (include_once_expression (_ [(string) (encapsed_string)] @import.module))
  (require_expression (_ [(string) (encapsed_string)] @import.module))
  (require_once_expression (_ [(string) (encapsed_string)] @import.module))])

; --- local types

(simple_parameter type: (_) @type name: (variable_name) @param)
([(simple_parameter type: (_) @type name: (variable_name) @local)
  (variadic_parameter type: (_) @type "..." @many name: (variable_name) @local)
  (property_promotion_parameter type: (_) @type name: (variable_name) @local)])
(catch_clause type: (type_list . (_) @type .) name: (variable_name) @local)
; Properties are read through `$this->name`, so they are bound without the dollar.
(property_declaration type: (_) @type (property_element name: (variable_name (name) @local)))
(property_promotion_parameter type: (_) @type name: (variable_name (name) @local))
(assignment_expression left: (variable_name) @local right: (_) @value)
(assignment_expression left: (list_literal) @unpack right: (_) @value)
(foreach_statement . (_) @each . [(list_literal) @unpack (pair (list_literal) @unpack)])
(foreach_statement . (_) @each . (variable_name) @local)
(foreach_statement . (_) @each . (pair (_) . (variable_name) @local))
(simple_parameter !type name: (variable_name) @param)
(assignment_expression left: (member_access_expression object: (variable_name) @receiver name: (name) @field)
  right: (_) @value)
(assignment_expression left: (scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @field))
  right: (_) @value)
(if_statement condition: (parenthesized_expression (binary_expression left: (variable_name) @local operator: "instanceof" right: (_) @type))
  body: (_) @within)
; After `if (!$x instanceof P) { return; }` it holds to the end of the block.
(compound_statement (if_statement
  condition: (parenthesized_expression (unary_op_expression "!" argument: [
    (parenthesized_expression (binary_expression left: (variable_name) @local operator: "instanceof" right: (_) @type))
    (binary_expression left: (variable_name) @local operator: "instanceof" right: (_) @type)]))
  body: [(return_statement) (compound_statement [(return_statement) (continue_statement) (expression_statement (throw_expression))] .)]
  !alternative) . (_)+ @within .)
([(conditional_expression condition: (binary_expression left: (variable_name) @local operator: "instanceof" right: (_) @type) body: (_) @within)
  (binary_expression left: (binary_expression left: (variable_name) @local operator: "instanceof" right: (_) @type) operator: "&&" right: (_) @within)
  (binary_expression left: (binary_expression left: (variable_name) @local operator: "instanceof" right: (_) @type) operator: "and" right: (_) @within)])
; What a function is worth.
(return_statement [(variable_name) (scoped_property_access_expression) (member_access_expression) (member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)
  (function_call_expression) (object_creation_expression)] @result)
; Methods of a trait under another name.
(use_declaration . (_) @value . (use_list (use_as_clause . (name) @key (name) @local .)))
(use_declaration (use_list (use_as_clause . (class_constant_access_expression (name) @value . (name) @key) (name) @local .)))
