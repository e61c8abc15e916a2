; languages: yaml
; mark: (?m)^jobs:

((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @_jobs
    value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name @handler))))))))) @registers.named
  (#eq? @_jobs "jobs"))
; needs: build, needs: [build, test]
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_jobs value: (block_node (block_mapping
    (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @_needs value: [
      (block_node (block_sequence (block_sequence_item (flow_node) @name @registers.link)))
      (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)]) @name @registers.link
      (flow_node (flow_sequence (flow_node) @name @registers.link))]))))))))))
  (#eq? @_jobs "jobs") (#eq? @_needs "needs") (#set! path "jobs"))
