"""The search of files that have no index yet."""

from pathlib import Path

from code_graph_indexer.explore.scan import scan
from code_graph_indexer.words import ASCII_PER_TOKEN


def test_lines_with_the_names_of_a_question_are_quoted(shop: Path) -> None:
    text = scan(shop, "how does place_order call add_tax?", budget=1_000)
    assert "hold place_order, add_tax." in text
    assert "### shop/pricing.py\n12\tdef add_tax(cents: int) -> int:" in text


def test_files_with_more_of_the_names_come_first(shop: Path) -> None:
    text = scan(shop, "add_tax apply_discount", budget=1_000)
    assert text.index("### shop/cart.py") < text.index("### shop/pricing.py")


def test_without_names_of_code_the_longest_words_are_searched(shop: Path) -> None:
    assert "hold warehouse, number" in scan(shop, "is the number of a warehouse", budget=1_000)


def test_a_question_without_words_is_answered_too(shop: Path) -> None:
    assert scan(shop, "why?!", budget=1_000) == "The question holds no name that could be searched for."


def test_the_budget_holds(shop: Path) -> None:
    assert len(scan(shop, "def return order", budget=200)) <= 200 * ASCII_PER_TOKEN


def test_a_file_that_is_no_text_and_a_link_are_not_searched(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"secret_name\0")
    (tmp_path / "outside.py").symlink_to("/etc/hostname")
    (tmp_path / "b.py").write_text("secret_name = 1\n", encoding="utf-8")
    text = scan(tmp_path, "secret_name", budget=1_000)
    assert "1 of 2 files" in text
    assert "### b.py" in text
