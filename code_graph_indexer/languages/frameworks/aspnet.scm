; languages: csharp
; mark: \[(?:Http|Route|ApiController)|\.Map(?:Get|Post|Put|Patch|Delete|Group|Methods)\(|ControllerBase|: Controller\b|\.Add(?:Scoped|Singleton|Transient|HostedService)<|FastEndpoints
; members: Invoke InvokeAsync ExecuteAsync StartAsync StopAsync
; owner: [controller] Controller
; cut: ^~

((class_declaration (attribute_list (attribute name: (identifier) @_route (attribute_argument_list . (attribute_argument !name (_) @name))))) @registers.group
  (#eq? @_route "Route"))
((method_declaration (attribute_list (attribute name: (identifier) @verb (attribute_argument_list . (attribute_argument !name (_) @name))))
  name: (identifier) @handler) @registers.route (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$") (#not-match? @name "^\"[~/]"))
((method_declaration (attribute_list (attribute name: (identifier) @verb)) name: (identifier) @handler) @registers.route (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$"))
; two attributes make one route: `[HttpDelete, Route("x")]`, in one list or in two, in any order
((method_declaration (attribute_list (attribute name: (identifier) @verb) (attribute name: (identifier) @_route (attribute_argument_list . (attribute_argument !name (_) @name))))
  name: (identifier) @handler) @registers.route (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$") (#eq? @_route "Route") (#not-match? @name "^\"[~/]"))
((method_declaration (attribute_list (attribute name: (identifier) @_route (attribute_argument_list . (attribute_argument !name (_) @name))) (attribute name: (identifier) @verb))
  name: (identifier) @handler) @registers.route (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$") (#eq? @_route "Route") (#not-match? @name "^\"[~/]"))
((method_declaration (attribute_list (attribute name: (identifier) @verb)) (attribute_list (attribute name: (identifier) @_route (attribute_argument_list . (attribute_argument !name (_) @name))))
  name: (identifier) @handler) @registers.route (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$") (#eq? @_route "Route") (#not-match? @name "^\"[~/]"))
((method_declaration (attribute_list (attribute name: (identifier) @_route (attribute_argument_list . (attribute_argument !name (_) @name)))) (attribute_list (attribute name: (identifier) @verb))
  name: (identifier) @handler) @registers.route (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$") (#eq? @_route "Route") (#not-match? @name "^\"[~/]"))
((method_declaration (attribute_list (attribute name: (identifier) @_route (attribute_argument_list . (attribute_argument !name (_) @name))))
  name: (identifier) @handler) @registers.route (#eq? @_route "Route") (#not-match? @name "^\"[~/]"))
; a path that begins with `/` or `~/` stands alone
((method_declaration (attribute_list (attribute name: (identifier) @verb (attribute_argument_list . (attribute_argument !name (_) @name))))
  name: (identifier) @handler) @registers.absolute (#match? @verb "^Http(Get|Post|Put|Patch|Delete|Head|Options)$") (#match? @name "^\"[~/]"))
((invocation_expression function: (member_access_expression expression: (_) @router name: (identifier) @verb)
  arguments: (argument_list . (argument (string_literal) @name) . (argument (_) @handler))) @registers.route
  (#match? @verb "^Map(Get|Post|Put|Patch|Delete)$"))
((invocation_expression function: (member_access_expression expression: (_) @router name: (identifier) @verb)
  arguments: (argument_list . (argument [(identifier) (member_access_expression)] @handler) . (argument (string_literal) @name)?)) @registers.route
  (#match? @verb "^Map(Get|Post|Put|Patch|Delete)$"))
((variable_declaration (variable_declarator name: (identifier) @handler
  (invocation_expression function: (member_access_expression expression: (_) @router name: (identifier) @_group)
    arguments: (argument_list . (argument (string_literal) @name))))) @registers.router
  (#eq? @_group "MapGroup"))

((invocation_expression function: (member_access_expression name: (generic_name (identifier) @_add
  (type_argument_list (_) @handler .)))) @registers.dependency
  (#any-of? @_add "AddScoped" "AddSingleton" "AddTransient" "AddHostedService" "AddDbContext" "UseMiddleware"))
; AddScoped(typeof(IRepository<>), typeof(EfRepository<>)), and AddScoped<ILookup<Cart>, Lookup<Cart>>()
((invocation_expression function: (member_access_expression name: (identifier) @_add)
  arguments: (argument_list (argument (typeof_expression type: [(identifier) @handler (generic_name (identifier) @handler)])) .)) @registers.dependency
  (#match? @_add "^(Try)?Add(Scoped|Singleton|Transient)$"))
((invocation_expression function: (member_access_expression name: (generic_name (identifier) @_add
  (type_argument_list (generic_name (identifier) @handler) .)))) @registers.dependency
  (#any-of? @_add "AddScoped" "AddSingleton" "AddTransient" "AddHostedService" "AddDbContext" "UseMiddleware"))
