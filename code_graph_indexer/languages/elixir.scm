; grammar: tree_sitter_elixir
; extensions: .ex .exs
; shebangs: elixir
; tests: *_test.exs test_helper.exs test/
; embedded: heex (?s)~H"""(.*?)"""
; hidden: ^function \S+ defp\b
; self: __MODULE__
; class-members: new init
; lookup: modules file imports peers stars used
; local-functions: def(?:macro)?p\b
; functions-apart: yes
; modules: file
; roots: lib test
; import-separator: .
; binds: last
; clauses: parts
; variadic: ...
; null: nil
; alternative-operators: || or
; expression: name identifier,alias
; expression: text string,charlist
; expression: number integer,float,char
; expression: signed unary_operator operand
; expression: same block 0
; expression: member dot left right
; expression: call call target 1
; expression: index access_call target key
; expression: binary binary_operator left operator right
; expression: list list
; expression: list tuple

; --- definitions

((call target: (identifier) @_kind (arguments . (alias) @name) (do_block) @body) @definition.module
  (#eq? @_kind "defmodule"))
((call target: (identifier) @_kind (arguments . (alias) @name) (do_block) @body) @definition.protocol
  (#eq? @_kind "defprotocol"))
((call target: (identifier) @_kind
  (arguments . (alias) @owner . (keywords . (pair value: [(alias) @name (identifier) @name (list . (alias) @name)]))) (do_block) @body) @scope
  (#eq? @_kind "defimpl"))
((call target: (identifier) @_kind (arguments . (alias) @name .) (do_block) @body) @scope
  (#eq? @_kind "defimpl"))

; The head of a function: `f(a)`, `f`, and both with `when`; its body is a block or what follows the comma.
((call target: (identifier) @_kind
  (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when")
  ] . ","? @body)
  (do_block)? @body) @definition.function
  (#any-of? @_kind "def" "defp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @_kind
  (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when")
  ] . ","? @body)
  (do_block)? @body) @definition.macro
  (#any-of? @_kind "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_kind (arguments . (binary_operator operator: _ @name) . ","? @body) (do_block)? @body) @definition.function
  (#any-of? @_kind "def" "defp" "defmacro" "defmacrop") (#not-match? @name "^[a-z]"))
((call target: (identifier) @_kind (arguments . (binary_operator left: (binary_operator operator: _ @name) operator: "when") . ","? @body) (do_block)? @body) @definition.function
  (#any-of? @_kind "def" "defp" "defmacro" "defmacrop"))
((call target: (identifier) @_kind
  (arguments . (string (quoted_content) @name)) (do_block) @body) @definition.function
  (#any-of? @_kind "test" "property"))

((call target: (identifier) @name @_kind (arguments)) @definition.struct
  (#any-of? @_kind "defstruct" "defexception"))
((unary_operator operator: "@" operand: (call target: (identifier) @_kind
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @definition.type
  (#any-of? @_kind "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_kind
  (arguments . (binary_operator left: [
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "::")
  ] operator: ["::" "when"])))) @definition.function
  (#any-of? @_kind "callback" "macrocallback"))
((do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @definition.constant)
  (#not-match? @name "^(moduledoc|doc|typedoc|spec|type|typep|opaque|callback|macrocallback|optional_callbacks|behaviour|impl|derive|enforce_keys|compile|dialyzer|before_compile|after_compile|on_load|on_definition|external_resource|deprecated|since|tag|moduletag|describetag|vsn|fallback_to_any|shortdoc)$"))

((unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . [(string) (sigil)] @doc .)))
  (#any-of? @_kind "moduledoc" "shortdoc"))
(comment) @comment
; What documents a definition stands above it as attributes.
((unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . [(string) (sigil)]))) @comment
  (#any-of? @_kind "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . (binary_operator)))) @comment
  (#eq? @_kind "spec"))

; --- references

((call target: (identifier) @reference.call)
  (#not-match? @reference.call "^(def|defp|defmodule|defmacro|defmacrop|defguard|defguardp|defdelegate|defstruct|defexception|defprotocol|defimpl|defoverridable|defn|defnp|alias|import|require|use|if|unless|case|cond|with|for|try|receive|quote|unquote|unquote_splicing|raise|throw|test|property|describe|moduledoc|doc|typedoc|spec|type|typep|opaque|callback|macrocallback|behaviour|impl|derive|tag|moduletag)$"))
(call target: (dot left: (_) @receiver right: (identifier) @reference.call) (arguments))
(call target: (dot left: [(alias) (atom)] @receiver right: (identifier) @reference.call))
(binary_operator operator: "|>" right: (identifier) @reference.call)
; A pipe gives the first argument. `&run/2` names a function with two arguments.
(call target: [(identifier) @called (dot right: (identifier) @called)] (arguments) @arguments)
(binary_operator operator: "|>" right: [(identifier) @piped (call target: [(identifier) @piped (dot right: (identifier) @piped)])])
; A block is an argument too.
(call target: [(identifier) @piped (dot right: (identifier) @piped)] (do_block))
(unary_operator operator: "&" operand: (binary_operator left: [(identifier) @called (call target: (dot right: (identifier) @called))] operator: "/" right: (integer) @arity))
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call operator: "/" right: (integer)))
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot left: (_) @receiver right: (identifier) @reference.call)) operator: "/" right: (integer)))
(struct (alias) @reference.call)
; A module, a function and a list of its arguments: `apply(Cart, :total, [1])`, `spawn(Cart, :run, [])`.
(call (arguments (alias) @receiver . (atom) @reference.value . (list)))
; `defdelegate total(cart), to: Cart, as: :sum`
((call target: (identifier) @_kind (arguments (call) (keywords (pair value: (alias) @receiver) (pair key: (_) @_as value: (atom) @reference.call))))
  (#eq? @_kind "defdelegate") (#match? @_as "^as:"))

((call target: (identifier) @_kind (arguments . (alias) @inherits)) (#any-of? @_kind "use" "defimpl"))
((unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . (alias) @inherits)))
  (#eq? @_kind "behaviour"))

; --- imports

((call target: (identifier) @_kind (arguments . [(alias) (dot right: (alias))] @import.module .))
  (#any-of? @_kind "alias" "require"))
((call target: (identifier) @_kind (arguments . (alias) @import.module .
  (keywords . (pair key: (keyword) @_as value: (alias) @import.alias))))
  (#any-of? @_kind "alias" "require") (#match? @_as "^as:"))
((call target: (identifier) @_kind (arguments . (dot left: (alias) right: (tuple)) @import.tree))
  (#any-of? @_kind "alias" "require" "import"))
((call target: (identifier) @_kind @import.star (arguments . (alias) @import.module))
  (#eq? @_kind "import"))
((call target: (identifier) @_kind @import.star (arguments . (alias) @import.module))
  (#eq? @_kind "use"))

; --- local types

(binary_operator left: (identifier) @local operator: "=" right: (map (struct (alias) @type)))
(binary_operator left: (map (struct (alias) @type)) operator: "=" right: (identifier) @local)
(binary_operator left: (identifier) @local operator: "=" right: (call target: [(identifier) (dot)]) @value)
