; inherits: erb ruby
; extensions: .slim
; script: (?m)^ruby:[ \t]*\n((?:[ \t]+[^\n]*\n|\n)+)|^[ \t]*(?:[\w.#:-]+[ \t]*)?(?:==?|-)['<>]*[ \t]+(?:(?P<end>(?:if|unless|case|while|until|for|begin)\b[^\n]*|(?:[^\n]*,[ \t]*\n)*[^\n]*\bdo\b(?:[ \t]*\|[^|\n]*\|)?(?=[ \t]*$))|((?:[^\n]*,[ \t]*\n)*[^\n]*))|\s[a-z][\w-]*=([a-z@][\w.@]*(?:\([^()\n]*\))?)|#\{([^{}\n]*)\}
