; grammar: tree_sitter_julia
; extensions: .jl
; shebangs: julia
; tests: test/ runtests.jl
; wrappers: macrocall_expression macro_argument_list
; constructors: <class>
; lookup: file imports peers stars global
; modules: declared
; roots: src
; import-separator: /
; binds: last
; re-exports: yes
; manifest: Project.toml ^name\s*=\s*"(?P<name>[^"]+)"
; blank: ^[ \t]+(const)[ \t]+\w+(?:[ \t]*::[^=\n]+)?$
; twins: (?:@static\s+)?if\b
; null: nothing
; variadic: ...
; type-mark: ::
; any-type: Any
; literal-types: String AbstractString | Char AbstractChar | Int Int64 Integer Signed Real Number | Float64 AbstractFloat Real Number | Bool
; expression: name identifier,macro_identifier,boolean_literal
; expression: text string_literal,command_literal,character_literal
; expression: number integer_literal,float_literal,comprehension_expression
; expression: same parenthesized_expression 0
; expression: same assignment -1
; expression: signed unary_expression 0
; expression: member field_expression value -1
; expression: member scoped_identifier 0 1
; expression: same parametrized_type_expression 0
; expression: call call_expression 0 1
; expression: call broadcast_call_expression 0 1
; expression: index index_expression 0 1
; expression: either ternary_expression 1 2
; expression: list vector_expression

; The blank is the `const` of a field, which the grammar does not know where no value follows.

; --- definitions

; The module that is all of a file is the file; another one is a definition.
(source_file . [(line_comment) (block_comment) (string_literal)]* . (module_definition name: (identifier) @module) .)
(source_file . [(line_comment) (block_comment) (string_literal)]* . (module_definition name: (identifier) @module) . (line_comment) .)
(source_file (module_definition name: (identifier) @name . (_)? @body) @definition.module
  . [(module_definition) (using_statement) (import_statement) (assignment) (call_expression) (macrocall_expression)])
(source_file [(module_definition) (using_statement) (import_statement) (assignment) (call_expression) (macrocall_expression) (struct_definition)]
  . (module_definition name: (identifier) @name . (_)? @body) @definition.module)
([(module_definition (module_definition name: (identifier) @name . (_)? @body) @definition.module)
  (compound_statement (module_definition name: (identifier) @name . (_)? @body) @definition.module)])

; The head of a function is `f(x)`, `Base.f(x)`, `Base.:+(x)`, `T{P}(x)` or `(x::T)(y)`, with `::R` and `where` behind it.
(function_definition (signature . [
    (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])])
    (typed_expression . (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])]) . (_) @returns)
    (where_expression . [(call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])])
      (typed_expression . (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])]) . (_) @returns)
      (where_expression . (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])]))])
    (identifier) @name]) . (_)? @body) @definition.function
(assignment . [
    (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])])
    (typed_expression . (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])]) . (_) @returns)
    (where_expression . [(call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])])
      (typed_expression . (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])]) . (_) @returns)
      (where_expression . (call_expression . [(identifier) @name (operator) @name (parenthesized_expression) @name (parametrized_type_expression . (identifier) @name)
      (field_expression value: (_) @owner [(identifier) @name (quote_expression [(operator) @name (_ (operator) @name)])])]))])] . (operator) . (_) @body) @definition.function
(macro_definition (signature (call_expression . [(identifier) (operator)] @name)) . (_)? @body) @definition.macro
([(const_statement (assignment . (identifier) @name . (operator) . [(arrow_function_expression (_) . (_) @body) (function_definition (signature . (argument_list)) . (_)? @body)])) @definition.function
  (module_definition (assignment . (identifier) @name . (operator) . [(arrow_function_expression (_) . (_) @body) (function_definition (signature . (argument_list)) . (_)? @body)]) @definition.function)
  (source_file (assignment . (identifier) @name . (operator) . [(arrow_function_expression (_) . (_) @body) (function_definition (signature . (argument_list)) . (_)? @body)]) @definition.function)])

