"""Colours of code."""

from code_graph_indexer.syntax.highlight import Color, colors


def test_of_a_template_only_the_code_has_colours() -> None:
    source = b"<p class='x'>if 1 <%= link \"a\", 2 %> end 3</p>\n"
    assert colors("a.html.erb", source, "erb") == [
        Color(source.index(b'"a"'), source.index(b'"a"') + 3, "string"),
        Color(source.index(b"2"), source.index(b"2") + 1, "number"),
    ]


def test_of_a_component_only_the_scripts_have_colours() -> None:
    source = b"<script>\nconst a = 1\n</script>\n<p>const 2</p>\n"
    runs = colors("a.vue", source, "vue")
    assert [source[run.start : run.end] for run in runs] == [b"const", b"1"]
