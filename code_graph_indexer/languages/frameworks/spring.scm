; languages: java
; mark: \bRouterFunctions?\b|@(?:\w*Mapping|\w*Controller|Service|Component|Repository|Autowired|Bean|EventListener|Scheduled|KafkaListener|RabbitListener|Configuration|Inject)\b|\bRequiredArgsConstructor
; imported: \borg\.springframework\b

((class_declaration (modifiers (annotation name: (identifier) @_mapping arguments: (annotation_argument_list . [
  (string_literal) @name (identifier) @name (field_access) @name (binary_expression) @name (element_value_array_initializer) @name
  (element_value_pair key: (identifier) @_key value: (_) @name)])))) @registers.group
  (#eq? @_mapping "RequestMapping") (#any-of? @_key "value" "path"))
((method_declaration (modifiers (annotation name: (identifier) @verb arguments: (annotation_argument_list [
  (string_literal) (identifier) (field_access) (binary_expression) (element_value_array_initializer)] @name)) @registers.route)
  name: (identifier) @handler) (#match? @verb "^(Get|Post|Put|Patch|Delete|Request)Mapping$"))
((method_declaration (modifiers (annotation name: (identifier) @verb arguments: (annotation_argument_list
  (element_value_pair key: (identifier) @_key value: (_) @name))) @registers.route)
  name: (identifier) @handler) (#match? @verb "^(Get|Post|Put|Patch|Delete|Request)Mapping$") (#any-of? @_key "value" "path"))
((method_declaration (modifiers (annotation name: (identifier) @_mapping arguments: (annotation_argument_list
  (element_value_pair key: (identifier) @_value value: (_) @name)
  (element_value_pair key: (identifier) @_method value: (_) @verb))) @registers.route)
  name: (identifier) @handler) (#eq? @_mapping "RequestMapping") (#any-of? @_value "value" "path") (#eq? @_method "method"))
((method_declaration (modifiers [
  (marker_annotation name: (identifier) @verb) @registers.route
  (annotation name: (identifier) @verb) @registers.route])
  name: (identifier) @handler) (#match? @verb "^(Get|Post|Put|Patch|Delete)Mapping$"))

; route().GET("/carts", handler::list)
((method_invocation name: (identifier) @verb
    arguments: (argument_list . (string_literal) @name . (method_reference) @handler)) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((method_invocation name: (identifier) @verb
    arguments: (argument_list . (string_literal) @name . (lambda_expression))) @registers.route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
; RouterFunctions.route(GET("/carts"), handler::list)
((method_invocation name: (identifier) @_route
    arguments: (argument_list . (method_invocation name: (identifier) @verb arguments: (argument_list . (string_literal) @name))
      . (method_reference) @handler)) @registers.route
  (#any-of? @_route "route" "andRoute") (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS"))
((method_invocation name: (identifier) @_nest
    arguments: (argument_list . [(string_literal) @name
      (method_invocation name: (identifier) @_nest arguments: (argument_list . (string_literal) @name))]
      . (_) @inside)) @registers.group
  (#any-of? @_nest "nest" "path"))

((method_declaration (modifiers [
  (marker_annotation name: (identifier) @name) @registers.listener
  (annotation name: (identifier) @name) @registers.listener])
  name: (identifier) @handler)
  (#any-of? @name "PostConstruct" "PreDestroy" "ExceptionHandler" "ModelAttribute" "InitBinder" "MessageMapping"))
((method_declaration (modifiers (annotation name: (identifier) @_task) @registers.task) name: (identifier) @handler @name)
  (#eq? @_task "Scheduled"))
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_bean) @registers.entry
    (annotation name: (identifier) @_bean) @registers.entry])
  type: [(scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)]
  name: (identifier) @handler @name) (#eq? @_bean "Bean"))
((class_declaration (modifiers [
  (marker_annotation name: (identifier) @_component)
  (annotation name: (identifier) @_component)]) name: (identifier) @handler @name) @registers.entry
  (#any-of? @_component "Configuration" "RestController" "Controller" "ControllerAdvice" "RestControllerAdvice" "SpringBootApplication"
    "Component" "Service" "Repository"))

; `@Service class Card implements Payment` is given to all that needs a Payment, and so is what a bean makes
((class_declaration (modifiers [
    (marker_annotation name: (identifier) @_component)
    (annotation name: (identifier) @_component)]) name: (identifier) @handler
  [(super_interfaces (type_list [(type_identifier) @name (generic_type . (type_identifier) @name)]))
   (superclass [(type_identifier) @name (generic_type . (type_identifier) @name)])]) @registers.provider
  (#any-of? @_component "Component" "Service" "Repository" "Controller" "RestController" "Configuration"))
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_bean)
    (annotation name: (identifier) @_bean)])
  type: [(type_identifier) @name (generic_type . (type_identifier) @name)] name: (identifier) @handler) @registers.provider
  (#eq? @_bean "Bean"))

; events are told by their classes: publishEvent(new Paid(cart)), @EventListener void mail(Paid paid)
((method_declaration (modifiers [
    (marker_annotation name: (identifier) @_listener)
    (annotation name: (identifier) @_listener)])
  name: (identifier) @handler
  parameters: (formal_parameters . (formal_parameter type: (type_identifier) @name))) @registers.listener
  (#any-of? @_listener "EventListener" "TransactionalEventListener"))
((method_declaration (modifiers (annotation name: (identifier) @_listener arguments: (annotation_argument_list
    [(class_literal (type_identifier) @name) (element_value_array_initializer (class_literal (type_identifier) @name))])))
  name: (identifier) @handler) @registers.listener
  (#any-of? @_listener "EventListener" "TransactionalEventListener"))
((method_invocation name: (identifier) @_publish
  arguments: (argument_list . (object_creation_expression type: (type_identifier) @name))) @registers.emit
  (#eq? @_publish "publishEvent"))
; queues are told by their names: convertAndSend("paid", cart), @RabbitListener(queues = "paid")
((method_declaration (modifiers (annotation name: (identifier) @_listener arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_queues value: [(string_literal) @name (element_value_array_initializer (string_literal) @name)]))))
  name: (identifier) @handler) @registers.listener
  (#any-of? @_listener "KafkaListener" "RabbitListener" "JmsListener") (#any-of? @_queues "queues" "topics" "destination"))
((method_invocation name: (identifier) @_send arguments: (argument_list . (string_literal) @name)) @registers.emit
  (#any-of? @_send "convertAndSend" "send"))

; what the container injects
((field_declaration (modifiers [(marker_annotation name: (identifier) @_inject) (annotation name: (identifier) @_inject)])
  type: [(type_identifier) @handler (generic_type (type_identifier) @handler)]) @registers.dependency
  (#any-of? @_inject "Autowired" "Inject" "Resource"))
((class_declaration
  (modifiers [(marker_annotation name: (identifier) @_component) (annotation name: (identifier) @_component)])
  body: (class_body (constructor_declaration parameters: (formal_parameters
    (formal_parameter type: (type_identifier) @handler @registers.dependency)))))
  (#match? @_component "Controller|Service|Component|Repository|Configuration"))
((class_declaration
  (modifiers [(marker_annotation name: (identifier) @_component) (annotation name: (identifier) @_component)])
  body: (class_body (field_declaration (modifiers "final") type: (type_identifier) @handler @registers.dependency)))
  (#match? @_component "RequiredArgsConstructor"))
