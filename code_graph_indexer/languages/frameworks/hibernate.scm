; languages: java
; mark: \b(?:jakarta|javax)\.persistence\b|\borg\.hibernate\b|@Query\(

; queries name an entity by its class, or by a name of their own
((class_declaration (modifiers [
    (marker_annotation name: (identifier) @_entity)
    (annotation name: (identifier) @_entity)]) name: (identifier) @handler @name) @registers.named
  (#any-of? @_entity "Entity" "Embeddable" "MappedSuperclass"))
((class_declaration (modifiers (annotation name: (identifier) @_query arguments: (annotation_argument_list
    (element_value_pair key: (identifier) @_name value: (string_literal) @name)))) name: (identifier) @handler) @registers.named
  (#any-of? @_query "NamedQuery" "NamedNativeQuery" "NamedEntityGraph" "Entity") (#eq? @_name "name"))
((class_declaration (modifiers (annotation arguments: (annotation_argument_list [
      (element_value_array_initializer (annotation name: (identifier) @_query arguments: (annotation_argument_list
        (element_value_pair key: (identifier) @_name value: (string_literal) @name))))
      (element_value_pair value: (element_value_array_initializer (annotation name: (identifier) @_query arguments: (annotation_argument_list
        (element_value_pair key: (identifier) @_name value: (string_literal) @name)))))]))) name: (identifier) @handler) @registers.named
  (#any-of? @_query "NamedQuery" "NamedNativeQuery") (#eq? @_name "name"))
((method_invocation name: (identifier) @_create arguments: (argument_list . (string_literal) @name)) @registers.link
  (#any-of? @_create "createNamedQuery" "getNamedQuery" "createNamedStoredProcedureQuery"))

((method_declaration (modifiers [
    (marker_annotation name: (identifier) @name)
    (annotation name: (identifier) @name)]) name: (identifier) @handler) @registers.listener
  (#any-of? @name "PrePersist" "PostPersist" "PreUpdate" "PostUpdate" "PreRemove" "PostRemove" "PostLoad"))
((annotation name: (identifier) @_listeners arguments: (annotation_argument_list [
    (class_literal (type_identifier) @handler)
    (element_value_array_initializer (class_literal (type_identifier) @handler))])) @registers.dependency
  (#any-of? @_listeners "EntityListeners" "IdClass"))
((annotation name: (identifier) @_converts arguments: (annotation_argument_list (element_value_pair
    key: (identifier) @_with value: (class_literal (type_identifier) @handler)))) @registers.dependency
  (#any-of? @_converts "Convert" "UserTypeRegistration") (#any-of? @_with "converter" "userType"))
