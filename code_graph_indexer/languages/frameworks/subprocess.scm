; languages: python
; mark: "-m"\s*,|'-m'\s*,

; subprocess.run([sys.executable, "-m", "shop", "--help"])
((list (string) @_flag . (string) @name) @registers.program (#match? @_flag "^[\"']-m[\"']$") (#match? @name "^[\"']\\w+(\\.\\w+)*[\"']$"))
