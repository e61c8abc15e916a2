; grammar: tree_sitter_cpp
; inherits: c
; type-calls: creates
; cut: ^\}(?:[ \t]*[\w, *\[\]]{0,80};)?[ \t]*(?://[^\n]*|/\*[^\n]*\*/)?[ \t]*\n
; mend: ␠ (/\*(?:[^*\n]++|\*(?!/))*+\*/)(?=[^\n]*\\\n)
; mend: ␠ ^[ \t]*+(?:(?:static|extern|inline)\s++)*+((?!(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|new|delete|throw|using|namespace|class|template|typename|public|private|protected|friend|operator|virtual|explicit|constexpr|mutable|co_return|co_await|co_yield|and|or|not|try|catch|bool)\b)[A-Za-z_]\w*+)(?=\s+(?:const|static|extern|inline|volatile|unsigned|signed|void|bool|char|int|long|short|float|double|struct|union|enum)\b)|[\w*)\]}]\s++(?<!struct )(?<!union )(?<!enum )(?<!def )(__[a-z_]\w*+|[A-Z][A-Z0-9_]{2,}+|notrace|internal_function)(?=\s+\*{0,2}\s*[A-Za-z_])|(?:[\w*]\s*\b\w++|\])\s++(__[a-z_]\w*+|[A-Z][A-Z0-9_]{2,}+)(?=\s*[,);={])
; mend: ␠ ^[ \t]*+((?!(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|new|delete|throw|using|namespace|class|template|typename|public|private|protected|friend|operator|virtual|explicit|constexpr|mutable|co_return|co_await|co_yield|and|or|not|try|catch|bool)\b)[a-z_]\w*+)(?=[ \t]+(?!(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|new|delete|throw|using|namespace|class|template|typename|public|private|protected|friend|operator|virtual|explicit|constexpr|mutable|co_return|co_await|co_yield|and|or|not|try|catch|bool)\b)[A-Za-z_]\w*+(?:[ \t]*+\*++[ \t]*+|[ \t]++)[A-Za-z_]\w*+\s*+[;=\[])
; mend: ␠ ^[ \t]++\w++\s++([A-Z][A-Z0-9_]*+\((?:[^();{}]++|\((?:[^();{}]++|\([^();{}]*+\))*+\))*+\))(?=\s*[,=])
; mend: ␠ \)\s*+((?:\b(?:__\w++|[A-Z_][A-Z0-9_]{3,}+)(?:\((?:[^()\n]++|\((?:[^()\n]++|\([^()\n]*+\))*+\))*+\))?+\s*+)++)(?=[;{])
; mend: ␠ ^((?:static|extern|const)\s++)(?=[A-Z_][A-Z0-9_]++\()
; mend: 0 (?:,|\w\((?!void\s*\)))\s*+((?:const\s++|volatile\s++)*+(?:(?:struct|union|enum)\s++\w++|(?:(?:unsigned|signed|long|short|int|char|void|float|double|bool)\b\s*+)++|\w++(?=\s*+\*+\s*+[,)]))[\s*]*+)(?=[,)])
; mend: ␠ \([^()\n]*?\b(__[a-z]\w*+)(?=\s*+\**+\s*+\))
; mend: ; ^[ \t]++(?!(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|new|delete|throw|using|namespace|class|template|typename|public|private|protected|friend|operator|virtual|explicit|constexpr|mutable|co_return|co_await|co_yield|and|or|not|try|catch|bool)\b)[A-Za-z_]\w*+[ \t]*+\((?:[^();{}]++|\((?:[^();{}]++|\([^();{}]*+\))*+\))*+\)(?:[ \t]*+(?:/\*[^\n]*\*/)?(\n)(?=\s*+[A-Za-z_*{(+-])|([ \t])(?=[ \t]*+\{))
; mend: ␠ ^([ \t]*+#[ \t]*+(?:include|define|undef|pragma)\b(?:\\\r?\n|[^\n])*+)
; flat-functions: yes
; lookup: class file imports peers stars global
; open-types: yes
; content: .h \n[ \t]*+(?:(?:inline[ \t]+)?namespace\b[ \t]*[\w:]*[ \t]*[{\n]|template[ \t]*<|class[ \t]+(?:[A-Z][A-Z0-9_]+(?:\([^()\n]*\))?[ \t]+)?\w+[ \t]*(?:final[ \t]*)?(?:[;{:]|\n\s*\{)|struct[ \t]+\w+[ \t]*(?:final[ \t]*)?:|(?:public|private|protected)[ \t]*(?:\w+[ \t]*)?:[ \t]*(?:\n|//)|using[ \t]+(?:namespace[ \t]|[\w:]+[ \t]*[;=])|virtual[ \t]+[^;\n]+\(|explicit[ \t]+\w+\(|friend[ \t]+[\w:<>*& \t]+[;(]|constexpr[ \t]+\w|enum[ \t]+(?:class|struct)[ \t]|extern[ \t]+"C\+\+"|#[ \t]*include[ \t]*<\w+>|#[ \t]*include[ \t]*["<][^">\n]+\.(?:hpp|hh|hxx|ipp|inl|tcc)[">]|(?![*/])[^\n:"]*+(?<=\w)::[A-Za-z_~]|[^\n()"]*+\([^\n()]*+\)[ \t]*+(?:const[ \t]*+(?:[;{=\n]|noexcept|override)|noexcept\b|override\b|=[ \t]*(?:default|delete)\b))
; content: .inc \n[ \t]*+(?:namespace\b[ \t]*[\w:]*[ \t]*[{\n]|template[ \t]*<|class[ \t]+\w+[ \t]*(?:final[ \t]*)?[:{]|using[ \t]+(?:namespace[ \t]|[\w:]+[ \t]*[;=])|(?![*/])[^\n:"]*+(?<=\w)::[A-Za-z_~])
; extensions: .h .inc .cc .cpp .cxx .c++ .C .hpp .hh .hxx .h++ .H .ipp .inl .tpp .txx .cu .cuh .ixx .cppm .mpp .ino
; constructors: <class>
; variadic: ...
; literal-types: char* string string_view wchar_t* | char wchar_t int | int long unsigned size_t short float double | double float | bool int
; defaults-elsewhere: *
; implicit-super: yes
; runs: call operator()
; runs: item operator[]
; runs: each begin
; runs: next operator*
; common: push_back emplace_back c_str to_string size_t
; tests: *_test.cc *_test.cpp *_test.cxx *_tests.cc *_tests.cpp *-test.cc *-test.cpp *_unittest.cc *_unittest.cpp test_*.cc test_*.cpp *Test.cpp *Tests.cpp tests/ test/
; wrappers: template_declaration linkage_specification
; self: this (*this) *this
; type-decoration: \b(?:const|volatile|static|struct|enum|union|unsigned|class|typename)\s+(?=\S)
; wrapper-types: shared_ptr unique_ptr weak_ptr reference_wrapper optional Optional Future Promise Task
; loops-over: pairs
; vague-types: auto decltype(auto)
; late-members: yes
; blank: \b(?:SIGNAL|SLOT)\(\s*\w{1,80}\(([^()]{1,400})\)\s*\)
; blank: (?<=[\s;{}])(emit|Q_EMIT)[ \t]+(?=[A-Za-z_][\w.:>-]{0,100}\s*\()
; blank: ^[ \t]*(?:(?!(?:return|else|case|goto|typedef)\b)[A-Za-z_]\w{0,60}[ \t*&]{1,8}){1,5}([A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=[ \t]+\*{0,2}\w{1,80}\s*\()
; blank: ^([A-Z][A-Z0-9]*_[A-Z0-9_]*\()(?:const[ \t]+)?(?:struct[ \t]+)?\w{1,60}[ \t*]{0,10}(\))(?=[ \t]*\n?[ \t]*\w{1,80}[ \t]*\([^;{}()]{0,400}\)\s*[;{])
; blank: (/\*(?:[^*]|\*(?!/)){0,2000}+\*/)(?=[^\n]*\\\r?\n)
; blank: ^([A-Za-z_]\w{1,60}\()(?:[A-Za-z_]\w{0,60}[\s*]+){1,6}\w{1,80}\s*\((?:[^(){};]|\([^(){};]{0,200}\)){0,900}\)(\))(?=\s*[{;])
; blank: ^[ \t]*(?:static[ \t]+|extern[ \t]+)?((?!inline\b)\w{1,40}(?:inline|INLINE|Inline))(?=[ \t]+\w+[\w \t*&:<>]{0,100}\()
; blank: ^[ \t]*(#[ \t]*if[^\n]*\n(?:[ \t]*(?:[A-Z][A-Z0-9_]{3,}|__attribute__[ \t]*\(\([^\n]*\)\)|\[\[[^\n]*\]\])[ \t]*\n){1,8}[ \t]*#[ \t]*endif[^\n]*)
; blank: (?:[;{}/\n][ \t\r]*+\n|^[ \t]*+#[^\n]*+(?<!\\)\n|(?<!/)//[^\n]*+\n)(?:[ \t]*+\n){0,8}+((?:[ \t]*+[A-Z][A-Z0-9_]{3,}+(?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,200}\))?[ \t]*+\n){0,8}[ \t]*+[A-Z][A-Z0-9_]{3,}+(?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,200}\))?[ \t]*+)$(?!\s*[-})\],;=+*|&.?:<{(])
; blank: \b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9_]{3,}(?:\([^()\n]{0,200}\))?)(?=\s+[A-Za-z_][\w:]*+\s*+(?:final\b\s*+)?[{:<])|\bclass[ \t]+([A-Z][A-Z0-9_]{3,}(?:\([^()\n]{0,200}\))?)(?=\s+[A-Za-z_][\w:]*+\s*+;)
; blank: ^[ \t]*#(?:\\\r?\n|[^\n])*()|\b((?:[A-Z][A-Z0-9]*+_[A-Z0-9_]*+(?:\([^()\n]{0,200}\))?\s+){0,8}[A-Z][A-Z0-9]*+_[A-Z0-9_]*+(?:\([^()\n]{0,200}\))?)(?=\s+(?:(?:void|auto|bool|char|int|long|short|signed|float|double|static|inline|virtual|explicit|friend|constexpr|template|class|struct|extern|using|operator|typename)\b|~|[A-Za-z_][\w:]*(?:<[^<>;(){}\n]{0,200}>)?[\s*&]+(?!const\b)[A-Za-z_]\w*\s*[(;=,)]))
; blank: (?:^[ \t]*|\b(?:constexpr|explicit|inline)\s+)((?:[A-Z][A-Z0-9]*+_[A-Z0-9_]*+\s+){0,8}[A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=\s+\w+\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,200}\)){0,200}\)\s*(?:noexcept\s*)?:\s*[\w:]+(?:<[^;{}]{0,200}>)?\s*[({])
; blank: [\w>*&][ \t]+([A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=[ \t]+\w{1,80}(?:::[~\w]{1,80}){1,8}\s*\()
; blank: [\w>*&][ \t]+(?!(?:return|throw|else|case|new|delete|goto|co_return|co_await|co_yield)\b)\w{1,80}[ \t]+([A-Z][A-Z0-9]*+_[A-Z0-9_]*+\([\w.:&*>-]{0,80}\))(?=\s*(?:[;=]|\{[^{}\n]{0,80}\}\s*;))
; blank: ^[ \t]*([A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=[ \t]+\{\s)
; blank: ^[ \t]*(?:\}[ \t]*)?(?:else[ \t]+)?if[ \t]+([A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=\s*\()
; blank: (,\s*[A-Z][A-Z0-9]*+_[A-Z0-9_]*+\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,200}\)){0,200}\))(?=\s*>)|<\s*([A-Z][A-Z0-9]*+_[A-Z0-9_]*+\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,200}\)){0,200}\))(?=\s*>)
; blank: \)\s*(?:const\s*)?(?:noexcept\s*)?([A-Z][A-Z0-9]*+_[A-Z0-9_]*+(?:\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,200}\)){0,200}\))?)(?=\s*\{)
; blank: \w(\(\s*<[\w./+-]+>\s*\))
; blank: (?<=[\s(!~|&+*-])(unsigned|signed|short|long)(?=\(\w)
; blank: \benum(\s*:\s*[\w:]+(?:\s+\w+)*)(?=\s*\{)
; blank: ^[ \t]*((?:extern\s+)?template\s++(?!<)[^;{}]{0,400};)
; null: nullptr NULL nil void
; cast-ending: cast
; alternative-operators: || or ?:
; expression: like c
; expression: null null,nullptr
; expression: index subscript_expression argument indices
; expression: name namespace_identifier,this,auto
; expression: same argument_list 0
; expression: text raw_string_literal
; expression: member qualified_identifier scope name
; expression: generic template_function name arguments
; expression: generic template_method name arguments
; expression: generic template_type name arguments
; expression: same dependent_name 0
; expression: name operator_name,destructor_name
; expression: new new_expression type arguments
; expression: binary binary_expression left operator right
; expression: binary condition_clause left operator right
; What macros and the grammar's gaps would tear apart, in this order: a macro before the name of a function; a comment in a macro of several lines; a macro around a whole definition; an attribute under a condition of its own; macros that fill lines; before a class's
; name; before a declaration; before a constructor; before the name of a method; behind a field; before a block; behind `if`; in a template's parameters; behind a function's parameters; a header's
; name in brackets; a cast by a type of several words; the type of an enum without a name; an explicit instantiation.

; --- definitions

; `BIT(done);` in a struct, as in C
((field_declaration_list [
    (declaration !type declarator: (function_declarator declarator: (identifier) @_macro
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) .))) @definition.field
    (_ . ["#if" "#ifdef" "#ifndef"] (declaration !type declarator: (function_declarator declarator: (identifier) @_macro
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) .))) @definition.field)])
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
(namespace_definition name: (namespace_identifier) @name body: (_) @body) @definition.namespace
(namespace_definition name: (nested_namespace_specifier . (namespace_identifier) @owner . (namespace_identifier) @name .)
  body: (_) @body) @definition.namespace
(namespace_definition name: (nested_namespace_specifier . (namespace_identifier)
    . (nested_namespace_specifier . (namespace_identifier) @owner . (namespace_identifier) @name .))
  body: (_) @body) @definition.namespace

; `#define BEGIN namespace a {`: what follows BEGIN in other files is in `a`.
((preproc_def value: (preproc_arg) @_value) @opens (#match? @_value "\\bnamespace\\s+\\w+[\\s\\\\]*\\{"))

(class_specifier name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @owner name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
    (qualified_identifier scope: (_) @owner name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name))]
  body: (_) @body) @definition.class
(struct_specifier name: [
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @owner name: [(type_identifier) @name (template_type name: (type_identifier) @name)])]
  body: (_) @body) @definition.struct
; The inherited patterns do not look into a template.
(template_declaration (struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct)
(template_declaration (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union)
; `class API Name {…}`: the grammar takes the macro for the class's name and the rest for a function.
(function_definition type: (class_specifier !body) declarator: (identifier) @name
  body: (compound_statement) @body) @definition.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @name
  body: (compound_statement) @body) @definition.struct
(type_definition type: (_) @type declarator: (reference_declarator [
    (type_identifier) @name
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))])) @definition.type
(alias_declaration name: (type_identifier) @name type: (_) @type) @definition.type
(using_declaration "namespace" @import.star [(identifier) (qualified_identifier)] @import.module)
; `using shop::total`
(using_declaration (qualified_identifier name: (identifier) @local) @value)
(using_declaration (qualified_identifier name: (qualified_identifier name: (identifier) @local)) @value)
(namespace_alias_definition name: (namespace_identifier) @name [(namespace_identifier) (nested_namespace_specifier)] @type) @definition.type
(concept_definition name: (identifier) @name) @definition.type

; `auto f() -> Type`
(function_definition declarator: (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
      name: [(identifier) @name (operator_name) @name])
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]?
      name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
      name: [(identifier) @name (operator_name) @name]))]
  (trailing_return_type (_) @returns)) body: (_) @body) @definition.function
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name
  (trailing_return_type (_) @returns))) @definition.function

; Functions by name: plain, an operator or a destructor; below a pointer or a reference; with a class before `::`.
(function_definition type: (_)? @returns declarator: [
    (function_declarator declarator: [
      (field_identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (_) @name)])
    (_ (function_declarator declarator: [
      (identifier) @name (field_identifier) @name (operator_name) @name (template_function name: (_) @name)]))
    (_ (_ (function_declarator declarator: [(identifier) @name (field_identifier) @name (operator_name) @name])))]
  body: (_)? @body) @definition.function
(function_definition type: (_)? @returns declarator: [
    (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (_) @name)]))
    (_ (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (template_function name: (_) @name)])))
    (_ (_ (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name]))))]
  body: (_)? @body) @definition.function
