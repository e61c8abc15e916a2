"""No answer says that there is nothing where something may hide: the hole is named, with its size."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, render
from code_graph_indexer.graph.results import Reach
from code_graph_indexer.graph.unused import ELSEWHERE, PUBLIC, UNREAD, UNRESOLVED
from code_graph_indexer.results import Certainty
from tests.indexing.repository import index, write_tree

# No grammar reads on behind this: the file is broken.
BROKEN = "def spoil(:\n    return [1, (2}\n"

FILES = {
    "safe.py": "def lonely():\n    return 1\n\n\ndef loud():\n    return lonely_friend()\n\n\n"
    "def lonely_friend():\n    return 2\n",
    "wrapped.py": "def wrap(gift):\n    return gift\n",
    "user.py": "import shelf\n\n\ndef use(things):\n    for thing in things:\n        thing.wrap(thing)\n"
    "    things.sort_by_hand()\n",
    "cut.py": f"def fold(paper):\n    return paper\n\n\n{BROKEN}    # fold, if anybody can\n",
    "torn.py": f"{BROKEN}    # unfold, if anybody can\n",
    "paper.py": "def unfold(paper):\n    return paper\n\n\ndef crease(paper):\n    return unfold(paper)\n",
    "plain.py": "def refold(paper):\n    return paper\n",
    "long.js": "tear(1);\n" * 200,
    "short.ts": "export function tear(n: number) {\n  return n;\n}\n",
    ".env": "tear",
}


@pytest.fixture(scope="module")
def holed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = write_tree(tmp_path_factory.mktemp("holes") / "repository", FILES)
    index(root, root / ".cgi" / "index.db", max_file_size=1_000)
    with CodeIndexer(root) as indexer:
        yield indexer


def test_the_samples_are_as_broken_as_they_say(holed: CodeIndexer) -> None:
    errors = {file.path: (file.error or "broken").partition(" (")[0] for file in holed.store.unread_files()}
    assert errors == {".env": "secret", "cut.py": "broken", "long.js": "too large", "torn.py": "broken"}


@pytest.mark.parametrize(
    ("name", "unresolved", "unread", "text"),
    [
        ("lonely", 0, 0, "  none known"),
        # The file that defines it holds its name once, in the definition.
        ("refold", 0, 0, "  none known"),
        ("wrap", 1, 0, "  none known; 1 call of that name without a known target"),
        # Its own broken file holds its name twice.
        ("fold", 0, 1, "  none known; 1 file not read whole that may call it"),
        # Nobody reads what is too large, and a secret holds no code.
        ("tear", 0, 1, "  none known; 1 file not read whole that may call it"),
    ],
)
def test_no_caller_is_known_only_where_none_can_hide(
    holed: CodeIndexer, name: str, unresolved: int, unread: int, text: str
) -> None:
    (reach,) = holed.callers(name)
    assert reach.certainty == Certainty(unresolved=unresolved, unread=unread)
    assert reach.certainty.complete == (text == "  none known")
    assert render.reach([reach], direction="callers").splitlines()[1:] == [text]


def test_a_caller_that_is_known_does_not_hide_that_there_may_be_more(holed: CodeIndexer) -> None:
    (reach,) = holed.callers("unfold")
    assert [step.symbol.name for step in reach.steps] == ["crease"]
    assert reach.certainty == Certainty(proven=1, unread=1)
    last = render.reach([reach], direction="callers").splitlines()[-1]
    assert last == "  = 1 proven, 1 file not read whole that may hold more"


@pytest.mark.parametrize(
    ("name", "unresolved", "unread", "text"),
    [
        ("lonely", 0, 0, "  none known"),
        ("use", 2, 0, "  none known; 2 calls in it without a known target"),
        ("fold", 0, 1, "  none known; 1 file not read whole on the way"),
    ],
)
def test_callees_are_incomplete_in_a_file_that_was_not_read_whole(
    holed: CodeIndexer, name: str, unresolved: int, unread: int, text: str
) -> None:
    (reach,) = holed.callees(name)
    assert reach.certainty == Certainty(unresolved=unresolved, unread=unread)
    assert render.reach([reach], direction="callees").splitlines()[1:] == [text]


@pytest.mark.slow
def test_callees_of_callees_lie_in_files_too(holed: CodeIndexer, tmp_path: Path) -> None:
    torn = "def fold(paper):\n    return press(paper)\n\n\ndef press(paper):\n    return paper\n\n\n" + BROKEN
    root = write_tree(
        tmp_path / "repository", {"cut.py": torn, "top.py": "import cut\n\n\ndef top():\n    cut.fold(1)\n"}
    )
    index(root, root / ".cgi" / "index.db")
    with CodeIndexer(root) as indexer:
        assert [indexer.callees("top.top", depth=depth)[0].certainty.unread for depth in (1, 2)] == [0, 1]


@pytest.mark.parametrize(
    ("source", "target", "unresolved", "unread"),
    [
        ("lonely", "refold", 0, 0),
        ("lonely", "wrap", 1, 0),
        ("use", "refold", 2, 0),
        ("use", "wrap", 2, 0),
        ("lonely", "fold", 0, 1),
        ("fold", "lonely", 0, 1),
        ("fold", "tear", 0, 2),
    ],
)
def test_a_path_may_be_hidden_at_both_ends(
    holed: CodeIndexer, source: str, target: str, unresolved: int, unread: int
) -> None:
    answer = holed.graph.paths(source, target)
    assert answer.paths == ()
    assert answer.certainty == Certainty(unresolved=unresolved, unread=unread)
    line = render.paths(answer).splitlines()[2]
    assert line.startswith("  no path of calls is known")
    assert ("; " in line) == bool(unresolved or unread)
    assert (f"{unread} file" in line) == bool(unread)


def test_a_path_that_is_known_has_no_hole(holed: CodeIndexer) -> None:
    assert holed.graph.paths("crease", "unfold").certainty == Certainty(proven=1)


def test_an_impact_names_what_may_hide_users(holed: CodeIndexer) -> None:
    impact = holed.graph.impact("wrap")
    assert impact.certainty == Certainty(unresolved=1)
    assert "affected: none known; 1 call of that name without a known target" in render.impact(impact)
    impact = holed.graph.impact("fold")
    assert impact.certainty == Certainty(unread=1)
    assert "affected: none known; 1 file not read whole that may use it" in render.impact(impact)
    assert "affected: none known\n" in render.impact(holed.graph.impact("lonely"))


def test_unused_is_said_less_surely_where_a_use_may_hide(holed: CodeIndexer) -> None:
    verdicts = {unused.symbol.name: unused for unused in holed.graph.unused(min_confidence=0.0)}
    confidences = {name: verdicts[name].confidence for name in ("lonely", "refold", "wrap", "fold", "tear")}
    assert confidences == {
        "lonely": PUBLIC,
        "refold": PUBLIC,
        "wrap": UNRESOLVED,
        "fold": UNREAD,
        "tear": ELSEWHERE,
    }
    assert verdicts["wrap"].reason == "1 call of its name leads nowhere known"
    assert verdicts["fold"].reason == "its name stands in 1 file not read whole"
    assert verdicts["tear"].reason == "its name stands nowhere else, but 1 file of its languages could not be read"
    shown = {unused.symbol.name for unused in holed.graph.unused()}
    assert shown & confidences.keys() == {"lonely", "refold", "tear"}


def test_an_outline_says_that_definitions_may_be_missing(holed: CodeIndexer) -> None:
    assert render.outline(holed.outline("safe.py")).splitlines()[0] == "safe.py"
    outline = render.outline(holed.outline("torn.py"))
    assert outline.splitlines()[0] == "torn.py  (not read whole, so definitions may be missing)"


def test_answers_in_words_name_the_hole_too(holed: CodeIndexer) -> None:
    assert "1 files that may hold more were not read whole" in holed.ask("who calls fold?").summary


def test_an_answer_cut_off_says_so_where_none_is_known(holed: CodeIndexer) -> None:
    (reach,) = holed.callers("lonely")
    cut = Reach(reach.symbol, (), replace(reach.certainty, truncated=True))
    assert render.reach([cut], direction="callers").endswith("  none known; cut off by a limit")
