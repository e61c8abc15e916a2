; grammar: tree_sitter_perl
; cut: ^[)}\]]+[;,]?[ \t]*\n
; extensions: .pl .pm .t .PL .psgi
; content: .pl \A(?!(?s:.*?)^(?::-|[a-z]\w*(?:\([^\n]*\))?[ \t]*(?::-|-->))(?:\s|$))(?s:.*?)(?:^#!.*perl|^=\w|^[ \t]*(?:use|no|require|package|sub|my|our|local|print|BEGIN|if|for|foreach|while|die|exit|eval|return|do)\b|[$@%]\{?\w|;[ \t]*(?:#.*)?$)
; filenames: cpanfile
; shebangs: perl
; tests: *.t t/lib/ xt/
; called-from-outside: \bsub\s+[A-Z]{3,}\b
; super: SUPER
; lookup: class file imports peers stars global
; modules: declared
; roots: lib
; import-lookup: name
; import-separator: .
; binds: first
; re-exports: yes
; null: undef
; alternative-operators: || or
; class-members: new
; expression: name scalar,array,hash,bareword,function,varname,container_variable,arraylen
; expression: text string_literal,interpolated_string_literal,heredoc_token
; expression: number number
; expression: null undef_expression
; expression: same parenthesized_expression 0
; expression: same assignment_expression right
; expression: same refgen_expression 0
; expression: same list_expression 0
; expression: signed unary_expression operand
; expression: method method_call_expression invocant method !
; expression: call function_call_expression function !
; expression: index array_element_expression 0 index
; expression: index anonymous_slice_expression list 1
; expression: step hash_element_expression 0 []
; expression: either conditional_expression consequent alternative
; expression: binary binary_expression left operator right
; expression: binary lowprec_logical_expression left operator right
; expression: list anonymous_array_expression
; expression: mapping anonymous_hash_expression

; The subs of a package stand beside its statement: a file is the module that its first package names, and a method called on
; `$self` is looked for like a function. A package with a block is a class. With `binds: first` a full name is read where it is
; Modules are used by their names: `My::Shelf->new` needs any import of `My::…`.

; --- definitions

(source_file . [(comment) (pod) (use_statement) (use_version_statement)]* . (package_statement name: (package) @module .))
(package_statement name: (package) @name (block) @body) @definition.class
(class_statement name: (package) @name (block) @body) @definition.class
(role_statement name: (package) @name (block) @body) @definition.trait

; A method takes the object or the class first: in its signature, or in its first statement from `@_` or by `shift`.
((subroutine_declaration_statement name: (bareword) @name (signature . (mandatory_parameter (scalar) @_self)) body: (_) @body) @definition.method
  (#any-of? @_self "$self" "$class" "$this" "$proto" "$c" "$app"))
((subroutine_declaration_statement name: (bareword) @name body: (_) @body) @definition.method
  (#match? @body "^\\{\\s*(my\\s*\\(?\\s*\\$(self|class|this|proto|c|app)\\b|[^;]*\\b(shift\\b(\\(\\))?|\\$_\\[0\\])\\s*->)"))
(subroutine_declaration_statement name: (bareword) @name (signature)? body: (_)? @body) @definition.function
(method_declaration_statement name: (bareword) @name body: (_) @body) @definition.method
(assignment_expression left: [(variable_declaration variable: (scalar) @name) (glob (varname) @name)]
  right: (anonymous_subroutine_expression body: (_) @body)) @definition.function
; The title of a test keeps its quotes, as it often is the name of a function.
((expression_statement (ambiguous_function_call_expression function: (function) @_subtest
  arguments: (list_expression . [(string_literal) (interpolated_string_literal)] @name . (anonymous_subroutine_expression body: (_) @body) .))) @definition.function
  (#eq? @_subtest "subtest"))

((ambiguous_function_call_expression function: (function) @_has arguments: [
    (_ content: (string_content) @name)
    (list_expression . [(autoquoted_bareword) @name (_ content: (string_content) @name)])
    (list_expression . (anonymous_array_expression (quoted_word_list content: (string_content) @name)))
    (anonymous_array_expression (quoted_word_list content: (string_content) @name))]) @definition.property
  (#eq? @_has "has") (#not-match? @name "\\s"))
((use_statement module: (package) @_constant [(list_expression . (autoquoted_bareword) @name) (parenthesized_expression (list_expression . (autoquoted_bareword) @name))])
  @definition.constant (#eq? @_constant "constant"))
((use_statement module: (package) @_constant (anonymous_hash_expression (list_expression (autoquoted_bareword) @name @definition.constant)))
  (#eq? @_constant "constant"))
(source_file (expression_statement (variable_declaration variable: (_) @name)) @definition.variable)
(source_file (expression_statement [(variable_declaration variables: (_) @name @definition.variable)
  (assignment_expression left: (variable_declaration variables: (_) @name @definition.variable))]))
((source_file (expression_statement (assignment_expression left: (variable_declaration variable: (_) @name) right: (_) @_value)) @definition.variable)
  (#not-match? @_value "^sub\\b"))
(class_statement (block (expression_statement [(variable_declaration variable: (_) @name) (assignment_expression left: (variable_declaration variable: (_) @name))]) @definition.field))

[(comment) (pod)] @comment
((pod) @doc (#match? @doc "^=(head1|encoding)"))

; --- references

; Whatever is no operator of the language.
(([(function_call_expression function: (function) @reference.call) (ambiguous_function_call_expression function: (function) @reference.call)])
  (#not-match? @reference.call "^(&.*|print|printf|say|push|unshift|splice|join|split|bless|die|warn|sprintf|open|close|binmode|read|sysread|syswrite|seek|opendir|unlink|mkdir|rename|pack|unpack|index|rindex|substr|system|exec|kill|wait|waitpid|local|return|atan2|vec|crypt|select|bind|connect|listen|socket|accept|ioctl|fcntl|flock|utime|chmod|chown|link|symlink|has|extends|with|reverse|sort|map|grep|send|recv|setsockopt|getsockopt|tie|formline)$"))
(function_call_expression function: (function (varname) @reference.call))
(coderef_call_expression . (scalar) @reference.call)
(expression_statement (bareword) @reference.call)
((method_call_expression invocant: (_) @_self method: (method) @reference.call)
  (#any-of? @_self "$self" "$class" "$this" "shift" "__PACKAGE__") (#not-match? @reference.call "^\\$"))
((method_call_expression invocant: (_) @receiver method: (method) @reference.call)
  (#not-match? @receiver "^([$]self|[$]class|[$]this|shift|__PACKAGE__)$") (#not-match? @reference.call "^\\$"))
(refgen_expression (function (varname) @reference.value))
((func1op_call_expression (function_call_expression function: (function (varname) @reference.value))))

((use_statement module: (package) @_parent [
    (_ content: (string_content) @inherits)
    (list_expression (_ content: (string_content) @inherits))
    (parenthesized_expression (list_expression (_ content: (string_content) @inherits)))])
  (#any-of? @_parent "parent" "base" "Mojo::Base") (#match? @inherits "^[\\w:]+$"))
((assignment_expression left: (variable_declaration variable: (array) @_isa) right: [
    (_ content: (string_content) @inherits)
    (parenthesized_expression [(_ content: (string_content) @inherits) (list_expression (_ content: (string_content) @inherits))])])
  (#eq? @_isa "@ISA") (#match? @inherits "^[\\w:]+$"))
((ambiguous_function_call_expression function: (function) @_extends arguments: [
    (_ content: (string_content) @inherits) (list_expression (_ content: (string_content) @inherits))])
  (#any-of? @_extends "extends" "with") (#match? @inherits "^[\\w:]+$"))
((class_statement (attrlist (attribute name: (attribute_name) @_isa value: (attribute_value) @inherits))) (#eq? @_isa "isa"))

; --- imports
; A list of names is one word: all of a package that is used with a list is imported. So is a base, that what it defines is found.

((use_statement module: (package) @import.module
    [(quoted_word_list) (list_expression) (string_literal) (parenthesized_expression) (autoquoted_bareword)]) @import.star
  (#not-match? @import.module "^(strict|warnings|utf8|feature|lib|constant|parent|base|vars|overload|integer|bytes|open|subs|locale|experimental)$"))
((use_statement module: (package) @_parent [
    (_ content: (string_content) @import.module)
    (list_expression (_ content: (string_content) @import.module))
    (parenthesized_expression (list_expression (_ content: (string_content) @import.module)))]) @import.star
  (#any-of? @_parent "parent" "base" "Mojo::Base") (#match? @import.module "^[\\w:]+$"))
((assignment_expression left: (variable_declaration variable: (array) @_isa) right: [
    (_ content: (string_content) @import.module)
    (parenthesized_expression [(_ content: (string_content) @import.module) (list_expression (_ content: (string_content) @import.module))])]) @import.star
  (#eq? @_isa "@ISA") (#match? @import.module "^[\\w:]+$"))
((ambiguous_function_call_expression function: (function) @_extends arguments: [
    (_ content: (string_content) @import.module) (list_expression (_ content: (string_content) @import.module))]) @import.star
  (#any-of? @_extends "extends" "with") (#match? @import.module "^[\\w:]+$"))
((use_statement module: (package) @import.module)
  (#not-match? @import.module "^(strict|warnings|utf8|feature|lib|constant|parent|base|vars|overload|integer|bytes|open|subs|locale|experimental)$"))
(require_expression [(bareword) @import.module (_ content: (string_content) @import.module)])

; --- local types

(signature (_ . [(scalar) (array) (hash)] @param))
(variable_declaration [variable: (_) @local variables: (_) @local])
((assignment_expression left: (variable_declaration variable: (scalar) @local)
  right: (method_call_expression invocant: (bareword) @value method: (method) @_new)) (#match? @_new "^new"))
((assignment_expression left: [(variable_declaration variable: (scalar) @local) (scalar) @local] right: (_) @value)
  (#not-match? @value "^[\\w:]+->new"))
(for_statement variable: (scalar) @local list: (_) @each)
