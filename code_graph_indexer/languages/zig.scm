; grammar: tree_sitter_zig
; cut: ^[)}\]]+[;,]?[ \t]*\n
; extensions: .zig .zon
; tests: test_*.zig *_test.zig tests.zig tests/ test/
; called-from-outside: ^test\b
; hidden: ^(?!.*\b(?:pub|export)\b)
; self: self this
; class-members: init
; self-type: Self This @This
; type-decoration: \b(?:const|volatile|struct|enum|union)\s+(?=\S)|^(?:\w[\w.]*)?(?:\{[^{}]*\})?!
; function-types: fn
; type-of: type
; modules: file
; import-separator: /
; binds: last
; re-exports: yes
; null: null undefined void
; expression: name identifier,builtin_identifier,boolean
; expression: text string,multiline_string,character
; expression: number integer,float
; expression: null null
; expression: same parenthesized_expression 0
; expression: same try_expression 0
; expression: signed unary_expression argument
; expression: same null_coercion_expression 0
; expression: same dereference_expression 0
; expression: same comptime_expression 0
; expression: same pointer_type -1
; expression: same error_union_type 0
; expression: member field_expression object member
; expression: call call_expression function !
; expression: call builtin_function 0 arguments
; expression: index index_expression object index
; expression: either catch_expression 0
; expression: binary binary_expression left operator right
; expression: new struct_initializer 0

; --- definitions

; Methods of the type a generic function returns.
(return_expression [
  (struct_declaration (function_declaration name: (identifier) @name type: (_)? @returns body: (block)? @body) @definition.method)
  (union_declaration (function_declaration name: (identifier) @name type: (_)? @returns body: (block)? @body) @definition.method)
  (enum_declaration (function_declaration name: (identifier) @name type: (_)? @returns body: (block)? @body) @definition.method)])
(function_declaration name: (identifier) @name type: (_)? @returns body: (block)? @body) @definition.function
(test_declaration [(string . (string_content) @name) (identifier) @name] (block) @body) @definition.function

(variable_declaration . (identifier) @name (struct_declaration "{" @body) .) @definition.struct
(variable_declaration . (identifier) @name (opaque_declaration "{" @body) .) @definition.struct
(variable_declaration . (identifier) @name (union_declaration "{" @body) .) @definition.union
(variable_declaration . (identifier) @name (enum_declaration "{" @body) .) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration "{" @body) .) @definition.enum
(enum_declaration (container_field . name: (identifier) @name) @definition.enum_member)
(error_set_declaration (identifier) @name @definition.enum_member)
(container_field . name: (identifier) @name type: (_)? @type) @definition.field

; An import is no constant.
([(source_file (variable_declaration "const" . (identifier) @name type: (_)? @type (_) @_value .) @definition.constant)
  (struct_declaration (variable_declaration "const" . (identifier) @name type: (_)? @type (_) @_value .) @definition.constant)
  (union_declaration (variable_declaration "const" . (identifier) @name type: (_)? @type (_) @_value .) @definition.constant)
  (enum_declaration (variable_declaration "const" . (identifier) @name type: (_)? @type (_) @_value .) @definition.constant)
  (opaque_declaration (variable_declaration "const" . (identifier) @name type: (_)? @type (_) @_value .) @definition.constant)]
  (#not-match? @_value "^@import"))
([(source_file (variable_declaration "var" . (identifier) @name type: (_)? @type) @definition.variable)
  (struct_declaration (variable_declaration "var" . (identifier) @name type: (_)? @type) @definition.variable)])

(comment) @comment

; --- references

(call_expression function: [
  (identifier) @reference.call
  (field_expression object: (_) @receiver member: (identifier) @reference.call)
  (field_expression !object member: (identifier) @reference.call)])
(struct_initializer . [
  (identifier) @reference.call
  (field_expression object: (_) @receiver member: (identifier) @reference.call)])

; --- imports

((variable_declaration . (identifier) @import.alias
    (builtin_function (builtin_identifier) @_import (arguments (string) @import.module)) .)
  (#eq? @_import "@import"))
((variable_declaration . (identifier) @import.alias
    (field_expression object: (builtin_function (builtin_identifier) @_import (arguments (string) @import.module))
      member: (identifier) @import.name) .)
  (#eq? @_import "@import"))
((variable_declaration . (identifier) @import.alias
    (field_expression object: (field_expression
      object: (builtin_function (builtin_identifier) @_import (arguments (string) @import.module)))
      member: (identifier) @import.name) .)
  (#eq? @_import "@import"))
((using_namespace_declaration "usingnamespace" @import.star
    (builtin_function (builtin_identifier) @_import (arguments (string) @import.module)))
  (#eq? @_import "@import"))
((expression_statement (builtin_function (builtin_identifier) @_import (arguments (string) @import.module)))
  (#eq? @_import "@import"))

; --- local types

(variable_declaration "const" . (identifier) @local [(field_expression) (identifier)] @value .)
((variable_declaration "const" . (identifier) @local (builtin_function (builtin_identifier) @value) .)
  (#eq? @value "@This"))
(parameter name: (identifier) @local type: (_) @type)
(variable_declaration . (identifier) @local type: (_) @type)
((variable_declaration . (identifier) @local [
  (call_expression) @value
  (try_expression (call_expression) @value)
  (catch_expression . (call_expression) @value)
  (binary_expression . [(call_expression) (identifier) (field_expression)] @value "orelse")
  (struct_initializer . (call_expression) @made)
  (struct_initializer . [(identifier) (field_expression)] @type)
  (unary_expression (struct_initializer . (identifier) @type))] .)
  (#not-eq? @local "_"))
; What an optional, an error union or a list holds.
(if_statement condition: (_) @value (payload . (identifier) @local)) @within
(if_expression condition: (_) @value (payload . (identifier) @local)) @within
(while_statement condition: (_) @value (payload . (identifier) @local)) @within
(for_statement . [(identifier) (field_expression) (call_expression)] @each (payload . (identifier) @local)) @within
(payload (identifier) @local)
