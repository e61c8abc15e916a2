; grammar: tree_sitter_markdown
; extensions: .md .markdown .mdx .mdown .mkd
; source-type: markdown
; separator: ␠›␠

(section (atx_heading (inline) @name)) @definition.section
(section (setext_heading (paragraph (inline) @name))) @definition.section
