"""Documentation in code is read by its form, and shown once."""

import re
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.docstrings import as_markdown
from tests.web.conftest import served


@pytest.mark.parametrize(
    ("doc", "entries"),
    [
        (
            ":param a: One.\n:param int b: Two.\n:returns: It.",
            ["*param* `a`: One.", "*param* `b` (int): Two.", "*returns* It."],
        ),
        ("Args:\n    a (str): One.\n    b: Two.\n\nReturns:\n    It.", ["`a` (str): One.", "`b`: Two."]),
        (
            "Parameters\n----------\na : str\n    One.\nb : int, optional\n    Two.",
            ["`a` (str):", "`b` (int, optional):"],
        ),
        (
            "@param {string} a - One.\n@param b Two.\n@returns {x} It.",
            ["*param* `a` (string): One.", "*param* `b`: Two.", "*returns* {x} It."],
        ),
        ("@param a One.\n@throws Bad if {@code a} is.", ["*param* `a`: One.", "*throws* Bad if `a` is."]),
        (
            '<summary>X.</summary>\n<param name="a">One.</param>\n<returns>It.</returns>',
            ["*param* `a`: One.", "*returns* It."],
        ),
    ],
    ids=["reST", "Google", "NumPy", "JSDoc", "Javadoc", "XML"],
)
def test_each_form_gives_a_list_of_entries(doc: str, entries: list[str]) -> None:
    assert re.findall(r"^- (.*)$", as_markdown(f"Do it.\n\n{doc}"), re.M) == entries


@pytest.mark.parametrize(
    ("doc", "text"),
    [
        ("See :class:`~a.b.Model`.", "See `a.b.Model`."),
        ('Uses <see cref="T:Foo"/>.', "Uses `Foo`."),
        ("Plain: text, and no field.\nA second line.", "Plain: text, and no field.\nA second line."),
    ],
)
def test_the_rest_stays_as_it_is(doc: str, text: str) -> None:
    assert as_markdown(doc) == text


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["{@a " * 100_000, "<c " * 100_000, "x:a" + " " * 200_000 + "x", "{@a" + " " * 200_000 + "x"]
)
def test_a_long_text_is_read_at_once(text: str) -> None:
    assert as_markdown(text) == text.strip()


@pytest.mark.slow
def test_documentation_is_folded_in_the_source_below(tmp_path: Path) -> None:
    doc = '"""Take a tax.\n\n    :param price: What <b>it</b> costs.\n    :returns: The whole of `tax`.\n    """'
    (tmp_path / "a.py").write_text(
        f"def tax(price):\n    {doc}\n    return price\n\n\ndef low():\n    '''Short.'''\n", "utf-8"
    )
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as site:
        page = site.text("/definition/a.py?name=a.tax")
        assert "<code>price</code>: What it costs." in page
        folded = re.search(r'<details class="fold">.*?</details>', page, re.S)
        assert folded is not None
        assert re.findall(r'id="L(\d+)"', folded[0]) == ["2", "3", "4", "5"]
        assert re.findall(r'id="L(\d+)"', page) == ["1", "2", "3", "4", "5", "6", "7"]
        assert '<details class="fold">' not in site.text("/definition/a.py?name=a.low")
