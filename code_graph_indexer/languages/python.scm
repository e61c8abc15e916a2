; grammar: tree_sitter_python
; cut: ^(?=(?:async[ \t]+def|class|def)\b|@)
; extensions: .py .pyi .pyw .ipynb
; notebooks: .ipynb
; filenames: SConstruct SConscript wscript
; shebangs: python python2 python3 pypy pypy3
; declarations: module
; declaration-files: .pyi
; tests: test_*.py *_test.py conftest.py tests/ /test/
; hidden: ^\w+ _(?!_|jupyter_|get_sg_)\w*[^_\W]\b
; wrappers: decorated_definition
; twins: (?:if|try|match)\b
; self: self
; self-type: cls Self
; super: super()
; linear-bases: first
; class-members: __class__ new
; type-of: type Type
; wrapper-types: Optional Annotated Final ClassVar Required NotRequired Awaitable Future Task Deferred
; union-types: Union
; function-types: Callable
; doc-types: ^#\s*type:\s*(?!ignore\b|\()(?P<type>[\w.]+(?:\[[^\n#]*\])?(?:\s*\|\s*[\w.]+(?:\[[^\n#]*\])?)*)
; doc-types: ^#\s*type:\s*\([^\n]*\)\s*->\s*(?P<result>[\w.]+(?:\[[^\n#]*\])?)
; common: add_argument parse_args set_defaults read_text write_text is_file is_dir set_result get_event_loop run_until_complete setdefault popitem splitlines format_map as_posix
; constructors: __init__ __new__
; runs: call __call__
; runs: item __getitem__ __class_getitem__
; runs: each __iter__ __aiter__
; runs: next __next__ __anext__
; runs: enter __enter__ __aenter__
; runs: exit __exit__ __aexit__
; runs: store __setitem__
; runs: remove __delitem__
; runs: contains __contains__ __iter__
; runs: equals __eq__
; runs: size __len__
; runs: truth __bool__ __len__
; runs: text __str__ __repr__
; runs: shown __repr__
; reflective: getattr
; getter: @(?:\w+\.)*\w*property\b|@\w+\.(?:setter|deleter)\b
; modules: path
; index: __init__
; roots: src lib python
; import-lookup: name
; import-separator: .
; relative: .
; binds: first
; re-exports: yes
; module-calls: import_module import_string __import__
; null: None NoneType NoReturn
; cast-ending: cast
; alternative-operators: or
; operators: + __add__ - __sub__ * __mul__ / __truediv__ % __mod__ | __or__ & __and__ ^ __xor__ @ __matmul__
; expression: leave return_statement,raise_statement
; expression: name identifier,true,false,dotted_name
; expression: text string,concatenated_string
; expression: number integer,float,list_comprehension,set_comprehension,dictionary_comprehension,generator_expression
; expression: null none
; expression: same await 0
; expression: signed unary_operator argument
; expression: same parenthesized_expression 0
; expression: same expression_list 0
; expression: same named_expression value
; expression: same assignment right
; expression: member attribute object attribute
; expression: call call function arguments
; expression: index subscript value subscript
; expression: either conditional_expression 0 2
; expression: binary boolean_operator left operator right
; expression: binary binary_operator left operator right
; expression: list list
; expression: list tuple
; expression: spread list_splat 0
; expression: spread dictionary_splat 0
; expression: mapping dictionary value
; expression: mapping set
; expression: labelled keyword_argument name value
; expression: sent yield

; --- definitions

