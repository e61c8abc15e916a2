"""The facts of a file, and the keys by which an update finds who looked them up."""

from code_graph_indexer.resolve.changed import changed_keys
from code_graph_indexer.resolve.facts import (
    ARGUMENTS,
    MODULE,
    MODULE_TAIL,
    NAME,
    PASSING,
    PREFIXES,
    WRITTEN,
    WRITTEN_VALUE,
    FileFacts,
)
from code_graph_indexer.storage.records import Target

TOTAL = Target("cart.py", "Cart.total", "method", 7, True)


def test_no_two_kinds_of_lookups_share_a_prefix() -> None:
    prefixes = [*PREFIXES.values(), MODULE, MODULE_TAIL, NAME, PASSING, WRITTEN, WRITTEN_VALUE]
    assert len({*prefixes}) == len(prefixes)
    # What all files pass to a name, and what one of them does, differ in the path before the prefix.
    assert ARGUMENTS in prefixes


def test_a_change_is_told_by_the_keys_of_the_tables_that_differ() -> None:
    old, new = (FileFacts("cart.py", "python", "cart") for _ in range(2))
    new.definitions["Cart.total"] = TOTAL
    new.by_name["total"] = [TOTAL]
    assert changed_keys(old, new) == {"cart.py\0d:Cart.total", "n:total", "=n:total"}
    assert changed_keys(new, new) == set()


def test_a_file_that_comes_or_goes_may_be_what_an_import_means() -> None:
    facts = FileFacts("shop/cart.py", "python", "shop.cart")
    keys = {"shop/cart.py\0w:", "m:cart", "m:shop"}
    assert changed_keys(None, facts) == changed_keys(facts, None) == keys
