; languages: yaml
; mark: (?m)^(?:openapi|swagger):|"(?:openapi|swagger)"\s*:
; cut: ^["']?[^#]*#/(?:components/)?|["']$|^["']?https?://[^/]*

; --- an operation leads to the handler of its route, and to what has the name of its identifier

((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_paths value: (block_node (block_mapping (block_mapping_pair key: (flow_node [(plain_scalar (string_scalar) @name) (double_quote_scalar) @name (single_quote_scalar) @name]) value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @verb value: (block_node) @registers.wire))))))))))
  (#eq? @_paths "paths") (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options"))
((block_mapping_pair key: (flow_node) @_id value: (flow_node (plain_scalar (string_scalar) @name))) @registers.declares
  (#eq? @_id "operationId"))
; --- the paths are those behind the address of the server
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_servers value: (block_node (block_sequence . (block_sequence_item
    (block_node (block_mapping (block_mapping_pair key: (flow_node) @_url value: (flow_node (_) @name))))))))))) @inside @registers.group
  (#eq? @_servers "servers") (#eq? @_url "url"))
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_base value: (flow_node (_) @name))))) @inside @registers.group
  (#eq? @_base "basePath"))

; --- what `$ref` names
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_components value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name @handler)) @registers.named))))))))))
  (#eq? @_components "components"))
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @_list value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name @handler)) @registers.named)))))))
  (#any-of? @_list "definitions" "responses" "parameters"))
((block_mapping_pair key: (flow_node) @_ref value: (flow_node) @name @registers.link) (#eq? @_ref "$ref"))

; --- the same in JSON
((document (flow_node (flow_mapping (flow_pair key: (flow_node) @_paths value: (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @name) value: (flow_node (flow_mapping (flow_pair key: (flow_node) @verb value: (flow_node) @registers.wire))))))))))
  (#eq? @_paths "\"paths\"") (#any-of? @verb "\"get\"" "\"post\"" "\"put\"" "\"patch\"" "\"delete\"" "\"head\"" "\"options\""))
((flow_pair key: (flow_node) @_id value: (flow_node (double_quote_scalar) @name)) @registers.declares
  (#eq? @_id "\"operationId\""))
((document (flow_node (flow_mapping (flow_pair key: (flow_node) @_components value: (flow_node (flow_mapping (flow_pair key: (flow_node) @name value: (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @name @handler) value: (_)) @registers.named)))))))))
  (#eq? @_components "\"components\""))
((document (flow_node (flow_mapping (flow_pair key: (flow_node) @name @_list value: (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @name @handler) value: (_)) @registers.named))))))
  (#any-of? @_list "\"definitions\"" "\"responses\"" "\"parameters\""))
((flow_pair key: (flow_node) @_ref value: (flow_node) @name @registers.link) (#eq? @_ref "\"$ref\""))
