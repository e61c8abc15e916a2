; languages: php
; mark: \bRoute::|->(?:get|post|put|patch|delete)\(
; resources: GET / index | GET /create create | POST / store | GET /{one} show | GET /{one}/edit edit | PUT /{one} update | DELETE /{one} destroy
; text: {name}.{action} (?P<name>[\w\\]+)@(?P<action>\w+)

([(scoped_call_expression scope: (name) @_route name: (name) @verb
    arguments: (arguments . (argument [(string) (encapsed_string)] @name) . (argument [
      (string) @handler
      (class_constant_access_expression . (_) @handler)
      (array_creation_expression . (array_element_initializer (class_constant_access_expression . (_) @handler))
        . (array_element_initializer (string) @member))])))
  (member_call_expression object: (scoped_call_expression scope: (name) @_route) name: (name) @verb
    arguments: (arguments . (argument [(string) (encapsed_string)] @name) . (argument [
      (string) @handler
      (class_constant_access_expression . (_) @handler)
      (array_creation_expression . (array_element_initializer (class_constant_access_expression . (_) @handler))
        . (array_element_initializer (string) @member))])))] @registers.route
  (#eq? @_route "Route") (#any-of? @verb "get" "post" "put" "patch" "delete" "any" "options" "match"))
((scoped_call_expression scope: (name) @_route name: (name) @_match
    arguments: (arguments . (argument (array_creation_expression) @verb) . (argument [(string) (encapsed_string)] @name) . (argument [
      (string) @handler
      (class_constant_access_expression . (_) @handler)
      (array_creation_expression . (array_element_initializer (class_constant_access_expression . (_) @handler))
        . (array_element_initializer (string) @member))]))) @registers.route
  (#eq? @_route "Route") (#eq? @_match "match"))
((scoped_call_expression scope: (name) @_route name: (name) @verb
    arguments: (arguments . (argument [(string) (encapsed_string)] @name) . (argument [(anonymous_function) (arrow_function)]))) @registers.route
  (#eq? @_route "Route") (#any-of? @verb "get" "post" "put" "patch" "delete" "any" "options"))
([(scoped_call_expression scope: (name) @_route name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])))
  (member_call_expression object: (scoped_call_expression scope: (name) @_route) name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])))] @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "resource"))
