; grammar: tree_sitter_javascript
; cut: ^[)}\]]+[;,]?[ \t]*\n
; family: js
; extensions: .js .jsx .mjs .cjs
; shebangs: node nodejs bun
; declarations: module
; tests: *.test.* *.spec.* *_test.* __tests__/ test/ tests/ spec/ e2e/
; hidden: ^(?:function|class) \S+ (?:async |abstract )?(?:function|class)\b|^method (?:#|\S+ (?:static |async )*#)
; wrappers: export_statement
; twins: (?:if|switch|try)\b
; self: this
; super: super
; class-members: new init
; computed-members: get post put patch delete del head options trace connect copy lock unlock move propfind report search subscribe
; common: toString valueOf hasOwnProperty toJSON toLowerCase toUpperCase indexOf lastIndexOf forEach charAt charCodeAt startsWith endsWith addEventListener removeEventListener querySelector getElementById setTimeout appendChild createElement getAttribute setAttribute toFixed toISOString getTime
; constructors: constructor
; modules: path
; index: index
; roots: src lib
; import-separator: /
; relative: .
; binds: last
; re-exports: yes
; default-export: default
; module-calls: require import
; manifest: package.json "name"\s*:\s*"(?P<name>[^"]+)"
; aliases: tsconfig.json tsconfig.*.json tsconfig-*.json jsconfig.json package.json vite.config.* vitest.config.* webpack.config.* rollup.config.* astro.config.* nuxt.config.*
; null: null undefined
; doc-types: @param\s+\{(?P<type>[!?(]*(?:(?!Function\b|Object\b|String\b|Number\b|Boolean\b)[A-Z]|\w+\.[A-Z])[^}\n]*)\}\s+\[?(?P<name>[\w$]+)
; doc-types: @type\s+\{(?P<type>[!?(]*(?:(?!Function\b|Object\b|String\b|Number\b|Boolean\b)[A-Z]|\w+\.[A-Z])[^}\n]*)\}
; doc-types: @returns?\s+\{(?P<result>[!?(]*(?:(?!Function\b|Object\b|String\b|Number\b|Boolean\b)[A-Z]|\w+\.[A-Z])[^}\n]*)\}
; wrapper-types: Promise PromiseLike Readonly Partial Required
; loops-over: pairs
; comparisons: == != < > <= >= && || === !== instanceof
; expression: leave return_statement,throw_statement
; expression: name meta_property,identifier,true,false,this,super,undefined,property_identifier,private_property_identifier,shorthand_property_identifier,shorthand_property_identifier_pattern,import
; expression: text string,template_string
; expression: number number
; expression: null null
; expression: same await_expression 0
; expression: same parenthesized_expression 0
; expression: same sequence_expression 0
; expression: yield yield_expression 0
; expression: signed unary_expression argument
; expression: same assignment_expression right left
; expression: same assignment_pattern left
; expression: member member_expression object property
; expression: call call_expression function arguments
; expression: new new_expression constructor arguments type_arguments
; expression: index subscript_expression object index
; expression: either ternary_expression consequence alternative
; expression: binary binary_expression left operator right
; expression: list array
; expression: spread spread_element 0
; expression: object object value
; expression: object object_pattern value
; expression: key pair key value
; expression: key pair_pattern key value
; expression: key object_assignment_pattern left right
; expression: key method_definition name body
; expression: typed variable_declarator name value
; expression: typed function_declaration,function_expression,generator_function,generator_function_declaration,arrow_function name body

; --- definitions

(class_declaration name: (identifier) @name body: (class_body) @body) @definition.class
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function

; A declaration of one variable is the whole statement (with the comment that ends a line without semicolon);
; of several, each has its own part.
([
  (lexical_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) .)
  (lexical_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) . (comment) .)
  (variable_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) .)
  (variable_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) . (comment) .)
] @definition.function)
([
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) . (comment) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) . (comment) .)
] @definition.class)
(_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name
  value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function)
