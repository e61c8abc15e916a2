; grammar: tree_sitter_rust
; blank: ^([ \t]*)((?P<use>(?:cfg_(?!if!)|if_)\w{1,40})!\s?\{)[ \t]*$(?:\n(?!\1(?:\}|cfg_|if_\w+!))[^\n]*)*+\n\1(\})
; item-chains: cfg_if
; blank: (\$)crate\b
; cut: ^[)}\]]+[;,]?[ \t]*\n
; extensions: .rs
; common: as_mut as_ref as_str as_bytes as_slice into_iter into_inner to_owned to_string to_vec is_empty is_some is_none is_ok is_err unwrap_or unwrap_or_else unwrap_or_default map_err and_then or_else try_from try_into from_str poll_ready poll_next poll_frame status_mut headers_mut extensions_mut size_hint is_end_stream
; tests: tests/ test.rs tests.rs *_test.rs *_tests.rs test_*.rs
; hidden: ^(?!.*\bpub\b)(?!function _)
; twins: .
; open-types: yes
; lookup: file imports peers stars macros
; self: self Self
; class-members: new default
; self-type: Self
; type-decoration: \b(?:const|mut|dyn|impl|ref)\s+(?=\S)|'\w+\s+(?=\w)|'_\b
; wrapper-types: Box Rc Arc Pin Cow Weak Ref RefMut NonNull Future Lazy
; loops-over: pairs
; operators: + add - sub * mul / div % rem
; runs: item index
; runs: deref deref
; union-types: Either
; function-types: fn Fn FnMut FnOnce
; modules: path
; index: mod lib main
; roots: src
; import-lookup: tree
; tree-words: crate self super
; import-separator: ::
; binds: last
; re-exports: yes
; root-files: lib main tests/ examples/ benches/ src/bin/
; manifest: Cargo.toml ^\[(?:package|lib)\]\s*\n(?:(?!\[)[^\n]*\n)*?name\s*=\s*"(?P<name>[^"]+)"
; manifest: Cargo.toml ^path\s*=\s*"(?P<root>[^"]+\.rs)"
; manifest: Cargo.toml ^(?P<alias>[\w-]+)\s*=\s*\{[^}\n]*\bpackage\s*=\s*"(?P<package>[^"]+)"
; null: None
; expression: name identifier,type_identifier,field_identifier,self,super,crate,boolean_literal,shorthand_field_identifier,primitive_type
; expression: text string_literal,raw_string_literal,char_literal
; expression: number integer_literal,float_literal
; expression: same parenthesized_expression 0
; expression: signed reference_expression value
; expression: signed unary_expression 0
; expression: same expression_statement 0
; expression: same assignment_expression right
; expression: last block
; expression: last unsafe_block
; expression: member field_expression value field
; expression: member scoped_identifier path name
; expression: member scoped_type_identifier path name
; expression: step await_expression 0 .await
; expression: step try_expression 0 [>]
; expression: call call_expression function arguments
; expression: same generic_function function
; expression: same generic_type type
; expression: same bracketed_type 0
; expression: index index_expression 0 1
; expression: binary binary_expression left operator right
; expression: cast type_cast_expression type
; expression: call struct_expression name
; expression: same generic_type_with_turbofish type
; expression: either if_expression consequence alternative
; expression: same else_clause 0
; expression: number range_expression
; expression: row token_tree
; expression: list array_expression
; expression: list tuple_expression
; expression: key field_initializer field value
; expression: key shorthand_field_initializer identifier identifier
; expression: key field_pattern name pattern
; expression: call struct_pattern type
; expression: labelled type_binding name type
; What is blanked is the frame of a macro such as `cfg_rt! { … }`, which puts the items in it under a condition.

; --- definitions

(function_item name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name return_type: (_)? @returns) @definition.function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.enum_member
(enum_variant name: (identifier) @variant body: (ordered_field_declaration_list type: (_) @payload))
(enum_variant name: (identifier) @variant body: (field_declaration_list (field_declaration name: (_) @key type: (_) @payload)))
(struct_item body: (ordered_field_declaration_list type: (_) @payload))
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(mod_item name: (identifier) @name body: (_) @body) @definition.module
(type_item name: (type_identifier) @name type: (_) @type) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(macro_definition name: (identifier) @name . (macro_rule) @body) @definition.macro
(macro_definition name: (identifier) @name) @definition.macro
(source_file (const_item name: (identifier) @name type: (_) @type) @definition.constant)
(declaration_list (const_item name: (identifier) @name type: (_) @type) @definition.constant)
(source_file (static_item name: (identifier) @name type: (_) @type) @definition.variable)
(declaration_list (static_item name: (identifier) @name type: (_) @type) @definition.variable)
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field