((scoped_call_expression scope: (name) @_route name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])
      (argument (array_creation_expression (array_element_initializer (string) @_only (array_creation_expression) @only)))))
  @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "resource") (#match? @_only "only"))
((scoped_call_expression scope: (name) @_route name: (name) @_resource
    arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])
      (argument (array_creation_expression (array_element_initializer (string) @_except (array_creation_expression) @except)))))
  @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "resource") (#match? @_except "except"))
; Route::prefix('admin')->name('admin.')->group(function () { … }), Route::middleware('auth')->prefix('admin')->group(…)
([(scoped_call_expression name: (name) @_prefix arguments: (arguments . (argument (string) @name)))
  (member_call_expression name: (name) @_prefix arguments: (arguments . (argument (string) @name)))] @chain @registers.group
  (#eq? @_prefix "prefix"))
([(scoped_call_expression name: (name) @_name arguments: (arguments . (argument (string) @name)))
  (member_call_expression name: (name) @_name arguments: (arguments . (argument (string) @name)))] @_call @chain @registers.naming
  (#any-of? @_name "name" "as") (#match? @_call "^Route::")
  (#not-match? @_call "(::|->)(get|post|put|patch|delete|any|options|match|view|redirect|fallback|resource|apiResource|singleton)\\("))
((scoped_call_expression name: (name) @_group arguments: (arguments . (argument (array_creation_expression
  (array_element_initializer (string) @_prefix (string) @name))) . (argument (_) @inside))) @registers.group
  (#eq? @_group "group") (#match? @_prefix "prefix"))
((scoped_call_expression name: (name) @_group arguments: (arguments . (argument (array_creation_expression
  (array_element_initializer (string) @_as (string) @name))) . (argument (_) @inside))) @registers.naming
  (#eq? @_group "group") (#match? @_as "^.as.$"))
((scoped_call_expression scope: (name) @_route name: (name) @_resource
  arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)])
    . (argument (array_creation_expression (array_element_initializer (string) @_names (array_creation_expression) @names)))))
  @registers.resources
  (#eq? @_route "Route") (#eq? @_resource "resource") (#match? @_names "names"))
; Route::resource('carts', CartController::class)->only(['index'])
((member_call_expression
    object: (scoped_call_expression scope: (name) @_route name: (name) @_resource
      arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)]))) @registers.resources
    name: (name) @_only arguments: (arguments (argument (array_creation_expression) @only)))
  (#eq? @_route "Route") (#eq? @_resource "resource") (#eq? @_only "only"))
((member_call_expression
    object: (scoped_call_expression scope: (name) @_route name: (name) @_resource
      arguments: (arguments . (argument (string) @name) . (argument [(string) @handler (class_constant_access_expression . (_) @handler)]))) @registers.resources
    name: (name) @_except arguments: (arguments (argument (array_creation_expression) @except)))
  (#eq? @_route "Route") (#eq? @_resource "resource") (#eq? @_except "except"))
; Route::get('/carts', ['uses' => 'CartController@index', 'as' => 'carts.index'])
((scoped_call_expression scope: (name) @_route name: (name) @verb
    arguments: (arguments . (argument [(string) (encapsed_string)] @name) . (argument (array_creation_expression
      (array_element_initializer (string) @_uses [(string) @handler (class_constant_access_expression . (_) @handler)]))))) @registers.route
  (#eq? @_route "Route") (#any-of? @verb "get" "post" "put" "patch" "delete" "any" "options") (#match? @_uses "^.uses.$"))
((scoped_call_expression scope: (name) @_route
    arguments: (arguments . (argument [(string) (encapsed_string)]) . (argument (array_creation_expression
      (array_element_initializer (string) @_uses [(string) @handler (class_constant_access_expression . (_) @handler)])
      (array_element_initializer (string) @_as (string) @name))))) @registers.named
  (#eq? @_route "Route") (#match? @_uses "^.uses.$") (#match? @_as "^.as.$"))
((scoped_call_expression scope: (name) @_route
    arguments: (arguments . (argument [(string) (encapsed_string)]) . (argument (array_creation_expression
      (array_element_initializer (string) @_as (string) @name)
      (array_element_initializer (string) @_uses [(string) @handler (class_constant_access_expression . (_) @handler)]))))) @registers.named
  (#eq? @_route "Route") (#match? @_uses "^.uses.$") (#match? @_as "^.as.$"))
((scoped_call_expression name: (name) @_group arguments: (arguments . (argument (array_creation_expression
  (array_element_initializer (string) @_namespace (string) @handler))) . (argument (_) @inside))) @registers.owner
  (#eq? @_group "group") (#match? @_namespace "^.namespace.$"))
([(scoped_call_expression name: (name) @_namespace arguments: (arguments . (argument (string) @handler)))
  (member_call_expression name: (name) @_namespace arguments: (arguments . (argument (string) @handler)))] @chain @registers.owner
  (#eq? @_namespace "namespace"))
; Route::controller(CartController::class)->group(function () { Route::get('/carts', 'index'); })
([(scoped_call_expression name: (name) @_controller arguments: (arguments . (argument (class_constant_access_expression . (_) @handler))))
  (member_call_expression name: (name) @_controller arguments: (arguments . (argument (class_constant_access_expression . (_) @handler))))]
  @chain @registers.owner
  (#eq? @_controller "controller"))
; Route::get('/carts', [CartController::class, 'index'])->middleware('auth')->name('carts.index')
((member_call_expression object: (_ name: (name) @_verb arguments: (arguments . (argument) . (argument [
    (string) @handler
    (class_constant_access_expression . (_) @handler)
    (array_creation_expression . (array_element_initializer (class_constant_access_expression . (_) @handler)) . (array_element_initializer (string) @member))]))) @_call
  name: (name) @_name arguments: (arguments . (argument (string) @name))) @registers.named
  (#eq? @_name "name") (#match? @_call "^Route::") (#any-of? @_verb "get" "post" "put" "patch" "delete" "any" "options" "view"))
((member_call_expression object: (member_call_expression object: (_ name: (name) @_verb arguments: (arguments . (argument) . (argument [
    (string) @handler
    (class_constant_access_expression . (_) @handler)
    (array_creation_expression . (array_element_initializer (class_constant_access_expression . (_) @handler)) . (array_element_initializer (string) @member))])))) @_call
  name: (name) @_name arguments: (arguments . (argument (string) @name))) @registers.named
  (#eq? @_name "name") (#match? @_call "^Route::") (#any-of? @_verb "get" "post" "put" "patch" "delete" "any" "options" "view"))
((member_call_expression object: (member_call_expression object: (member_call_expression object: (_ name: (name) @_verb arguments: (arguments . (argument) . (argument [
    (string) @handler
    (class_constant_access_expression . (_) @handler)
    (array_creation_expression . (array_element_initializer (class_constant_access_expression . (_) @handler)) . (array_element_initializer (string) @member))]))))) @_call
  name: (name) @_name arguments: (arguments . (argument (string) @name))) @registers.named
  (#eq? @_name "name") (#match? @_call "^Route::") (#any-of? @_verb "get" "post" "put" "patch" "delete" "any" "options" "view"))
; Route::view('/help', 'site.help')
((scoped_call_expression scope: (name) @_route name: (name) @_view arguments: (arguments . (argument) . (argument (string) @name))) @registers.view
  (#eq? @_route "Route") (#eq? @_view "view"))
