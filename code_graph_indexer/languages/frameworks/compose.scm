; languages: yaml
; mark: (?m)^services:
; cut: :.*$

((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @_list
    value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name @handler))))))))) @registers.named
  (#any-of? @_list "services" "networks" "volumes" "secrets" "configs"))
; depends_on: [db], or { db: … }, and short forms: volumes: [data:/var/lib]
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_services value: (block_node (block_mapping
    (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @_depends value: [
      (block_node (block_sequence (block_sequence_item (flow_node) @name @registers.link)))
      (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @registers.link)))
      (flow_node (flow_sequence (flow_node) @name @registers.link))]))))))))))
  (#eq? @_services "services") (#any-of? @_depends "depends_on" "links") (#set! path "services"))
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_services value: (block_node (block_mapping
    (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @_list value: [
      (block_node (block_sequence (block_sequence_item (flow_node) @name @registers.link)))
      (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @registers.link)))
      (flow_node (flow_sequence (flow_node) @name @registers.link))]))))))))))
  (#eq? @_services "services") (#any-of? @_list "networks" "volumes" "secrets" "configs"))