(function_definition type: (_)? @returns declarator: [
    (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]?
      name: (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (_) @name)])))
    (_ (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]?
      name: (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (template_function name: (_) @name)]))))]
  body: (_)? @body) @definition.function
(function_definition type: (_)? @returns declarator: [
    (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]?
      name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]? name: (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (_) @name)]))))
    (_ (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]?
      name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]? name: (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (template_function name: (_) @name)])))))]
  body: (_)? @body) @definition.function
; A conversion has no name but its type, `operator bool()`: it is called `operator`.
(function_definition declarator: (operator_cast "operator" @name) body: (_)? @body) @definition.function
(function_definition declarator: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: (operator_cast "operator" @name))
  body: (_)? @body) @definition.function
; A macro before a constructor, `MACRO Foo(int x) : x_(x) {}`, makes its head an error.
(function_definition (ERROR (function_declarator declarator: (identifier) @name)) body: (_)? @body) @definition.function
; Without a type it is a constructor, or what a macro makes: `TEST(Suite, name) {…}`, `DEFINE_CALL(name, int, count) {…}`.
((function_definition !type declarator: (function_declarator declarator: (identifier) @name) body: (compound_statement) @body) @definition.function
  (#not-match? @name "^(TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]*)$"))
((function_definition !type declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list . [
    ")" "..."
    (parameter_declaration declarator: (_))
    (parameter_declaration type: [(primitive_type) (sized_type_specifier) (qualified_identifier) (template_type) (struct_specifier) (enum_specifier)])
    (optional_parameter_declaration) (variadic_parameter_declaration)]))
  body: (compound_statement) @body) @definition.function
  (#match? @name "^(TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]*)$"))
((function_definition !type declarator: (function_declarator declarator: (identifier) @_macro parameters: (parameter_list
    . (parameter_declaration type: (type_identifier) @owner !declarator) . (parameter_declaration type: (type_identifier) @name !declarator) .))
  body: (_) @body) @definition.function
  (#match? @_macro "^(TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]*)$"))
((function_definition !type declarator: (function_declarator declarator: (identifier) @owner parameters: [
    (parameter_list "(" . (parameter_declaration type: (type_identifier) @name !declarator) . ")")
    (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) . (_) . (_))
    (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) . (parameter_declaration declarator: (_)))
    (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator)
      . (parameter_declaration type: [(primitive_type) (sized_type_specifier) (struct_specifier)]))])
  body: (_) @body) @definition.function
  (#match? @owner "^(TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]*)$"))
; `= default`, `= delete`
(function_definition declarator: (function_declarator declarator: (identifier) @name) !body) @definition.function

; A variable that holds a function is that function; one of a struct without a name is an object.
(declaration declarator: (init_declarator declarator: (identifier) @name value: (lambda_expression
  declarator: (_ (trailing_return_type (_) @returns))? body: (_) @body))) @definition.function
(declaration type: [(struct_specifier !name body: (_) @body) (class_specifier !name body: (_) @body)]
  declarator: [(identifier) @name (init_declarator declarator: (identifier) @name)]) @definition.object

; Declarations of member functions, of constructors and of what the inherited prototypes leave out.
(field_declaration type: (_) @returns declarator: [
    (function_declarator declarator: [(field_identifier) @name (operator_name) @name])
    (_ (function_declarator declarator: [(field_identifier) @name (operator_name) @name]))
    (_ (_ (function_declarator declarator: [(field_identifier) @name (operator_name) @name])))]) @definition.function
(field_declaration_list (declaration declarator: [
    (function_declarator declarator: [(identifier) @name (destructor_name) @name (operator_name) @name])
    (operator_cast "operator" @name)]) @definition.function)
(template_declaration (declaration type: (_)? @returns declarator: [
    (function_declarator declarator: [(identifier) @name (field_identifier) @name (operator_name) @name])
    (_ (function_declarator declarator: [(identifier) @name (field_identifier) @name (operator_name) @name]))
    (operator_cast "operator" @name)]) @definition.function)
(declaration_list (declaration type: (_)? @returns declarator: [
    (function_declarator declarator: (operator_name) @name)
    (reference_declarator (function_declarator declarator: [(identifier) @name (operator_name) @name]))]) @definition.function)
(translation_unit (declaration type: (_)? @returns declarator: [
    (function_declarator declarator: (operator_name) @name)
    (reference_declarator (function_declarator declarator: [(identifier) @name (operator_name) @name]))]) @definition.function)

(template_declaration (declaration type: (_) @type declarator: [
    (identifier) @name (init_declarator declarator: (identifier) @name)]) @definition.variable)
; `void Foo::bar() MACRO {…}` is torn apart: its head at least is found.
([
  (translation_unit (declaration type: (_)? @returns declarator: [
    (function_declarator declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name) (destructor_name)] @name))
    (_ (function_declarator declarator: (qualified_identifier scope: (_) @owner name: (identifier) @name)))]) @definition.function)
  (declaration_list (declaration type: (_)? @returns declarator: [
    (function_declarator declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name) (destructor_name)] @name))
    (_ (function_declarator declarator: (qualified_identifier scope: (_) @owner name: (identifier) @name)))]) @definition.function)
])
; A static member's definition.
(declaration type: (_) @type declarator: (init_declarator declarator: [
  (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: (identifier) @name)
  (_ declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: (identifier) @name))
  (_ declarator: (_ declarator: (qualified_identifier
    scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: (identifier) @name)))])) @definition.variable
