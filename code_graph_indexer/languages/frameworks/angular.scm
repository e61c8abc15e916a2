; languages: typescript
; mark: @(?:Component|Injectable|Directive|Pipe|NgModule)\(|\binject\(|\buse(?:Class|Factory|Existing):|\bload(?:Component|Children):|\bwithInterceptors\(
; imported: @angular/
; members: transform canActivate canDeactivate resolve intercept handleError writeValue validate ngOnInit ngOnChanges ngDoCheck ngOnDestroy ngAfterViewInit ngAfterViewChecked ngAfterContentInit ngAfterContentChecked

((call_expression function: (identifier) @_inject arguments: (arguments . (identifier) @handler)) @registers.dependency
  (#eq? @_inject "inject"))
((export_statement (decorator (call_expression function: (identifier) @_component))
  declaration: (class_declaration name: (type_identifier) @handler @name)) @registers.entry
  (#any-of? @_component "Component" "Directive" "Pipe" "NgModule"))
; templates show a component by its selector, and a pipe by its name
((export_statement (decorator (call_expression function: (identifier) @_component
    arguments: (arguments (object (pair key: (property_identifier) @_selector value: (string) @name)))))
  declaration: (class_declaration name: (type_identifier) @handler)) @registers.helper
  (#any-of? @_component "Component" "Directive" "Pipe") (#any-of? @_selector "selector" "name"))
((pair key: (property_identifier) @_url value: (string) @name) @registers.view (#eq? @_url "templateUrl"))
((class_declaration body: (class_body (method_definition name: (property_identifier) @_constructor
  parameters: (formal_parameters (required_parameter type: (type_annotation (type_identifier) @handler @registers.dependency))))))
  (#eq? @_constructor "constructor"))
; { provide: Payment, useClass: Card }
((object (pair key: (property_identifier) @_provide value: [(identifier) (member_expression)] @name) .
    (pair key: (property_identifier) @_use value: [(identifier) (member_expression)] @handler)) @registers.provider
  (#eq? @_provide "provide") (#any-of? @_use "useClass" "useFactory" "useExisting"))
; { path: 'cart', loadComponent: () => import('./cart').then((m) => m.CartComponent), canActivate: [guard] }
((object (pair key: (property_identifier) @_path value: (string) @name) . (pair)? . (pair)? .
    (pair key: (property_identifier) @_load value: (arrow_function body: (call_expression arguments: (arguments
      (arrow_function body: (member_expression property: (property_identifier) @named))))))) @registers.route
  (#eq? @_path "path") (#eq? @_load "loadComponent"))
((pair key: (property_identifier) @_guard value: (array (identifier) @handler @registers.middleware))
  (#any-of? @_guard "canActivate" "canActivateChild" "canDeactivate" "canMatch" "canLoad"))
((pair key: (property_identifier) @_resolve value: (object (pair value: (identifier) @handler @registers.middleware)))
  (#eq? @_resolve "resolve"))
((call_expression function: (identifier) @_with arguments: (arguments (array (identifier) @handler @registers.middleware)))
  (#eq? @_with "withInterceptors"))
((object (pair key: (property_identifier) @_path value: (string) @name) . (pair)? . (pair)?
  . (pair key: (property_identifier) @_component value: (identifier) @handler)) @registers.route
  (#eq? @_path "path") (#eq? @_component "component"))
