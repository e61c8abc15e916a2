; grammar: tree_sitter_hcl
; extensions: .tf .hcl .tofu
; tests: *.tftest.hcl tests/
; modules: folder
; lookup: dotted
; self: var
; default-export: output
; hidden: ^constant 
; blank: ^(?:var(iable)|local(s))(?=[ \t]+["\w]|[ \t]*\{)
; expression: name identifier
; expression: same variable_expr 0
; expression: member get_attr ^ 0
; expression: index index ^ 0
; expression: same splat 0
; expression: text quoted_template,string_lit

; A block has the name by which expressions use it: `aws_vpc.main`, `data.aws_ami.linux`, `module.vpc`, `output.id`. The ends of
; `variable` and `locals` are blanked, because code writes `var.region` and `local.tags`.

; --- definitions

((config_file (body (block . (identifier) @_kind . [(string_lit (template_literal) @owner) (identifier) @owner]
    . [(string_lit (template_literal) @name) (identifier) @name] . (block_start) @body) @definition.object))
  (#eq? @_kind "resource"))
((config_file (body (block . (identifier) @owner @_kind . [(string_lit (template_literal) @owner) (identifier) @owner]
    . [(string_lit (template_literal) @name) (identifier) @name] . (block_start) @body) @definition.constant))
  (#eq? @_kind "data"))
((config_file (body (block . (identifier) @owner . [(string_lit (template_literal) @name) (identifier) @name] . (block_start) @body) @definition.constant))
  (#eq? @owner "var"))
((config_file (body (block . (identifier) @owner . [(string_lit (template_literal) @name) (identifier) @name] . (block_start) @body) @definition.property))
  (#eq? @owner "output"))
((config_file (body (block . (identifier) @owner . (block_start) (body (attribute . (identifier) @name (expression) @body) @definition.constant))))
  (#eq? @owner "local"))
; provider "aws" { alias = "west" } is aws.west
((config_file (body (block . (identifier) @_kind . (string_lit (template_literal) @owner) . (block_start)
    (body (attribute . (identifier) @_alias (expression (literal_value (string_lit (template_literal) @name)))))) @definition.object))
  (#eq? @_kind "provider") (#eq? @_alias "alias"))
((config_file (body (block . (identifier) @owner . [(string_lit (template_literal) @name) (identifier) @name] . (block_start) @body) @definition.object))
  (#not-match? @owner "^(var|output)$"))
((config_file (body (block . (identifier) @owner @_kind . (string_lit (template_literal) @owner)
    . (string_lit (template_literal) @name) . (block_start) @body) @definition.object))
  (#not-match? @_kind "^(resource|data)$"))

(comment) @comment

; --- imports, and the variables that a module gets

((config_file (body (block . (identifier) @_kind . (string_lit (template_literal) @import.alias) . (block_start)
    (body (attribute . (identifier) @_source (expression (literal_value (string_lit (template_literal) @import.module))))))))
  (#eq? @_kind "module") (#eq? @_source "source"))
((config_file (body (block . (identifier) @_kind . (string_lit) . (block_start) (body (attribute . (identifier) @reference.value)))))
  (#eq? @_kind "module"))

; --- what is no name of this kind

(block . (identifier) @silent)
(function_call . (identifier) @silent)
((block . (identifier) @_kind (body (attribute . (identifier) @silent))) (#not-eq? @_kind "module"))