(_ (variable_declarator name: (identifier) @name
  value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
  . (comment)* . (variable_declarator))
(_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class)
(_ (variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class . (comment)* . (variable_declarator))

; A function that is wrapped is a function: `memo(() => …)`, `withRetry(async () => …)`.
((_ . (variable_declarator name: (identifier) @name value: [
      (call_expression function: [(identifier) (member_expression)] @_wrapper arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))
      (call_expression function: [(identifier) (member_expression)] @_wrapper arguments: (arguments (call_expression arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))))]) .) @definition.function
 (#match? @_wrapper "(^|\\.)(memo|forwardRef|useCallback|observer|debounce|throttle|memoize\\w*|once|lazy|wrap\\w*|with[A-Z]\\w*|async[A-Z]\\w*)$"))
([
  (program (_ . (variable_declarator name: (identifier) @name value: [
      (call_expression function: (identifier) @_wrapper arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))
      (call_expression function: (identifier) @_wrapper arguments: (arguments (call_expression arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))))]) .) @definition.function)
  (export_statement declaration: (_ . (variable_declarator name: (identifier) @name value: [
      (call_expression function: (identifier) @_wrapper arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))
      (call_expression function: (identifier) @_wrapper arguments: (arguments (call_expression arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))))]) .) @definition.function)
 ] (#not-match? @_wrapper "^(use(?!Callback$)[A-Z]\\w*|computed|ref|reactive|set(Timeout|Interval|Immediate)|describe|it|test|expect|create(App|Server|Store|Context|Root|Router|Machine)|[A-Z].*)$"))
; Any other constant with a function in its value is one that code stands in.
(program (_ . (variable_declarator name: (identifier) @name value: [
      (call_expression function: (_) @_wrapper arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))
      (call_expression function: (_) @_wrapper arguments: (arguments (call_expression arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))))]) .) @definition.constant)
(export_statement declaration: (_ . (variable_declarator name: (identifier) @name value: [
      (call_expression function: (_) @_wrapper arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))
      (call_expression function: (_) @_wrapper arguments: (arguments (call_expression arguments: (arguments [(function_expression body: (_) @body) (arrow_function body: (_) @body)]))))]) .) @definition.constant)

