"""What loads late: names of a package's door, and whole modules."""

import sys

import pytest

from code_graph_indexer.doors import late_module


def test_a_late_module_is_imported_by_the_first_use_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    module = late_module("colorsys")
    assert "colorsys" not in sys.modules
    assert module.rgb_to_hsv(0, 0, 0) == (0, 0, 0)
    assert module.rgb_to_hsv is sys.modules["colorsys"].rgb_to_hsv


def test_looking_at_a_late_module_does_not_import_it() -> None:
    module = late_module("no_such_module")
    assert not hasattr(module, "__wrapped__")
    with pytest.raises(ModuleNotFoundError):
        print(module.anything)


def test_a_late_module_has_no_names_but_its_own() -> None:
    with pytest.raises(AttributeError, match="module 'colorsys' has no attribute 'rgb_to_paint'"):
        print(late_module("colorsys").rgb_to_paint)