(translation_unit (declaration type: (_) @type . declarator: (init_declarator
  declarator: (reference_declarator (identifier) @name))) @definition.variable)
(field_declaration type: (_) @type . (type_qualifier)* . declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (reference_declarator (field_identifier) @name)] . "=" . (_) . ";") @definition.field
(field_declaration type: (_) @type . (type_qualifier)* . declarator: [
    (field_identifier) @name (_ declarator: (field_identifier) @name)] . (initializer_list) . ";") @definition.field
(field_declaration type: (_) @type declarator: [
    (field_identifier) @name (_ declarator: (field_identifier) @name)] @definition.field . "=" . (_) . ",")
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) @definition.field

; --- references

; The macros of Qt make a text of their argument: `SLOT(show())` names a function and does not call it.
((call_expression function: (identifier) @_quoting arguments: (argument_list (call_expression function: (identifier) @reference.value)))
  (#any-of? @_quoting "SIGNAL" "SLOT"))
(call_expression function: [
  (template_function name: (identifier) @reference.call)
  (field_expression argument: (_) @receiver field: [
    (template_method name: (field_identifier) @reference.call)
    (dependent_name (template_method name: (field_identifier) @reference.call))])
  ; `base->Base::run()`
  (field_expression field: (qualified_identifier scope: (_) @receiver name: (field_identifier) @reference.call))
  (field_expression field: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (field_identifier) @reference.call)))
  (qualified_identifier !scope name: [(identifier) @reference.call (template_function name: (_) @reference.call)])
  (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
    name: [(identifier) @reference.call (template_function name: (_) @reference.call)])
  (qualified_identifier scope: (namespace_identifier)? @receiver name: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
    name: [(identifier) @reference.call (template_function name: (_) @reference.call)]))
  (qualified_identifier name: (qualified_identifier name: (qualified_identifier
    scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
    name: [(identifier) @reference.call (template_function name: (_) @reference.call)])))]
  (#not-match? @reference.call "^(static|dynamic|const|reinterpret)_cast$"))
(call_expression
  function: [
    (identifier) @called
    (template_function name: (_) @called)
    (field_expression field: (qualified_identifier name: [(field_identifier) @called (qualified_identifier name: (field_identifier) @called)]))
    (field_expression field: [(field_identifier) @called (template_method name: (_) @called) (dependent_name (template_method name: (_) @called))])
    (qualified_identifier name: [(identifier) @called (template_function name: (_) @called)])
    (qualified_identifier name: (qualified_identifier name: [(identifier) @called (template_function name: (_) @called)]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier name: [(identifier) @called (template_function name: (_) @called)])))
  ]
  arguments: (argument_list) @arguments)
