"""Every use of a definition is found, with its kind, its line and how sure it is."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, NotInIndexError, References, UsageError, render
from tests.indexing.repository import index, raw, write_tree

FILES = {
    "model.ts": """\
export interface Order { id: number; total: number }
export enum State { Open, Closed }
export enum Colour { Red }
export const LIMIT = 10;
export const SPARE = 1;
export class Price {
  shown = false;
  constructor(public net: number) {}
  get gross() { return this.net * 2; }
}
""",
    "use.ts": """\
import { Order, State, LIMIT, Price } from './model';
export function check(order: Order): boolean { return order.total < LIMIT; }
export function open(state: State) { return state === State.Open; }
export function cost(price: Price) { return price.gross; }
export function show(price: Price) { price.shown = true; }
export class Sale extends Price {}
export const make = () => new Price(LIMIT);
""",
    "tests/use.test.ts": """\
import { check } from '../use';
import { LIMIT } from '../model';
test('a', () => { check({ id: 1, total: LIMIT }); });
""",
    "other.ts": "const text = 'LIMIT';\nconst LIMITS = [1];\n",
    "README.md": "# Prices\n\nAn order is below `LIMIT`.\n",
}

PLACES = {
    "LIMIT": [
        ("reads", "use.ts", 2),
        ("reads", "use.ts", 7),
        ("reads", "tests/use.test.ts", 3),
        ("imports", "use.ts", 1),
        ("imports", "tests/use.test.ts", 2),
        ("docs", "README.md", 3),
    ],
    "Order": [("types", "use.ts", 2), ("imports", "use.ts", 1)],
    "State.Open": [("reads", "use.ts", 3)],
    "Order.total": [("reads", "use.ts", 2), ("writes", "tests/use.test.ts", 3)],
    "Price.shown": [("writes", "use.ts", 5)],
    "Price.gross": [("reads", "use.ts", 4)],
    "Price": [
        ("calls", "use.ts", 7),
        ("types", "use.ts", 4),
        ("types", "use.ts", 5),
        ("inherits", "use.ts", 6),
        ("imports", "use.ts", 1),
    ],
    "SPARE": [],
}


@pytest.fixture(scope="module")
def prices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Index a repository whose names are read, written, named as types, imported and told of."""
    root = write_tree(tmp_path_factory.mktemp("prices") / "repository", FILES)
    index(root, root / ".cgi" / "index.db")
    return root


@pytest.fixture
def indexer(prices: Path) -> Iterator[CodeIndexer]:
    """Open the index."""
    with CodeIndexer(prices) as opened:
        yield opened


def only(answers: list[References]) -> References:
    assert len(answers) == 1
    return answers[0]


def places(answer: References) -> list[tuple[str, str, int]]:
    return [(use.kind, use.file_path, use.line) for use in answer.uses]


@pytest.mark.parametrize("name", PLACES)
def test_the_uses_of_a_definition_come_by_kind_and_code_before_tests(name: str, indexer: CodeIndexer) -> None:
    assert places(only(indexer.references(name))) == PLACES[name]


def test_a_use_has_its_line_of_source_and_how_sure_it_is(indexer: CodeIndexer) -> None:
    use = only(indexer.references("LIMIT")).uses[0]
    assert use.text == "export function check(order: Order): boolean { return order.total < LIMIT; }"
    assert (use.name, use.source, use.column, use.candidate) == ("LIMIT", "use.check", 68, False)
    assert use.confidence >= 0.95
    assert not use.is_test