(class_definition name: (identifier) @name body: (block) @body) @definition.class
; A typed overload declares the function that follows it.
((decorated_definition (decorator [(identifier) @_decorator (attribute attribute: (identifier) @_decorator)])
  definition: (function_definition name: (identifier) @name return_type: (type)? @returns) @definition.function)
  (#eq? @_decorator "overload"))
(function_definition name: (identifier) @name return_type: (type)? @returns body: (block) @body) @definition.function
((assignment left: (identifier) @name type: (type (identifier) @_kind) right: (string (string_content) @type)) @definition.type
  (#eq? @_kind "TypeAlias"))
((assignment left: (identifier) @name right: (call function: (identifier) @_make arguments: (argument_list (string) . (_) @type .))) @definition.type
  (#eq? @_make "NewType"))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)]) right: (_) @type) @definition.type

(module (expression_statement
  (assignment left: (identifier) @name right: (lambda body: (_) @body))) @definition.function)
(module (expression_statement
  (assignment left: (identifier) @name type: (type)? @type)) @definition.variable)
; a, b = 1, 2
(module (expression_statement (assignment left: [
  (pattern_list (identifier) @name @definition.variable)
  (tuple_pattern (identifier) @name @definition.variable)
  (list_pattern (identifier) @name @definition.variable)])))
(module ([(if_statement consequence: (block (expression_statement
    (assignment left: (identifier) @name type: (type)? @type)) @definition.variable))
  (try_statement body: (block (expression_statement
    (assignment left: (identifier) @name type: (type)? @type)) @definition.variable))
  (with_statement body: (block (expression_statement
    (assignment left: (identifier) @name type: (type)? @type)) @definition.variable))]))
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name type: (type)? @type)) @definition.field))

(module . (comment)* . (expression_statement (string) @doc))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(comment) @comment

; --- references

(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
; The grammar takes the star of `[*f(x)]` for a part of the function.
(call function: (list_splat (identifier) @reference.call))
(decorator (identifier) @reference.call)
; A class that is raised is instantiated.
((raise_statement . (identifier) @reference.call) (#match? @reference.call "^_?[A-Z]"))
((raise_statement . (attribute object: (_) @receiver attribute: (identifier) @reference.call)) (#match? @reference.call "^_?[A-Z]"))
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(_ type: (type (string (string_content) @type_text)))
(function_definition return_type: (type (string (string_content) @type_text)))
((generic_type (identifier) @_name (type_parameter (type (string (string_content) @type_text)))) (#not-eq? @_name "Literal"))
((call function: [(identifier) @_name (attribute attribute: (identifier) @_name)]
  arguments: (argument_list . (string (string_content) @type_text))) (#eq? @_name "cast"))
((assignment left: (identifier) @typevar right: (call function: (_) @_make))
 (#match? @_make "(TypeVar|ParamSpec|TypeVarTuple)$"))
([(function_definition type_parameters: (type_parameter (type (identifier) @typevar)))
  (class_definition type_parameters: (type_parameter (type (identifier) @typevar)))])
((assignment left: (identifier) @typevar right: (call function: (_) @_make
  arguments: (argument_list (keyword_argument name: (identifier) @_bound value: (_) @type))))
 (#eq? @_bound "bound") (#match? @_make "TypeVar$"))
(type_alias_statement left: (type (generic_type (type_parameter (type (identifier) @typevar)))))
(type_parameter (type (constrained_type (type (identifier) @typevar) (type) @type)))
((class_definition superclasses: (argument_list (keyword_argument name: (identifier) @_key value: [
  (identifier) @reference.call
  (attribute object: (_) @receiver attribute: (identifier) @reference.call)]))) (#eq? @_key "metaclass"))
(class_definition superclasses: (argument_list (identifier) @inherits))
(class_definition superclasses: (argument_list
  (attribute object: (_) @receiver attribute: (identifier) @inherits)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherits)))
(class_definition superclasses: (argument_list (subscript value: (attribute object: (_) @receiver attribute: (identifier) @inherits))))

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
(for_statement "async" @async right: [(identifier) (attribute) (call)] @runs.each)
(for_in_clause "async" @async right: [(identifier) (attribute) (call)] @runs.each)
(with_statement "async" @async (with_clause (with_item value: [
  (identifier) @runs.enter (call) @runs.enter (attribute) @runs.enter
  (as_pattern . (_) @runs.enter)])))

; what runs a method by an operator
(assignment left: (subscript value: (_) @runs.store))
(delete_statement (subscript value: (_) @runs.remove))
(subscript value: [(identifier) (attribute) (call)] @runs.item)
(comparison_operator . [(identifier) (attribute) (call)] @runs.equals operators: ["==" "!="])
(comparison_operator operators: ["in" "not in"] . [(identifier) (attribute) (call)] @runs.contains)
((call function: (identifier) @_built arguments: (argument_list . [(identifier) (attribute) (call)] @runs.size .)) (#eq? @_built "len"))
((call function: (identifier) @_built arguments: (argument_list . [(identifier) (attribute) (call)] @runs.text .)) (#eq? @_built "str"))
((call function: (identifier) @_built arguments: (argument_list . [(identifier) (attribute) (call)] @runs.shown .)) (#eq? @_built "repr"))
((call function: (identifier) @_built arguments: (argument_list . [(identifier) (attribute) (call)] @runs.truth .)) (#eq? @_built "bool"))
(binary_operator left: [(identifier) (attribute) (call)] @runs.operator operator: _ @sign)
(if_statement condition: [(identifier) (attribute)] @runs.truth)
(not_operator argument: [(identifier) (attribute)] @runs.truth)
(boolean_operator [(identifier) (attribute)] @runs.truth)
(conditional_expression (_) . [(identifier) (attribute)] @runs.truth)

; a member whose name is put together: `getattr(self, f"visit_{kind}")`
(string (string_start) . (string_content) @runs.named . (interpolation))
(binary_operator left: (string (string_content) @runs.named) operator: "+")

; what is passed to parameters

(call function: (_) @callee arguments: (argument_list [(identifier) (attribute)] @argument.value))
(call function: (_) @callee arguments: (argument_list (call) @argument))
(call function: (_) @callee arguments: (argument_list
  (keyword_argument name: (identifier) @keyword value: [(identifier) (attribute)] @argument.value)))
(call function: (_) @callee arguments: (argument_list (keyword_argument name: (identifier) @keyword value: (call) @argument)))
(decorated_definition (decorator [(identifier) (attribute)] @callee) definition: (_ name: (identifier) @argument))
((decorated_definition (decorator (call function: (_) @callee)) definition: (_ name: (identifier) @argument)) (#match? @callee "(^|\\.)fixture$"))
((decorated_definition (decorator (call) @callee) definition: (_ name: (identifier) @argument)) (#not-match? @callee "^[\\w.]*fixture\\("))

; What code writes though no mark of an assignment follows it.
([(pattern_list (attribute attribute: (identifier) @written)) (tuple_pattern (attribute attribute: (identifier) @written))
  (list_pattern (attribute attribute: (identifier) @written)) (delete_statement (attribute attribute: (identifier) @written))])

; --- imports

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.star)
; Names that an import of all names brings. A list that is put together brings any name.
((module (expression_statement [
  (assignment left: (identifier) @_public right: (_) @public)
  (augmented_assignment left: (identifier) @_public right: (_) @public)
  (call function: (attribute object: (identifier) @_public) arguments: (argument_list (_) @public))])) (#eq? @_public "__all__"))

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
((assignment left: (identifier) @local type: (type) @type) (#not-match? @type "^(\\w+\\.)?(Final|ClassVar|TypeAlias)$"))
(assignment left: (identifier) @local right: (_) @value)
; `copy.__class__ = self.__class__`
((assignment left: (attribute object: (identifier) @local attribute: (identifier) @_class) right: (_) @made) (#eq? @_class "__class__"))
(named_expression name: (identifier) @local value: (_) @value)
(augmented_assignment left: (identifier) @local)
(assignment left: [(pattern_list) (tuple_pattern)] @unpack right: (_) @value)
(assignment left: (attribute object: (identifier) @receiver attribute: (identifier) @field.made) type: (type) @type)
((assignment left: (attribute object: (identifier) @receiver attribute: (identifier) @field.made) right: (_) @value) (#not-eq? @field.made "__class__"))
(for_statement left: (identifier) @local right: (_) @each)
(for_statement left: [(pattern_list) (tuple_pattern)] @unpack right: (_) @each)
(_ (for_in_clause left: (identifier) @local right: (_) @each)) @within
(_ (for_in_clause left: [(pattern_list) (tuple_pattern)] @unpack right: (_) @each)) @within
(with_item value: (as_pattern (_) @enter alias: (as_pattern_target (identifier) @local)))
(for_statement "async" @async left: (identifier) @local right: (_) @each)
(_ (for_in_clause "async" @async left: (identifier) @local right: (_) @each)) @within
(with_statement "async" @async (with_clause (with_item value: (as_pattern (_) @enter alias: (as_pattern_target (identifier) @local)))))
(except_clause (as_pattern (_) @type alias: (as_pattern_target (identifier) @local)))
; A call of a generator gives its values one by one.
(function_definition !return_type body: (block (expression_statement (assignment right: (yield (_) @yielded)))))
(function_definition !return_type body: (block (expression_statement (yield (_) @yielded))))
(function_definition !return_type body: (block (_ (block (expression_statement (yield (_) @yielded))))))
(function_definition !return_type body: (block (_ (_ (block (expression_statement (yield (_) @yielded)))))))
(function_definition !return_type body: (block (return_statement (_) @result)))
(function_definition !return_type body: (block (_ (block (return_statement (_) @result)))))
(function_definition !return_type body: (block (_ (_ (block (return_statement (_) @result))))))
; A declared result says less than the function inside that is returned.
((function_definition return_type: (type) body: (block [(function_definition) (decorated_definition)] (return_statement [
  (identifier) @result
  (call function: (_) @_cast arguments: (argument_list (_) . [(identifier) (call)] @result .))]))) (#match? @_cast "cast$"))
; Where a variable is assigned under a condition, it may have the value from before too.
(if_statement consequence: (block (expression_statement (assignment left: (identifier)))) @arm) @choice
(if_statement (elif_clause consequence: (block (expression_statement (assignment left: (identifier)))) @arm)) @choice
(if_statement (else_clause body: (block (expression_statement (assignment left: (identifier)))) @arm.rest)) @choice
(match_statement (block (case_clause consequence: (block (expression_statement (assignment left: (identifier)))) @arm))) @choice
(try_statement (except_clause (block (expression_statement (assignment left: (identifier)))) @arm) @choice)
(for_statement body: (block (expression_statement (assignment left: (identifier)))) @arm) @choice
(while_statement body: (block (expression_statement (assignment left: (identifier)))) @arm) @choice
; What is tested may be a variable of the module.
((call function: (identifier) @_test arguments: (argument_list . (identifier) @reassigned)) (#eq? @_test "isinstance"))
(global_statement (identifier) @global)
; What a test says of a variable holds where the test is true.
([
  (if_statement condition: [(call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) (boolean_operator left: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) "and") (boolean_operator "and" right: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)))] consequence: (_) @within)
  (elif_clause condition: [(call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) (boolean_operator left: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) "and")] consequence: (_) @within)
  (while_statement condition: [(call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) (boolean_operator left: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) "and")] body: (_) @within)
  (boolean_operator left: [(call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)) (boolean_operator "and" right: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)))] "and" right: (_) @within)
  (conditional_expression . (_) @within (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)))
  (assert_statement . (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .)))
 ] (#eq? @_test "isinstance"))
([
  (if_statement condition: (comparison_operator . (call function: (identifier) @_test arguments: (argument_list . (identifier) @local .)) operators: ["is" "=="] . (_) @type .) consequence: (_) @within)
  (elif_clause condition: (comparison_operator . (call function: (identifier) @_test arguments: (argument_list . (identifier) @local .)) operators: ["is" "=="] . (_) @type .) consequence: (_) @within)
 ] (#eq? @_test "type"))
; After `if not isinstance(x, P): return` it holds to the end of the block.
((block (if_statement condition: (not_operator argument: (call function: (identifier) @_test arguments: (argument_list . (identifier) @local . (_) @type .))) consequence: (block [(return_statement) (raise_statement) (continue_statement) (break_statement)] .) !alternative) . (_)+ @within .)
 (#eq? @_test "isinstance"))
((block (if_statement condition: (comparison_operator . (call function: (identifier) @_test arguments: (argument_list . (identifier) @local .)) operators: ["is not" "!="] . (_) @type .)
  consequence: (block [(return_statement) (raise_statement) (continue_statement) (break_statement)] .) !alternative) . (_)+ @within .)
 (#eq? @_test "type"))
(case_clause (case_pattern (dotted_name . (identifier) @local .))) @within
(case_clause (case_pattern (list_pattern (case_pattern (dotted_name . (identifier) @local .))))) @within
(case_clause (case_pattern (tuple_pattern (case_pattern (dotted_name . (identifier) @local .))))) @within
(match_statement subject: (identifier) @local body: (block (case_clause (case_pattern [
  (class_pattern (dotted_name) @type)
  (union_pattern (class_pattern (dotted_name) @type) . (class_pattern (dotted_name)))
  (as_pattern (case_pattern (class_pattern (dotted_name) @type)))]) consequence: (_) @within)))
(match_statement body: (block (case_clause (case_pattern
  (as_pattern (case_pattern (class_pattern (dotted_name) @type)) (identifier) @local)) consequence: (_) @within)))
(match_statement body: (block (case_clause (case_pattern (_ (case_pattern
  (as_pattern (case_pattern (class_pattern (dotted_name) @type)) (identifier) @local)))) consequence: (_) @within)))