(new_expression
  type: [
    (type_identifier) @called
    (template_type name: (_) @called)
    (qualified_identifier name: [(type_identifier) @called (template_type name: (_) @called)])
  ]
  arguments: (argument_list) @arguments)
(new_expression type: [
  (type_identifier) @reference.call
  (template_type name: (_) @reference.call)
  (qualified_identifier scope: (_) @receiver name: [(type_identifier) @reference.call (template_type name: (_) @reference.call)])])
(compound_literal_expression type: [
  (type_identifier) @reference.call
  (template_type name: (_) @reference.call)
  (qualified_identifier scope: (_) @receiver name: [(type_identifier) @reference.call (template_type name: (_) @reference.call)])])
; `Foo x;`, `Foo x(1);`, `Foo x{1};`
(compound_statement (declaration type: [
    (type_identifier) @reference.call
    (template_type name: (_) @reference.call)
    (qualified_identifier scope: (_) @receiver name: [(type_identifier) @reference.call (template_type name: (_) @reference.call)])]
  declarator: [(identifier) (function_declarator declarator: (identifier)) (init_declarator value: [(argument_list) (initializer_list)])]))
; `std::make_unique<Foo>()` builds a Foo too.
(call_expression function: [(template_function name: (_) @_make arguments: (template_argument_list . (type_descriptor type: (type_identifier) @reference.call)))
    (qualified_identifier name: (template_function name: (_) @_make
      arguments: (template_argument_list . (type_descriptor type: (type_identifier) @reference.call))))]
  (#match? @_make "^make_(unique|shared)$"))
; `new Task(run)`, `Task task(run);` and `: run_(run)` pass functions too.
(new_expression type: (_) @callee arguments: (argument_list (identifier) @argument.name))
(init_declarator value: (argument_list (identifier) @reference.value))
(field_initializer (argument_list (identifier) @reference.value))
; `&Worker::run` is a method as a value.
(pointer_expression operator: "&" argument: (qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
  name: (identifier) @reference.value))
(base_class_clause [
  (type_identifier) @inherits
  (template_type name: (type_identifier) @inherits)
  (qualified_identifier scope: (_) @receiver name: [(type_identifier) @inherits (template_type name: (_) @inherits)])
  (qualified_identifier name: (qualified_identifier scope: (_) @receiver
    name: [(type_identifier) @inherits (template_type name: (_) @inherits)]))])

; --- local types

; A variable ends with its block.
[(for_range_loop) (if_statement) (while_statement) (switch_statement) (catch_clause) (lambda_expression)] @block
(declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
    (init_declarator declarator: [
      (identifier) @local
      (pointer_declarator declarator: (identifier) @local)
      (array_declarator declarator: (identifier) @local)
      (reference_declarator (identifier) @local)])])
([(parameter_declaration type: [(qualified_identifier) (template_type)] @type declarator: [
    (identifier) @param (pointer_declarator declarator: (identifier) @param) (reference_declarator (identifier) @param)])
  (parameter_declaration type: (type_identifier) @type declarator: (reference_declarator (identifier) @param))
  (optional_parameter_declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [
    (identifier) @param (pointer_declarator declarator: (identifier) @param) (reference_declarator (identifier) @param)])])
(for_range_loop type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: [
    (identifier) @local (reference_declarator (identifier) @local) (pointer_declarator declarator: (identifier) @local)])
; `Foo x(y);` is parsed as a function.
(compound_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: (function_declarator declarator: (identifier) @local)))
(variadic_type_parameter_declaration (type_identifier) @typevar)
(type_parameter_declaration (type_identifier) @typevar)
(optional_type_parameter_declaration name: (type_identifier) @typevar default_type: (_) @type)
(init_declarator declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)]
  value: (_) @value)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local) value: (new_expression type: (_) @type))
