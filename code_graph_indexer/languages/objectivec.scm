; grammar: tree_sitter_objc
; cut: ^(?:\}|@end)[ \t]*\n
; flat-functions: yes
; family: c
; lookup: class file imports peers stars global
; open-types: yes
; split-types: yes
; declarations: linked
; variadic: ...
; labels: yes
; local-functions: (?:inline |extern )*static\b
; extension-methods: yes
; extensions: .m .mm .h
; content: .m ^[ \t]*(?:#[ \t]*(?:import|include|define|if|ifdef|ifndef|pragma)\b|@(?:interface|implementation|protocol|class|import|end)\b|[-+][ \t]*\([\w \t*<>]+\)[ \t]*\w|[A-Za-z_][\w \t*]*\([^()\n]*\)\s*\{)
; content: .mm \A(?!\s*<)
; content: .h \n[ \t]*+(?:#[ \t]*import[ \t]*[<"][^>"\n]*\.h|@end\b|@class[ \t][^;\n]*;|@import[ \t]+[\w.]+;|@(?:interface|protocol)[ \t]+\w+[ \t]*[:(<])
; modules: file
; import-separator: /
; binds: all
; self: self
; super: super
; class-members: new class init
; class-getters: class
; type-decoration: \b(?:const|volatile|static|struct|enum|union|unsigned)\s+(?=\S)
; reserved: asm auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef typeof union unsigned void volatile while
; common: addObject addObserver arrayWithObjects awakeFromNib copyWithZone decodeObjectForKey encodeObject encodeWithCoder initWithCoder initWithFrame isEqual isEqualToString isKindOfClass layoutSubviews objectAtIndex objectForKey performSelector postNotificationName removeAllObjects removeFromSuperview removeObject removeObjectForKey removeObserver respondsToSelector setObject setValue stringByAppendingString stringWithFormat valueForKey viewDidLoad
; tests: *Tests.m *Test.m *Spec.m *Tests.mm *Test.mm Tests/ *Tests/
; blank: ^([ \t]*#[ \t]*(?:if|ifdef|ifndef|else|elif|endif)\b.*)$|^[ \t]*([A-Z][A-Z0-9_]*_(?:BEGIN|END)(?:\([^()\n]*\))?[ \t]*;?)[ \t]*$|(?<=[\s)])([A-Z][A-Z0-9_]*_(?:AVAILABLE|DEPRECATED)[A-Z0-9_]*(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*[;{])
; twins: .
; null: nil NULL nullptr void
; cast-ending: cast
; expression: like c
; A method is called by the first word of its selector: `tableView:didSelectRowAtIndexPath:` is `tableView`, its signature has the rest.
; Conditions are blanked, so that both branches are read: the grammar does not know them inside an @interface or before an `else`.

; --- definitions

; A class is where it is implemented; its interface declares it. A category or an extension adds to a class.
(class_implementation . (identifier) @name !category !superclass . [(_) "@end"] @body) @definition.class
(class_implementation . (identifier) @name !category superclass: (_) . [(_) "@end"] @body) @definition.class
(class_implementation . (identifier) @name category: (_)) @scope
(class_interface . (identifier) @name superclass: (_)) @definition.class
(class_interface . (identifier) @name !superclass) @scope
(protocol_declaration . (identifier) @name . (protocol_reference_list) . [(_) "@end"] @body) @definition.protocol
(protocol_declaration . (identifier) @name . [(_) "@end"] @body) @definition.protocol

; What a method returns that is declared as `instancetype` is read from its body.
([(method_definition (method_type (type_name [
      (type_identifier) @returns (generic_specifier) @returns (typedefed_specifier (protocol_reference_list . (identifier) @returns))]))
    . (identifier) @name (compound_statement) @body) @definition.method
  (method_declaration (method_type (type_name [
      (type_identifier) @returns (generic_specifier) @returns (typedefed_specifier (protocol_reference_list . (identifier) @returns))]))
    . (identifier) @name) @definition.method]
  (#not-eq? @returns "instancetype"))
(method_definition . (method_type)? . (identifier) @name (compound_statement) @body) @definition.method
(method_declaration . (method_type)? . (identifier) @name) @definition.method

; One alone takes its whole declaration, of several each is its own definition.
(property_declaration (struct_declaration
  [(type_identifier) @type (generic_specifier) @type (typedefed_specifier (protocol_reference_list . (identifier) @type))]
  . (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) .)) @definition.property
(property_declaration (struct_declaration . (_) . (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))]) .)) @definition.property
(property_declaration (struct_declaration [(type_identifier) (generic_specifier) (primitive_type)] @type [
  ((struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) @definition.property . ",")
  ("," . (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) @definition.property)]))
(instance_variable (struct_declaration
  [(type_identifier) @type (generic_specifier) @type (typedefed_specifier (protocol_reference_list . (identifier) @type))]
  . (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) .)) @definition.field
(instance_variable (struct_declaration . (_) . (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))]) .)) @definition.field
(instance_variable (struct_declaration [(type_identifier) (generic_specifier) (primitive_type)] @type [
  ((struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) @definition.field . ",")
  ("," . (struct_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) @definition.field)]))
