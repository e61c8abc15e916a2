; grammar: tree_sitter_typescript:language_typescript
; cut: ^[)}\]]+[;,]?[ \t]*\n
; mend: ; ^([ \t]+)(?=<)
; mend: ␠ ^export\s+(type)(?=\s*\*)|\bimport\s+(defer)(?=\s*\*)
; mend: ␠ [:|&<(,\[=?]\s*+((?:typeof\s+)?import\(\s*['"][^'"\n]+['"]\s*\)\.)(?=\w)
; family: js
; extensions: .ts .mts .cts
; content: .ts \A(?!\s*<(?:\?xml|!DOCTYPE|TS)\b)
; shebangs: deno ts-node tsx
; declarations: module
; declaration-files: .d.ts .d.mts .d.cts
; tests: *.test.* *.spec.* *_test.* __tests__/ test/ tests/ spec/ e2e/
; hidden: ^(?:function|class|interface|type|enum) \S+ (?:async |abstract |const )*(?:function|class|interface|type|enum)\b|^method (?:#|\S+ (?:static |async )*(?:#|private\b))
; wrappers: export_statement ambient_declaration
; twins: (?:if|switch|try)\b
; self: this
; super: super
; class-members: new init
; type-of: typeof
; self-type: this
; type-decoration: \b(?:readonly|keyof|typeof|unique|infer|asserts|const|in|out|any)\s+(?=\S)
; wrapper-types: InstanceType Readonly Partial Required Pick Omit NonNullable Promise PromiseLike Awaited Optional Option Ref Lazy Deferred
; union-types: Either
; computed-members: get post put patch delete del head options trace connect copy lock unlock move propfind report search subscribe
; common: toString valueOf hasOwnProperty toJSON toLowerCase toUpperCase indexOf lastIndexOf forEach charAt charCodeAt startsWith endsWith addEventListener removeEventListener querySelector getElementById setTimeout appendChild createElement getAttribute setAttribute toFixed toISOString getTime
; constructors: constructor
; runs: call (
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
; null: null undefined void never
; loops-over: pairs
; comparisons: == != < > <= >= && || === !== instanceof
; expression: like javascript
; expression: key method_definition name body return_type/0
; expression: typed variable_declarator,public_field_definition name value type/0
; expression: typed required_parameter,optional_parameter pattern value type/0
; expression: typed function_declaration,function_expression,generator_function,generator_function_declaration,arrow_function name body return_type/0
; expression: cast as_expression 1
; expression: cast satisfies_expression 1
; expression: same non_null_expression 0
; expression: same instantiation_expression 0
; expression: name nested_identifier,type_identifier,nested_type_identifier
; expression: generic generic_type name type_arguments

; --- definitions

(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (type_identifier) @name value: (_) @type) @definition.type
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body name: [(property_identifier) @name (string (string_fragment) @name)] @definition.enum_member)
(enum_assignment name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.enum_member
(internal_module name: (_) @name body: (_) @body) @definition.namespace
(module name: [(identifier) (nested_identifier)] @name body: (_) @body) @definition.namespace
(module name: (string (string_fragment) @name) body: (_)? @body) @definition.module
(function_signature name: (identifier) @name return_type: (_)? @returns) @definition.function
(function_declaration name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function

; A declaration of one variable is the whole statement (with the comment that ends a line without semicolon);
; of several, each has its own part.
([
  (lexical_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) .)
  (lexical_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) . (comment) .)
  (variable_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) .)
  (variable_declaration . (variable_declarator name: (identifier) @name
    value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) . (comment) .)
] @definition.function)
([
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) . (comment) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) . (comment) .)
] @definition.class)
(_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name
  value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.function)
