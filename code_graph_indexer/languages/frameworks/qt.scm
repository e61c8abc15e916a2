; languages: cpp
; mark: \bQ_OBJECT\b|\bconnect\s*\(|\bemit\s|\bQ_EMIT\b
; common: accepted activated cellChanged clicked connected currentIndexChanged customContextMenuRequested destroyed disconnected error errorOccurred finished itemChanged itemClicked itemDoubleClicked itemSelectionChanged linkActivated newConnection readyRead rejected released returnPressed started stateChanged textChanged timeout toggled triggered valueChanged

; `connect(sender, &Cart::changed, receiver, &Page::show)`, also with a lambda instead of the last.
((call_expression function: [(identifier) @_connect (qualified_identifier name: (identifier) @_connect)]
  arguments: (argument_list . (_)
    . [(pointer_expression argument: (qualified_identifier scope: (_) @router name: (identifier) @name))
       (call_expression arguments: (argument_list (pointer_expression argument: (qualified_identifier scope: (_) @router name: (identifier) @name))))]
    . (_) . [(pointer_expression argument: (_) @handler) (call_expression arguments: (argument_list (pointer_expression argument: (_) @handler)))])) @registers.listener
  (#eq? @_connect "connect"))
((call_expression function: [(identifier) @_connect (qualified_identifier name: (identifier) @_connect)]
  arguments: (argument_list . (_)
    . (call_expression function: (identifier) @_signal arguments: (argument_list (call_expression function: (identifier) @name)))
    . (_)
    . (call_expression function: (identifier) @_slot arguments: (argument_list (call_expression function: (identifier) @handler))))) @registers.listener
  (#eq? @_connect "connect") (#eq? @_signal "SIGNAL") (#eq? @_slot "SLOT"))

; The language file blanks `emit`, so that any statement may run a signal. Of those, the ones count that have listeners.
((expression_statement (call_expression function: (identifier) @name)) @registers.emit)
