; grammar: tree_sitter_fsharp
; extensions: .fs .fsx
; shebangs: fsharpi dotnet-fsi
; tests: test/ tests/ *.Tests/ *.Test/ *Tests.fs *Test.fs
; lookup: class file imports around top stars
; open-types: yes
; extension-methods: yes
; hidden: ^[^(=]*\b(?:private|internal)\b
; self: this
; super: base
; constructors: new
; common: ToString Equals GetHashCode GetType Dispose Invoke TryGetValue ContainsKey ToList ToArray Contains StartsWith EndsWith IndexOf
; null: null unit
; type-decoration: ^#(?=\w)
; function-types: ->
; modules: declared
; import-lookup: name
; import-separator: .
; binds: all
; expression: name identifier,long_identifier,long_identifier_or_op
; expression: text string
; expression: number int,decimal,float,ieee64,ieee32
; expression: same paren_expression 0
; expression: same prefixed_expression 0
; expression: same typed_expression 0
; expression: member dot_expression base field
; expression: call application_expression 0 !
; expression: index index_expression 0 index
; expression: either if_expression then else
; expression: last sequential_expression
; expression: list list_expression

; --- definitions

(namespace name: (long_identifier) @module)
; `module Shop.Carts` is the module Carts of the namespace Shop. What opens itself is part of what is around it.
(named_module name: (long_identifier (identifier)+ @module . (identifier) .))
(named_module . name: (long_identifier (identifier) @name .)) @definition.module
((named_module (attributes) @_attributes . name: (long_identifier (identifier) @name .)) @definition.module
  (#not-match? @_attributes "AutoOpen"))
([(module_defn . (identifier) @name "=" @body) (module_defn . (access_modifier) . (identifier) @name "=" @body)]) @definition.module
((module_defn . (attributes) @_attributes (identifier) @name . "=" @body) @definition.module (#not-match? @_attributes "AutoOpen"))

; A type of its own is the whole statement. Of several, joined by `and`, each is its own definition.
([(type_definition . (anon_type_defn . (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) . "=" @body . block: [(type_extension_elements . (member_defn (member_signature))) (class_inherits_decl)]) .) (type_definition . (attributes) . (anon_type_defn . (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) . "=" @body . block: [(type_extension_elements . (member_defn (member_signature))) (class_inherits_decl)]) .)]) @definition.interface
([(type_definition . (anon_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .) (type_definition . (attributes) . (anon_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .)]) @definition.class
([(type_definition . (delegate_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .) (type_definition . (attributes) . (delegate_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .)]) @definition.class
([(type_definition . (record_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .) (type_definition . (attributes) . (record_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .)]) @definition.struct
([(type_definition . (union_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .) (type_definition . (attributes) . (union_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .)]) @definition.enum
([(type_definition . (enum_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .) (type_definition . (attributes) . (enum_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) .)]) @definition.enum
([(type_definition . (type_abbrev_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)])) .) (type_definition . (attributes) . (type_abbrev_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)])) .)]) @definition.type
([(type_definition (_ (type_name)) . (anon_type_defn . (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) . "=" @body . block: [(type_extension_elements . (member_defn (member_signature))) (class_inherits_decl)]) @definition.interface)
  (type_definition (anon_type_defn . (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) . "=" @body . block: [(type_extension_elements . (member_defn (member_signature))) (class_inherits_decl)]) @definition.interface . (_ (type_name)))])
([(type_definition (_ (type_name)) . (anon_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.class)
  (type_definition (anon_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.class . (_ (type_name)))])
([(type_definition (_ (type_name)) . (record_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.struct)
  (type_definition (record_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.struct . (_ (type_name)))])
([(type_definition (_ (type_name)) . (union_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.enum)
  (type_definition (union_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.enum . (_ (type_name)))])
([(type_definition (_ (type_name)) . (enum_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.enum)
  (type_definition (enum_type_defn (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)]) "=" @body) @definition.enum . (_ (type_name)))])
(type_definition (type_extension (type_name type_name: [(identifier) @name (long_identifier (identifier) @name .)])) @body) @scope
(exception_definition exception_name: (long_identifier (identifier) @name .)) @definition.class

(union_type_case . (identifier) @name) @definition.enum_member
(enum_type_case . (identifier) @name) @definition.enum_member
(record_field (identifier) @name . (_) @type) @definition.field

(function_or_value_defn
  (function_declaration_left [(identifier) @name (op_identifier) @name])
  [(simple_type) (generic_type) (postfix_type) (type_argument) (paren_type) (compound_type) (function_type)]? @returns
  "=" body: (_) @body) @definition.function
; The grammar also reads `f (a: A) : B = …` as a pattern of the name f.
(function_or_value_defn (value_declaration_left (identifier_pattern
  (long_identifier_or_op [(identifier) @name (long_identifier . (identifier) @name .)])
  . [(typed_pattern [(paren_pattern) (const) (identifier_pattern) (wildcard_pattern)] . (_) @returns) (_)]))
  "=" body: (_) @body) @definition.function
([(named_module (declaration_expression (function_or_value_defn
    (value_declaration_left (identifier_pattern . (long_identifier_or_op (identifier) @name) .))
    [(simple_type) (generic_type) (postfix_type) (type_argument)]? @type "=" @body) @definition.constant))
  (module_defn (declaration_expression (function_or_value_defn
    (value_declaration_left (identifier_pattern . (long_identifier_or_op (identifier) @name) .))
    [(simple_type) (generic_type) (postfix_type) (type_argument)]? @type "=" @body) @definition.constant))
  (file (declaration_expression (function_or_value_defn
    (value_declaration_left (identifier_pattern . (long_identifier_or_op (identifier) @name) .))
    [(simple_type) (generic_type) (postfix_type) (type_argument)]? @type "=" @body) @definition.constant))])

; The type of a method's result stands beside its parameters, that of a property beside its name.
(member_defn (method_or_prop_defn
  name: (property_or_ident [method: (identifier) (op_identifier)] @name)
  args: (typed_pattern [(paren_pattern) (const)] [(simple_type) (generic_type) (postfix_type) (type_argument)] @returns)
  "=" @body)) @definition.method
(member_defn (method_or_prop_defn
  name: (property_or_ident . (identifier) @name .)
  args: (typed_pattern [(paren_pattern) (const)] [(simple_type) (generic_type) (postfix_type) (type_argument)] @returns)
  "=" @body)) @definition.method
(member_defn (method_or_prop_defn
  name: (property_or_ident [method: (identifier) (op_identifier)] @name)
  !args . [(simple_type) (generic_type) (postfix_type) (type_argument)] @returns "=" @body)) @definition.property
(member_defn (method_or_prop_defn name: (property_or_ident method: (identifier) @name) !args "="? @body)) @definition.property
(member_defn (method_or_prop_defn name: (property_or_ident . (identifier) @name .) !args "="? @body)) @definition.property
(member_defn (method_or_prop_defn name: (property_or_ident [method: (identifier) (op_identifier)] @name) "="? @body)) @definition.method
(member_defn (method_or_prop_defn name: (property_or_ident . (identifier) @name .) "="? @body)) @definition.method
(member_defn . (property_or_ident . (identifier) @name .)) @definition.property
(member_defn (member_signature . (identifier) @name (curried_spec (arguments_spec) [(simple_type) (generic_type) (postfix_type)]? @returns))) @definition.method
(member_defn (member_signature . (identifier) @name (curried_spec . (_) @type .))) @definition.property
(member_defn (additional_constr_defn "new" @name "=" @body)) @definition.method
(member_defn (value_declaration (function_or_value_defn (value_declaration_left (identifier_pattern . (long_identifier_or_op (identifier) @name) .))))) @definition.field

[(line_comment) (block_comment) (xml_doc) (attributes)] @comment

; --- references

; `f x`, `cart.Add x`, `f<int> x`, `(load cart).Total()`.
(application_expression . [
  (long_identifier_or_op . (identifier) @reference.call)
  (long_identifier_or_op (long_identifier (identifier)+ @receiver . (identifier) @reference.call .))
  (typed_expression . (long_identifier_or_op . (identifier) @reference.call))
  (typed_expression . (long_identifier_or_op (long_identifier (identifier)+ @receiver . (identifier) @reference.call .)))
  (dot_expression base: (_) @receiver field: (long_identifier_or_op . (identifier) @reference.call))])
; In `a + f x` the grammar reads `(a + f) x`.
(application_expression . (infix_expression (infix_op) . [
  (long_identifier_or_op . (identifier) @reference.call)
  (long_identifier_or_op (long_identifier (identifier)+ @receiver . (identifier) @reference.call .))
  (dot_expression base: (_) @receiver field: (long_identifier_or_op . (identifier) @reference.call))] .))
; Pipes: `x |> f`, `f <| x`, and the functions that `>>` joins.
((infix_expression (infix_op) @_op . [
    (long_identifier_or_op . (identifier) @reference.call)
    (long_identifier_or_op (long_identifier (identifier)+ @receiver . (identifier) @reference.call .))] .)
  (#any-of? @_op "|>" "||>" "|||>" ">>" ">>=" ">=>" "<<" "<!>" "<*>"))
((infix_expression . [
    (long_identifier_or_op . (identifier) @reference.call)
    (long_identifier_or_op (long_identifier (identifier)+ @receiver . (identifier) @reference.call .))] . (infix_op) @_op)
  (#any-of? @_op "<|" "<||" ">>" "<<" ">=>" "<!>"))
; Functions that are passed.
(application_expression (_) . [
  (long_identifier_or_op . (identifier) @reference.value)
  (long_identifier_or_op (long_identifier (identifier)+ @receiver . (identifier) @reference.value .))])
(object_expression "new" (long_identifier_or_op . (identifier) @reference.call))
(attribute (simple_type (long_identifier (identifier) @reference.call .)))

(class_inherits_decl (simple_type (long_identifier (identifier)* @receiver . (identifier) @inherits .)))
(class_inherits_decl (generic_type . (long_identifier (identifier)* @receiver . (identifier) @inherits .)))
(interface_implementation . (simple_type (long_identifier (identifier)* @receiver . (identifier) @inherits .)))
(interface_implementation . (generic_type . (long_identifier (identifier)* @receiver . (identifier) @inherits .)))

; --- imports

(import_decl (long_identifier) @import.module @import.star)
(module_abbrev (identifier) @import.alias (long_identifier) @import.module)

; --- local types

(argument_patterns [
  (long_identifier . (identifier) @param .)
  (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type)
  (paren_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type))
  (paren_pattern (repeat_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type)))])
(value_declaration_left (identifier_pattern (long_identifier_or_op) [
  (identifier_pattern (long_identifier_or_op (identifier) @param))
  (typed_pattern (paren_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type)))
  (typed_pattern (paren_pattern (repeat_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type))))
  (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)))
  (paren_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type))
  (paren_pattern (repeat_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type)))]))
(fun_expression (argument_patterns [
  (long_identifier . (identifier) @local .)
  (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @local)) . (_) @type)
  (_ (identifier_pattern (long_identifier_or_op (identifier) @local)))
  (_ (_ (identifier_pattern (long_identifier_or_op (identifier) @local))))])) @within
; The first name of a member is its object.
((type_definition [
    (anon_type_defn (type_name type_name: [(identifier) @type (long_identifier (identifier) @type .)])
      block: (type_extension_elements [
        (member_defn (method_or_prop_defn name: (property_or_ident instance: (identifier) @local)))
        (interface_implementation (member_defn (method_or_prop_defn name: (property_or_ident instance: (identifier) @local))))]))
    (record_type_defn (type_name type_name: [(identifier) @type (long_identifier (identifier) @type .)])
      (type_extension_elements (member_defn (method_or_prop_defn name: (property_or_ident instance: (identifier) @local)))))
    (union_type_defn (type_name type_name: [(identifier) @type (long_identifier (identifier) @type .)])
      (type_extension_elements (member_defn (method_or_prop_defn name: (property_or_ident instance: (identifier) @local)))))
    (type_extension (type_name type_name: [(identifier) @type (long_identifier (identifier) @type .)])
      (type_extension_elements (member_defn (method_or_prop_defn name: (property_or_ident instance: (identifier) @local)))))])
  (#not-match? @local "^__?$"))
(method_or_prop_defn args: [
  (identifier_pattern (long_identifier_or_op (identifier) @param))
  (typed_pattern (paren_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type)))
  (typed_pattern (paren_pattern (repeat_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type))))
  (paren_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)))
  (paren_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type))
  (paren_pattern (repeat_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @param)) . (_) @type)))
  (paren_pattern (repeat_pattern (identifier_pattern (long_identifier_or_op (identifier) @param))))])
; What a class is made with is a variable of all its members.
(anon_type_defn (primary_constr_args [
  (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @local)) . (_) @type)
  (repeat_pattern (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @local)) . (_) @type))])) @within
