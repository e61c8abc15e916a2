; grammar: tree_sitter_go
; cut: ^[)}\]]+[;,]?[ \t]*\n
; extensions: .go
; tests: *_test.go testdata/
; hidden: ^\w+ [a-z_]
; open-types: yes
; structural: yes
; type-calls: converts
; common: String Error Close Read Write Len Less Swap Unwrap MarshalJSON UnmarshalJSON ServeHTTP WriteString ReadFrom WriteTo
; type-decoration: \b(?:struct)\s+(?=\S)
; wrapper-types: Optional Option Lazy
; function-types: func
; type-words: map chan
; loops-over: positions
; capital-methods: yes
; any-type: any interface{} comparable
; modules: folder
; import-separator: /
; import-decoration: [/.]v\d+$|(?<=/)go-(?=[^/]*$)|[-.]go$
; binds: last
; manifest: go.mod ^module\s+(?P<name>\S+)
; null: nil
; expression: name identifier,package_identifier,field_identifier,type_identifier,true,false,iota,qualified_type
; expression: text interpreted_string_literal,raw_string_literal,rune_literal
; expression: number int_literal,float_literal,imaginary_literal
; expression: null nil
; expression: same parenthesized_expression 0
; expression: signed unary_expression operand
; expression: same expression_list 0
; expression: same literal_element 0
; expression: member selector_expression operand field
; expression: call call_expression function arguments
; expression: index index_expression operand index
; expression: index slice_expression operand
; expression: cast type_assertion_expression type
; expression: generic generic_type type type_arguments
; expression: conversion type_conversion_expression type
; expression: literal composite_literal type
; expression: key keyed_element 0 1

; --- definitions

(package_clause (package_identifier) @module)

(function_declaration name: (identifier) @name result: (_)? @returns body: (block)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])]))
  name: (field_identifier) @name result: (_)? @returns body: (block)? @body) @definition.method