(_ (variable_declarator name: (identifier) @name
  value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.function
  . (comment)* . (variable_declarator))
(_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class)
(_ (variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class . (comment)* . (variable_declarator))

; (a => …) as F: brackets and casts around a function
[
  (lexical_declaration . (variable_declarator name: (identifier) @name value: [
    (parenthesized_expression [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
    (as_expression . [(parenthesized_expression [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]])
    (as_expression . (as_expression . [(parenthesized_expression [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]]))
    (satisfies_expression . [(parenthesized_expression [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]])]) .)
] @definition.function
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
  value: [(function_expression !name return_type: (_)? @returns body: (_) @body) (generator_function !name return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(export_statement "default" value: (class name: (type_identifier) @name body: (_) @body)) @definition.class
(export_statement "default" value: (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body)) @definition.function
(export_statement "default" value: (generator_function name: (identifier) @name return_type: (_)? @returns body: (_) @body)) @definition.function

; A function expression has its own name only where nothing else names it.
(arguments (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function @wrapped)
(parenthesized_expression (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function)
(return_statement (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function)
(unary_expression (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function)
(arrow_function body: (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function)
(arguments (class name: (type_identifier) @name body: (_) @body) @definition.class)
(return_statement (class name: (type_identifier) @name body: (_) @body) @definition.class)
(arrow_function body: (class name: (type_identifier) @name body: (_) @body) @definition.class)

; module.exports = function name() {}
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function)
 (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (type_identifier) @name body: (_) @body) @definition.class)
 (#eq? @_module "module") (#eq? @_exports "exports"))

; Without a name, it is called `exports`.
((expression_statement [
  (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name) right: [(function_expression !name return_type: (_)? @returns body: (_) @body) (generator_function !name return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
  (assignment_expression left: (identifier) right: (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name) right: [(function_expression !name return_type: (_)? @returns body: (_) @body) (generator_function !name return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]))] @definition.function)
 (#eq? @_module "module") (#eq? @name "exports"))
((expression_statement (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class)
 (#eq? @_module "module") (#eq? @name "exports"))

; module.exports = {f() {}}, export default {f() {}}: functions of the module
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object [
    (method_definition name: (property_identifier) @name return_type: (_)? @returns body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
  ] @definition.function))
 (#eq? @_module "module") (#eq? @_exports "exports"))
(export_statement value: (object [
  (method_definition name: (property_identifier) @name return_type: (_)? @returns body: (_) @body)
  (pair key: (property_identifier) @name
    value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
] @definition.function))

; Object.assign(module.exports, {f() {}})
((call_expression function: (member_expression property: (property_identifier) @_assign)
  arguments: (arguments . (_) @_exports (object [
    (method_definition name: (property_identifier) @name return_type: (_)? @returns body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
  ] @definition.function)))
 (#eq? @_assign "assign") (#match? @_exports "^(module\\.)?exports$"))

; X.prototype = {f() {}}
((assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (object [
    (method_definition name: (property_identifier) @name return_type: (_)? @returns body: (_) @body)
    (pair key: (property_identifier) @name
      value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
  ] @definition.method))
 (#eq? @_prototype "prototype"))

; exports.f = function, module.exports.f = function, this.f = function
((assignment_expression
  left: (member_expression object: [(identifier) (this) (member_expression)] @_owner property: [(property_identifier) (private_property_identifier)] @name)
  right: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.function
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
  right: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.method
 (#eq? @_prototype "prototype"))
((assignment_expression
  left: (member_expression object: [(identifier) (member_expression object: (identifier)) (member_expression object: (member_expression object: (identifier)))] @owner property: (property_identifier) @name)
  right: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.method
 (#not-match? @owner "^(module|exports|module\\.exports)$"))

; f = g = function
(variable_declarator name: (identifier) @name value: [
  (assignment_expression right: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)])
  (assignment_expression right: (assignment_expression right: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]))]) @definition.function

; f = function; x[…] = function f() {}
(assignment_expression left: (identifier) @name
  right: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.function
(assignment_expression left: (subscript_expression)
  right: (function_expression name: (identifier) @name return_type: (_)? @returns body: (_) @body) @definition.function)
; An object gets a function under each of several names: `app[method] = function (path) {}`.
(assignment_expression left: (subscript_expression object: [(identifier) (member_expression object: (identifier))] @owner index: (identifier) @name @computed)
  right: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)]) @definition.method

(method_definition name: [(property_identifier) (private_property_identifier)] @name return_type: (_)? @returns body: (_) @body) @definition.method
((method_definition name: (string (string_fragment) @name) return_type: (_)? @returns body: (_) @body) @definition.method
 (#match? @name "^[A-Za-z_$][A-Za-z0-9_$]*$"))
(abstract_method_signature name: [(property_identifier) @name (string (string_fragment) @name)] return_type: (_)? @returns) @definition.method
(class_body (method_signature name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)] return_type: (_)? @returns) @definition.method)
(interface_body (method_signature name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)] return_type: (_)? @returns) @definition.method)
; An interface of functions: `interface Reducer { (state: State, action: Action): State }`
(interface_body (call_signature parameters: (formal_parameters . "(" @name) return_type: (_)? @returns) @definition.method)
(interface_body (property_signature name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)] type: (_)? @type) @definition.property)
(type_alias_declaration value: (object_type (method_signature name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)] return_type: (_)? @returns) @definition.method))
(object_type (property_signature name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)] type: (_)? @type) @definition.property)
; The keys of a constant at the top of the file, but those of functions, and of objects that may hold them.
([
  (program (lexical_declaration (variable_declarator !type value: [
    (object (pair key: (property_identifier) @name value: (_) @_value) @definition.field)
    (as_expression (object (pair key: (property_identifier) @name value: (_) @_value) @definition.field))
    (satisfies_expression (object (pair key: (property_identifier) @name value: (_) @_value) @definition.field))])))
  (export_statement (lexical_declaration (variable_declarator !type value: [
    (object (pair key: (property_identifier) @name value: (_) @_value) @definition.field)
    (as_expression (object (pair key: (property_identifier) @name value: (_) @_value) @definition.field))
    (satisfies_expression (object (pair key: (property_identifier) @name value: (_) @_value) @definition.field))])))
 ] (#not-match? @_value "^(\\{|async\\b|function\\b|\\(?[\\w, :]*\\)?\\s*=>)"))
(pair key: (property_identifier) @name
  value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.method
((pair key: (string (string_fragment) @name)
  value: [(function_expression return_type: (_)? @returns body: (_) @body) (generator_function return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.method
 (#match? @name "^[A-Za-z_$][A-Za-z0-9_$]*$"))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name
  value: [(function_expression return_type: (_)? @returns body: (_) @body) (arrow_function return_type: (_)? @returns body: (_) @body)]) @definition.method
(public_field_definition "static" "readonly" name: [(property_identifier) (private_property_identifier)] @name type: (_)? @type) @definition.constant
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name type: (_)? @type) @definition.field
; constructor(private readonly store: Store)
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name type: (_)? @type) @definition.field
(optional_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name type: (_)? @type) @definition.field

; Variables of the module; what is given a module by require() is an import.
(program [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.constant
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.constant
 ] (#match? @definition.constant "^const\\s") (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(program [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.variable
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.variable
  (_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable)
  (_ (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable . (comment)* . (variable_declarator))
 ] (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(export_statement declaration: [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.constant
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.constant
 ] (#match? @definition.constant "^const\\s") (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(export_statement declaration: [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.variable
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.variable
  (_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable)
  (_ (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable . (comment)* . (variable_declarator))
 ] (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(ambient_declaration [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.constant
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.constant
 ] (#match? @definition.constant "^const\\s") (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(ambient_declaration [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.variable
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.variable
  (_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable)
  (_ (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable . (comment)* . (variable_declarator))
 ] (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(internal_module body: (statement_block [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.constant
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.constant
 ]) (#match? @definition.constant "^const\\s") (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
(internal_module body: (statement_block [
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) .) @definition.variable
  (_ . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) . (comment) .) @definition.variable
  (_ (variable_declarator) . (comment)* . (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable)
  (_ (variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @_value) @definition.variable . (comment)* . (variable_declarator))
 ]) (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
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
(internal_module body: (statement_block (_ (variable_declarator
  name: (_ [
    (shorthand_property_identifier_pattern) @name @definition.variable
    (pair_pattern value: (identifier) @name @definition.variable)
    (identifier) @name @definition.variable
  ])
  value: (_) @_value)))
 (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))

(comment) @comment

; What is in there adds to the platform, or to the types of another module.
(ambient_declaration (statement_block) @outer)
(ambient_declaration (internal_module) @outer)
(module name: (string)) @outer

; --- references

(call_expression function: (identifier) @reference.call (#not-eq? @reference.call "require"))
; `a + b!.f()` is parsed as (a + b)!.f().
(call_expression function: (member_expression object: (non_null_expression (binary_expression right: (_) @receiver))
  property: [(property_identifier) (private_property_identifier)] @reference.call))
(call_expression function: (member_expression object: (non_null_expression . (_) @receiver)
  property: [(property_identifier) (private_property_identifier)] @reference.call))
(call_expression function: (member_expression object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @reference.call))
(call_expression function: (parenthesized_expression (identifier) @reference.call))
(call_expression function: (await_expression (identifier) @reference.call))
(call_expression function: (await_expression (member_expression object: (non_null_expression . (_) @receiver) property: (property_identifier) @reference.call)))
(call_expression function: (await_expression (member_expression object: (_) @receiver property: (property_identifier) @reference.call)))
(call_expression function: (non_null_expression (identifier) @reference.call))
(call_expression function: (non_null_expression (member_expression object: (_) @receiver property: (property_identifier) @reference.call)))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(extends_clause value: (identifier) @inherits)
(extends_clause value: (member_expression object: (_) @receiver property: (property_identifier) @inherits))
(implements_clause [
  (type_identifier) @inherits
  (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherits)
  (generic_type name: (type_identifier) @inherits)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherits))
])
(extends_type_clause type: [
  (type_identifier) @inherits
  (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherits)
  (generic_type name: (type_identifier) @inherits)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherits))
])

; functions and classes as values: passed, kept, returned
(arguments [
  (identifier) @reference.value
  (member_expression object: [(identifier) (this)] @receiver property: (property_identifier) @reference.value)])
(variable_declarator value: (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(return_statement (identifier) @reference.value)
(pair value: (identifier) @reference.value)
(array (identifier) @reference.value)

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

(import_statement (import_require_clause (identifier) @import.alias source: (string) @import.module))
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

(required_parameter pattern: (identifier) @param type: (type_annotation (_) @type)?)
(optional_parameter pattern: (identifier) @param type: (type_annotation (_) @type)?)
(required_parameter pattern: (identifier) @local value: (_) @value)
(required_parameter pattern: (rest_pattern (identifier) @local) type: (type_annotation (_) @type)?)
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @local))
(required_parameter pattern: (this) @local type: (type_annotation (_) @type))
(arrow_function parameter: (identifier) @local)
; The parameters of a function without a name are known in it alone, and are what its place says: an argument of a call, or
; where a function of a named type is wanted (`const handler: Handler = (c) => …`).
([
  (arrow_function parameters: (formal_parameters [(required_parameter pattern: (identifier) @local type: (type_annotation (_) @type)?) (optional_parameter pattern: (identifier) @local type: (type_annotation (_) @type)?)]))
  (function_expression parameters: (formal_parameters [(required_parameter pattern: (identifier) @local type: (type_annotation (_) @type)?) (optional_parameter pattern: (identifier) @local type: (type_annotation (_) @type)?)]))
  (arrow_function parameter: (identifier) @local)
  (arrow_function parameters: (formal_parameters (required_parameter pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @member)
    (pair_pattern key: (property_identifier) @key value: (identifier) @local)]) !type)))
] @callback @within)
(object (method_definition parameters: (formal_parameters [(required_parameter pattern: (identifier) @local !type) (optional_parameter pattern: (identifier) @local !type)])) @callback @within)
(function_type parameters: (formal_parameters [(required_parameter pattern: (identifier) @local) (optional_parameter pattern: (identifier) @local)])) @within
(variable_declarator name: (identifier) @local type: (type_annotation (_) @type)?)
(variable_declarator name: (identifier) @local value: (_) @value)
(variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @member)
    (pair_pattern key: (property_identifier) @key value: (identifier) @local)
  ]) value: (_) @value)
(required_parameter pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @member)
    (pair_pattern key: (property_identifier) @key value: (identifier) @local)]) type: (type_annotation (_) @alias))
(variable_declarator name: (array_pattern) @unpack value: (_) @value)
; An object inside of an object, and a function of an object whose body is an expression.
(variable_declarator name: (identifier) @receiver value: [
  (object (pair key: (property_identifier) @field value: (object) @value))
  (_ . (object (pair key: (property_identifier) @field value: (object) @value)))])
(pair value: (arrow_function !return_type body: [(identifier) (call_expression) (new_expression) (member_expression)] @result))
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
(import_alias . (identifier) @local (_) @value .)
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
(public_field_definition name: [(property_identifier) (private_property_identifier)] @local type: (type_annotation (_) @type)?)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @local value: (_) @value)
((assignment_expression left: (member_expression object: (identifier) @receiver property: (property_identifier) @field)
  right: (assignment_expression left: (member_expression) @value right: [(function_expression) (arrow_function)]))
 (#not-match? @receiver "^(module|exports)$"))
((assignment_expression left: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @field)
  right: (_) @value) (#not-match? @receiver "^(module|(module\\.)?exports)$"))
(generator_function_declaration !return_type body: (statement_block (expression_statement (yield_expression (_) @yielded))))
(generator_function_declaration !return_type body: (statement_block (_ (statement_block (expression_statement (yield_expression (_) @yielded))))))
(function_declaration !return_type body: (statement_block (return_statement (_) @result)))
(function_declaration !return_type body: (statement_block (_ (statement_block (return_statement (_) @result)))))
(function_declaration !return_type body: (statement_block (_ (return_statement (_) @result))))
(method_definition !return_type body: (statement_block (return_statement (_) @result)))
(method_definition !return_type body: (statement_block (_ (statement_block (return_statement (_) @result)))))
(method_definition !return_type body: (statement_block (_ (return_statement (_) @result))))
(variable_declarator value: (arrow_function !return_type body: (statement_block (return_statement (_) @result))))
(_ [value: (function_expression !return_type body: (statement_block (return_statement (_) @result)))
  right: (function_expression !return_type body: (statement_block (return_statement (_) @result)))])
(variable_declarator value: (call_expression arguments: (arguments (arrow_function !return_type body: (statement_block (return_statement (_) @result))))))
(variable_declarator value: (arrow_function !return_type body: [(identifier) (call_expression) (new_expression) (member_expression)] @result))
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
(type_parameter name: (type_identifier) @typevar constraint: (constraint (_) @type)?)

; `table[key]()`, and what an object of functions holds under each name
(call_expression function: (subscript_expression) @runs.result)
(variable_declarator name: (identifier) @table value: (object [
  (pair key: (property_identifier) @entry value: [(identifier) @value (member_expression) @value])
  (shorthand_property_identifier) @entry]))