(function_or_value_defn (value_declaration_left (identifier_pattern (long_identifier_or_op (identifier) @local)))
  [(simple_type) (generic_type) (postfix_type) (type_argument)] @type)
(function_or_value_defn (value_declaration_left (identifier_pattern (long_identifier_or_op (identifier) @local))) body: (_) @value)
(function_or_value_defn (value_declaration_left [
  (_ (identifier_pattern (long_identifier_or_op (identifier) @local)))
  (_ (_ (identifier_pattern (long_identifier_or_op (identifier) @local))))]))
(declaration_expression . (identifier) @local . (_) @value)
((rule pattern: [
    (identifier_pattern (long_identifier_or_op (identifier) @local))
    (_ (identifier_pattern (long_identifier_or_op (identifier) @local)))
    (_ (_ (identifier_pattern (long_identifier_or_op (identifier) @local))))
    (_ (_ (_ (identifier_pattern (long_identifier_or_op (identifier) @local)))))]) @within
  (#match? @local "^[a-z_]"))
((rule pattern: (typed_pattern (identifier_pattern (long_identifier_or_op (identifier) @local)) . (_) @type)) @within)
(for_expression . (identifier_pattern (long_identifier_or_op (identifier) @local)) . (_) @each) @within
(type_arguments (type_argument_defn (type_argument (identifier) @typevar)))
