"""What a SCIP index says exactly stands in the graph, as long as it fits the files."""

from pathlib import Path

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.scip import DEFINITION, message
from tests.scip.conftest import CIRCLE, DEFINED, MEASURED, PACKAGE, READ, SQUARE, Shapes, Use, document

pytestmark = pytest.mark.slow

STALE = "1 files have changed since it was made: not used; make it anew"
CALL = (2, "calls", "shapes.Square.area", "scip")


def test_without_one_the_call_is_open(shapes: Shapes) -> None:
    with shapes.indexer() as indexer:
        indexer.index()
    assert shapes.edges() == []


@pytest.mark.parametrize("update", [False, True])
def test_exact_references_become_edges(shapes: Shapes, update: bool) -> None:
    scip = shapes.scip(Use(MEASURED, SQUARE), Use(READ, CIRCLE))
    with shapes.indexer() as indexer:
        if update:
            indexer.index()
        report = indexer.index(scip=[scip])
        assert report.warnings == ()
        assert report.edges["calls"] == 1
        assert indexer.verify() == []
    # What is read and not called is a reference: the first says what runs, the second what is meant.
    assert shapes.edges() == [CALL, (5, "references", "shapes.Circle.area", "scip")]


@pytest.mark.parametrize(("encoding", "column"), [(0, 37), (1, 41), (2, 37), (3, 36)])
def test_columns_are_counted_as_the_document_says(shapes: Shapes, encoding: int, column: int) -> None:
    with shapes.indexer() as indexer:
        report = indexer.index(scip=[shapes.scip(Use((4, column, "area"), SQUARE), encoding=encoding)])
    assert report.warnings == ()
    assert shapes.edges() == [(5, "references", "shapes.Square.area", "scip")]


def test_a_guess_gives_way_to_what_is_known(shapes: Shapes) -> None:
    (shapes.root / "src" / "shapes.py").write_text("class Circle:\n    def measured_area(self):\n        return 3\n")
    (shapes.root / "src" / "use.py").write_text("def measure(shape):\n    return shape.measured_area()\n")
    with shapes.indexer() as indexer:
        indexer.index()
    assert shapes.edges() == [(2, "calls", "shapes.Circle.measured_area", "resolver")]
    elsewhere = Use((1, 17, "measured_area"), f"{PACKAGE}other/Pentagon#measured_area().")
    with shapes.indexer() as indexer:
        indexer.index(scip=[shapes.scip(elsewhere, defined=())])
        assert shapes.edges() == []
        assert indexer.verify() == []


def test_what_is_known_outlives_updates_of_other_files(shapes: Shapes) -> None:
    with shapes.indexer() as indexer:
        indexer.index(scip=[shapes.scip(Use(MEASURED, SQUARE))])
        text = (shapes.root / "src" / "shapes.py").read_text()
        (shapes.root / "src" / "shapes.py").write_text("# moved down\n\n" + text)
        indexer.index()
        assert shapes.edges() == [CALL]
        assert indexer.verify() == []
        (shapes.root / "src" / "shapes.py").write_text(text.replace("Square", "Rectangle"))
        indexer.index()
        assert shapes.edges() == []
        assert indexer.verify() == []


def test_a_file_that_changes_is_resolved_anew(shapes: Shapes) -> None:
    scip = shapes.scip(Use(MEASURED, SQUARE))
    with shapes.indexer() as indexer:
        indexer.index(scip=[scip])
        use = shapes.root / "src" / "use.py"
        use.write_text("from shapes import Circle\n\n\ndef measure():\n    return Circle().area()\n")
        indexer.index()
    assert {origin for *_, origin in shapes.edges()} == {"resolver"}


def test_a_stale_document_is_counted_and_left(shapes: Shapes) -> None:
    (shapes.root / "src" / "shapes.py").write_text(
        "import os\n\n\nclass Circle:\n    def area(self):\n        return 3\n"
    )
    with shapes.indexer() as indexer:
        report = indexer.index(scip=[shapes.scip(Use(MEASURED, SQUARE))])
    assert [warning.partition(": ")[2] for warning in report.warnings] == [
        "1 files have changed since it was made: not used; make it anew"
    ]
    assert shapes.edges() == []