; A default export without a name is called `default`, as importers call it.
(export_statement "default" @name
  value: [(function_expression !name body: (_) @body) (generator_function !name body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(export_statement "default" value: (class name: (identifier) @name body: (_) @body)) @definition.class
(export_statement "default" value: (function_expression name: (identifier) @name body: (_) @body)) @definition.function
(export_statement "default" value: (generator_function name: (identifier) @name body: (_) @body)) @definition.function

; A function expression has its own name only where nothing else names it.
(arguments (function_expression name: (identifier) @name body: (_) @body) @definition.function @wrapped)
(parenthesized_expression (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(return_statement (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(unary_expression (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(arrow_function body: (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(arguments (class name: (identifier) @name body: (_) @body) @definition.class)
(return_statement (class name: (identifier) @name body: (_) @body) @definition.class)
(arrow_function body: (class name: (identifier) @name body: (_) @body) @definition.class)

; module.exports = function name() {}
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (function_expression name: (identifier) @name body: (_) @body) @definition.function)
 (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (identifier) @name body: (_) @body) @definition.class)
 (#eq? @_module "module") (#eq? @_exports "exports"))

; Without a name, it is called `exports`.
((expression_statement [
  (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name) right: [(function_expression !name body: (_) @body) (generator_function !name body: (_) @body) (arrow_function body: (_) @body)])
  (assignment_expression left: (identifier) right: (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name) right: [(function_expression !name body: (_) @body) (generator_function !name body: (_) @body) (arrow_function body: (_) @body)]))] @definition.function)
 (#eq? @_module "module") (#eq? @name "exports"))
((expression_statement (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class)
 (#eq? @_module "module") (#eq? @name "exports"))

; module.exports = {f() {}}, export default {f() {}}: functions of the module
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object [
    (method_definition name: (property_identifier) @name body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)])
  ] @definition.function))
 (#eq? @_module "module") (#eq? @_exports "exports"))
(export_statement value: (object [
  (method_definition name: (property_identifier) @name body: (_) @body)
  (pair key: (property_identifier) @name
    value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)])
] @definition.function))

; Object.assign(module.exports, {f() {}})
((call_expression function: (member_expression property: (property_identifier) @_assign)
  arguments: (arguments . (_) @_exports (object [
    (method_definition name: (property_identifier) @name body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)])
  ] @definition.function)))
 (#eq? @_assign "assign") (#match? @_exports "^(module\\.)?exports$"))

; X.prototype = {f() {}}
((assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (object [
    (method_definition name: (property_identifier) @name body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)])
  ] @definition.method))
 (#eq? @_prototype "prototype"))

; Object.assign(X.prototype, {f() {}})
((call_expression function: (member_expression property: (property_identifier) @_assign)
  arguments: (arguments . (member_expression object: (_) @owner property: (property_identifier) @_prototype) (object [
    (method_definition name: (property_identifier) @name body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)])
  ] @definition.method)))
 (#match? @_assign "^(assign|extend)$") (#eq? @_prototype "prototype"))

; exports.f = function, module.exports.f = function, this.f = function
((assignment_expression
  left: (member_expression object: [(identifier) (this) (member_expression)] @_owner property: [(property_identifier) (private_property_identifier)] @name)
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
 (#match? @_owner "^(exports|module\\.exports|this|self|that)$") (#not-eq? @name "exports"))
((assignment_expression
  left: (member_expression object: (_) @_owner property: (property_identifier) @name)
  right: (class body: (_) @body)) @definition.class
 (#match? @_owner "^(exports|module\\.exports)$"))
; X.prototype.f = function, X.f = function, X.y.f = function
((assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
 (#eq? @_prototype "prototype"))
((assignment_expression
  left: (member_expression object: [(identifier) (member_expression object: (identifier)) (member_expression object: (member_expression object: (identifier)))] @owner property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
 (#not-match? @owner "^(module|exports|module\\.exports)$"))

; f = g = function
(variable_declarator name: (identifier) @name value: [
  (assignment_expression right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)])
  (assignment_expression right: (assignment_expression right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]))]) @definition.function

; f = function; x[…] = function f() {}
(assignment_expression left: (identifier) @name
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(assignment_expression left: (subscript_expression)
  right: (function_expression name: (identifier) @name body: (_) @body) @definition.function)
; An object gets a function under each of several names: `app[method] = function (path) {}`.
(assignment_expression left: (subscript_expression object: [(identifier) (member_expression object: (identifier))] @owner index: (identifier) @name @computed)
  right: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)]) @definition.method

(method_definition name: [(property_identifier) (private_property_identifier)] @name body: (_) @body) @definition.method
((method_definition name: (string (string_fragment) @name) body: (_) @body) @definition.method
 (#match? @name "^[A-Za-z_$][A-Za-z0-9_$]*$"))
(pair key: (property_identifier) @name
  value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
((pair key: (string (string_fragment) @name)
  value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
 (#match? @name "^[A-Za-z_$][A-Za-z0-9_$]*$"))
(field_definition property: [(property_identifier) (private_property_identifier)] @name
  value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field

; Variables of the module; what is given a module by require() is an import.
(program [
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) .) @definition.constant
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) . (comment) .) @definition.constant
 ] (#match? @definition.constant "^const\\s") (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(program [
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) .) @definition.variable
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) . (comment) .) @definition.variable
  (_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name value: (_)? @_value) @definition.variable)
  (_ (variable_declarator name: (identifier) @name value: (_)? @_value) @definition.variable . (comment)* . (variable_declarator))
 ] (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(export_statement declaration: [
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) .) @definition.constant
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) . (comment) .) @definition.constant
 ] (#match? @definition.constant "^const\\s") (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(export_statement declaration: [
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) .) @definition.variable
  (_ . (variable_declarator name: (identifier) @name value: (_)? @_value) . (comment) .) @definition.variable
  (_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name value: (_)? @_value) @definition.variable)
  (_ (variable_declarator name: (identifier) @name value: (_)? @_value) @definition.variable . (comment)* . (variable_declarator))
 ] (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
; const {a, b: c} = …, [d] = …
(program (_ (variable_declarator
  name: (_ [
    (shorthand_property_identifier_pattern) @name @definition.variable
    (pair_pattern value: (identifier) @name @definition.variable)
    (identifier) @name @definition.variable
  ])
  value: (_) @_value))
 (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(export_statement declaration: (_ (variable_declarator
  name: (_ [
    (shorthand_property_identifier_pattern) @name @definition.variable
    (pair_pattern value: (identifier) @name @definition.variable)
    (identifier) @name @definition.variable
  ])
  value: (_) @_value))
 (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))

(comment) @comment

; --- references

(call_expression function: (identifier) @reference.call (#not-eq? @reference.call "require"))
(call_expression function: (member_expression object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @reference.call))
(call_expression function: (parenthesized_expression (identifier) @reference.call))
(call_expression function: (await_expression (identifier) @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_attribute (jsx_expression [
  (identifier) @reference.value
  (member_expression object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value)]))
(jsx_opening_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_self_closing_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(class_heritage (identifier) @inherits)
(class_heritage (member_expression object: (_) @receiver property: (property_identifier) @inherits))

; functions and classes as values: passed, kept, returned
(arguments [
  (identifier) @reference.value
  (member_expression object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value)])
(variable_declarator value: (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(return_statement (identifier) @reference.value)
(pair value: (identifier) @reference.value)
(array (identifier) @reference.value)

(array_pattern (member_expression property: (property_identifier) @written))

; --- imports

(import_statement (import_clause (identifier) @import.default) source: (string) @import.module)
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (string) @import.module)
(import_statement (import_clause (named_imports
  (import_specifier name: _ @import.name alias: (identifier)? @import.alias))) source: (string) @import.module)
(import_statement . source: (string) @import.module)
(export_statement (export_clause
  (export_specifier name: _ @import.name alias: _? @import.alias)) source: (string) @import.module)
(export_statement "*" @import.star . "from" source: (string) @import.module)
(export_statement (namespace_export (_) @import.alias) source: (string) @import.module)

((variable_declarator name: (identifier) @import.alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
 (#eq? @_require "require"))
((variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @import.name)
    (pair_pattern key: (property_identifier) @import.name value: [
      (identifier) @import.alias
      (assignment_pattern left: (identifier) @import.alias)
    ])
  ])
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
 (#eq? @_require "require"))
((variable_declarator name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
    property: (property_identifier) @import.name))
 (#eq? @_require "require"))
((call_expression
  function: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
    property: (property_identifier) @import.name))
 (#eq? @_require "require"))
(variable_declarator name: (identifier) @import.alias
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module))))
(variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: [
      (identifier) @import.alias
      (assignment_pattern left: (identifier) @import.alias)
    ])
  ])
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module))))
; require() and import() that are given no name here
([
  (expression_statement (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
  (arguments (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
  (pair value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
  (assignment_expression right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
  (return_statement (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
  (call_expression function: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)))
 ]
 (#eq? @_require "require"))
(expression_statement (call_expression function: (import) arguments: (arguments . (string) @import.module)))
(expression_statement (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module))))
(parenthesized_expression (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module))))
(return_statement (call_expression function: (import) arguments: (arguments . (string) @import.module)))
(arrow_function body: (call_expression function: (import) arguments: (arguments . (string) @import.module)))
(arguments (call_expression function: (import) arguments: (arguments . (string) @import.module)))
(array (call_expression function: (import) arguments: (arguments . (string) @import.module)))
(pair value: (call_expression function: (import) arguments: (arguments . (string) @import.module)))
(member_expression object: (call_expression function: (import) arguments: (arguments . (string) @import.module)))

; what is passed to parameters
(call_expression function: (_) @callee arguments: (arguments [(identifier) (member_expression) (new_expression)] @argument))
(new_expression constructor: (_) @callee arguments: (arguments [(identifier) (member_expression) (new_expression)] @argument))

; --- local types

(formal_parameters (identifier) @param)
(formal_parameters (assignment_pattern left: (identifier) @local right: (_) @value))
(formal_parameters (rest_pattern (identifier) @local))
(formal_parameters (object_pattern (shorthand_property_identifier_pattern) @local))
(arrow_function parameter: (identifier) @local)
; The parameters of a function without a name are known in it alone, and are what its place says.
([
  (arrow_function parameters: (formal_parameters (identifier) @local))
  (function_expression parameters: (formal_parameters (identifier) @local))
  (arrow_function parameter: (identifier) @local)
  (arrow_function parameters: (formal_parameters (object_pattern [
    (shorthand_property_identifier_pattern) @member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @member)
    (pair_pattern key: (property_identifier) @key value: (identifier) @local)])))
] @callback @within)
(variable_declarator name: (identifier) @local)
(variable_declarator name: (identifier) @local value: (_) @value)
(variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @member)
    (pair_pattern key: (property_identifier) @key value: (identifier) @local)
  ]) value: (_) @value)
(variable_declarator name: (array_pattern) @unpack value: (_) @value)
; An object inside of an object, and a function of an object whose body is an expression.
(variable_declarator name: (identifier) @receiver value: [
  (object (pair key: (property_identifier) @field value: (object) @value))
  (_ . (object (pair key: (property_identifier) @field value: (object) @value)))])
(pair value: (arrow_function body: [(identifier) (call_expression) (new_expression) (member_expression)] @result))
(export_statement (export_clause (export_specifier name: (_) @value alias: (_) @local)) !source)
; What a module exports as its whole value, and what it puts into it.
(export_statement "default" @whole value: (_) @value)
(export_statement "default" @whole declaration: (_ name: (_) @value))
((assignment_expression left: (member_expression) @whole right: (_) @value) (#eq? @whole "module.exports"))
((assignment_expression left: (member_expression property: (_) @value) @whole
  right: [(function_expression !name) (generator_function !name) (arrow_function) (class !name)])
 (#eq? @whole "module.exports"))
((assignment_expression left: (member_expression) @whole
  right: [(function_expression name: (_) @value) (generator_function name: (_) @value) (class name: (_) @value)])
 (#eq? @whole "module.exports"))
((variable_declarator name: (identifier) @value value: (assignment_expression) @whole)
 (#match? @whole "^(exports\\s*=\\s*)?module\\.exports\\s*="))
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @local) right: (_) @value)
 (#match? @_exports "^(module\\.)?exports$"))
((assignment_expression left: (member_expression) @_exports right: (object (pair key: (property_identifier) @local value: (_) @value)))
 (#eq? @_exports "module.exports"))
((call_expression function: (member_expression property: (property_identifier) @_assign)
  arguments: (arguments . (_) @_exports (object (pair key: (property_identifier) @local value: (_) @value))))
 (#eq? @_assign "assign") (#match? @_exports "^(module\\.)?exports$"))
(for_in_statement left: (identifier) @local "of" right: (_) @each)
(for_in_statement left: (identifier) @local "in")
(for_in_statement left: (array_pattern) @unpack right: (_) @each)
(catch_clause parameter: (identifier) @local)
; What `this` is in a function that an object gets under a computed name, or as a getter.
(assignment_expression left: (subscript_expression object: [(identifier) (member_expression)] @value) right: (function_expression body: (_) @lent))
((call_expression function: (_) @_define arguments: (arguments . (identifier) @value [
    (function_expression body: (_) @lent)
    (object [(pair value: (function_expression body: (_) @lent)) (method_definition body: (_) @lent)])]))
 (#match? @_define "(^|\\.)(__)?define\\w*$"))
; An object or constructor that gets the members of others.
((call_expression function: (_) @_mix arguments: (arguments . [(identifier) (member_expression)] @mixed [(identifier) (member_expression) (call_expression)] @value))
 (#match? @_mix "(^|\\.)(assign|extend|mixin|mixins|inherits|setPrototypeOf)$"))
((assignment_expression left: (member_expression property: (_) @_prototype) @mixed right: (call_expression function: (_) @_create arguments: (arguments . (_) @value)))
 (#eq? @_prototype "prototype") (#eq? @_create "Object.create"))
((assignment_expression left: (member_expression property: (_) @_prototype) @mixed right: (new_expression constructor: (_) @value))
 (#eq? @_prototype "prototype"))
; Where a variable is assigned under a condition, it may have the value from before too.
(if_statement consequence: [(statement_block (expression_statement (assignment_expression left: (identifier)))) (expression_statement (assignment_expression left: (identifier)))] @arm) @choice
(if_statement alternative: (else_clause [(statement_block (expression_statement (assignment_expression left: (identifier)))) (expression_statement (assignment_expression left: (identifier)))] @arm.rest)) @choice
(switch_statement body: (switch_body (switch_case (expression_statement (assignment_expression left: (identifier)))) @arm)) @choice
(catch_clause body: (statement_block (expression_statement (assignment_expression left: (identifier)))) @arm) @choice
(for_statement body: (statement_block (expression_statement (assignment_expression left: (identifier)))) @arm) @choice
(for_in_statement body: (statement_block (expression_statement (assignment_expression left: (identifier)))) @arm) @choice
(while_statement body: (statement_block (expression_statement (assignment_expression left: (identifier)))) @arm) @choice
(assignment_expression left: (identifier) @assigned right: (_) @value)
; A variable of a callback holds in all of it, also in the functions before its declaration.
(arguments [(arrow_function) (function_expression)] @block.whole)
(field_definition property: [(property_identifier) (private_property_identifier)] @local)
(field_definition property: [(property_identifier) (private_property_identifier)] @local value: (_) @value)
((assignment_expression left: (member_expression object: (identifier) @receiver property: (property_identifier) @field)
  right: (assignment_expression left: (member_expression) @value right: [(function_expression) (arrow_function)]))
 (#not-match? @receiver "^(module|exports)$"))
((assignment_expression left: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @field.made)
  right: (_) @value) (#not-match? @receiver "^(module|(module\\.)?exports)$"))
(generator_function_declaration body: (statement_block (expression_statement (yield_expression (_) @yielded))))
(generator_function_declaration body: (statement_block (_ (statement_block (expression_statement (yield_expression (_) @yielded))))))
(function_declaration body: (statement_block (return_statement (_) @result)))
(function_declaration body: (statement_block (_ (statement_block (return_statement (_) @result)))))
(function_declaration body: (statement_block (_ (return_statement (_) @result))))
(method_definition body: (statement_block (return_statement (_) @result)))
(method_definition body: (statement_block (_ (statement_block (return_statement (_) @result)))))
(method_definition body: (statement_block (_ (return_statement (_) @result))))
(variable_declarator value: (arrow_function body: (statement_block (return_statement (_) @result))))
(_ [value: (function_expression body: (statement_block (return_statement (_) @result)))
  right: (function_expression body: (statement_block (return_statement (_) @result)))])
(variable_declarator value: (call_expression arguments: (arguments (arrow_function body: (statement_block (return_statement (_) @result))))))
(variable_declarator value: (arrow_function body: [(identifier) (call_expression) (new_expression) (member_expression)] @result))
(binary_expression left: (identifier) @reassigned "instanceof")
(if_statement condition: (parenthesized_expression (binary_expression left: (identifier) @local "instanceof" right: (_) @type))
  consequence: (_) @within)
(binary_expression left: (binary_expression left: (identifier) @local "instanceof" right: (_) @type) "&&" right: (_) @within)
(ternary_expression condition: (binary_expression left: (identifier) @local "instanceof" right: (_) @type) consequence: (_) @within)
; After `if (!(x instanceof P)) return` it holds to the end of the block.
(statement_block (if_statement
  condition: (parenthesized_expression (unary_expression "!" argument: (parenthesized_expression
    (binary_expression left: (identifier) @local "instanceof" right: (_) @type))))
  consequence: [(return_statement) (throw_statement) (continue_statement) (statement_block [(return_statement) (throw_statement) (continue_statement)] .)]
  !alternative) . (_)+ @within .)

; `table[key]()`, and what an object of functions holds under each name
(call_expression function: (subscript_expression) @runs.result)
(variable_declarator name: (identifier) @table value: (object [
  (pair key: (property_identifier) @entry value: [(identifier) @value (member_expression) @value])
  (shorthand_property_identifier) @entry]))
