; grammar: tree_sitter_yaml
; source-type: text
; extensions: .yaml .yml
; content: .yaml \n(?:apiVersion|services|jobs|openapi|swagger):(?![\s\S]*[^$]\{\{)
; content: .yml \n(?:apiVersion|services|jobs|openapi|swagger):(?![\s\S]*[^$]\{\{)
; filenames: openapi.json swagger.json kustomization.yaml kustomization.yml action.yaml action.yml
; lookup: dotted
; import-lookup: path
; index: kustomization action
; roots: .

; Only files in which something has a name that others write. The rest stays text, and so do templates of such files (`{{ name }}`).

; --- definitions
; An object of Kubernetes has its kind before its name: `Service.frontend`.

((document (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_kind value: (flow_node (plain_scalar (string_scalar) @owner)))
    . (comment)* . (block_mapping_pair key: (flow_node) @_metadata value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_name value: (flow_node (plain_scalar (string_scalar) @name))))) @body))) @definition.object)
  (#eq? @_kind "kind") (#eq? @_metadata "metadata") (#eq? @_name "name"))
; services: { web: … }, jobs: { build: … }
((document (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @owner))
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node (plain_scalar (string_scalar) @name)) value: (block_node) @body) @definition.object))))))
  (#match? @owner "^(services|jobs)$"))
((document (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @owner))
    value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name))) @definition.property))))))
  (#match? @owner "^(networks|volumes|secrets|configs)$"))

; paths: { /carts: { get: { operationId: listCarts } } }
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_paths value: (block_node (block_mapping (block_mapping_pair key: (flow_node) value: (block_node (block_mapping (block_mapping_pair key: (flow_node) value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @_id value: (flow_node (plain_scalar (string_scalar) @name))))) @body) @definition.function)))))))))
  (#eq? @_paths "paths") (#eq? @_id "operationId"))
; components: { schemas: { Cart: … } }, or definitions: { Cart: … }
((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_components value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @owner)) value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name)) value: (block_node) @body) @definition.object)))))))))
  (#eq? @_components "components"))
((document (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @owner)) value: (block_node (block_mapping (block_mapping_pair key: (flow_node (plain_scalar (string_scalar) @name)) value: (block_node) @body) @definition.object))))))
  (#any-of? @owner "definitions" "responses" "parameters"))
; the same in JSON, which YAML reads: {"paths": {"/carts": {"get": {"operationId": "listCarts"}}}}
((document (flow_node (flow_mapping (flow_pair key: (flow_node) @_paths value: (flow_node (flow_mapping (flow_pair value: (flow_node (flow_mapping (flow_pair value: (flow_node (flow_mapping (flow_pair key: (flow_node) @_id value: (flow_node (double_quote_scalar) @name))) @body)) @definition.function)))))))))
  (#eq? @_paths "\"paths\"") (#eq? @_id "\"operationId\""))
((document (flow_node (flow_mapping (flow_pair key: (flow_node) @_components value: (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @owner) value: (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @name) value: (flow_node) @body) @definition.object)))))))))
  (#eq? @_components "\"components\""))
((document (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @owner) value: (flow_node (flow_mapping (flow_pair key: (flow_node (double_quote_scalar) @name) value: (flow_node) @body) @definition.object))))))
  (#any-of? @owner "\"definitions\"" "\"responses\"" "\"parameters\""))

(comment) @comment

; --- other files: `resources: [../base]`, `uses: ./.github/actions/build`

((document (block_node (block_mapping (block_mapping_pair key: (flow_node) @_list
    value: (block_node (block_sequence (block_sequence_item (flow_node) @import.module)))))))
  (#match? @_list "^(resources|bases|components|include)$"))
((block_mapping_pair key: (flow_node) @_uses value: (flow_node) @import.module)
  (#eq? @_uses "uses") (#match? @import.module "^[\"']?\\./"))
