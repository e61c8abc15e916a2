; languages: ruby
; mark: \bperform_(?:later|now)\b
; members: perform

; SweepJob.perform_later(cart), SweepJob.set(wait: 1.hour).perform_later(cart)
((call receiver: [(constant) (scope_resolution)] @handler method: (identifier) @_perform) @registers.start
  (#any-of? @_perform "perform_later" "perform_now"))
((call receiver: (call receiver: [(constant) (scope_resolution)] @handler method: (identifier) @_set) method: (identifier) @_perform) @registers.start
  (#eq? @_set "set") (#any-of? @_perform "perform_later" "perform_now"))