def test_a_document_with_another_text_is_stale(shapes: Shapes) -> None:
    with shapes.indexer() as indexer:
        report = indexer.index(scip=[shapes.scip(Use(MEASURED, SQUARE), text="def measure(): pass\n")])
        assert "1 files have changed" in report.warnings[0]
        same = (shapes.root / "src" / "use.py").read_text().replace("\n", "\r\n")
        assert indexer.index(scip=[shapes.scip(Use(MEASURED, SQUARE), text=same)]).warnings == ()
    assert shapes.edges() == [CALL]


def test_a_use_that_is_not_spelt_as_its_symbol_is_not_trusted(shapes: Shapes) -> None:
    with shapes.indexer() as indexer:
        report = indexer.index(scip=[shapes.scip(Use((1, 11, "shape"), SQUARE))])
    assert "1 uses are written otherwise" in report.warnings[0]
    assert shapes.edges() == []


def test_a_symbol_of_two_definitions_is_not_trusted(shapes: Shapes) -> None:
    defined = [
        definition._replace(symbol=SQUARE) if definition.symbol == CIRCLE else definition for definition in DEFINED
    ]
    with shapes.indexer() as indexer:
        indexer.index(scip=[shapes.scip(Use(MEASURED, SQUARE), defined=defined)])
    assert shapes.edges() == []


def test_local_symbols_are_those_of_their_document(shapes: Shapes) -> None:
    defined = [
        definition._replace(symbol="local 1") if definition.symbol == SQUARE else definition for definition in DEFINED
    ]
    with shapes.indexer() as indexer:
        indexer.index(scip=[shapes.scip(Use(MEASURED, "local 1"), defined=defined)])
    assert shapes.edges() == []


def test_implementations_are_overrides(shapes: Shapes) -> None:
    relation = message("Relationship")(symbol=CIRCLE, is_implementation=True)
    information = message("SymbolInformation")(symbol=SQUARE, relationships=[relation])
    index = message("Index")(documents=[document("src/shapes.py", DEFINED, symbols=[information])])
    with shapes.indexer() as indexer:
        indexer.index(scip=[shapes.write(index)])
        reach = indexer.graph.implementations("Circle.area")
        assert [step.symbol.qualified_name for step in reach.steps] == ["shapes.Square.area"]
        assert indexer.verify() == []


@pytest.mark.parametrize("folder", ["", "src/", "repository/src/"])
def test_paths_may_start_elsewhere(shapes: Shapes, folder: str) -> None:
    scip = shapes.scip(Use(MEASURED, SQUARE), folder=folder)
    with shapes.indexer() as indexer:
        if folder == "repository/src/":
            with pytest.raises(UsageError, match="of another repository"):
                indexer.index(scip=[scip])
        else:
            indexer.index(scip=[scip])
            assert shapes.edges() == [CALL]


def test_documents_that_are_not_indexed_are_counted(shapes: Shapes) -> None:
    documents = [document("src/shapes.py", DEFINED), document("src/gone.py", ()), document("../../etc/passwd", ())]
    with shapes.indexer() as indexer:
        report = indexer.index(scip=[shapes.write(message("Index")(documents=documents))])
    assert "2 of 3 documents are not indexed" in report.warnings[0]


@pytest.mark.parametrize(
    ("content", "message_part"),
    [
        (None, "cannot be read"),
        (b"\xff\xff\xff", "is no SCIP index"),
        (b"plain text, not a message", "is no SCIP index"),
        (b"", "without documents"),
    ],
)
def test_a_bad_file_is_refused_and_the_index_kept(shapes: Shapes, content: bytes | None, message_part: str) -> None:
    path = shapes.folder / "bad.scip"
    if content is not None:
        path.write_bytes(content)
    with shapes.indexer() as indexer:
        indexer.index()
        before = Path(indexer.db).read_bytes()
        with pytest.raises(UsageError, match=message_part):
            indexer.index(full=True, scip=[path])
        assert Path(indexer.db).read_bytes() == before


def test_places_outside_of_the_file_are_passed_over(shapes: Shapes) -> None:
    far = [Use((10**6, 0, "area"), SQUARE), Use((1, 10**6, "area"), SQUARE), Use((-1, -5, "area"), SQUARE, DEFINITION)]
    with shapes.indexer() as indexer:
        indexer.index(scip=[shapes.scip(Use(MEASURED, SQUARE), *far)])
    assert shapes.edges() == [CALL]
