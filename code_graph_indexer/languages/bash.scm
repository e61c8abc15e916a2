; grammar: tree_sitter_bash
; cut: ^[)}\]]+[;,]?[ \t]*\n
; extensions: .sh .bash .bats .ksh .zsh .dash .ebuild .eclass
; filenames: .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .envrc PKGBUILD APKBUILD
; shebangs: sh bash dash ash zsh ksh mksh bats
; tests: *.bats *_test.sh test_*.sh test/ tests/ t/
; hidden-in: ^#!
; hidden: ^function 
; lookup: file imports peers stars global
; modules: file
; roots: lib libexec src bin scripts
; import-separator: /
; relative: .
; binds: all
; blank: ^[ \t]*@test\b.*(?=\{[ \t]*(?:#.*)?$)|[\xf0-\xf4][\x80-\xbf]{3}
; blank: \$\{\w{1,80}:?[-+=](?:[^(){}\n"'`\\;&|]|\{\w{1,80}\}){0,200}([;&|]{1,8})
; twins: (?:if|case)\b
; embedded: bash \b(?:trap(?: --)?|eval|\w*sh -\w{0,4}c) '([^'\n]+)'
; embedded: bash \b(?:trap(?: --)?|eval|\w*sh -\w{0,4}c) "([^"\n]+)"

; The second blank is any character of four bytes: the grammar's scanner asks C's isalpha() about it, which may crash. The third is what
; ends a command elsewhere, in the word that stands for an unset variable: `${found:+${found};}`.

; --- definitions

(function_definition name: (word) @name body: (_) @body) @definition.function

; One variable takes its whole declaration; of several each is its own definition.
(program (declaration_command "readonly" . (variable_assignment name: (variable_name) @name) .) @definition.constant)
((program (declaration_command (word) @_option . (variable_assignment name: (variable_name) @name) .) @definition.constant)
  (#match? @_option "^-[a-zA-Z]*r"))
(program (declaration_command (word) . (variable_assignment name: (variable_name) @name) .) @definition.variable)
(program (declaration_command ["export" "declare" "typeset"] . (variable_assignment name: (variable_name) @name) .) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable . (_)))
(program (declaration_command [(variable_assignment) (variable_name)] @_before . (variable_assignment name: (variable_name) @name) @definition.variable))
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name) @definition.variable))

(comment) @comment

; --- references

((command name: (command_name . (word) @reference.call .))
  (#not-match? @reference.call "^(\\.|source|load|bats_load_library|:|return|exit|break|continue|shift|set|unset|true|false)$"))
((command name: (command_name) @_runner . argument: (word) @reference.call)
  (#match? @_runner "^(run|command|exec|builtin|sudo|nohup)$") (#match? @reference.call "^[A-Za-z_]"))
((command name: (command_name) @_runner . argument: [(word) (number)] @_flag . argument: (word) @reference.call)
  (#match? @_runner "^(run|command|exec|builtin|sudo|nohup)$") (#match? @_flag "^[-!]") (#match? @reference.call "^[A-Za-z_]"))
((command name: (command_name) @_trap . argument: (word) @reference.call)
  (#eq? @_trap "trap") (#match? @reference.call "^[A-Za-z_]"))
; A function that the shell keeps, to run it later: `complete -F _cart cart`, `zle -N widget`, `export -f total`.
((command name: (command_name) @_keeper argument: (word) @_flag . argument: (word) @reference.value)
  (#any-of? @_keeper "complete" "compgen" "zle" "export" "declare" "typeset") (#match? @_flag "^-[a-zA-Z]*[FNfCDX]$"))
((command name: (command_name) @_hook . argument: (word) . argument: (word) @reference.value)
  (#eq? @_hook "add-zsh-hook"))
((declaration_command (word) @_flag . (variable_name) @reference.value) (#match? @_flag "^-[a-zA-Z]*f"))
; A word of a command may name a function that the command runs: `retry 3 fetch_cart`. A single word is prose mostly, and a long one is a token.
((command name: (command_name) @_runner argument: (word) @reference.value)
  (#not-match? @_runner "^(\\.|source|load|bats_load_library|echo|printf)$") (#match? @reference.value "^[A-Za-z_][A-Za-z0-9]{0,15}[_:-][A-Za-z0-9_:-]{0,24}$"))
((array (word) @reference.value) (#match? @reference.value "^[A-Za-z_][A-Za-z0-9]{0,15}[_:-][A-Za-z0-9_:-]{0,24}$"))

; --- imports
; Of a path that starts with a variable the literal end is kept.

((command name: (command_name) @_source . argument: [(word) (raw_string) (string . (string_content) @import.module .)] @import.module)
  (#match? @_source "^(\\.|source|load|bats_load_library)$"))
((command name: (command_name) @_source . argument: [
    (string (_) . (string_content) @import.module .)
    (concatenation (_) . [(word) @import.module (string . (string_content) @import.module .)] .)])
  (#match? @_source "^(\\.|source|load|bats_load_library)$"))
