"""A page quotes the rest of what it mostly quotes, and says what it leaves out."""

from code_graph_indexer.explore.page import FOR_GAPS, Page
from code_graph_indexer.explore.sources import SourceFiles
from code_graph_indexer.explore.topic import Topic
from code_graph_indexer.storage.sqlite import SqliteStore

CART = "shop/cart.py"
LIMIT = 400


def page_of(store: SqliteStore) -> Page:
    return Page(SourceFiles(store, None), 2_000, "# Cart", Topic(""))


def quoted(page: Page) -> list[int]:
    return [int(line.partition("\t")[0]) for line in page.text().splitlines() if "\t" in line]


def test_what_is_left_of_a_definition_that_is_mostly_quoted_is_quoted_too(store: SqliteStore) -> None:
    page = page_of(store)
    page.quote(CART, range(1, 8))
    page.part(CART, 1, 9, "most")
    page.quote(CART, range(20, 22))
    page.part(CART, 20, 25, "little")
    assert quoted(page) == [*range(1, 10), 20, 21]
    assert "little is quoted in part: 2 of 6 lines" in page.text()
    # What is quoted in part is not called "not quoted", whatever its first line is.
    assert (page.shown(CART, 19, 25), page.shown(CART, 22, 25)) == (2, 0)


def test_such_lines_make_a_page_little_longer_than_its_limit(store: SqliteStore) -> None:
    page = page_of(store)
    page.limit(LIMIT)
    for number in range(1, 12):
        page.quote(CART, [number])
    page.part(CART, 1, 13, "part")
    assert len(page.text()) <= LIMIT * (1 + FOR_GAPS) + len("# Cart") + 700
