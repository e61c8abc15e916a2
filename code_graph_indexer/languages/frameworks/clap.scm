; languages: rust
; mark: \b(?:Subcommand|Parser)\b|Command::new\(

(((attribute_item (attribute (identifier) @_derive arguments: (token_tree (identifier) @_parser))) @registers.command
  . (attribute_item)* . (struct_item name: (type_identifier) @handler @name))
  (#eq? @_derive "derive") (#eq? @_parser "Parser"))
(((attribute_item (attribute (identifier) @_derive arguments: (token_tree (identifier) @_subcommand)))
  . (attribute_item)* . (enum_item body: (enum_variant_list (enum_variant name: (identifier) @name) @registers.command)))
  (#eq? @_derive "derive") (#eq? @_subcommand "Subcommand"))
((call_expression function: (scoped_identifier path: (identifier) @_command name: (identifier) @_new)
  arguments: (arguments . (string_literal) @name)) @registers.command
  (#any-of? @_command "Command" "App" "SubCommand") (#any-of? @_new "new" "with_name"))
