; languages: python
; mark: \.(?:get|post|put|patch|delete|head)\(\s*f?["'][^"'\n]{0,80}/

; requests.post(f"{BASE}/carts"), client.get("/carts/1")
((call function: (attribute attribute: (identifier) @verb) arguments: (argument_list . [(string) (binary_operator) (concatenated_string)] @name)) @registers.wire
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head") (#match? @name "/"))
