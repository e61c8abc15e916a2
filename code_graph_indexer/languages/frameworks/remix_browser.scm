; languages: javascript tsx
; mark: \bcreate(?:Browser|Hash|Memory)Router\b|\bcreateRoutesFromElements\b|<Route\b|\buseRoutes\(|\bRouteObject\b
; imported: \breact-router

; createBrowserRouter([{ path: '/carts', element: <Carts />, loader, children: [{ path: ':id', Component: Cart }] }])
((object (pair key: (property_identifier) @_path value: [(string) (identifier) (member_expression) (template_string)] @name)
    . (pair)? . (pair)? . (pair)? . (pair key: (property_identifier) @_element value: [
      (identifier) @handler
      (jsx_self_closing_element name: (identifier) @handler)
      (jsx_element (jsx_opening_element name: (identifier) @handler))])) @registers.route
  (#eq? @_path "path") (#any-of? @_element "element" "Component") (#set! verb "GET"))
((object (pair key: (property_identifier) @_index value: (true))
    . (pair)? . (pair)? . (pair key: (property_identifier) @_element value: [
      (identifier) @handler
      (jsx_self_closing_element name: (identifier) @handler)])) @registers.route
  (#eq? @_index "index") (#any-of? @_element "element" "Component") (#set! path "/") (#set! verb "GET"))
((object (pair key: (property_identifier) @_path value: [(string) (identifier) (member_expression) (template_string)] @name)
    . (pair)? . (pair)? . (pair)? . (pair)? . (pair key: (property_identifier) @_children value: (array) @inside)) @registers.group
  (#eq? @_path "path") (#eq? @_children "children"))
((pair key: (property_identifier) @_loader value: (identifier) @handler @registers.middleware)
  (#any-of? @_loader "loader" "action" "lazy" "shouldRevalidate"))
((object (shorthand_property_identifier) @handler @registers.middleware) (#any-of? @handler "loader" "action"))
; <Route path="/carts" element={<Carts />}><Route path=":id" element={<Cart />} /></Route>
((_ name: (identifier) @_route
    attribute: (jsx_attribute (property_identifier) @_path (string) @name)
    . attribute: (jsx_attribute (property_identifier) @_element (jsx_expression [
      (identifier) @handler
      (jsx_self_closing_element name: (identifier) @handler)
      (jsx_element (jsx_opening_element name: (identifier) @handler))]))) @registers.route
  (#eq? @_route "Route") (#eq? @_path "path") (#any-of? @_element "element" "Component" "component") (#set! verb "GET"))
((_ name: (identifier) @_route
    attribute: (jsx_attribute . (property_identifier) @_index .)
    . attribute: (jsx_attribute (property_identifier) @_element (jsx_expression [
      (identifier) @handler
      (jsx_self_closing_element name: (identifier) @handler)]))) @registers.route
  (#eq? @_route "Route") (#eq? @_index "index") (#any-of? @_element "element" "Component") (#set! path "/") (#set! verb "GET"))
((jsx_element open_tag: (jsx_opening_element name: (identifier) @_route
    attribute: (jsx_attribute (property_identifier) @_path (string) @name))
    [(jsx_element) (jsx_self_closing_element)] @inside) @registers.group
  (#eq? @_route "Route") (#eq? @_path "path"))
