; languages: python
; mark: \b(?:pika|aio_pika)\b

((call function: (attribute attribute: (identifier) @_consume) arguments: (argument_list
    (keyword_argument name: (identifier) @_queue value: (_) @name)
    (keyword_argument name: (identifier) @_callback value: [(identifier) (attribute)] @handler))) @registers.listener
  (#eq? @_consume "basic_consume") (#eq? @_queue "queue") (#eq? @_callback "on_message_callback"))
((call function: (attribute attribute: (identifier) @_consume) arguments: (argument_list . (_) @name . [(identifier) (attribute)] @handler)) @registers.listener
  (#eq? @_consume "basic_consume"))
