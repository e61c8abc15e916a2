; grammar: tree_sitter_c
; family: c
; macro-use: ^([A-Z][A-Z0-9_]{3,})[ \t]*+\((?:[^(){};#"]|\([^(){};]{0,200}\)){1,1000}\)[ \t\r]*+$(?!\s*[-})\],;=+*|&.?:<{(]|\s*\n[A-Za-z_]\w*[ \t]*\([^;{}]{0,400}\)\s*[;{])
; condition: #[ \t]*+(?:(?:ifdef|if[ \t]+defined\b)[ \t(]*+(?P<set>\w++)[ \t)]*+(?=\r?$|/[/*])|(?:ifndef|if[ \t]+![ \t]*+defined\b)[ \t(]*+(?P<unset>\w++)[ \t)]*+(?=\r?$|/[/*])|(?P<other>if\w*)|(?P<else>el\w+)|(?P<end>endif)|(?:define|undef)[ \t]+(?P<defined>\w+))
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
; pointers: yes
; declarations: linked
; type-calls: nothing
; members-outside: enum_member \benum\b(?! (?:class|struct)\b)
; members-outside: type ^typedef\b
; local-functions: (?:inline |__inline |INLINE |extern )*static\b
; content: .def \n[ \t]*+(?:#(?:include[ \t]*["<]|define[ \t]+\w|undef[ \t]|ifdef[ \t]|ifndef[ \t]|if[ \t]+!?defined)|(?:static|extern|typedef|struct)[ \t]+\w+[ \t*]|[A-Z][A-Z0-9_]{2,}+\((?:[^()\n]|\([^()\n]*\))*\)[ \t]*[,;]?[ \t]*(?:\n|/[/*]))
; content: .inc \n[ \t]*+(?:#(?:include[ \t]*["<]|define[ \t]+\w|undef[ \t]|ifdef[ \t]|ifndef[ \t]|if[ \t]+!?defined)|(?:static|extern|typedef|struct)[ \t]+\w+[ \t*]|[A-Z][A-Z0-9_]{2,}+\((?:[^()\n]|\([^()\n]*\))*\)[ \t]*[,;]?[ \t]*(?:\n|/[/*]))
; extensions: .c .h .def .inc
; parsed-as: .h cpp
; tests: test_*.c *_test.c *_tests.c tests/ test/
; called-from-outside: \b(?:constructor|destructor|used|interrupt|naked|alias|ifunc|dllexport|IBAction)\b
; hidden: ^function \S+ (?:\w+ )*static\b(?!.*\n.*\.(?:h|hh|hpp|hxx|inc|inl)\Z)
; wrappers: linkage_specification
; type-decoration: \b(?:const|volatile|static|struct|enum|union|unsigned)\s+(?=\S)
; modules: file
; lookup: file imports peers stars global
; blank: ^(?:(?!(?:return|else|case|goto|typedef)\b)[A-Za-z_]\w{0,60}[ \t*&]{1,8}){1,5}([A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=[ \t]+\*{0,2}\w{1,80}\s*\()
; blank: ^([A-Z][A-Z0-9]*_[A-Z0-9_]*\()(?:const[ \t]+)?(?:struct[ \t]+)?\w{1,60}[ \t*]{0,10}(\))(?=[ \t]*\n?[ \t]*\w{1,80}[ \t]*\([^;{}()]{0,400}\)\s*[;{])
; blank: (/\*(?:[^*]|\*(?!/)){0,2000}+\*/)(?=[^\n]*\\\r?\n)
; blank: ^([A-Za-z_]\w{1,60}\()(?:[A-Za-z_]\w{0,60}[\s*]+){1,6}\w{1,80}\s*\((?:[^(){};]|\([^(){};]{0,200}\)){0,900}\)(\))(?=\s*[{;])
; blank: ^(?:static[ \t]+|extern[ \t]+)?((?!inline\b)\w{1,40}(?:inline|INLINE|Inline))(?=[ \t]+\w+[\w \t*&:<>]{0,100}\()
; blank: [;{}/\n][ \t\r]*+\n(?:[ \t]*+\n)*+([ \t]*[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]*)$(?!\s*[-})\],;=+*|&.?:<{(]|\s*\n[A-Za-z_]\w*[ \t]*\([^;{}]{0,400}\)\s*[;{])
; blank: \b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=\s+[A-Za-z_]\w*+\s*+[{:])
; blank: ^([A-Z][A-Z0-9]*+_[A-Z0-9_]*+)(?=[ \t]+(?!const\b)[A-Za-z_]\w{0,60}[ \t*]{1,20}[A-Za-z_]\w{0,60}[ \t]*\()
; import-separator: /
; binds: all
; reserved: asm auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef typeof union unsigned void volatile while
; platform: memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strdup strndup strcasecmp strncasecmp strerror strerror_r strtod strtol strtoul strtoull strtoll malloc calloc realloc free alloca abort exit atexit getenv printf fprintf sprintf snprintf vsnprintf vfprintf fopen fdopen fclose fread fwrite fseek ftell fseeko ftello fflush fputs fputc fgets fileno open close read write lseek send recv socket connect bind listen accept setsockopt getsockopt shutdown poll select ioctl fcntl getaddrinfo freeaddrinfo gai_strerror inet_ntop inet_pton gethostbyname access stat fstat lstat mkdir rmdir chdir chmod unlink isatty isnan isinf isfinite fabs floor ceil sqrt pow log exp fmod time localtime localtime_r gmtime_r gettimeofday sleep usleep nanosleep strnlen strsep mkdtemp mkstemp scandir alphasort opendir readdir closedir mmap munmap mprotect pipe pipe2 dup dup2 dup3 fork execve execvp waitpid kill sigaction sigprocmask pread pwrite preadv pwritev readv writev recvmsg sendmsg recvfrom sendto recvmmsg sendmmsg accept4 socketpair getpeername getsockname freeifaddrs getifaddrs sem_init sem_destroy sem_post sem_wait sem_trywait sem_timedwait pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock pthread_cond_wait epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd inotify_init inotify_init1 inotify_add_watch inotify_rm_watch timerfd_create signalfd sendfile statx getrandom clock_gettime clock_getres realpath readlink symlink rename link getcwd getpid getppid getuid setuid sysconf setsid openat unlinkat fsync fdatasync ftruncate utimes futimens
; null: NULL nullptr nil void
; cast-ending: cast
; expression: name identifier,field_identifier,type_identifier,true,false
; expression: text string_literal,concatenated_string,char_literal
; expression: number number_literal
; expression: null null
; expression: same parenthesized_expression 0
; expression: signed pointer_expression argument
; expression: signed unary_expression argument
; expression: same assignment_expression right
; expression: same comma_expression right
; expression: member field_expression argument field
; expression: call call_expression function arguments
; expression: index subscript_expression argument index
; expression: either conditional_expression consequence alternative
; expression: cast cast_expression,declaration type
; expression: key initializer_pair designator/field_identifier value
; expression: new compound_literal_expression type
; expression: cast type_descriptor type
; expression: member offsetof_expression type member
; expression: mapping initializer_list
; What is blank before the rest is read: a macro before the name of a function, a comment in a macro of several lines, and a macro around a whole definition.

; --- definitions

; A function that returns a function: `void (*handler(int x))(int) {…}`.
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))) body: (_) @body) @definition.function
(function_definition type: (_) @returns declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
    (_ declarator: (function_declarator declarator: (identifier) @name))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))]
  body: (compound_statement) @body) @definition.function
; What macros make of functions: `int API main(void) {…}`, and a file torn by macros without `;`.
((function_definition type: (type_identifier) @name declarator: (parenthesized_declarator (identifier) @_argument)
  body: (_) @body) @definition.function (#not-match? @name "^[A-Z][A-Z0-9_]+$"))
((function_definition type: (type_identifier) @name declarator: (parenthesized_declarator (identifier) @_argument)
  body: (_) @body) @definition.function (#eq? @_argument "void"))
; A word before the macro says that its argument is the name of the function in C too.
((function_definition (storage_class_specifier) type: (type_identifier) @_macro declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @definition.function (#match? @_macro "^[A-Z][A-Z0-9_]+$") (#not-eq? @name "void"))
(ERROR (primitive_type) . (function_declarator declarator: (identifier) @name) @definition.function)

; `TEST(group, name) {…}`, `DEFINE_CALL(name, int, count) {…}`: a macro makes a function and its name of its first arguments.
((function_definition . type: (type_identifier) @owner declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @definition.function (#match? @owner "^[A-Z][A-Z0-9_]+$") (#not-eq? @name "void"))
(translation_unit
  (expression_statement (call_expression arguments: (argument_list . (identifier) @owner . (identifier) @name .))) @definition.function
  . (compound_statement) @body @definition.function)
((translation_unit
  (expression_statement (call_expression function: (identifier) @owner arguments: [
    (argument_list . (identifier) @name . [(string_literal) (number_literal)] .)
    (argument_list . (identifier) @name . "," . (_) . (ERROR)? . ",")])) @definition.function
  . (compound_statement) @body @definition.function) (#match? @owner "^[A-Z][A-Z0-9_]+$"))
(translation_unit (_ . ["#if" "#ifdef" "#ifndef" "#else" "#elif"]
  (expression_statement (call_expression arguments: (argument_list . (identifier) @owner . (identifier) @name .))) @definition.function
  . (compound_statement) @body @definition.function))
((translation_unit (_ . ["#if" "#ifdef" "#ifndef" "#else" "#elif"]
  (expression_statement (call_expression function: (identifier) @owner arguments: [
    (argument_list . (identifier) @name . [(string_literal) (number_literal)] .)
    (argument_list . (identifier) @name . "," . (_) . (ERROR)? . ",")])) @definition.function
  . (compound_statement) @body @definition.function)) (#match? @owner "^[A-Z][A-Z0-9_]+$"))

; A prototype; inside a function the same text may declare a variable. `(_ … ";")` is a declaration, which nothing else outside
; of functions is: with its name, the query would take three times as long to load, because each place of a declaration is analysed.
([
  (translation_unit (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (declaration_list (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (linkage_specification (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (preproc_ifdef (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (preproc_if (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (preproc_else (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (preproc_elif (_ type: (_)? @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))
      (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name)))] ";") @definition.function)
  (ERROR (declaration type: [(primitive_type) (sized_type_specifier) (struct_specifier)] @returns declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ declarator: (function_declarator declarator: (identifier) @name))]) @definition.function)
])

(preproc_function_def name: (identifier) @name parameters: (_) @params value: (_) @body @expands) @definition.macro
(preproc_function_def name: (identifier) @name !value) @definition.macro
(preproc_call directive: (preproc_directive) @_directive argument: (_) @undefines (#match? @_directive "undef"))
(preproc_def name: (identifier) @name value: (_) @expands) @definition.constant
; Without a value it is a switch, except that a file begins with one against a second reading of it.
(preproc_def name: (identifier) @name !value) @definition.constant
; `BIT(done);` in a struct, where `#define BIT(name) unsigned name : 1`
(field_declaration type: (_ name: (identifier) type: (type_descriptor type: (type_identifier) @name)) !declarator) @definition.field

; `typedef struct tag {…} name;` is the struct `name`, not a struct inside a typedef.
(type_definition type: (struct_specifier body: (_) @body) . declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier body: (_) @body) . declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier body: (_) @body) . declarator: (type_identifier) @name) @definition.enum
(type_definition type: (_ name: (type_identifier) @name @definition.type body: (_))
  declarator: (type_identifier) @type (#not-eq? @name @type))
(type_definition type: (_) @type . (type_qualifier)* . declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)]))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))]) @definition.type
(type_definition "," . declarator: [
    (type_identifier) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)]))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))] @definition.type)

([
  (translation_unit [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (declaration_list [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (preproc_ifdef [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (preproc_if [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (preproc_else [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (preproc_elif [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (compound_statement [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (ERROR [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (declaration type: [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (field_declaration type: [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
  (function_definition type: [(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
      (union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
      (enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum])
])
(enumerator name: (identifier) @name) @definition.enum_member

; The definition of such a variable stands elsewhere, unless it has a value.
((declaration (storage_class_specifier) @_extern declarator: [
  (identifier) (array_declarator) (pointer_declarator) (function_declarator)]) @declared (#eq? @_extern "extern"))

; The only variable of a declaration takes it whole; of several, and after the body of a struct with a name, each is its own.
; `_` is a declaration here too. Without the capture of a comma, only the first comma would count.
((translation_unit (_ type: (_) @type . (type_qualifier)* . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] . ";") @definition.variable) (#not-match? @type "^[a-z]+\\s+\\w[^{]*[{]"))
(translation_unit [
  (_ type: (_) @type declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable . ",")
  (_ type: (_) @type "," @_comma . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable)
  (_ type: (_ name: (_) @type body: (_)) . (type_qualifier)* . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable . ";")])
; What stands under a condition inside of a function is left out afterwards.
((_ . ["#if" "#ifdef" "#ifndef" "#else" "#elif"] (_ type: (_) @type . (type_qualifier)* . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] . ";") @definition.variable) (#not-match? @type "^[a-z]+\\s+\\w[^{]*[{]"))
(_ . ["#if" "#ifdef" "#ifndef" "#else" "#elif"] [
  (_ type: (_) @type declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable . ",")
  (_ type: (_) @type "," @_comma . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable)
  (_ type: (_ name: (_) @type body: (_)) . (type_qualifier)* . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable . ";")])
((declaration_list (_ type: (_) @type . (type_qualifier)* . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] . ";") @definition.variable) (#not-match? @type "^[a-z]+\\s+\\w[^{]*[{]"))
(declaration_list [
  (_ type: (_) @type declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable . ",")
  (_ type: (_) @type "," @_comma . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable)
  (_ type: (_ name: (_) @type body: (_)) . (type_qualifier)* . declarator: [
      (identifier) @name
      (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [(identifier) @name (parenthesized_declarator (_ declarator: (identifier) @name))
          (_ declarator: (identifier) @name)])])] @definition.variable . ";")])
(field_declaration type: (_) @type . (type_qualifier)* . declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))] . [";" (bitfield_clause)]) @definition.field
(field_declaration type: (_) @type declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))] @definition.field . ",")
(field_declaration type: (_) @type "," . declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))] @definition.field)

(comment) @comment

; --- references

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))

; Tables of functions: what a field of a struct holds, or an element of an array.
(call_expression function: (subscript_expression) @runs.result)
(declaration type: [(type_identifier) @table (struct_specifier name: (_) @table)] declarator: (init_declarator value: (initializer_list [
  (initializer_pair designator: (field_designator (field_identifier) @entry) value: [(identifier) @value (pointer_expression argument: (identifier) @value)])
  (initializer_list (initializer_pair designator: (field_designator (field_identifier) @entry)
    value: [(identifier) @value (pointer_expression argument: (identifier) @value)]))])))
(init_declarator declarator: (array_declarator declarator: (identifier) @table) value: (initializer_list (initializer_list (identifier) @value @entries)))
(assignment_expression left: (field_expression field: (field_identifier) @entry) right: (identifier) @value)
(init_declarator declarator: (array_declarator declarator: (identifier) @local) value: (initializer_list . (identifier)) @value)

; A statement that is only a name is a macro.
(expression_statement . (identifier) @reference.call . ";")

; functions as values
(call_expression function: (_) @callee arguments: (argument_list (identifier) @argument.name))
(init_declarator value: (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(initializer_list (identifier) @reference.value)
(initializer_pair value: (identifier) @reference.value)
(conditional_expression consequence: (identifier) @reference.value)
(conditional_expression alternative: (identifier) @reference.value)
(cast_expression value: (identifier) @reference.value)
(pointer_expression operator: "&" argument: (identifier) @reference.value)

; --- imports

(preproc_include path: [(string_literal) (system_lib_string)] @import.module)

; --- local types

; A variable ends with its block.
[(compound_statement) (for_statement)] @block
; A number needs no type here, but its name hides a function of that name.
(declaration type: [(type_identifier) @type (struct_specifier name: (_) @type !body) (union_specifier name: (_) @type !body)
    (primitive_type) (sized_type_specifier) (enum_specifier)]
  declarator: [
    (identifier) @local
    (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
    (init_declarator declarator: (array_declarator declarator: (identifier) @local)
      value: (initializer_list . [(initializer_list) (comment)]))
    (pointer_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
    (array_declarator declarator: (identifier) @local)])
(parameter_declaration type: [(type_identifier) @type (struct_specifier name: (_) @type) (union_specifier name: (_) @type)
    (primitive_type) (sized_type_specifier) (enum_specifier)]
  declarator: [
    (identifier) @param
    (pointer_declarator declarator: [(identifier) @param (pointer_declarator declarator: (identifier) @param)])
    (array_declarator declarator: (identifier) @param)])
(parameter_declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @param))))
(declaration declarator: [
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))
    (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local))) value: (_) @value)])