; The grammar does not know `typedef NS_ENUM(NSInteger, State) {…}`: its head at least is found.
((macro_type_specifier name: (identifier) @_macro (ERROR (identifier) @name)) @definition.enum
  (#match? @_macro "^NS_(CLOSED_)?(ENUM|OPTIONS)$"))

; What is C in it.
(function_definition type: (_) @returns declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]
  body: (compound_statement) @body) @definition.function
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(type_definition type: (struct_specifier body: (_) @body) . declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) . declarator: (type_identifier) @name) @definition.enum
(type_definition type: (_) @type declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))]) @definition.type
(translation_unit [
  (struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
  (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
(enumerator name: (identifier) @name) @definition.enum_member
(field_declaration type: (_) @type declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)]) @definition.field
(translation_unit (declaration type: (_) @type declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])]) @definition.variable)

(comment) @comment

; --- references

; `[Foo alloc]`, `[Foo new]`
((message_expression receiver: (identifier) @reference.call . method: (identifier) @_made)
  (#match? @_made "^(alloc|new)$") (#match? @reference.call "^[A-Z]"))
((message_expression receiver: (identifier) @reference.value . method: (identifier) @_class)
  (#eq? @_class "class") (#match? @reference.value "^[A-Z]"))
((message_expression receiver: [
    (identifier) (field_expression) (subscript_expression) (call_expression) (cast_expression) (parenthesized_expression)
    (string_literal) (array_literal) (dictionary_literal)] @receiver . method: (identifier) @reference.call)
  (#not-match? @reference.call "^(alloc|new|class)$") (#not-eq? @receiver "super"))
((message_expression receiver: (identifier) @receiver . method: (identifier) @reference.call)
  (#eq? @receiver "super") (#not-match? @reference.call "^(init|dealloc)$"))
; What a message gives has no path: where it makes an object or gives a shared one, the class stands for that.
((message_expression receiver: [
    (message_expression receiver: (identifier) @receiver . method: (identifier) @_made)
    (message_expression receiver: (message_expression receiver: (identifier) @receiver . method: (identifier) @_made)
      . method: (identifier) @_init)]
  . method: (identifier) @reference.call)
  (#match? @_made "^(alloc|new|class$|shared|default|main|standard|current)") (#match? @_init "^init"))
; Of another message's result nothing is known, which its bracket says: an expression without a path.
((message_expression receiver: (message_expression receiver: (identifier) method: (identifier) @_made "]" @receiver) . method: (identifier) @reference.call)
  (#not-match? @_made "^(alloc|new|class$|shared|default|main|standard|current)"))
(message_expression receiver: (message_expression receiver: [(field_expression) (subscript_expression) (call_expression) (cast_expression)] "]" @receiver)
  . method: (identifier) @reference.call)
((message_expression receiver: (message_expression receiver: (message_expression) . method: (identifier) @_init "]" @receiver) . method: (identifier) @reference.call)
  (#not-match? @_init "^init"))
; `Foo.shared` is a message too.
((field_expression argument: (identifier) @receiver field: (field_identifier) @reference.call) (#match? @receiver "^[A-Z]"))
(message_expression . (_) . method: (identifier) @called) @arguments
(selector_expression (identifier) @reference.value)
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))
(argument_list (identifier) @reference.value)
(init_declarator value: (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(initializer_list (identifier) @reference.value)
(initializer_pair value: (identifier) @reference.value)
(conditional_expression consequence: (identifier) @reference.value)
(conditional_expression alternative: (identifier) @reference.value)
(cast_expression value: (identifier) @reference.value)
(pointer_expression operator: "&" argument: (identifier) @reference.value)

(class_interface superclass: (identifier) @inherits)
(class_interface superclass: (_) . (parameterized_arguments (type_name . (type_identifier) @inherits .)))
(class_interface ")" . (parameterized_arguments (type_name . (type_identifier) @inherits .)))
(class_implementation superclass: (identifier) @inherits)
(protocol_declaration (protocol_reference_list (identifier) @inherits))

; --- imports

(preproc_include path: [(string_literal) (system_lib_string)] @import.module)
(module_import path: (identifier) @import.module)

; --- local types

(method_parameter (method_type (type_name
    [(type_identifier) @type (generic_specifier) @type (typedefed_specifier (protocol_reference_list . (identifier) @type))]))
  (identifier) @param .)
(method_parameter (identifier) @param .)
(parameter_declaration type: (type_identifier) @type declarator: [
  (identifier) @param
  (pointer_declarator declarator: [(identifier) @param (pointer_declarator declarator: (identifier) @param)])])
(declaration type: [
    (type_identifier) @type (generic_specifier) @type (typedefed_specifier (protocol_reference_list . (identifier) @type))]
  declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
    (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])])
; `id`, `typeof(self)`
((declaration type: [(typedefed_specifier) (typeof_specifier)] declarator: (init_declarator
    declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)] value: [
      (identifier) @value (field_expression) @value (subscript_expression) @value (call_expression) @value
      (message_expression receiver: (message_expression receiver: (identifier) @value . method: (identifier) @_made))]))
  (#eq? @_made "alloc"))
(for_statement type: [(type_identifier) (generic_specifier)] @type [(identifier) @local (pointer_declarator declarator: (identifier) @local)] . "in")
(catch_clause (type_name (type_identifier) @type (pointer_declarator declarator: (identifier) @local)))
(block_literal (parameter_list (parameter_declaration type: [(type_identifier) (generic_specifier)] @type
  declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)]))) @within
((assignment_expression left: (field_expression argument: (identifier) @receiver field: (field_identifier) @field) right: [
    (identifier) @value
    (field_expression) @value
    (message_expression receiver: (message_expression receiver: (identifier) @type . method: (identifier) @_made))])
  (#eq? @receiver "self") (#eq? @_made "alloc"))
; A name with an underscore is a field by convention: it is its own receiver, as `self` is not written.
((assignment_expression left: (identifier) @field @receiver right: [
    (identifier) @value
    (field_expression) @value
    (message_expression receiver: (message_expression receiver: (identifier) @type . method: (identifier) @_made))])
  (#match? @field "^_") (#eq? @_made "alloc"))
((assignment_expression left: (identifier) @local right: (message_expression receiver: [
    (identifier) @value
    (message_expression receiver: (identifier) @value . method: (identifier) @_made)]))
  (#not-match? @local "^_") (#match? @value "^([A-Z].*|self)$") (#eq? @_made "alloc"))
(return_statement (identifier) @result)
((return_statement (message_expression receiver: (message_expression receiver: (identifier) @result . method: (identifier) @_made)))
  (#eq? @_made "alloc"))
(class_interface . (identifier) . (parameterized_arguments [(type_identifier) @typevar (type_name . (type_identifier) @typevar .)]) superclass: (_))
