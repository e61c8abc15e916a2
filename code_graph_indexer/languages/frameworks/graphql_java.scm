; languages: java
; mark: @(?:Query|Mutation|Subscription)Mapping\b|@Dgs(?:Query|Mutation)\b
; cut: Mapping\b|\bDgs

((method_declaration (modifiers [(marker_annotation name: (identifier) @_mapping) (annotation name: (identifier) @_mapping)])
    name: (identifier) @handler @name) @registers.entry
  (#any-of? @_mapping "QueryMapping" "MutationMapping" "SubscriptionMapping" "DgsQuery" "DgsMutation"))
((method_declaration (modifiers [(marker_annotation name: (identifier) @name @_mapping) (annotation name: (identifier) @name @_mapping)])
    name: (identifier) @handler @name) @registers.serves
  (#any-of? @_mapping "QueryMapping" "MutationMapping" "SubscriptionMapping" "DgsQuery" "DgsMutation"))
