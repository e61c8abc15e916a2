; grammar: tree_sitter_python
; extensions: .py .pyi .pyw
; filenames: SConstruct SConscript wscript
; shebangs: python python2 python3 pypy pypy3
; tests: test_*.py *_test.py conftest.py tests/ test/
; wrappers: decorated_definition
; self: self cls
; super: super()
; modules: path
; index: __init__
; roots: src lib python
; import-separator: .
; relative: .
; binds: first
; re-exports: yes

; --- definitions

(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name return_type: (type)? @returns body: (block) @body) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type

(module (expression_statement
  (assignment left: (identifier) @name type: (type)? @type)) @definition.variable)
(module (if_statement consequence: (block (expression_statement
  (assignment left: (identifier) @name type: (type)? @type)) @definition.variable)))
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name type: (type)? @type)) @definition.field))

(module . (comment)* . (expression_statement (string) @doc))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(comment) @comment

; --- references

(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(class_definition superclasses: (argument_list (identifier) @inherits))
(class_definition superclasses: (argument_list
  (attribute object: (_) @receiver attribute: (identifier) @inherits)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherits)))

; --- imports

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.star)

; --- local types

(typed_parameter . (identifier) @local type: (type) @type)
(typed_default_parameter name: (identifier) @local type: (type) @type)
(assignment left: (identifier) @local type: (type) @type)
(assignment left: (identifier) @local right: (call function: (_) @value))
(assignment left: (attribute object: (identifier) @receiver attribute: (identifier) @field) type: (type) @type)
(assignment left: (attribute object: (identifier) @receiver attribute: (identifier) @field)
  right: (call function: (_) @value))
(with_item value: (as_pattern (call function: (_) @value) alias: (as_pattern_target (identifier) @local)))
