; grammar: tree_sitter_solidity
; cut: ^[)}\]]+[;,]?[ \t]*\n
; lookup: class file imports peers stars
; extension-methods: yes
; extensions: .sol
; tests: *.t.sol test/ tests/
; linear-bases: last
; self: this
; super: super
; constructors: constructor
; implicit-super: yes
; re-exports: yes
; modules: file
; import-separator: /
; binds: last
; manifest: package.json ^\s*"name":\s*"(?P<name>[^"]+)"
; variadic: ...
; type-decoration: \b(?:storage|memory|calldata|payable|indexed)\b\s*
; literal-types: string bytes | bytes1 | uint uint256 uint128 uint64 uint32 uint8 int int256 int128 int64 | ufixed fixed | bool
; expression: name identifier,primitive_type,true,false,boolean_literal
; expression: text string_literal
; expression: number number_literal
; expression: same expression 0
; expression: same parenthesized_expression 0
; expression: same assignment_expression right
; expression: member member_expression object property
; expression: call call_expression function call_argument
; expression: call struct_expression type
; expression: index array_access base index
; expression: new new_expression name
; expression: either ternary_expression 1 2
; expression: call type_cast_expression 0

; --- definitions

(contract_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
; There is only one of a library, and its functions are called through its name.
(library_declaration name: (identifier) @name body: (_) @body) @definition.object
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_value) @name @definition.enum_member
(user_defined_type_definition name: (identifier) @name (primitive_type) @type) @definition.type

(function_definition name: (identifier) @name
  return_type: (return_type_definition . (parameter type: (_) @returns) .) body: (_)? @body) @definition.function
(function_definition name: (identifier) @name body: (_)? @body) @definition.function
(constructor_definition "constructor" @name body: (_) @body) @definition.method
(fallback_receive_definition ["receive" "fallback"] @name body: (_)? @body) @definition.method
(yul_function_definition . (yul_identifier (identifier) @name) (yul_block) @body) @definition.function
; What is run by its name: a modifier before the function, an event by `emit`, an error by `revert`.
(modifier_definition name: (identifier) @name body: (_)? @body) @definition.function
(event_definition name: (identifier) @name) @definition.function
(error_declaration name: (identifier) @name) @definition.function

(constant_variable_declaration type: (_) @type name: (identifier) @name) @definition.constant
(state_variable_declaration type: (_) @type "constant" name: (identifier) @name) @definition.constant
(state_variable_declaration type: (_) @type name: (identifier) @name) @definition.field
(struct_member type: (_) @type name: (identifier) @name) @definition.field

(comment) @comment

; --- references

