; grammar: tree_sitter_c_sharp
; cut: ^[ \t]*+[)}\]]++;?+[ \t]*+\n|^([ \t]*+(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|unsafe|ref|file|new|final|open|data|inner|override|actual|expect|annotation|value|enum|fun|export|default|declare|strictfp|non-sealed)\s++)*+(?:class|struct|interface|record|namespace)\b[^\n{;]*+\n?[ \t]*+\{[ \t]*+\n)
; mend: ␠ \b(ref\s+)(?=(?:readonly\s+)?(?:partial|struct)\b)
; mend: ␠ (\*\(\w[\w.]*+\s*+\*++\))|^\s*+(\*)(?=\w[\w.]*+\+\+\s*+=)
; mend: ␠ [(,=]\s*+((?:ref|in|out)\s++)(?=[\w(*])|\b(ref\s+)(?=[\w<>.]+\s+\w+\s*=)
; blank: ^[ \t]*#[ \t]*else[^\n]*\n[ \t]*(;)[ \t]*\n[ \t]*#[ \t]*endif
; blank: ^[ \t]*#.*$
; lookup: class file imports around top stars
; open-types: yes
; split-types: yes
; declarations: module
; extensions: .cs .csx
; constructors: <class>
; variadic: params
; text-calls: .ToString() string.Format() string.Join() String.Format() .Trim() .Substring() .ToLower() .ToUpper()
; capital-methods: yes
; any-type: object dynamic
; literal-types: string String | char Char int | int long uint ulong short ushort byte sbyte Int32 Int64 float double decimal | double float decimal Double Single Decimal | bool Boolean
; defaults-elsewhere: override partial
; implicit-super: yes
; runs: call Invoke
; runs: fill Add
; extension-methods: yes
; common: ToString Equals GetHashCode GetType Dispose Invoke TryGetValue ContainsKey FirstOrDefault ToList ToArray ToLower ToUpper StartsWith EndsWith IndexOf GetEnumerator MoveNext CompareTo WriteLine IsNullOrEmpty GetValue SetValue GetName
; tests: test/ tests/ *.Tests/ *.Test/ *Tests.cs *Test.cs
; called-from-outside: \bpartial\b|^extension\s*[(<]
; hidden: ^(?!.*\b(?:public|protected)\b)(?!method \S+ [^(]*\w\.\w+\()(?!class .*\bstatic\b)
; twins: .
; self: this
; super: base
; type-of: Type
; type-decoration: \b(?:ref|out|in|readonly|const)\s+(?=\S)
; wrapper-types: Task Expression Lazy Optional Option
; function-types: Func
; types-first: yes
; type-suffixes: Attribute
; loops-over: pairs
; modules: declared
; manifest: *.csproj <Project\b
; import-lookup: name
; import-separator: .
; binds: all
; null: null void
; expression: name identifier,this,base,qualified_name,predefined_type,alias_qualified_name
; expression: generic generic_name 0 1
; expression: text string_literal,verbatim_string_literal,raw_string_literal,character_literal,interpolated_string_expression
; expression: number integer_literal,real_literal
; expression: name boolean_literal
; expression: null null_literal
; expression: same parenthesized_expression 0
; expression: same await_expression 0
; expression: signed prefix_unary_expression 0
; expression: same postfix_unary_expression 0
; expression: put assignment_expression left right
; expression: mapping initializer_expression right
; expression: same arrow_expression_clause 0
; expression: same ref_expression 0
; expression: same throw_expression 0
; expression: member member_access_expression expression name
; expression: member member_binding_expression ^ name
; expression: condition conditional_access_expression condition -1
; expression: call invocation_expression function arguments
; expression: new object_creation_expression type arguments
; expression: new implicit_object_creation_expression type arguments
; expression: put variable_declarator name -1
; expression: index element_access_expression expression subscript
; expression: index element_binding_expression ^ 0
; expression: cast array_creation_expression type
; expression: either conditional_expression consequence alternative
; expression: binary binary_expression left operator right
; expression: cast cast_expression type
; expression: cast as_expression right
; expression: same typeof_expression type
; expression: labelled argument name -1
; expression: cast recursive_pattern type
; expression: mapping property_pattern_clause
; expression: key subpattern 0 -1
; expression: same is_pattern_expression pattern expression

; --- definitions

(file_scoped_namespace_declaration name: (_) @module)
(compilation_unit (namespace_declaration name: (_) @module))
; A block of a namespace is no module of a file that has more than it.
(compilation_unit (namespace_declaration name: (_) @name body: (_) @body) @scope
  [(namespace_declaration) (class_declaration) (interface_declaration) (struct_declaration) (enum_declaration) (record_declaration) (delegate_declaration)])
(compilation_unit [(namespace_declaration) (class_declaration) (interface_declaration) (struct_declaration) (enum_declaration) (record_declaration) (delegate_declaration)]
  (namespace_declaration name: (_) @name body: (_) @body) @scope)
(preproc_if (namespace_declaration name: (_) @module))
(declaration_list (namespace_declaration name: (_) @name body: (_) @body) @scope)

(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration "struct" name: (identifier) @name body: (_)? @body) @definition.struct
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.enum_member
(delegate_declaration type: (_) @returns name: (identifier) @name) @definition.type

; `void IShape.Draw()` is called through the interface alone.
(method_declaration returns: (_) @returns (explicit_interface_specifier [
    (identifier) @owner
    (generic_name . (identifier) @owner)
    (qualified_name name: [(identifier) @owner (generic_name . (identifier) @owner)])])
  name: (identifier) @name body: (_)? @body) @definition.method
(method_declaration returns: (_) @returns name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(destructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(operator_declaration type: (_) @returns operator: _ @name body: (_)? @body) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @returns body: (_)? @body) @definition.method
; Around `#if`, the grammar takes `else if (…) {…}` for a local function.
((local_function_statement type: (_) @returns name: (identifier) @name body: (_)? @body) @definition.function
 (#not-match? @name "^(if|for|foreach|while|switch|catch|using|lock)$"))
(indexer_declaration type: (_) @type "this" @name [(accessor_list) (arrow_expression_clause)] @body) @definition.property
(property_declaration type: (_) @type (explicit_interface_specifier [
    (identifier) @owner
    (generic_name . (identifier) @owner)
    (qualified_name name: [(identifier) @owner (generic_name . (identifier) @owner)])])
  name: (identifier) @name [(accessor_list) (arrow_expression_clause)] @body) @definition.property
(property_declaration type: (_) @type name: (identifier) @name [(accessor_list) (arrow_expression_clause)] @body) @definition.property
(event_declaration type: (_) @type name: (identifier) @name accessors: (_)? @body) @definition.property
(event_field_declaration (variable_declaration type: (_) @type . (variable_declarator name: (identifier) @name) .)) @definition.field
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @definition.property))

; A declaration of one field is the whole statement; of several, each has its own part.
(field_declaration (modifier "const")
  (variable_declaration type: (_) @type . (variable_declarator name: (identifier) @name) .)) @definition.constant
(field_declaration (modifier "static") (modifier "readonly")
  (variable_declaration type: (_) @type . (variable_declarator name: (identifier) @name) .)) @definition.constant
(field_declaration (modifier "const")
  (variable_declaration type: (_) @type (variable_declarator) . (variable_declarator name: (identifier) @name) @definition.constant))
(field_declaration (modifier "const")
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @definition.constant . (variable_declarator)))
(field_declaration (variable_declaration type: (_) @type . (variable_declarator name: (identifier) @name) .)) @definition.field
(field_declaration
  (variable_declaration type: (_) @type (variable_declarator) . (variable_declarator name: (identifier) @name) @definition.field))
(field_declaration
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @definition.field . (variable_declarator)))

(comment) @comment

; --- references

(invocation_expression function: (identifier) @reference.call (#not-eq? @reference.call "nameof"))
(invocation_expression function: (generic_name . (identifier) @reference.call))
(invocation_expression function: (member_access_expression
  expression: (postfix_unary_expression . (_) @receiver . "!")
  name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]))
(invocation_expression function: (member_access_expression
  expression: _ @receiver
  name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]))
(invocation_expression function: (conditional_access_expression
  condition: _ @receiver
  (member_binding_expression name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])))
(invocation_expression
  function: [
    (identifier) @called
    (generic_name . (identifier) @called)
    (member_access_expression name: [(identifier) @called (generic_name . (identifier) @called)])
    (conditional_access_expression (member_binding_expression name: [(identifier) @called (generic_name . (identifier) @called)]))
  ]
  arguments: (_) @arguments)
(object_creation_expression
  type: [
    (identifier) @called
    (generic_name . (identifier) @called)
    (qualified_name name: [(identifier) @called (generic_name . (identifier) @called)])
  ]
  arguments: (_) @arguments)
(object_creation_expression type: [
  (identifier) @reference.call
  (generic_name . (identifier) @reference.call)
  (qualified_name qualifier: (_) @receiver name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])
])
; Item x = new();
(variable_declaration
  type: [
    (identifier) @reference.call
    (generic_name . (identifier) @reference.call)
    (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call)
  ]
  . (variable_declarator (implicit_object_creation_expression)))
; Item Make() => new();
(method_declaration returns: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]
  body: (arrow_expression_clause (implicit_object_creation_expression)))
(property_declaration type: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]
  value: [(implicit_object_creation_expression) (arrow_expression_clause (implicit_object_creation_expression))])
(attribute name: [
  (identifier) @reference.call
  (generic_name . (identifier) @reference.call)
  (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call)
])
(base_list [
  (identifier) @inherits
  (generic_name . (identifier) @inherits)
  (qualified_name qualifier: (_) @receiver name: [(identifier) @inherits (generic_name . (identifier) @inherits)])
  (primary_constructor_base_type type: [(identifier) @inherits (generic_name . (identifier) @inherits)])
])

; A method that is passed, or that listens to an event.
(invocation_expression function: (_) @callee arguments: (argument_list (argument . (identifier) @argument.name .)))
(invocation_expression function: (_) @callee arguments: (argument_list (argument . (member_access_expression) @argument.value .)))
(assignment_expression left: (_) "+=" right: (identifier) @reference.value)
(assignment_expression left: (_) "+=" right: (member_access_expression expression: _ @receiver name: (identifier) @reference.value))
(object_creation_expression type: (_) @callee arguments: (argument_list (argument . (identifier) @argument.name .)))
(variable_declarator "=" . (member_access_expression expression: _ @receiver name: (identifier) @reference.value))

; --- imports

((using_directive . [(identifier) (qualified_name)] @import.module .) @_using (#not-match? @_using "^(global\\b|using\\s+static\\b)"))
((using_directive "static" @import.star . (_) @import.module) @_using (#not-match? @_using "^global\\b"))
(using_directive name: (identifier) @import.alias "=" . (identifier) @import.module)
((using_directive name: (identifier) @import.alias "=" . (qualified_name
  qualifier: (_) @import.module
  name: [(identifier) @import.name (generic_name . (identifier) @import.name)])) @_using (#not-match? @_using "^global\\b"))

((using_directive . "global" . "using" . [(identifier) (qualified_name)] @import.module .) @import.global)
((using_directive "global" "static" @import.star . (_) @import.module) @import.global)
((using_directive "global" name: (identifier) @import.alias "=" . (qualified_name
  qualifier: (_) @import.module
  name: [(identifier) @import.name (generic_name . (identifier) @import.name)])) @import.global)

; --- local types

; A variable ends with its block.
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (lambda_expression) (switch_section)] @block
(parameter type: (_) @type name: (identifier) @param)
(parameter_list type: (array_type type: (_) @type) @many name: (identifier) @param)
(variable_declaration
  type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type) (predefined_type) (tuple_type)] @type
  (variable_declarator name: (identifier) @local))
(property_declaration type: (_) @type name: (identifier) @local)
(foreach_statement type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type left: (identifier) @local)
(foreach_statement type: (implicit_type) left: (identifier) @local right: (_) @each)
(declaration_pattern type: (_) @type name: (identifier) @local)
(recursive_pattern type: (_) @type name: (identifier) @local)
(variable_declarator (tuple_pattern) @unpack "=" . (_) @value)
(declaration_expression type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type name: (identifier) @local)
(declaration_expression type: (implicit_type) name: (identifier) @local)
(foreach_statement left: (tuple_pattern) @unpack right: (_) @each)
(from_clause name: (identifier) @local "in" . (_) @each)
(catch_declaration type: (_) @type name: (identifier) @local)
(lambda_expression parameters: (implicit_parameter) @local) @within
(invocation_expression function: (_) @callee arguments: (argument_list (argument
  (lambda_expression parameters: (implicit_parameter) @local) @within)))
(invocation_expression function: (_) @callee arguments: (argument_list (argument
  (lambda_expression parameters: (parameter_list (parameter !type name: (identifier) @local))) @within)))
(object_creation_expression type: (_) @callee arguments: (argument_list (argument (lambda_expression parameters: [
  (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within)))
([(variable_declaration type: [(identifier) (generic_name)] @callee (variable_declarator
      (implicit_object_creation_expression (argument_list (argument (lambda_expression parameters: [
        (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within)))))
  (property_declaration type: [(identifier) (generic_name)] @callee value: (arrow_expression_clause
      (implicit_object_creation_expression (argument_list (argument (lambda_expression parameters: [
        (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within)))))
  (method_declaration returns: [(identifier) (generic_name)] @callee body: (arrow_expression_clause
      (implicit_object_creation_expression (argument_list (argument (lambda_expression parameters: [
        (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within)))))])
(lambda_expression parameters: (parameter_list (parameter !type name: (identifier) @local))) @within
; What is declared for a function says what its parameters are, and so does the method that takes what stands in braces.
([(variable_declaration type: (generic_name) @signature (variable_declarator (lambda_expression parameters: [
      (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within))
  (property_declaration type: (generic_name) @signature value: (lambda_expression parameters: [
      (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within)
  (method_declaration returns: (generic_name) @signature body: (arrow_expression_clause (lambda_expression parameters: [
      (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within))
  (cast_expression type: (generic_name) @signature value: (parenthesized_expression (lambda_expression parameters: [
      (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within))])
(object_creation_expression initializer: (initializer_expression (lambda_expression parameters: [
  (implicit_parameter) @local (parameter_list (parameter !type name: (identifier) @local))]) @within)) @callee
(variable_declarator name: (identifier) @local "=" . (_) @value)
(variable_declarator name: (identifier) @local (cast_expression type: (_) @type))
(assignment_expression left: (identifier) @assigned right: (_) @value)
(assignment_expression left: (member_access_expression expression: _ @receiver name: (identifier) @field) right: (_) @value)
(method_declaration parameters: (parameter_list . (parameter (modifier) @_this type: (_) @type name: (identifier) @extended.parameter))
  (#eq? @_this "this"))
(type_parameter name: (identifier) @typevar)
(type_parameter_constraints_clause (identifier) @typevar (type_parameter_constraint type: (_) @type))
