; languages: rust
; mark: \bwarp::|\bpath!\(
; imported: \bwarp\b

; warp::path!("carts" / u64).and(warp::get()).and_then(show)
((macro_invocation macro: [(identifier) @_path (scoped_identifier name: (identifier) @_path)]
  (token_tree (string_literal) @name)) @registers.step
  (#eq? @_path "path"))
((macro_invocation macro: [(identifier) @_path (scoped_identifier name: (identifier) @_path)]
  (token_tree [(identifier) (primitive_type)] @parameter . ["/" ")"])) @registers.step
  (#eq? @_path "path"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (macro_invocation macro: [(identifier) @_path (scoped_identifier name: (identifier) @_path)]
    (token_tree (string_literal) @name)))) @registers.step
  (#eq? @_and "and") (#eq? @_path "path"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (macro_invocation macro: [(identifier) @_path (scoped_identifier name: (identifier) @_path)]
    (token_tree [(identifier) (primitive_type)] @parameter . ["/" ")"])))) @registers.step
  (#eq? @_and "and") (#eq? @_path "path"))
; warp::get().and(warp::path("carts")).and(warp::path::param::<u64>()).and(warp::path::end())
((call_expression function: [(identifier) @_path (scoped_identifier name: (identifier) @_path)]
  arguments: (arguments . (_) @name .)) @registers.step
  (#eq? @_path "path"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: [(identifier) @_path (scoped_identifier name: (identifier) @_path)]
    arguments: (arguments . (_) @name .)))) @registers.step
  (#eq? @_and "and") (#eq? @_path "path"))
((call_expression function: (scoped_identifier path: (_) @_path name: (identifier) @parameter) arguments: (arguments . ")")) @registers.step
  (#match? @_path "(^|::)path$") (#eq? @parameter "param"))
((call_expression function: (generic_function
  function: (scoped_identifier path: (_) @_path name: (identifier) @_param) type_arguments: (type_arguments . (_) @parameter))) @registers.step
  (#match? @_path "(^|::)path$") (#eq? @_param "param"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: (scoped_identifier path: (_) @_path name: (identifier) @parameter)))) @registers.step
  (#eq? @_and "and") (#match? @_path "(^|::)path$") (#eq? @parameter "param"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: (generic_function
    function: (scoped_identifier path: (_) @_path name: (identifier) @_param) type_arguments: (type_arguments . (_) @parameter))))) @registers.step
  (#eq? @_and "and") (#match? @_path "(^|::)path$") (#eq? @_param "param"))
((call_expression function: (scoped_identifier path: (_) @_path name: (identifier) @_end)) @registers.step
  (#match? @_path "(^|::)path$") (#eq? @_end "end") (#set! path "/"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: (scoped_identifier path: (_) @_path name: (identifier) @_end)))) @registers.step
  (#eq? @_and "and") (#match? @_path "(^|::)path$") (#eq? @_end "end") (#set! path "/"))
; the method, before the path or behind it
((call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)] arguments: (arguments . ")")) @registers.step
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]
    arguments: (arguments . ")")))) @registers.step
  (#eq? @_and "and") (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
; .and(warp::get().or(warp::head())), maybe with `.unify()`
((call_expression function: (field_expression field: (field_identifier) @_and) arguments: (arguments . (call_expression function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)] arguments: (arguments . ")")) field: (field_identifier) @_or)
    arguments: (arguments . (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)] arguments: (arguments . ")")))))) @registers.step
  (#eq? @_and "and") (#eq? @_or "or") (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
((call_expression function: (field_expression field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: (field_expression value: (call_expression function: (field_expression value: (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)] arguments: (arguments . ")")) field: (field_identifier) @_or)
    arguments: (arguments . (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)] arguments: (arguments . ")")))))))) @registers.step
  (#eq? @_and "and") (#eq? @_or "or") (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
; let carts = warp::path("carts"); carts.and(warp::get()).and_then(list)
(let_declaration pattern: (identifier) @variable value: [(macro_invocation) (call_expression)] @registers.step)
((call_expression function: (field_expression value: (identifier) @router field: (field_identifier) @_and)) @registers.step
  (#eq? @_and "and"))
((call_expression function: (field_expression field: (field_identifier) @_and) arguments: (arguments . (identifier) @router .)) @registers.step
  (#eq? @_and "and"))
((call_expression function: (field_expression field: (field_identifier) @_then)
  arguments: (arguments . (_) @handler .)) @registers.step
  (#any-of? @_then "and_then" "then" "map"))
((call_expression function: (field_expression field: (field_identifier) @_or)) @registers.step
  (#any-of? @_or "or" "recover"))
; warp::path("api").and(carts(db))
((call_expression
  function: (field_expression
    value: (call_expression function: [(identifier) @_path (scoped_identifier name: (identifier) @_path)] arguments: (arguments . (_) @name .))
    field: (field_identifier) @_and)
  arguments: (arguments . (call_expression function: [(identifier) (scoped_identifier)] @handler))) @registers.mount
  (#eq? @_path "path") (#eq? @_and "and") (#not-match? @handler "^warp::"))