@pytest.mark.slow
def test_an_override_and_what_is_passed_as_a_value_are_uses(tmp_path: Path) -> None:
    text = (
        "class Base:\n    def run(self): ...\n\n\nclass Child(Base):\n    def run(self): ...\n\n\n"
        "def start(then): ...\n\n\ndef ready(): ...\n\n\nstart(ready)\n"
    )
    index(write_tree(tmp_path, {"a.py": text}), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        assert places(only(indexer.references("Base.run"))) == [("overrides", "a.py", 6)]
        assert places(only(indexer.references("ready"))) == [("references", "a.py", 15)]


def test_uses_can_be_restricted_to_a_kind_a_folder_and_tests(indexer: CodeIndexer) -> None:
    def lines(**options: object) -> list[tuple[str, str, int]]:
        return places(only(indexer.references("LIMIT", **options)))  # type: ignore[arg-type]

    assert lines(kind="imports") == PLACES["LIMIT"][3:5]
    assert lines(file="tests/") == [PLACES["LIMIT"][2], PLACES["LIMIT"][4]]
    assert lines(tests=True) == lines(file="tests/")
    assert lines(kind="reads", tests=False) == PLACES["LIMIT"][:2]
    assert lines(limit=1) == PLACES["LIMIT"][:1]


def test_an_unknown_kind_or_name_is_an_error_that_says_what_there_is(indexer: CodeIndexer) -> None:
    with pytest.raises(UsageError, match=r"'looks'; a kind is calls, references, reads, writes, types"):
        indexer.references("LIMIT", kind="looks")
    with pytest.raises(NotInIndexError, match="Did you mean LIMIT"):
        indexer.references("LIMITT")


@pytest.mark.slow
def test_definitions_of_one_name_have_their_own_uses(tmp_path: Path) -> None:
    text = "class One:\n    size = 1\n\n\nclass Two:\n    size = 2\n\n\ndef first():\n    return One.size\n"
    index(write_tree(tmp_path, {"a.py": text}), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        answers = {answer.symbol.qualified_name: places(answer) for answer in indexer.references("size")}
    assert answers == {"a.One.size": [("reads", "a.py", 10)], "a.Two.size": []}


@pytest.mark.slow
def test_what_may_be_meant_is_a_use_that_says_so(tmp_path: Path) -> None:
    files = {
        "a.py": "class One:\n    def flush_all(self): ...\n",
        "b.py": "class Two:\n    def flush_all(self): ...\n",
        "c.py": "def end(backend):\n    backend.flush_all()\n",
    }
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        (use,) = only(indexer.references("One.flush_all")).uses
        text = render.references(indexer.references("One.flush_all"))
    assert (use.kind, use.file_path, use.line, use.candidate) == ("calls", "c.py", 2, True)
    assert "c.py:2  c.end  (one of several)  backend.flush_all()" in text


def test_lines_that_hold_the_name_and_are_not_linked_are_counted(indexer: CodeIndexer) -> None:
    answer = only(indexer.references("LIMIT"))
    # Neither `LIMITS` nor the definition itself counts.
    assert (answer.unlinked_lines, answer.unlinked_files) == (1, 1)
    text = render.references([answer])
    assert "the name also stands on 1 line of 1 file that is not linked to it" in text
    elsewhere = only(indexer.references("LIMIT", file="tests/"))
    assert (elsewhere.unlinked_lines, elsewhere.unlinked_files) == (0, 0)


def test_a_definition_without_a_use_says_none_known(indexer: CodeIndexer) -> None:
    assert render.references(indexer.references("SPARE")) == (
        "references to constant model.SPARE  model.ts:5\n  none known"
    )


def test_the_view_of_uses_names_both_ends(prices: Path) -> None:
    with raw(prices / ".cgi" / "index.db") as connection:
        rows = connection.execute(
            "select kind, path, line, source, target_kind, target_path, target_line from uses "
            "where target = 'model.State.Open'"
        ).fetchall()
    assert rows == [("reads", "use.ts", 3, "use.open", "enum_member", "model.ts", 2)]


@pytest.mark.parametrize(
    ("name", "affected", "tests"),
    [
        ("LIMIT", ["check", "make"], ["tests/use.test.ts"]),
        ("Order", ["check"], ["tests/use.test.ts"]),
        ("Order.total", ["check"], ["tests/use.test.ts"]),
        ("State.Open", ["open"], []),
        ("Price.shown", ["show"], []),
        ("Price.gross", ["cost"], []),
    ],
)
def test_a_change_affects_who_reads_writes_or_names_what_changes(
    name: str, affected: list[str], tests: list[str], indexer: CodeIndexer
) -> None:
    impact = indexer.graph.impact(name)
    assert sorted({step.symbol.name for step in impact.affected if not step.symbol.is_test}) == affected
    assert [*impact.tests] == tests


def test_a_change_of_a_file_affects_who_uses_its_constants(indexer: CodeIndexer) -> None:
    impact = indexer.graph.impact("model.ts")
    assert {symbol.name for symbol in impact.changed} >= {"LIMIT", "SPARE", "Price"}
    assert {step.symbol.name for step in impact.affected} >= {"check", "open", "make"}


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.mark.slow
def test_a_diff_of_constants_alone_affects_who_reads_each_of_them(tmp_path: Path) -> None:
    files = {
        "rates.py": "LOW = 1\nHIGH = 5\nIDLE = 0\n",
        "use.py": "import rates\n\n\ndef least():\n    return rates.LOW\n\n\ndef most():\n    return rates.HIGH\n",
        "tests/test_use.py": "from use import most\n\n\ndef test_most():\n    assert most()\n",
    }
    root = write_tree(tmp_path, files)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    write_tree(root, {"rates.py": "LOW = 2\nHIGH = 6\nIDLE = 0\n"})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        impact = indexer.graph.impact(diff="HEAD")
    assert [symbol.qualified_name for symbol in impact.changed] == ["rates.LOW", "rates.HIGH"]
    assert {step.symbol.name for step in impact.affected if not step.symbol.is_test} == {"least", "most"}
    assert impact.tests == ("tests/test_use.py",)


@pytest.mark.parametrize("name", ["State.Open", "LIMIT", "check"])
def test_nothing_derives_from_what_is_no_type(name: str, indexer: CodeIndexer) -> None:
    with pytest.raises(NotInIndexError, match=r"from which nothing derives; cgi references shows its uses"):
        indexer.graph.hierarchy(name)
    assert indexer.graph.hierarchy("Price").derived[0].symbol.name == "Sale"


def test_a_tour_says_what_reads_a_constant_and_names_a_type(indexer: CodeIndexer) -> None:
    constant, interface = indexer.explore("LIMIT").text, indexer.explore("Order").text
    assert "## Used by, of model.LIMIT: 2 reads\n" in constant
    assert "reads  use.ts:2  use.check" in constant
    assert "types  use.ts:2  use.check" in interface


def test_an_enum_whose_members_are_read_is_not_unused(indexer: CodeIndexer) -> None:
    unused = {entry.symbol.name for entry in indexer.graph.unused(min_confidence=0.0)}
    assert "Colour" in unused
    assert not unused & {"State", "Order", "Price", "gross"}