; An impl block is named by its type, whatever is wrapped around the type's name.
(impl_item type: [
    (type_identifier) @name
    (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
    (scoped_type_identifier name: (type_identifier) @name)
    (reference_type type: [
      (type_identifier) @name
      (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
      (scoped_type_identifier name: (type_identifier) @name)
      (primitive_type) @name
      (array_type) @name
      (dynamic_type) @name])
    (dynamic_type trait: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
    (primitive_type) @name
    (array_type) @name
    (tuple_type) @name
    (unit_type) @name
    (pointer_type) @name
    (function_type) @name
    (bounded_type) @name]
  body: (_) @body) @scope

[(line_comment) (block_comment)] @comment
; Attributes between a doc comment and its item.
([(line_comment) (block_comment)] . (attribute_item) @comment)
([(line_comment) (block_comment)] . (attribute_item) . (attribute_item) @comment)
([(line_comment) (block_comment)] . (attribute_item) . (attribute_item) . (attribute_item) @comment)

; --- references

; What stands in these attributes is no call.
((attribute_item (attribute (identifier) @_attribute arguments: (token_tree) @silent))
 (#any-of? @_attribute "cfg" "cfg_attr" "derive" "allow" "warn" "deny" "expect" "doc" "repr"))
(lifetime (identifier) @silent)
; The attributes of the language itself are no definitions of that name.
((attribute_item (attribute . (identifier) @silent))
 (#any-of? @silent "bench" "cfg" "cfg_attr" "cold" "default" "derive" "ignore" "inline" "macro_export" "macro_use" "must_use" "no_mangle" "non_exhaustive" "path" "repr" "should_panic" "test" "track_caller"))
((inner_attribute_item (attribute (identifier) @_attribute arguments: (token_tree) @silent))
 (#any-of? @_attribute "cfg" "cfg_attr" "allow" "warn" "deny" "expect" "doc"))
((token_tree . "[" . (identifier) @_attribute . (token_tree) . "]") @silent
 (#any-of? @_attribute "cfg" "cfg_attr" "derive" "allow" "warn" "deny" "expect" "doc" "repr"))
((macro_invocation macro: (identifier) @_cfg (token_tree) @silent) (#eq? @_cfg "cfg"))

(call_expression function: [
  (identifier) @reference.call
  (field_expression value: (_) @receiver field: (field_identifier) @reference.call)
  (scoped_identifier !path name: (identifier) @reference.call)
  (scoped_identifier path: (self) name: (identifier) @reference.call)
  (scoped_identifier path: [(identifier) (scoped_identifier) (super) (crate) (metavariable)] @receiver name: (identifier) @reference.call)
  (scoped_identifier path: (generic_type type: (_) @receiver) name: (identifier) @reference.call)
  (scoped_identifier path: (bracketed_type [(qualified_type type: (_) @receiver) (type_identifier) @receiver (generic_type type: (_) @receiver)])
    name: (identifier) @reference.call)])
(call_expression function: (generic_function function: [
  (identifier) @reference.call
  (field_expression value: (_) @receiver field: (field_identifier) @reference.call)
  (scoped_identifier path: (self) name: (identifier) @reference.call)
  (scoped_identifier path: [(identifier) (scoped_identifier) (super) (crate)] @receiver name: (identifier) @reference.call)
  (scoped_identifier path: (generic_type type: (_) @receiver) name: (identifier) @reference.call)]))
(macro_invocation macro: [
  (identifier) @reference.call
  (scoped_identifier path: (_) @receiver name: (identifier) @reference.call)])
(struct_expression name: [
  (type_identifier) @reference.call
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.call)
  (generic_type_with_turbofish type: [
    (type_identifier) @reference.call
    (scoped_identifier path: (_) @receiver name: (identifier) @reference.call)])])
; A macro's arguments are tokens: `name(…)`, `a.name(…)`, `A::name(…)`. The first match of a name wins, so the bare one comes last.
(token_tree [(identifier) (self) (crate) (super)] @receiver . (["." "::"] @receiver . (identifier) @receiver)+
  . ["." "::"] . [(identifier) "default"] @reference.call . (token_tree . "("))
(token_tree [(identifier) (self) (crate) (super) (token_tree)] @receiver . ["." "::"] . [(identifier) "default"] @reference.call
  . (token_tree . "("))
(token_tree ["." "::"] @receiver . (identifier) @reference.call . (token_tree . "("))
(token_tree (identifier) @reference.call . (token_tree . "("))

(trait_item bounds: (trait_bounds [
  (type_identifier) @inherits
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @inherits)
  (generic_type type: [(type_identifier) @inherits (scoped_type_identifier path: (_) @receiver name: (type_identifier) @inherits)])]))
(impl_item trait: [
  (type_identifier) @inherits
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @inherits)
  (generic_type type: [(type_identifier) @inherits (scoped_type_identifier path: (_) @receiver name: (type_identifier) @inherits)])])

; A function that is passed, or kept in a field.
(call_expression function: (_) @callee arguments: (arguments (identifier) @argument.name))
(arguments (scoped_identifier path: (_) @receiver name: (identifier) @reference.value))
(field_initializer value: [(identifier) @reference.value (scoped_identifier path: (_) @receiver name: (identifier) @reference.value)])

(binary_expression left: [(identifier) (field_expression) (call_expression)] @runs.operator operator: _ @sign)

(assignment_expression left: (tuple_expression (field_expression field: (field_identifier) @written)))

; --- imports

(use_declaration argument: (_) @import.tree)
(extern_crate_declaration name: (identifier) @import.module alias: (identifier)? @import.alias)
(mod_item name: (identifier) @import.module !body)

; --- local types

; A variable ends with its block.
[(block) (match_arm) (for_expression) (if_expression) (while_expression) (closure_expression)] @block
(parameter pattern: (identifier) @param type: (_) @type)
(parameter pattern: (mut_pattern (identifier) @param) type: (_) @type)
(let_declaration pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local value: (_) @value)
(let_declaration pattern: (tuple_pattern) @unpack value: (_) @value)
(for_expression pattern: (identifier) @local value: (_) @each)
; What Some and Ok hold is entered. What another variant holds is not known, and only hides.
(let_condition pattern: (tuple_struct_pattern type: (identifier) @_some
    . [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local)] .) value: (_) @enter
  (#any-of? @_some "Some" "Ok"))
(let_declaration pattern: (tuple_struct_pattern type: (identifier) @_some
    . [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local)] .) value: (_) @enter
  (#any-of? @_some "Some" "Ok"))
(match_expression value: (_) @enter body: (match_block (match_arm pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_some
    . [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local)] .))) @within)
  (#any-of? @_some "Some" "Ok"))
(match_arm pattern: (match_pattern (tuple_struct_pattern type: (_) . (_)
  [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local)]))) @within
(match_arm pattern: (match_pattern (tuple_struct_pattern type: [(scoped_identifier) (identifier) @_variant]
    [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local)])) (#not-match? @_variant "^(Some|Ok)$")) @within
(let_condition pattern: (tuple_struct_pattern type: [(scoped_identifier) (identifier) @_variant]
    [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local)]) (#not-match? @_variant "^(Some|Ok)$"))
(for_expression pattern: (tuple_pattern) @unpack value: (_) @each)
(let_condition pattern: (tuple_struct_pattern type: (identifier) @_some . (ref_pattern (mut_pattern (identifier) @local)) .) value: (_) @enter
  (#any-of? @_some "Some" "Ok"))
(let_condition pattern: (tuple_pattern) @unpack value: (_) @value)
(let_condition pattern: (tuple_struct_pattern type: (identifier) @_some . (tuple_pattern) @unpack .) value: (_) @enter
  (#any-of? @_some "Some" "Ok"))
(parameter pattern: (tuple_pattern) @unpack type: (_) @alias)
(closure_expression parameters: (closure_parameters (tuple_pattern) @unpack)) @within
(call_expression function: (_) @callee arguments: (arguments
  (closure_expression parameters: (closure_parameters (tuple_pattern) @unpack)) @within))
; A variant of an enum, or a class, and what it holds.
((tuple_struct_pattern type: [(identifier) (scoped_identifier)] @variant
    [(identifier) @held (mut_pattern (identifier) @held) (ref_pattern (identifier) @held)]) (#not-match? @variant "^(Some|Ok|Err)$"))
(struct_pattern type: (_) @variant (field_pattern name: (field_identifier) @key pattern: [(identifier) @held (ref_pattern (identifier) @held)]))
(struct_pattern type: (_) @variant (field_pattern name: (shorthand_field_identifier) @held @member))
; `let Point { x, .. } = point`
(let_declaration pattern: (struct_pattern (field_pattern name: (shorthand_field_identifier) @member)) value: (_) @value)
(let_condition pattern: (struct_pattern (field_pattern name: (shorthand_field_identifier) @member)) value: (_) @value)
(closure_expression parameters: (closure_parameters [(identifier) @local (reference_pattern (identifier) @local)])) @within
(call_expression function: (_) @callee arguments: (arguments
  (closure_expression parameters: (closure_parameters [(identifier) @local (reference_pattern (identifier) @local)])) @within))
(closure_expression parameters: (closure_parameters (parameter pattern: (identifier) @local type: (_) @type))) @within
(assignment_expression left: (identifier) @assigned right: (_) @value)
(assignment_expression left: (field_expression value: (self) @receiver field: (field_identifier) @field) right: (_) @value)
(type_parameter name: (type_identifier) @typevar)
(type_parameter name: (type_identifier) @typevar
  bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type) (function_type)] @type))
(where_predicate left: (type_identifier) @typevar
  bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type) (function_type)] @type))
