"""The examples in the docstrings of all public names run, and print what they say."""

import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import code_graph_indexer
from code_graph_indexer import CodeIndexer, GraphQuestions, Index

DOORS = (Index, CodeIndexer, GraphQuestions)
"""The classes whose methods are documented one by one."""


WRITING_CALLS = ("index(", "export_scip(")
"""What an example calls if it writes into the repository or its index."""


def documented() -> Iterator[tuple[str, object]]:
    """Yield each public name of the package, and each public method of the doors."""
    for name in code_graph_indexer.__all__:
        if not name.startswith("__"):
            yield name, getattr(code_graph_indexer, name)
    for door in DOORS:
        members = {name: member for base in reversed(door.__mro__) for name, member in vars(base).items()}
        inherited = {name for base in door.__mro__[1:] if base in DOORS for name in dir(base)}
        for name in members.keys() - inherited:
            is_twin = name.startswith("a") and name[1:] in members
            is_shown = inspect.isroutine(members[name]) or isinstance(members[name], property)
            # The example of a twin is that of the method that waits.
            if is_shown and not name.startswith("_") and not is_twin:
                yield f"{door.__name__}.{name}", members[name]


NAMES = dict(sorted(documented()))


def examples_of(name: str) -> doctest.DocTest:
    """Return the examples in the docstring of a public name."""
    return doctest.DocTestParser().get_doctest(inspect.getdoc(NAMES[name]) or "", {}, name, None, None)


@pytest.fixture
def root(request: pytest.FixtureRequest, name: str) -> Path:
    """Return the fixture repository: a copy of its own for an example that writes, else the one that all tests share."""
    source = "".join(example.source for example in examples_of(name).examples)
    root = request.getfixturevalue("own_shop" if any(call in source for call in WRITING_CALLS) else "shop")
    assert isinstance(root, Path)
    return root


@pytest.fixture
def surroundings(root: Path) -> Iterator[dict[str, object]]:
    """Return the names that an example may use without an import."""
    public = {name: getattr(code_graph_indexer, name) for name in code_graph_indexer.__all__}
    with CodeIndexer(root, workers=1) as indexer:
        yield {**public, "indexer": indexer, "shop": str(root)}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if examples_of(name).examples])
def test_an_example_prints_what_it_says(name: str, surroundings: dict[str, object]) -> None:
    examples = examples_of(name)
    examples.globs = surroundings
    report: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(examples, out=report.append)
    assert not report, "".join(report)


def test_every_public_name_has_an_example() -> None:
    missing = [name for name in NAMES if not examples_of(name).examples]
    assert not missing, f"without an example: {', '.join(missing)}"
