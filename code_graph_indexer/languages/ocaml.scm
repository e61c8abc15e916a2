; inherits: ocaml_interface
; grammar: tree_sitter_ocaml:language_ocaml
; extensions: .ml
; filenames: .ocamlinit
; shebangs: ocaml ocamlrun
; tests: test/ tests/ test_*.ml *_test.ml
; expression: name value_name,value_path,module_path,module_name,extended_module_path,constructor_path,constructor_name,field_get_expression

; --- definitions
; A `let` of one binding is the whole statement; of several, joined by `and`, each is its own definition.

(value_definition . [
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) type: (_)? @returns body: (_) @body)
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] type: (_)? @returns body: [(function_expression) @body (fun_expression body: (_) @body)])
    (let_binding pattern: (value_name) @name type: (function_type) @returns body: (_) @body)] .) @definition.function
(value_definition (attribute_id) . [
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) type: (_)? @returns body: (_) @body)
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] type: (_)? @returns body: [(function_expression) @body (fun_expression body: (_) @body)])
    (let_binding pattern: (value_name) @name type: (function_type) @returns body: (_) @body)] .) @definition.function
(value_definition [
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) type: (_)? @returns body: (_) @body)
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] type: (_)? @returns body: [(function_expression) @body (fun_expression body: (_) @body)])
    (let_binding pattern: (value_name) @name type: (function_type) @returns body: (_) @body)] @definition.function (let_binding))
(value_definition (let_binding) [
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) type: (_)? @returns body: (_) @body)
    (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] type: (_)? @returns body: [(function_expression) @body (fun_expression body: (_) @body)])
    (let_binding pattern: (value_name) @name type: (function_type) @returns body: (_) @body)] @definition.function)
(value_definition (attribute_id) . (let_binding pattern: (string) @name body: (_) @body)) @definition.function
([(compilation_unit (value_definition . (let_binding pattern: (value_name) @name type: (_)? @type) .) @definition.constant)
  (structure (value_definition . (let_binding pattern: (value_name) @name type: (_)? @type) .) @definition.constant)])

; `module M = N` is an import.
(module_definition (module_binding (module_name) @name body: [(structure) (module_application) (packed_module) (typed_module_expression) (functor)] @body)) @definition.module
(class_definition (class_binding (class_name) @name body: (_) @body)) @definition.class
(method_definition (method_name) @name type: (_)? @returns body: (_)? @body) @definition.method
(instance_variable_definition (instance_variable_name) @name type: (_)? @type) @definition.field

; --- references

(application_expression function: [
  (value_path . (value_name) @reference.call)
  (value_path (module_path) @receiver (value_name) @reference.call)])
(method_invocation object: (_) @receiver method: (method_name) @reference.call)
(new_expression (class_path (module_path)? @receiver (class_name) @reference.call))
((infix_expression operator: (_) @_o right: [(value_path . (value_name) @reference.call) (value_path (module_path) @receiver (value_name) @reference.call)])
  (#any-of? @_o "|>" ">>=" ">|=" ">>|" ">>?" ">>=?" ">>" ">|"))
((infix_expression operator: (_) @_o left: [(value_path . (value_name) @reference.call) (value_path (module_path) @receiver (value_name) @reference.call)])
  (#any-of? @_o "@@" "=<<" "<@>" "<$>"))
((infix_expression operator: (_) @reference.call)
  (#not-match? @reference.call "^([-+*/^<>=@&]|[-+*/]\\.|<>|<=|>=|==|!=|&&|\\|\\||:=|\\*\\*|\\|>|@@|::|<-|mod|land|lor|lxor|lsl|lsr|asr|or|>>=|>\\|=|>>\\||>>|=<<|<\\$>|<\\*>)$"))

; Functions that are passed or kept, exceptions.
(application_expression argument: [
  (value_path . (value_name) @reference.value)
  (value_path (module_path) @receiver (value_name) @reference.value)
  (labeled_argument expression: [(value_path . (value_name) @reference.value) (value_path (module_path) @receiver (value_name) @reference.value)])])
(field_expression body: [(value_path . (value_name) @reference.value) (value_path (module_path) @receiver (value_name) @reference.value)])
([(constructor_path . (constructor_name) @reference.value)
  (constructor_path (module_path) @receiver (constructor_name) @reference.value)])

; What a module is made by, what a module includes and a class inherits.
(module_binding body: (module_application functor: [
  (module_path (module_path)? @receiver (module_name) @inherits)
  (module_application functor: (module_path (module_path)? @receiver (module_name) @inherits))]))
(structure (include_module module: (module_path (module_path)? @receiver (module_name) @inherits)))
(inheritance_definition class: [
  (class_path (module_path)? @receiver (class_name) @inherits)
  (_ (class_path (module_path)? @receiver (class_name) @inherits))])

; --- imports

(open_module module: (module_path) @import.module) @import.star
(include_module module: (module_path) @import.module) @import.star
(local_open_expression (module_path) @import.module) @import.star
(module_definition (module_binding (module_name) @import.alias body: (module_path) @import.module))

; --- local types

(parameter pattern: [(value_pattern) @param (typed_pattern pattern: (value_pattern) @param type: (_) @type)])
(value_pattern) @local
(fun_expression (parameter pattern: [(value_pattern) @local (_ (value_pattern) @local) (_ (_ (value_pattern) @local))])) @within
(match_case pattern: [(value_pattern) @local (_ (value_pattern) @local) (_ (_ (value_pattern) @local)) (_ (_ (_ (value_pattern) @local)))]) @within
(field_pattern (field_path (field_name) @local) !pattern)
(let_expression (value_definition (let_binding pattern: (value_name) @local type: (_)? @type body: (_) @value)))
(let_binding pattern: [(_ (value_name) @local) (_ (_ (value_name) @local))])
