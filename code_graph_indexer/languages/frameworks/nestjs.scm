; languages: typescript tsx
; imported: @nestjs/
; members: canActivate intercept transform catch use onModuleInit onApplicationBootstrap onModuleDestroy beforeApplicationShutdown onApplicationShutdown
; mark: \.setGlobalPrefix\(|@(?:Controller|Injectable|Module|Resolver|Get|Post|Put|Patch|Delete|All|Cron|OnEvent|MessagePattern|EventPattern|Processor|Query|Mutation|WebSocketGateway|UseGuards|UsePipes|UseInterceptors|UseFilters)\(

; `@Controller({ version: '1' })` is outside of the path of the class
((export_statement (decorator (call_expression function: (identifier) @_controller arguments: (arguments . (object
    (pair key: (property_identifier) @_version value: (string) @name)))))
  declaration: (class_declaration) @registers.group) (#eq? @_controller "Controller") (#eq? @_version "version") (#set! path "/v{name}"))
; `@Controller('carts') class …` gives a prefix to its methods
((export_statement (decorator (call_expression function: (identifier) @_controller arguments: (arguments . [(string) (array) (template_string) (identifier) (member_expression) (binary_expression)] @name)))
  declaration: (class_declaration) @registers.group) (#eq? @_controller "Controller"))
((class_declaration decorator: (decorator (call_expression function: (identifier) @_controller
    arguments: (arguments . [(string) (array) (template_string) (identifier) (member_expression) (binary_expression)] @name)))) @registers.group
  (#eq? @_controller "Controller"))
((export_statement (decorator (call_expression function: (identifier) @_controller arguments: (arguments . (object
    (pair key: (property_identifier) @_path value: (_) @name)))))
  declaration: (class_declaration) @registers.group) (#eq? @_controller "Controller") (#eq? @_path "path"))
((class_body (decorator (call_expression function: (identifier) @verb arguments: (arguments . (_)? @name))) @registers.route
  . (decorator)* . (method_definition name: (property_identifier) @handler))
  (#any-of? @verb "Get" "Post" "Put" "Patch" "Delete" "All" "Head" "Options"))
((class_body (decorator (call_expression function: (identifier) @_on arguments: (arguments . (_)? @name))) @registers.listener
  . (decorator)* . (method_definition name: (property_identifier) @handler))
  (#any-of? @_on "OnEvent" "MessagePattern" "EventPattern" "SubscribeMessage" "Cron" "Interval" "Timeout" "Process"
    "Query" "Mutation" "ResolveField" "Subscription"))

; app.setGlobalPrefix('api')
((call_expression function: (member_expression property: (property_identifier) @_global) arguments: (arguments . (_) @name)) @registers.global
  (#eq? @_global "setGlobalPrefix"))

; { provide: Payment, useClass: Card }, also with a text or constant, and `useFactory`
((object (pair key: (property_identifier) @_provide value: [(identifier) (string) (member_expression)] @name) . (pair)? .
    (pair key: (property_identifier) @_use value: [(identifier) (member_expression)] @handler)) @registers.provider
  (#eq? @_provide "provide") (#any-of? @_use "useClass" "useFactory" "useExisting"))
((decorator (call_expression function: (identifier) @_use arguments: (arguments [
    (identifier) @handler
    (new_expression constructor: (identifier) @handler)]))) @registers.dependency
  (#any-of? @_use "UseGuards" "UsePipes" "UseInterceptors" "UseFilters"))
((class_declaration body: (class_body (method_definition name: (property_identifier) @_constructor
  parameters: (formal_parameters (required_parameter decorator: (decorator (call_expression function: (identifier) @_inject
    arguments: (arguments . [(identifier) (string) (member_expression)] @handler @registers.need))))))))
  (#eq? @_constructor "constructor") (#any-of? @_inject "Inject" "InjectRepository" "InjectQueue"))
; the methods of a service by which it starts and ends
((method_definition name: (property_identifier) @handler @name) @registers.entry
  (#any-of? @handler "onModuleInit" "onApplicationBootstrap" "onModuleDestroy" "beforeApplicationShutdown" "onApplicationShutdown"))

; what the container passes to constructors
((class_declaration body: (class_body (method_definition name: (property_identifier) @_constructor
  parameters: (formal_parameters (required_parameter (accessibility_modifier)
    type: (type_annotation (type_identifier) @handler @registers.dependency))))))
  (#eq? @_constructor "constructor"))
