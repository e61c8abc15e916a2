; languages: python
; mark: \btornado\b
; imported: \btornado\b
; members: get post put patch delete head options prepare initialize on_finish open on_message on_close

; Application([(r"/carts", CartHandler)])
((tuple . (string) @name . [(identifier) (attribute)] @handler) @registers.route (#match? @name "^r?[\"']\\^?/"))
((call function: [(identifier) @_url (attribute attribute: (identifier) @_url)]
  arguments: (argument_list . (string) @name . [(identifier) (attribute)] @handler)) @registers.route
  (#any-of? @_url "url" "URLSpec" "Rule") (#match? @name "^r?[\"']\\^?/"))
