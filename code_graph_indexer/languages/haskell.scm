; grammar: tree_sitter_haskell
; clauses: whole
; extensions: .hs
; shebangs: runhaskell runghc
; tests: *Spec.hs *Test.hs *Tests.hs test/ tests/
; modules: declared
; roots: src lib app
; import-lookup: name
; import-separator: .
; binds: last
; re-exports: yes
; members-outside: method ^class\b
; expression: name module,module_id,name,variable,qualified,constructor

; --- definitions

(header module: (module) @module)

; The equations of a function are siblings, and one definition. It begins with the first one, which follows something else or
; another function. The signature above it is its comment and gives its type.

([(declarations (signature name: (variable) @_signed type: (_) @returns)
    . (function name: (variable) @name match: (match) @body) @definition.function)
  (declarations (signature name: (variable) @_signed type: (_) @returns) . [(comment) (haddock) (pragma) (cpp)]+
    . (function name: (variable) @name match: (match) @body) @definition.function)
  (local_binds (signature name: (variable) @_signed type: (_) @returns)
    . (function name: (variable) @name match: (match) @body) @definition.function)
  (instance_declarations (signature name: (variable) @_signed type: (_) @returns)
    . (function name: (variable) @name match: (match) @body) @definition.function)]
  (#eq? @_signed @name))
(declarations (signature names: (_)) @_before . (function name: (variable) @name match: (match) @body) @definition.function)
((function name: (variable) @_before) . (function name: (variable) @name match: (match) @body) @definition.function
  (#not-eq? @_before @name))
((function name: (variable) @_before) . [(comment) (haddock) (pragma) (cpp)]+ . (function name: (variable) @name match: (match) @body) @definition.function
  (#not-eq? @_before @name))
([(bind) (data_type) (newtype) (type_synonym) (class) (instance) (type_family) (type_instance) (fixity)
  (deriving_instance) (pattern_synonym) (foreign_import) (top_splice) (function (infix))] @_before
  . (function name: (variable) @name match: (match) @body) @definition.function)
([(bind) (data_type) (newtype) (type_synonym) (class) (instance) (type_family) (type_instance) (fixity)
  (deriving_instance) (pattern_synonym) (foreign_import) (top_splice) (function (infix))] @_before
  . [(comment) (haddock) (pragma) (cpp)]+ . (function name: (variable) @name match: (match) @body) @definition.function)
([(declarations . (function name: (variable) @name match: (match) @body) @definition.function)
  (local_binds . (function name: (variable) @name match: (match) @body) @definition.function)
  (instance_declarations . (function name: (variable) @name match: (match) @body) @definition.function)])
; Operators.
(declarations [(signature) (bind) (comment) (haddock) (pragma) (function name: (variable))] @_before
  . (function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function)
(declarations [(signature) (bind) (comment) (haddock) (pragma) (function name: (variable))] @_before
  . (function name: (prefix_id (operator) @name) match: (match) @body) @definition.function)
((declarations (function (infix operator: (operator) @_before)) . (function (infix operator: (operator) @name) match: (match) @body) @definition.function)
  (#not-eq? @_before @name))
(instance_declarations (function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function)
(instance_declarations (function name: (prefix_id (operator) @name) match: (match) @body) @definition.function)

; A bind with a plain value is a constant.
(declarations (bind name: (variable) @name match: (match expression: [(literal) (list) (tuple) (negation)])) @definition.constant)
((declarations (signature name: (variable) @_signed type: (_) @returns)
  . (bind name: (variable) @name match: (match) @body) @definition.function) (#eq? @_signed @name))
(declarations (bind name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @definition.function)
(instance_declarations (bind name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @definition.function)
(foreign_import signature: (signature name: (variable) @name type: (_) @returns)) @definition.function
(pattern_synonym (equation synonym: [(_ function: (constructor) @name) (constructor) @name])) @definition.function

(data_type name: (name) @name constructors: (data_constructors . (data_constructor) .) @body) @definition.struct
(data_type name: (name) @name constructors: (_) @body) @definition.enum
(data_type name: (name) @name !constructors) @definition.type
(newtype name: (name) @name constructor: (_) @body) @definition.struct
(type_synonym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(data_family name: (name) @name) @definition.type
(class name: (name) @name "where" @body) @definition.class
(class name: (name) @name) @definition.class
(class_declarations (signature name: [(variable) @name (prefix_id (operator) @name)] type: (_) @returns) @definition.method)
(class_declarations (signature names: (binding_list name: [(variable) @name @definition.method (prefix_id (operator) @name) @definition.method]) type: (_) @returns))
; An instance is named after the type that it is for.
(instance patterns: (type_patterns . [
    (name) @name
    (parens type: (name) @name)
    (apply constructor: [(name) @name (apply constructor: [(name) @name (apply constructor: (name) @name)])])
    (parens type: (apply constructor: [(name) @name (apply constructor: [(name) @name (apply constructor: (name) @name)])]))
  ]) declarations: (_)? @body) @scope
(instance name: (name) @name patterns: (type_patterns . [(variable) (list) (tuple) (unit) (prefix_list) (parens type: [(function) (variable)])]) declarations: (_)? @body) @scope

(data_constructor [(record name: (constructor) @name) (prefix name: (constructor) @name) (infix operator: (constructor_operator) @name)]) @definition.enum_member
(newtype_constructor name: (constructor) @name) @definition.enum_member
(gadt_constructor name: (constructor) @name) @definition.enum_member
(field . name: (field_name (variable) @name) . type: (_) @type) @definition.field
(field name: (field_name (variable) @name) @definition.field . name: (_) type: (_) @type)
(field name: (_) . name: (field_name (variable) @name) @definition.field type: (_) @type)

((haddock) @doc . (header))
[(comment) (haddock)] @comment
([(declarations (signature) @comment) (local_binds (signature) @comment) (instance_declarations (signature) @comment)])

; --- references

(apply function: [(variable) (constructor)] @reference.call)
(apply function: (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (_) @reference.call))
(record expression: (constructor) @reference.call)
(infix_id (variable) @reference.call)
(infix_id (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.call))
((infix operator: (operator) @reference.call)
  (#not-match? @reference.call "^([-+*/^.$&<>=!]|\\*\\*|\\^\\^|==|/=|<=|>=|&&|\\|\\||\\$!|<>|<\\$>|<\\$|\\$>|<&>|<\\*>|<\\*|\\*>|>>=|>>|=<<|>=>|<=<|\\+\\+|<\\|>|!!|@)$"))
; A name beside an operator that applies or composes functions, a statement, and the right side of `<-`.
((infix left_operand: [(variable) @reference.call (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.call)] operator: (operator) @_o)
  (#any-of? @_o "$" "$!" "." "<$>" "=<<" ">=>" "<=<" "<*>"))
((infix right_operand: [(variable) @reference.call (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.call)] operator: (operator) @_o)
  (#any-of? @_o "." ">>=" ">>" "=<<" ">=>" "<=<" "<*>"))
(exp [(variable) @reference.call (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.call)])
(bind arrow: _ expression: [(variable) @reference.call (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.call)])

; Functions that are passed, and those that a list, a tuple or a record holds.
([(apply argument: [(variable) @reference.value (parens expression: (variable) @reference.value)])
  (list element: (variable) @reference.value)
  (tuple element: (variable) @reference.value)
  (field_update expression: (variable) @reference.value)])
([(apply argument: [(qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.value)
    (parens expression: (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.value))])
  (list element: (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.value))
  (tuple element: (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.value))
  (field_update expression: (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (variable) @reference.value))])

(instance name: (name) @inherits)
(instance name: (qualified module: [(module . (module_id) @receiver .) (module (module_id) . (module_id)) @receiver] id: (name) @inherits))
(class context: (context context: [(apply constructor: (name) @inherits) (_ (apply constructor: (name) @inherits))]))
(deriving classes: [(name) @inherits (_ (name) @inherits)])

; --- imports

((import module: (module) @import.module !names !alias) @import.star (#not-match? @import.star "qualified"))
(import module: (module) @import.module !names alias: (module) @import.alias)
((import module: (module) @import.module !names !alias) @_import (#match? @_import "qualified"))
((import module: (module) @import.module !alias names: (import_list
  name: (import_name [variable: (variable) @import.name type: (name) @import.name operator: (prefix_id (operator) @import.name) children: (children element: (variable) @import.name)]))) @_import
  (#not-match? @_import "hiding"))
((import module: (module) @import.module !alias names: (_)) @import.star (#match? @import.star "hiding"))
(import module: (module) @import.module alias: (module) @import.alias names: (_))
((import module: (module) @import.module alias: (module) names: (import_list
  name: (import_name [variable: (variable) @import.name type: (name) @import.name operator: (prefix_id (operator) @import.name) children: (children element: (variable) @import.name)]))) @_import
  (#not-match? @_import "hiding|qualified"))

; --- local names: each holds in the equation, the alternative, the lambda or the expression that binds it

(function patterns: (patterns [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])])) @within
(lambda patterns: (patterns [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])])) @within
(alternative pattern: [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])]) @within
(do statement: (bind pattern: [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])])) @within
(do statement: (let binds: (local_binds decl: (bind name: (variable) @local)))) @within
(let_in binds: (local_binds decl: (bind name: (variable) @local))) @within
(function binds: (local_binds decl: (bind name: (variable) @local))) @within
(bind binds: (local_binds decl: (bind name: (variable) @local))) @within
(list_comprehension qualifiers: (qualifiers qualifier: [(generator pattern: [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])])
  (let binds: (local_binds decl: (bind name: (variable) @local)))])) @within
(match guards: (guards guard: [(pattern_guard pattern: [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ [(variable) @local (_ (variable) @local)])])])])
  (let binds: (local_binds decl: (bind name: (variable) @local)))])) @within
