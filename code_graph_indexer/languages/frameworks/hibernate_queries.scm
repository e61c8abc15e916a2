; languages: java
; mark: \bcreateQuery\(|@Query\(|@NamedQuery\(
; replace: \1 (?is)^.*?\b(?:from|update|into)\s+([a-z]\w*)\b.*$

; The first entity of a query is what it asks for: "select o from Order o".
((method_invocation name: (identifier) @_create arguments: (argument_list . (string_literal) @name)) @registers.link
  (#any-of? @_create "createQuery" "createSelectionQuery" "createMutationQuery"))
((annotation name: (identifier) @_query arguments: (annotation_argument_list [
    (string_literal) @name
    (element_value_pair key: (identifier) @_key value: (string_literal) @name)])) @registers.link
  (#any-of? @_query "Query" "NamedQuery") (#any-of? @_key "value" "query"))
