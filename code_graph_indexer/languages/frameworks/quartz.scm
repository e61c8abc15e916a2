; languages: java
; mark: \borg\.quartz\b
; members: execute executeInternal

((class_declaration name: (identifier) @handler @name interfaces: (super_interfaces (type_list (type_identifier) @_job))) @registers.task
  (#any-of? @_job "Job" "InterruptableJob"))
((class_declaration name: (identifier) @handler @name superclass: (superclass (type_identifier) @_job)) @registers.task
  (#eq? @_job "QuartzJobBean"))
