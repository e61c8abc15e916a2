; languages: ruby
; path: (?:^|/)config/routes(?:\.rb|/.*\.rb)$
; text: {Name}Controller.{action} (?:.*/)?(?P<Name>\w+)[#/](?P<action>\w*)
; route-functions: _path _url
; resources: GET / index | POST / create | GET /new new | GET /:id show | GET /:id/edit edit | PATCH,PUT /:id update | DELETE /:id destroy

((call method: (identifier) @verb arguments: (argument_list . [(string) (simple_symbol)] @name
    (pair key: (_) @_to value: (string) @handler))) @registers.route
  (#match? @_to "^:?(to|action)$") (#any-of? @verb "get" "post" "put" "patch" "delete" "match"))
((call method: (identifier) @verb arguments: (argument_list . (pair key: [(string) (hash_key_symbol)] @name value: (string) @handler))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match"))
((call method: (identifier) @_root arguments: (argument_list [(string) @handler (pair key: (_) @_to value: (string) @handler)])) @registers.route
  (#eq? @_root "root") (#match? @_to "^:?to$"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name)) @registers.resources
  (#eq? @_resources "resources"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name
  (pair key: (_) @_only value: (_) @only))) @registers.resources
  (#eq? @_resources "resources") (#match? @_only "^:?only$"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name
  (pair key: (_) @_except value: (_) @except))) @registers.resources
  (#eq? @_resources "resources") (#match? @_except "^:?except$"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name
  (pair key: (_) @_controller value: [(simple_symbol) (string)] @handler))) @registers.resources
  (#eq? @_resources "resources") (#match? @_controller "^:?controller$"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name
  (pair key: (_) @_param value: (simple_symbol) @one))) @registers.resources
  (#eq? @_resources "resources") (#match? @_param "^:?param$"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name) @_options block: (_) @inside) @registers.nested
  (#eq? @_resources "resources") (#not-match? @_options "\\bparam(:|\\s*=>)"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @name
  (pair key: (_) @_param value: (simple_symbol) @one)) block: (_) @inside) @registers.nested
  (#eq? @_resources "resources") (#match? @_param "^:?param$"))
; What a concern has is wherever the concern is used, and `devise_for` makes routes of its own.
((call method: (identifier) @_concern block: (_) @inside) @registers.group (#eq? @_concern "concern") (#set! path "{?}"))
((call method: (identifier) @_devise arguments: (argument_list . (simple_symbol) @name @handler)) @registers.route
  (#eq? @_devise "devise_for") (#set! path "/{name}/{?}"))
; mount Sidekiq::Web => "/sidekiq"
((call method: (identifier) @_mount arguments: (argument_list [
    (pair key: [(constant) (scope_resolution) (call)] @handler value: (string) @name)
    ((_) @handler . (pair key: (_) @_at value: (string) @name))])) @registers.route
  (#eq? @_mount "mount") (#match? @_at "^:?at$"))
((call method: (identifier) @_namespace arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_) @inside) @registers.group
  (#any-of? @_namespace "namespace"))
((call method: (identifier) @_namespace arguments: (argument_list . [(simple_symbol) (string)] @handler) block: (_) @inside) @registers.owner
  (#eq? @_namespace "namespace"))
((call method: (identifier) @_scope arguments: (argument_list (pair key: (_) @_module value: (_) @handler)) block: (_) @inside)
  @registers.owner (#any-of? @_scope "scope" "resources" "resource") (#match? @_module "^:?module$"))
((call method: (identifier) @_scope arguments: (argument_list . (string) @name) block: (_) @inside) @registers.group
  (#eq? @_scope "scope") (#set! unnamed "yes"))
((call method: (identifier) @_scope arguments: (argument_list . (simple_symbol) @name) block: (_) @inside) @registers.group
  (#eq? @_scope "scope") (#set! unnamed "yes"))
((call method: (identifier) @_scope arguments: (argument_list (pair key: (_) @_path value: [(string) (simple_symbol)] @name)) block: (_) @inside) @registers.group
  (#eq? @_scope "scope") (#set! unnamed "yes") (#match? @_path "^:?path$"))

; `get :feed, on: :collection` inside of `resources :articles`, or in a block `collection do`
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @handler)
  block: (_ (body_statement (call method: (identifier) @verb arguments: (argument_list . [(simple_symbol) (string)] @name @member
    (pair key: (_) @_on value: (simple_symbol) @_place)))))) @registers.collection
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#match? @_on "^:?on$") (#eq? @_place ":collection"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @handler)
  block: (_ (body_statement (call method: (identifier) @verb arguments: (argument_list . [(simple_symbol) (string)] @name @member
    (pair key: (_) @_on value: (simple_symbol) @_place)))))) @registers.element
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#match? @_on "^:?on$") (#eq? @_place ":member"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @handler)
  block: (_ (body_statement (call method: (identifier) @_place block: (_ (body_statement
    (call method: (identifier) @verb arguments: (argument_list . [(simple_symbol) (string)] @name @member) @_options))))))) @registers.collection
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_place "collection") (#not-match? @_options "\\bto(:|\\s*=>)"))
((call method: (identifier) @_resources block: (_ (body_statement (call method: (identifier) @_place block: (_ (body_statement
    (call method: (identifier) @verb arguments: (argument_list . [(simple_symbol) (string)] @name
      (pair key: (_) @_to value: (string) @handler))))))))) @registers.collection
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_place "collection") (#match? @_to "^:?to$"))
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @handler)
  block: (_ (body_statement (call method: (identifier) @_place block: (_ (body_statement
    (call method: (identifier) @verb arguments: (argument_list . [(simple_symbol) (string)] @name @member) @_options))))))) @registers.element
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_place "member") (#not-match? @_options "\\bto(:|\\s*=>)"))
((call method: (identifier) @_resources block: (_ (body_statement (call method: (identifier) @_place block: (_ (body_statement
    (call method: (identifier) @verb arguments: (argument_list . [(simple_symbol) (string)] @name
      (pair key: (_) @_to value: (string) @handler))))))))) @registers.element
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#eq? @_place "member") (#match? @_to "^:?to$"))
; Without options, it is an action of that controller, for one element.
((call method: (identifier) @_resources arguments: (argument_list . [(simple_symbol) (string)] @handler)
  block: (_ (body_statement (call method: (identifier) @verb
    arguments: (argument_list . [(simple_symbol) (string)] @name @member) @_options) @registers.route)))
  (#eq? @_resources "resources") (#any-of? @verb "get" "post" "put" "patch" "delete") (#match? @name "^[:\"']\\w+[\"']?$")
  (#not-match? @_options "=>|\\b(on|to|action|controller):"))
; `get "/carts/total"` names the controller and the action
((call method: (identifier) @verb arguments: (argument_list . (string) @name @handler) @_options) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete") (#match? @name "^./?\\w+/\\w+.$")
  (#not-match? @_options "=>|\\b(on|to|action|controller):"))
; redirections and other applications
((call method: (identifier) @verb arguments: (argument_list . (string) @name
    (pair key: (_) @_to value: [(call) (lambda) (constant) (scope_resolution)]))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match") (#match? @_to "^:?to$"))
((call method: (identifier) @verb arguments: (argument_list . (pair key: (string) @name
    value: [(call) (lambda) (constant) (scope_resolution)]))) @registers.route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match"))
; match "/pay" => "carts#pay", via: [:get, :post]
((call method: (identifier) @_match arguments: (argument_list . [
      (pair key: (string) @name value: (string) @handler)
      ((string) @name . (pair key: (_) @_to value: (string) @handler))]
    (pair key: [(hash_key_symbol) (simple_symbol)] @_via value: (_) @verb))) @registers.route
  (#eq? @_match "match") (#match? @_to "^:?to$") (#match? @_via "^:?via$"))
; get "/login" => "login#index", as: "login"
((call method: (identifier) @verb arguments: (argument_list . (pair key: (string) value: (string) @handler) . (pair)? . (pair)? . (pair key: [(hash_key_symbol) (simple_symbol)] @_as value: [(string) (simple_symbol)] @name))) @registers.named
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match" "root") (#match? @_as "^:?as$"))
((call method: (identifier) @verb arguments: (argument_list (pair key: (_) @_to value: (string) @handler) . (pair)? . (pair)? . (pair key: [(hash_key_symbol) (simple_symbol)] @_as value: [(string) (simple_symbol)] @name))) @registers.named
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match" "root") (#match? @_to "^:?to$") (#match? @_as "^:?as$"))
; The route of `root` has that name.
((call method: (identifier) @name arguments: (argument_list [(string) @handler (pair key: (_) @_to value: (string) @handler)])) @registers.named
  (#eq? @name "root") (#match? @_to "^:?to$"))
