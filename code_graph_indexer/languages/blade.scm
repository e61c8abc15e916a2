; inherits: php
; grammar: tree_sitter_php:language_php_only
; extensions: .blade.php
; lookup: below file imports helpers peers top stars
; helpers: (?:^|/)View/Components/
; import-lookup: view
; script: (?s)\{\{--.*?--\}\}|\{\{(.*?)\}\}|\{!!(.*?)!!\}|@php\b(?!\()(.*?)@endphp|@(?:else)?(?:if|unless|isset|empty|case|checked|selected|disabled|class|style|json|js)\s*(\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))|@(?:include\w*|each|component)\(\s*["'][^"']*["']\s*,\s*(\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\])|@((?:foreach|for|while|can|cannot|inject|method)\s*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))|(?<=\s):[\w.-]+="(?![^"{]*\{\{)([^"]*)"
; template: imports @(?:extends|include|component|each|livewire)\(\s*["']([\w.:/-]+)["']
; template: imports @include(?:If|When|Unless|First)\((?:[^"'()]|\([^()]*\))*["']([\w.:/-]+)["']
; template: imports <x-(?:slot\b)?([\w.:-]+)
; template: calls <x-(?!slot\b)([\w.-]+)(?=[\s/>])
