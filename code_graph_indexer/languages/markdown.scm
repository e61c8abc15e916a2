; grammar: tree_sitter_markdown
; extensions: .md .markdown .mdx .mdown .mkd
; source-type: markdown

; What follows the heading is its body, so that the signature is the heading alone; the last two are for bare headings.
(section (atx_heading (inline) @name) . (_) @body) @definition.section
(section (setext_heading (paragraph (inline) @name)) . (_) @body) @definition.section
(section (atx_heading (inline) @name)) @definition.section
(section (setext_heading (paragraph (inline) @name))) @definition.section
