; languages: yaml
; mark: (?m)^kind:
; cut: :\d+["']?$|[:.\s"'{},]+

; --- names: each kind of object has names of its own, so that the kind stands before the name

((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_kind value: (flow_node) @name)
    . (comment)* . (block_mapping_pair key: (flow_node) @_metadata value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_name value: (flow_node (plain_scalar (string_scalar) @name @handler))))))))) @registers.named
  (#eq? @_kind "kind") (#eq? @_metadata "metadata") (#eq? @_name "name"))

; What an object makes has labels, by which others choose it. All labels together are one name. The name of
; the object is among its first keys: else a query would go on for each key of a large mapping.
((document (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_metadata value: (block_node (block_mapping
      . (_)? . (_)? . (block_mapping_pair key: (flow_node) @_name value: (flow_node (plain_scalar (string_scalar) @handler))))))
    . (block_mapping_pair key: (flow_node) @_spec value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_selector value: (block_node (block_mapping
        (block_mapping_pair key: (flow_node) @_labels value: (_) @name)))))))))) @registers.named
  (#eq? @_metadata "metadata") (#eq? @_name "name") (#eq? @_spec "spec") (#eq? @_selector "selector") (#eq? @_labels "matchLabels")
  (#set! path "labels"))
((document (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_metadata value: (block_node (block_mapping
      . (_)? . (_)? . (block_mapping_pair key: (flow_node) @_name value: (flow_node (plain_scalar (string_scalar) @handler))))))
    . (block_mapping_pair key: (flow_node) @_spec value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_template value: (block_node (block_mapping
        (block_mapping_pair key: (flow_node) @_inner value: (block_node (block_mapping
          (block_mapping_pair key: (flow_node) @_labels value: (_) @name))))))))))))) @registers.named
  (#eq? @_metadata "metadata") (#eq? @_name "name") (#eq? @_spec "spec") (#eq? @_template "template") (#eq? @_inner "metadata")
  (#eq? @_labels "labels") (#set! path "labels"))

; --- uses

((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_kind value: (flow_node) @_service)
    . (block_mapping_pair) . (block_mapping_pair key: (flow_node) @_spec value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_selector value: (_) @name @registers.link)))))))
  (#eq? @_kind "kind") (#eq? @_service "Service") (#eq? @_spec "spec") (#eq? @_selector "selector") (#set! path "labels"))
((block_mapping_pair key: (flow_node) @_selector value: (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_labels value: (_) @name @registers.link))))
  (#eq? @_selector "podSelector") (#eq? @_labels "matchLabels") (#set! path "labels"))

; roleRef: { kind: Role, name: readers }
((block_mapping (block_mapping_pair key: (flow_node) @_kind value: (flow_node) @name)
    . (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name)) @registers.link
  (#eq? @_kind "kind") (#eq? @_name "name"))
((block_mapping_pair key: (flow_node) @_of value: (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name @registers.link))))
  (#any-of? @_of "configMapKeyRef" "configMapRef" "configMap") (#eq? @_name "name") (#set! path "ConfigMap"))
((block_mapping_pair key: (flow_node) @_of value: (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name @registers.link))))
  (#any-of? @_of "secretKeyRef" "secretRef") (#eq? @_name "name") (#set! path "Secret"))
((block_mapping_pair key: (flow_node) @_of value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name @registers.link)))))))
  (#eq? @_of "imagePullSecrets") (#eq? @_name "name") (#set! path "Secret"))
((block_mapping_pair key: (flow_node) @_of value: (flow_node) @name) @registers.link
  (#eq? @_of "secretName") (#set! path "Secret"))
((block_mapping_pair key: (flow_node) @_of value: (flow_node) @name) @registers.link
  (#eq? @_of "serviceAccountName") (#set! path "ServiceAccount"))
((block_mapping_pair key: (flow_node) @_of value: (flow_node) @name) @registers.link
  (#eq? @_of "claimName") (#set! path "PersistentVolumeClaim"))
((block_mapping_pair key: (flow_node) @_of value: (flow_node) @name) @registers.link
  (#eq? @_of "serviceName") (#set! path "Service"))
((block_mapping_pair key: (flow_node) @_of value: (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_service value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name @registers.link)))))))
  (#any-of? @_of "backend" "defaultBackend") (#eq? @_service "service") (#eq? @_name "name") (#set! path "Service"))
; value: "carts:8080"
((block_mapping_pair key: (flow_node) @_of value: (flow_node) @name) @registers.link
  (#eq? @_of "value") (#match? @name "^[\"']?[a-z][a-z0-9-]*:[0-9]+[\"']?$") (#set! path "Service"))