; `IERC20(token)`, a capital with one plain argument, is a conversion as a rule: a reference, no call.
((call_expression function: (expression [
    (identifier) @reference.value
    (member_expression object: (_) @receiver property: (identifier) @reference.value)])
  . (call_argument (expression)) .) (#match? @reference.value "^[A-Z]"))
((call_expression function: (expression [
    (identifier) @reference.call
    (member_expression object: (_) @receiver property: (identifier) @reference.call)])
  [("(" . ")") "," (call_argument (call_struct_argument))]) (#match? @reference.call "^[A-Z]"))
((call_expression function: (expression (identifier) @reference.call))
  (#not-match? @reference.call "^[A-Z]"))
((call_expression function: (expression (member_expression object: [
      (identifier)
      (expression [(member_expression) (call_expression) (array_access) (parenthesized_expression) (type_cast_expression)
        (payable_conversion_expression) (meta_type_expression)])] @receiver
    property: (identifier) @reference.call)))
  (#not-match? @reference.call "^[A-Z]") (#not-match? @receiver "^(abi|bytes|string)$"))
; The grammar takes `a + b.f()` for `(a + b).f()`, `!a.f()` for `(!a).f()`.
((call_expression function: (expression (member_expression object: (expression [
      (unary_expression argument: (_) @receiver)
      (binary_expression right: (expression [
        (identifier) @receiver (member_expression) @receiver (call_expression) @receiver (array_access) @receiver
        (unary_expression argument: (_) @receiver)
        (binary_expression right: (_) @receiver)]))])
    property: (identifier) @reference.call)))
  (#not-eq? @receiver "abi"))
(call_expression function: (expression [(identifier) @called (member_expression property: (identifier) @called)]) (call_argument) @arguments)
(call_expression function: (expression [(identifier) @called (member_expression property: (identifier) @called)]) . "(" . ")" @arguments)
; `f{value: 1}(x)`
(struct_expression type: (expression [
  (identifier) @reference.call
  (member_expression object: (_) @receiver property: (identifier) @reference.call)]))
(call_expression function: (expression [
  (new_expression name: (type_name (user_defined_type . (identifier) @reference.call .)))
  (struct_expression type: (expression (new_expression name: (type_name (user_defined_type . (identifier) @reference.call .)))))]))
; The grammar ends `new Module.Name` before the dot.
(member_expression object: (expression (new_expression name: (type_name (user_defined_type . (identifier) @receiver .))))
  property: (identifier) @reference.call)
(emit_statement name: (expression [
  (identifier) @reference.call
  (member_expression object: (_) @receiver property: (identifier) @reference.call)]))
(revert_statement error: (expression [
  (identifier) @reference.call
  (member_expression object: (_) @receiver property: (identifier) @reference.call)]))
(modifier_invocation . (identifier) @reference.call .)
(modifier_invocation . (identifier) @reference.call . "(")
(modifier_invocation . (identifier) @receiver . (identifier) @reference.call)
(yul_function_call function: (yul_identifier (identifier) @reference.call))

(inheritance_specifier ancestor: [
  (user_defined_type . (identifier) @inherits .)
  (user_defined_type (identifier) @receiver . (identifier) @inherits .)])

; Libraries and functions attached to a type, types asked about, functions as values.
(using_directive [
  (type_alias . (identifier) @reference.value .)
  (type_alias (identifier) @receiver . (identifier) @reference.value .)])
(using_alias [
  (user_defined_type . (identifier) @reference.value .)
  (user_defined_type (identifier) @receiver . (identifier) @reference.value .)])
(meta_type_expression (type_name (user_defined_type . (identifier) @reference.value .)))
((member_expression object: (expression (member_expression object: (_) @receiver property: (identifier) @reference.value))
  property: (identifier) @_selector) (#eq? @_selector "selector"))
((member_expression object: (identifier) @reference.value property: (identifier) @_selector) (#eq? @_selector "selector"))
(call_argument (expression (identifier) @reference.value))
((call_argument (expression (member_expression object: (identifier) @receiver property: (identifier) @reference.value)))
  (#match? @receiver "^[A-Z]"))

; --- imports

(import_directive "import" @import.star . source: (string) @import.module . ";")
(import_directive "import" . source: (string) @import.module . "as" . (identifier) @import.alias)
(import_directive "*" "as" . (identifier) @import.alias source: (string) @import.module)
(import_directive import_name: (identifier) @import.name . "as" . alias: (identifier) @import.alias source: (string) @import.module)
(import_directive import_name: (identifier) @import.name . ["," "}"] source: (string) @import.module)

; --- local types

(function_definition (parameter type: (_) @type name: (identifier) @param))
(constructor_definition (parameter type: (_) @type name: (identifier) @param))
(modifier_definition (parameter type: (_) @type name: (identifier) @param))
(return_type_definition (parameter type: (_) @type name: (identifier) @local))
(try_statement (parameter type: (_) @type name: (identifier) @local) body: (_) @within)
(catch_clause (parameter type: (_) @type name: (identifier) @local)) @within
(variable_declaration type: (_) @type name: (identifier) @local)
(source_file (function_definition name: (identifier) . (parameter type: (_) @type name: (identifier) @extended.parameter)))
(library_declaration body: (contract_body
  (function_definition name: (identifier) . (parameter type: (_) @type name: (identifier) @extended.parameter))))