(init_declarator declarator: (identifier) @local value: (new_expression type: (_) @type))
(for_range_loop type: (placeholder_type_specifier) declarator: [
    (identifier) @local (reference_declarator (identifier) @local) (pointer_declarator declarator: (identifier) @local)]
  right: (_) @each)
; `for (auto& [key, entry] : map)`; the parts of any other value are not followed.
(for_range_loop declarator: [(structured_binding_declarator) @unpack (_ (structured_binding_declarator) @unpack)] right: (_) @pairs)
(init_declarator declarator: [(structured_binding_declarator) @unpack (_ (structured_binding_declarator) @unpack)] value: (_) @value)
; `if (auto* entry = find())`
(condition_clause value: (declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)]
  value: (_) @value))
((init_declarator declarator: (identifier) @local value: (call_expression function: [
    (template_function name: (_) @_make arguments: (template_argument_list . (type_descriptor type: (_) @type)))
    (qualified_identifier name: (template_function name: (_) @_make arguments: (template_argument_list . (type_descriptor type: (_) @type))))]))
  (#match? @_make "^make_(unique|shared)$"))
(lambda_expression body: (compound_statement (return_statement (_) @result)))
(function_definition type: (placeholder_type_specifier) body: (compound_statement (return_statement (_) @result)))
(assignment_expression left: (field_expression argument: (this) @receiver field: (field_identifier) @field) right: (_) @value)
