; languages: typescript
; mark: @(?:Component|Injectable|Directive|Pipe|NgModule)\(|\binject\(
; members: transform

((call_expression function: (identifier) @_inject arguments: (arguments . (identifier) @handler)) @registers.dependency
  (#eq? @_inject "inject"))
((export_statement (decorator (call_expression function: (identifier) @_component))
  declaration: (class_declaration name: (type_identifier) @handler @name)) @registers.entry
  (#any-of? @_component "Component" "Directive" "Pipe" "NgModule"))
((object (pair key: (property_identifier) @_path value: (string) @name) . (pair)? . (pair)?
  . (pair key: (property_identifier) @_component value: (identifier) @handler)) @registers.route
  (#eq? @_path "path") (#eq? @_component "component"))