; A declaration alone takes its keyword along, in a group `type (…)` each stands for itself.
((type_declaration . (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))) @definition.struct (#not-match? @definition.struct "^type\\s*[(]"))
((type_declaration . (type_spec name: (type_identifier) @name type: (interface_type "{" @body))) @definition.interface (#not-match? @definition.interface "^type\\s*[(]"))
((type_declaration . (type_spec name: (type_identifier) @name type: (_) @type)) @definition.type (#not-match? @definition.type "^type\\s*[(]"))
((type_declaration . (type_alias name: (type_identifier) @name type: (_) @type)) @definition.type (#not-match? @definition.type "^type\\s*[(]"))
(type_declaration "(" (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct)
(type_declaration "(" (type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface)
(type_declaration "(" (type_spec name: (type_identifier) @name type: (_) @type) @definition.type)
(type_declaration "(" (type_alias name: (type_identifier) @name type: (_) @type) @definition.type)

((source_file (var_declaration . (var_spec . name: (identifier) @name value: (expression_list
  . (func_literal result: (_)? @returns body: (block) @body) .))) @definition.function)
  (#not-match? @definition.function "^var\\s*[(]"))
(source_file (var_declaration (var_spec_list (var_spec . name: (identifier) @name value: (expression_list
  . (func_literal result: (_)? @returns body: (block) @body) .)) @definition.function)))
((source_file (const_declaration . [
  (const_spec . name: (identifier) @name . type: (_)? @type . "=")
  (const_spec . name: (identifier) @name .)]) @definition.constant)
  (#not-match? @definition.constant "^const\\s*[(]"))
(source_file (const_declaration "(" [
  (const_spec . name: (identifier) @name . type: (_)? @type . "=") @definition.constant
  (const_spec . name: (identifier) @name .) @definition.constant]))
((source_file (var_declaration . [
  (var_spec . name: (identifier) @name . type: (_)? @type . "=")
  (var_spec . name: (identifier) @name . type: (_) @type .)]) @definition.variable)
  (#not-match? @definition.variable "^var\\s*[(]"))
(source_file (var_declaration (var_spec_list [
  (var_spec . name: (identifier) @name . type: (_)? @type . "=") @definition.variable
  (var_spec . name: (identifier) @name . type: (_) @type .) @definition.variable])))
; Of several names each is a definition of its own.
(source_file (const_declaration (const_spec name: (identifier) @name @definition.constant . ",")))
(source_file (const_declaration (const_spec "," . name: (identifier) @name @definition.constant)))
(source_file (var_declaration [
  (var_spec name: (identifier) @name @definition.variable . "," type: (_)? @type)
  (var_spec_list (var_spec name: (identifier) @name @definition.variable . "," type: (_)? @type))]))
(source_file (var_declaration [
  (var_spec "," . name: (identifier) @name @definition.variable type: (_)? @type)
  (var_spec_list (var_spec "," . name: (identifier) @name @definition.variable type: (_)? @type))]))

(field_declaration . name: (field_identifier) @name . type: (_) @type) @definition.field
(field_declaration name: (field_identifier) @name @definition.field . "," type: (_) @type)
(field_declaration "," . name: (field_identifier) @name @definition.field type: (_) @type)
; An embedded type is a field of its name.
(field_declaration !name type: [
  (type_identifier) @name @type
  (qualified_type name: (type_identifier) @name) @type
  (generic_type type: [(type_identifier) @name (qualified_type name: (type_identifier) @name)]) @type]) @definition.field
(method_elem name: (field_identifier) @name result: (_)? @returns) @definition.method

(comment) @comment

; --- references

(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call))
; Tables of functions: what a field of a struct holds, or an element of a list or map.
(composite_literal type: [(type_identifier) @table (qualified_type name: (type_identifier) @table)]
  body: (literal_value (keyed_element . (literal_element (identifier) @entry) (literal_element (identifier) @value))))
(var_spec name: (identifier) @table value: (expression_list (composite_literal body: (literal_value [
  (keyed_element (_) (literal_element (identifier) @value @entries))
  (literal_element (identifier) @value @entries)]))))
; `f[T](x)`: the grammar takes it for a conversion, or with more arguments for an element.
(call_expression function: (index_expression operand: (identifier) @reference.call))
(call_expression function: (index_expression operand: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call)))
(type_conversion_expression type: (generic_type type: [
  (type_identifier) @reference.call
  (qualified_type package: (_) @receiver name: (type_identifier) @reference.call)]))
; `f[T](x)`
(type_conversion_expression type: (generic_type type: [
  (type_identifier) @reference.call
  (qualified_type package: (_) @receiver name: (type_identifier) @reference.call)]))
(composite_literal type: [
  (type_identifier) @reference.value
  (qualified_type package: (_) @receiver name: (type_identifier) @reference.value)
  (generic_type type: [
    (type_identifier) @reference.value
    (qualified_type package: (_) @receiver name: (type_identifier) @reference.value)])])
(call_expression function: (identifier) @_new arguments: (argument_list . [
    (type_identifier) @reference.value
    (qualified_type package: (_) @receiver name: (type_identifier) @reference.value)
    (generic_type type: (type_identifier) @reference.value)])
  (#eq? @_new "new"))

(field_declaration !name type: [
  (type_identifier) @inherits
  (qualified_type package: (_) @receiver name: (type_identifier) @inherits)
  (generic_type type: [
    (type_identifier) @inherits
    (qualified_type package: (_) @receiver name: (type_identifier) @inherits)])])
(interface_type (type_elem . [
  (type_identifier) @inherits
  (qualified_type package: (_) @receiver name: (type_identifier) @inherits)
  (generic_type type: (type_identifier) @inherits)] .))

; functions as values
(argument_list [
  (identifier) @reference.value
  (selector_expression operand: (identifier) @receiver field: (field_identifier) @reference.value)])
(keyed_element (_) . (literal_element [
  (identifier) @reference.value
  (selector_expression operand: (identifier) @receiver field: (field_identifier) @reference.value)]))
(short_var_declaration right: (expression_list (identifier) @reference.value))
(assignment_statement right: (expression_list (identifier) @reference.value))
(return_statement (expression_list (identifier) @reference.value))

(assignment_statement left: (expression_list (selector_expression field: (field_identifier) @written)))

; --- imports

(import_spec !name path: (_) @import.module)
(import_spec name: [(package_identifier) (blank_identifier)] @import.alias path: (_) @import.module)
(import_spec name: (dot) @import.star path: (_) @import.module)

; --- local types

(function_declaration parameters: (parameter_list (parameter_declaration name: (identifier) @param type: (_) @type)))
(method_declaration parameters: (parameter_list (parameter_declaration name: (identifier) @param type: (_) @type)))
(parameter_declaration name: (identifier) @local type: (_) @type)
(func_literal parameters: (parameter_list (parameter_declaration name: (identifier) @local type: (_) @type))) @within
(variadic_parameter_declaration name: (identifier) @local "..." @many type: (_) @type)
(var_spec name: (identifier) @local type: (_) @type)
(var_spec . name: (identifier) @local . value: (expression_list . (_) @value .))
(short_var_declaration left: (expression_list . (identifier) @local .)
  right: (expression_list . (func_literal "func" @alias parameters: (_) @alias result: (_) @alias) .))
(var_spec . name: (identifier) @local . "," value: (expression_list . (_) @value .))
(short_var_declaration left: (expression_list . (identifier) @local .) right: (expression_list . (_) @value .))
(short_var_declaration left: (expression_list (_) . "," . (_)) @unpack right: (expression_list . (call_expression) @value .))
(assignment_statement left: (expression_list (_) . "," . (_)) @unpack right: (expression_list . (call_expression) @value .))
(short_var_declaration left: (expression_list . (identifier) @local .) right: (expression_list . (unary_expression "<-" operand: (_) @each) .))
(receive_statement left: (expression_list . (identifier) @local) right: (unary_expression operand: (_) @each))
; What a type, a map or a channel gives, and whether it did.
(short_var_declaration left: (expression_list . (identifier) @local . "," . (identifier) .)
  right: (expression_list . (unary_expression "<-" operand: (_) @each) .))
(short_var_declaration left: (expression_list . (identifier) @local . "," . (identifier) .)
  right: (expression_list . [(type_assertion_expression) (index_expression) (unary_expression)] @value .))
(short_var_declaration left: (expression_list . (identifier) . "," . (identifier) @local .)
  right: (expression_list . [(type_assertion_expression) (index_expression) (unary_expression)] .))
(assignment_statement left: (expression_list . (identifier) @local . "," . (identifier) .)
  right: (expression_list . [(type_assertion_expression) (index_expression) (unary_expression)] @value .))
(short_var_declaration left: (expression_list . (identifier) @local . "," . (identifier)) right: (expression_list . (_) @value . "," . (_)))
(short_var_declaration left: (expression_list (identifier) . "," . (identifier) @local .) right: (expression_list (_) . "," . (_) @value .))
(assignment_statement left: (expression_list . (identifier) @local .) right: (expression_list . (_) @value .))
(short_var_declaration left: (expression_list . (identifier) @local .) right: (expression_list
  . (call_expression function: (identifier) @_new arguments: (argument_list . (_) @type)) .)
  (#any-of? @_new "new" "make"))
(assignment_statement left: (expression_list . (selector_expression operand: (identifier) @receiver field: (field_identifier) @field) .)
  right: (expression_list . (_) @value .))
(range_clause left: (expression_list . (identifier) @local .) right: (_) @each)
(range_clause left: (expression_list (_) . "," . (_)) @unpack right: (_) @pairs)
(type_switch_statement alias: (expression_list (identifier) @local) (type_case . type: (_) @type . ":") @within)
(type_switch_statement alias: (expression_list (identifier) @local) value: (_) @value (type_case . type: (_) . "," ) @within)
(type_switch_statement alias: (expression_list (identifier) @local) value: (_) @value (default_case) @within)
(assignment_statement left: (expression_list (identifier) @reassigned))
; A name ends with the statement or block that it is declared in.
(if_statement initializer: (short_var_declaration left: (expression_list (identifier) @local))) @within
(for_statement (for_clause initializer: (short_var_declaration left: (expression_list (identifier) @local)))) @within
(for_statement (range_clause left: (expression_list (identifier) @local)) body: (_) @within)
(expression_switch_statement initializer: (short_var_declaration left: (expression_list (identifier) @local))) @within
(statement_list (short_var_declaration left: (expression_list (identifier) @local))) @within
(type_parameter_declaration name: (identifier) @typevar type: (_) @type)
