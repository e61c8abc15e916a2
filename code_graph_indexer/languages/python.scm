; grammar: tree_sitter_python
; cut: ^(?=(?:async[ \t]+def|class|def)\b|@)
; extensions: .py .pyi .pyw
; filenames: SConstruct SConscript wscript
; shebangs: python python2 python3 pypy pypy3
; declarations: module
; declaration-files: .pyi
; tests: test_*.py *_test.py conftest.py tests/ test/
; wrappers: decorated_definition
; self: self
; self-type: cls
; super: super()
; class-members: __class__ new
; type-of: type Type
; self-type-names: Self
; wrapper-types: Optional Annotated Final ClassVar Required NotRequired Awaitable Coroutine Future Task Deferred
; result-last-types: Coroutine
; union-types: Union
; null-types: NoneType NoReturn
; function-types: Callable
; common: add_argument parse_args set_defaults read_text write_text is_file is_dir set_result get_event_loop run_until_complete setdefault popitem splitlines format_map as_posix
; takes-anything: self\.assert.*|isinstance|getattr|hasattr|setattr|len|str|int|print|super|list|set|tuple|dict|type|any|all|sorted|_
; gives-anything: (?:.*\.)?(?:import_module|import_string|__import__)\(\).*
; constructors: __init__ __new__
; passes: list tuple set frozenset sorted reversed iter filter partial lru_cache cache wraps functools.partial functools.lru_cache functools.cache copy.copy copy.deepcopy deepcopy sync_to_async async_to_sync
; picks: next
; on-call: __call__
; on-item: __getitem__ __class_getitem__
; on-each: __iter__ __aiter__
; on-next: __next__ __anext__
; on-enter: __enter__ __aenter__
; on-exit: __exit__ __aexit__
; modules: path
; index: __init__
; roots: src lib python
; import-lookup: name
; import-separator: .
; relative: .
; binds: first
; re-exports: yes
; null: None
; value-prefixes: await yield copy & * !
; pathless-words: lambda async not
; cast-ending: cast
; alternative-operators: or
; conditional-words: if else
; infix-words: and or in is if else

; --- definitions

(class_definition name: (identifier) @name body: (block) @body) @definition.class
; A typed overload declares the function that follows it.
((decorated_definition (decorator [(identifier) @_decorator (attribute attribute: (identifier) @_decorator)])
  definition: (function_definition name: (identifier) @name return_type: (type)? @returns) @definition.function)
  (#eq? @_decorator "overload"))
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
; A class that is raised is instantiated.
((raise_statement . (identifier) @reference.call) (#match? @reference.call "^_?[A-Z]"))
((raise_statement . (attribute object: (_) @receiver attribute: (identifier) @reference.call)) (#match? @reference.call "^_?[A-Z]"))
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(class_definition superclasses: (argument_list (identifier) @inherits))
(class_definition superclasses: (argument_list
  (attribute object: (_) @receiver attribute: (identifier) @inherits)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherits)))

; functions and classes as values: kept, returned (those that are passed: below)
(class_definition superclasses: (argument_list (keyword_argument value: [
  (identifier) @reference.value
  (attribute object: (identifier) @receiver attribute: (identifier) @reference.value)])))
(assignment right: [
  (identifier) @reference.value
  (attribute object: (identifier) @receiver attribute: (identifier) @reference.value)])
(return_statement [
  (identifier) @reference.value
  (attribute object: (identifier) @receiver attribute: (identifier) @reference.value)])
(list (identifier) @reference.value)
(expression_list (identifier) @reference.value)
(tuple (identifier) @reference.value)
(pair value: (identifier) @reference.value)

; what calls without a name: the result of a call, a loop, a context manager
(call function: (call) @runs.result)
(call function: (subscript) @runs.result)
(decorator (call) @runs.result)
(for_statement right: [(identifier) (attribute) (call)] @runs.each)
(for_in_clause right: [(identifier) (attribute) (call)] @runs.each)
((with_item value: [
  (identifier) @runs.enter (call) @runs.enter (attribute) @runs.enter
  (as_pattern . (_) @runs.enter)]) (#not-match? @runs.enter "^self.assert"))

; what is passed to parameters

(call function: (_) @callee arguments: (argument_list [(identifier) (attribute)] @argument.value))
(call function: (_) @callee arguments: (argument_list (call) @argument))
(call function: (_) @callee arguments: (argument_list
  (keyword_argument name: (identifier) @keyword value: [(identifier) (attribute)] @argument.value)))
(call function: (_) @callee arguments: (argument_list (keyword_argument name: (identifier) @keyword value: (call) @argument)))
(decorated_definition (decorator [(identifier) (attribute)] @callee) definition: (_ name: (identifier) @argument))

; --- imports

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.star)

; --- local types

(parameters (identifier) @param)
(lambda parameters: (lambda_parameters [(identifier) @local (default_parameter name: (identifier) @local)])) @within
(parameters (default_parameter name: (identifier) @param))
(parameters (default_parameter name: (identifier) @param value: [(identifier) (attribute)] @value))
(call function: (_) @callee arguments: (argument_list (lambda parameters: (lambda_parameters (identifier) @local)) @within))
((assignment left: (identifier) @local right: (subscript) @alias) (#match? @local "^_?[A-Z]"))
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(typed_parameter . (identifier) @param type: (type) @type)
(typed_parameter (list_splat_pattern "*" @many (identifier) @local) type: (type) @type)
(typed_default_parameter name: (identifier) @param type: (type) @type)
(assignment left: (identifier) @local type: (type) @type)
(assignment left: (identifier) @local right: (_) @value)
; `copy.__class__ = self.__class__`
((assignment left: (attribute object: (identifier) @local attribute: (identifier) @_class) right: (_) @made) (#eq? @_class "__class__"))
(named_expression name: (identifier) @local value: (_) @value)
(augmented_assignment left: (identifier) @local)
(assignment left: [(pattern_list) (tuple_pattern)] @unpack right: (_) @value)
(assignment left: (attribute object: (identifier) @receiver attribute: (identifier) @field) type: (type) @type)
((assignment left: (attribute object: (identifier) @receiver attribute: (identifier) @field) right: (_) @value) (#not-eq? @field "__class__"))
(for_statement left: (identifier) @local right: (_) @each)
(for_statement left: [(pattern_list) (tuple_pattern)] @unpack right: (_) @each)
(_ (for_in_clause left: (identifier) @local right: (_) @each)) @within
(_ (for_in_clause left: [(pattern_list) (tuple_pattern)] @unpack right: (_) @each)) @within
(with_item value: (as_pattern (_) @enter alias: (as_pattern_target (identifier) @local)))
(except_clause (as_pattern (_) @type alias: (as_pattern_target (identifier) @local)))
(function_definition !return_type body: (block (return_statement (_) @result)))
(function_definition !return_type body: (block (_ (block (return_statement (_) @result)))))
(function_definition !return_type body: (block (_ (_ (block (return_statement (_) @result))))))
(if_statement condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .))
  consequence: (_) @within (#eq? @_test "isinstance"))
(elif_clause condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .))
  consequence: (_) @within (#eq? @_test "isinstance"))
(assert_statement . (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .))
  (#eq? @_test "isinstance"))
