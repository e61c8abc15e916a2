; languages: java
; mark: \borg\.apache\.ibatis\b|\binterface \w*(?:Mapper|Dao|DAO)\b
; owner: [mapper] .

; A method of an interface runs the statement of its name in the XML file of the interface.
((interface_declaration name: (identifier) @_mapper body: (interface_body (method_declaration name: (identifier) @name) @registers.declares))
  (#set! path "[mapper].{name}"))
