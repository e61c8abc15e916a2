; grammar: tree_sitter_lua
; cut: ^end[ \t]*\n
; extensions: .lua .rockspec .wlua .nse
; filenames: .luacheckrc .busted
; shebangs: lua luajit texlua tarantool
; tests: *_spec.lua *_test.lua test_*.lua spec/ test/ tests/
; hidden: ^function \S+ local\b
; twins: if\b
; self: self
; self-type: self
; class-members: new
; runs: call __call
; table-types: yes
; default-export: return
; module-calls: require
; lookup: file imports peers stars global
; local-functions: local\b
; modules: path
; index: init
; roots: lua src lib
; import-lookup: name
; import-separator: .
; binds: last
; null: nil
; doc-types: @param\s+(?P<name>\w+)\??\s+(?P<type>(?!nil\b|any\b|fun\b|table\b|string\b|number\b|integer\b|boolean\b|function\b)[A-Za-z_][\w.]*(?:\[\])?)(?!\w)
; doc-types: @type\s+(?P<type>(?!nil\b|any\b|fun\b|table\b|string\b|number\b|integer\b|boolean\b|function\b)[A-Za-z_][\w.]*(?:\[\])?)(?!\w)
; doc-types: @return\s+(?P<result>(?!nil\b|any\b|fun\b|table\b|string\b|number\b|integer\b|boolean\b|function\b)[A-Za-z_][\w.]*(?:\[\])?)(?!\w)
; alternative-operators: or
; expression: name identifier,true,false,vararg_expression
; expression: text string
; expression: number number
; expression: null nil
; expression: same parenthesized_expression 0
; expression: same expression_list 0
; expression: signed unary_expression operand
; expression: member dot_index_expression table field
; expression: member method_index_expression table method
; expression: call function_call name arguments
; expression: index bracket_index_expression table field
; expression: binary binary_expression left operator right
; expression: mapping table_constructor value

; --- definitions

(function_declaration name: (identifier) @name . parameters: (_) body: (_)? @body) @definition.function
(function_declaration name: [(dot_index_expression table: (_) @owner field: (identifier) @name)
  (method_index_expression table: (_) @owner method: (identifier) @name)] body: (_)? @body) @definition.method
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @definition.function
; The parent keeps out the assignment that is part of a `local` declaration.
([(chunk (assignment_statement (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition body: (_)? @body))) @definition.function)
  (block (assignment_statement (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition body: (_)? @body))) @definition.function)])
(assignment_statement (variable_list . name: [(dot_index_expression table: (_) @owner field: (identifier) @name)
    (bracket_index_expression table: (_) @owner field: (string content: (string_content) @name))])
  (expression_list . value: (function_definition body: (_)? @body))) @definition.method
(field name: [(identifier) @name (string content: (string_content) @name)]
  value: (function_definition body: (_)? @body)) @definition.function

; What `require` returns is an import.
((chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (_) @_require)))) @definition.variable)
  (#not-eq? @_require "require"))
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: [(table_constructor) (string) (number) (true) (false) (nil) (identifier) (binary_expression) (unary_expression)
    (parenthesized_expression) (dot_index_expression table: [(identifier) (dot_index_expression)])
    (bracket_index_expression)]))) @definition.variable)
(chunk (variable_declaration (variable_list . name: (identifier) @name .)) @definition.variable)
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name @definition.variable . (_)))))
(chunk (variable_declaration (assignment_statement (variable_list (_) @_before . name: (identifier) @name @definition.variable))))
(chunk (assignment_statement (variable_list . name: (identifier) @name .)) @definition.variable)
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @owner field: (identifier) @name) .)) @definition.field)
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @owner field: (identifier) @name) @definition.field . (_))))
(chunk (assignment_statement (variable_list (_) @_before . name: (dot_index_expression table: (identifier) @owner field: (identifier) @name) @definition.field)))

(comment) @comment

; --- references

((function_call name: (identifier) @reference.call) (#not-eq? @reference.call "require"))
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @reference.call))
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @reference.call))

; Functions that are passed, returned, or put into tables.
([(arguments (identifier) @reference.value)
  (field name: (_)? @_key value: (identifier) @reference.value)
  (block (return_statement (expression_list (identifier) @reference.value)))] (#not-eq? @_key "__index"))
([(arguments (dot_index_expression table: (identifier) @receiver field: (identifier) @reference.value))
  (field name: (_)? @_key value: (dot_index_expression table: (identifier) @receiver field: (identifier) @reference.value))
  (block (return_statement (expression_list (dot_index_expression table: (identifier) @receiver field: (identifier) @reference.value))))]
  (#not-eq? @_key "__index"))

; `setmetatable(X, { __index = Base })`
((field name: (identifier) @_index value: (identifier) @inherits) (#eq? @_index "__index"))
((field name: (identifier) @_index value: (dot_index_expression table: (_) @receiver field: (identifier) @inherits)) (#eq? @_index "__index"))

; --- imports

((assignment_statement (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .))))
  (#eq? @_require "require"))
((assignment_statement (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)) field: (identifier) @import.name)))
  (#eq? @_require "require"))
([(chunk (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (block (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (function_call name: (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .))))
  (dot_index_expression table: (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .))))
  (method_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (function_call name: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (arguments (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (field value: (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (return_statement (expression_list (function_call name: (identifier) @_require arguments: (arguments . (string) @import.module .))))]
  (#eq? @_require "require"))
((function_call name: (identifier) @_pcall arguments: (arguments . (identifier) @_require . (string) @import.module .))
  (#eq? @_pcall "pcall") (#eq? @_require "require"))

; --- local types

((assignment_statement (variable_list . name: (identifier) @local) (expression_list
    . value: (function_call name: (identifier) @_make arguments: (arguments . (_) . (identifier) @type))))
  (#eq? @_make "setmetatable"))
((return_statement (expression_list . (function_call name: (identifier) @_make arguments: (arguments . (_) . (identifier) @alias)))) @result
  (#eq? @_make "setmetatable"))
((return_statement (expression_list . [(identifier) (function_call) (dot_index_expression)] @result))
  (#not-match? @result "^setmetatable\\W"))
(chunk (return_statement (expression_list . [(identifier) (function_call) (dot_index_expression)] @value)) @whole)
; What a module holds that is `return { open = open }`, and what a table holds by name.
(chunk (return_statement (expression_list . (table_constructor (field name: (identifier) @local value: [(identifier) (dot_index_expression) (function_call)] @value)))))
(assignment_statement (variable_list . name: (identifier) @receiver) (expression_list . value: (table_constructor
  (field name: (identifier) @field value: [(identifier) (dot_index_expression) (function_call)] @value))))
((assignment_statement (variable_list . name: (identifier) @local) (expression_list . value: (_) @value))
  (#not-match? @value "^(require|setmetatable)\\W"))
((assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @receiver field: (identifier) @field.made))
  (expression_list . value: (_) @value))
  (#not-match? @value "^require\\W"))
; A parameter or variable hides a function of its name.
(for_generic_clause (variable_list (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(variable_declaration [(variable_list (identifier) @local) (assignment_statement (variable_list (identifier) . (identifier) @local))])
(function_declaration parameters: (parameters (identifier) @local))
(function_definition parameters: (parameters (identifier) @local))
