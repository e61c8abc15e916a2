; inherits: csharp
; extensions: .cshtml
; modules: file
; import-lookup: view
; lookup: file imports global
; template: tags (?s)@\*.*?\*@|(@(?:model|inject|using|inherits)\b[^\n]*)|(@\{.*?^\})|(@(?:if|foreach|for|while|switch|else)\b[^\n]*)|(@\(?(?:await\s+)?[A-Za-z_][\w.]*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?(?:\.\w+(?:\([^()]*\))?)*)|(<partial\b[^>]*>)|(asp-for="[^"]*")
; template: imports <partial\b[^<>]*?\bname="([^"@]+)"
; template: imports \b(?:Partial|RenderPartial)(?:Async)?\(\s*"([^"]+)"
; template: imports \bLayout\s*=\s*"([^"]+)"
; template: binds (?s)@model\s+(?P<type>[\w.<>?]+).*?\b(?P<name>Model)\b
; template: binds @inject\s+(?P<type>[\w.<>?]+)\s+(?P<name>\w+)
; template: binds \bforeach\s*\(\s*(?P<type>(?!var\b)[\w.<>?]+)\s+(?P<name>\w+)\s+in\b
; template: binds \bforeach\s*\(\s*var\s+(?P<name>\w+)\s+in\s+(?P<each>[A-Za-z_][\w.]*)
; template: calls (?<![\w.])(?!(?:if|for|foreach|while|switch|using|lock|catch|return|await)\b)([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(
; template: reads (?<![\w.])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b(?!\s*\()