(struct_definition (type_head . [(identifier) @name (_ . [(identifier) @name (_ . (identifier) @name)])]) . (_)? @body) @definition.struct
(primitive_definition (type_head . [(identifier) @name (_ . [(identifier) @name (_ . (identifier) @name)])])) @definition.struct
(abstract_definition (type_head . [(identifier) @name (_ . [(identifier) @name (_ . (identifier) @name)])])) @definition.class
(struct_definition [(identifier) @name @definition.field
  (typed_expression . (identifier) @name . (_) @type) @definition.field
  (assignment . [(identifier) @name (typed_expression . (identifier) @name . (_) @type)]) @definition.field
  (const_statement (assignment . [(identifier) @name (typed_expression . (identifier) @name . (_) @type)])) @definition.field
  (macrocall_expression (macro_argument_list [(identifier) @name (typed_expression . (identifier) @name . (_) @type)])) @definition.field])
((macrocall_expression (macro_identifier) @_enum (macro_argument_list . [(identifier) @name (typed_expression . (identifier) @name)] . (_) @body)) @definition.enum
  (#eq? @_enum "@enum"))
; Of members on the line of `@enum` those with a value: a bare one would take the whole macro call.
((macrocall_expression (macro_identifier) @_enum (macro_argument_list . (_) [
    (assignment . (identifier) @name @definition.enum_member)
    (compound_statement [(identifier) @name @definition.enum_member (assignment . (identifier) @name) @definition.enum_member])]))
  (#eq? @_enum "@enum"))

(const_statement (assignment . [(identifier) @name (parametrized_type_expression . (identifier) @name)] . (operator) . (parametrized_type_expression) @type)) @definition.type
(const_statement (assignment . [(identifier) @name (typed_expression . (identifier) @name . (_) @type)])) @definition.constant
([(module_definition (assignment . [(identifier) @name (typed_expression . (identifier) @name . (_) @type)]) @definition.variable)
  (source_file (assignment . [(identifier) @name (typed_expression . (identifier) @name . (_) @type)]) @definition.variable)
  (global_statement (assignment . [(identifier) @name (typed_expression . (identifier) @name . (_) @type)])) @definition.variable])

[(line_comment) (block_comment)] @comment
; A docstring stands above what it documents.
((string_literal) @comment . [(function_definition) (assignment) (macro_definition) (struct_definition) (abstract_definition)
  (primitive_definition) (const_statement) (module_definition) (macrocall_expression) (typed_expression)])
((prefixed_string_literal) @comment . [(function_definition) (assignment) (macro_definition) (struct_definition) (abstract_definition) (macrocall_expression)])
((macrocall_expression (macro_identifier) @_doc) @comment
  . [(function_definition) (assignment) (macro_definition) (struct_definition) (abstract_definition) (const_statement) (macrocall_expression)]
  (#eq? @_doc "@doc"))
(source_file (string_literal) @doc . (module_definition))

; --- references

; Splats and keywords tell no number of arguments.
((call_expression . [(identifier) @called (parametrized_type_expression . (identifier) @called)
    (field_expression value: (_) (identifier) @called .)] . (argument_list) @arguments .) (#not-match? @arguments "\\.\\.\\.|;|[^=!<>]=[^=]"))
((call_expression . [(identifier) @reference.call (parametrized_type_expression . (identifier) @reference.call)
  (field_expression value: (_) @receiver (identifier) @reference.call .)]) (#not-eq? @reference.call "include"))
(broadcast_call_expression . [(identifier) @reference.call (field_expression value: (_) @receiver (identifier) @reference.call .)])
(macro_identifier [(identifier) @reference.call (scoped_identifier (_) @receiver . (identifier) @reference.call)])
((binary_expression (operator) @_pipe . (identifier) @reference.call) (#any-of? @_pipe "|>" "∘"))

(type_head (binary_expression . (_) . (operator) . [
  (identifier) @inherits
  (field_expression value: (_) @receiver (identifier) @inherits .)
  (parametrized_type_expression . [(identifier) @inherits (field_expression value: (_) @receiver (identifier) @inherits .)])]))

; Functions that are passed, and types; a single capital is a type variable.
([(argument_list [(identifier) @reference.value (named_argument (operator) . (identifier) @reference.value)])
  (typed_expression (_)? . (identifier) @reference.value .)
  (unary_typed_expression (identifier) @reference.value)
  (curly_expression (identifier) @reference.value)
  (parametrized_type_expression . (identifier) @reference.value)] (#not-match? @reference.value "^[A-Z]$"))
((binary_expression (operator) @_of . (identifier) @reference.value) (#any-of? @_of "isa" "<:") (#not-match? @reference.value "^[A-Z]$"))

; --- imports

((call_expression . (identifier) @_include (argument_list (string_literal) @import.module .)) @import.star (#eq? @_include "include"))
((call_expression . (identifier) @_include (argument_list (call_expression . (identifier) @_join (argument_list (string_literal) @import.module .)) .)) @import.star
  (#eq? @_include "include") (#eq? @_join "joinpath"))
; `using` binds the module's name too.
(using_statement [(identifier) @import.module (import_path (identifier) @import.module) (scoped_identifier (_) . (identifier) @import.module .)]) @import.star
([(using_statement [(identifier) @import.module (import_path (identifier) @import.module)])
  (import_statement [(identifier) @import.module (import_path (identifier) @import.module)
    (import_alias . [(identifier) @import.module (import_path (identifier) @import.module)] . (identifier) @import.alias)])])
([(import_statement (scoped_identifier [(identifier) @import.module (scoped_identifier (_) . (identifier) @import.module .)] . (identifier) @import.name))
  (import_statement (import_alias . (scoped_identifier [(identifier) @import.module (scoped_identifier (_) . (identifier) @import.module .)]
    . (identifier) @import.name) . (identifier) @import.alias))
  (using_statement (scoped_identifier [(identifier) @import.module (scoped_identifier (_) . (identifier) @import.module .)] . (identifier) @import.name))])
(selected_import
  . [(identifier) @import.module (scoped_identifier (_) . (identifier) @import.module .)
    (import_path [(identifier) @import.module (scoped_identifier (_) . (identifier) @import.module .)])]
  [(identifier) @import.name (operator) @import.name (macro_identifier (identifier) @import.name)
    (import_alias . (identifier) @import.name . (identifier) @import.alias)])

; --- local types

(signature . [
  (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])])
  (call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])]))
  (_ . (call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])])))
  (_ . (_ . (call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])]))))])
(assignment . [
  (call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])]))
  (where_expression . [(call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])])) (_ . (call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])])))])
  (typed_expression . (call_expression (argument_list [(identifier) @param (typed_expression . (identifier) @param . (_) @type) (tuple_expression (identifier) @param)
    (splat_expression [(identifier) @param (typed_expression . (identifier) @param)]) (named_argument . [(identifier) @param (typed_expression . (identifier) @param . (_) @type)])])))])
(where_expression (_) . [(identifier) @local (binary_expression . (identifier) @local)
  (curly_expression [(identifier) @local (binary_expression . (identifier) @local)])])
(arrow_function_expression . [(identifier) @local (argument_list [(identifier) @local (typed_expression . (identifier) @local . (_) @type)])]) @within
(do_clause (argument_list [(identifier) @local (tuple_expression (identifier) @local) (typed_expression . (identifier) @local . (_) @type)])) @within
(assignment . [(identifier) @local (typed_expression . (identifier) @local . (_) @type)] . (operator) . (_) @value)
(compound_assignment_expression . (identifier) @local)
(assignment . [(tuple_expression) (open_tuple)] @unpack . (operator) . (_) @value)
(for_statement (for_binding . (identifier) @local (operator) . (_) @each))
(for_statement (for_binding . (tuple_expression) @unpack (operator) . (_) @each))
(_ (for_clause (for_binding . (identifier) @local (operator) . (_) @each))) @within
(_ (for_clause (for_binding . (tuple_expression) @unpack (operator) . (_) @each))) @within
(let_statement (let_binding . (identifier) @local)) @within
(catch_clause . (identifier) @local) @within
(local_statement (identifier) @local)
