"""The bench of call sites judges a call by the definition that it leads to."""

import runpy
from pathlib import Path
from typing import Any

import apsw
import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "bench" / "bench_sites.py"

TABLES = """
create table files (id integer primary key, path text, is_test integer);
create table chunks (
    id integer primary key, file_id integer, parent_id integer, kind text, name text, qualified_name text,
    signature text, start_line integer, name_line integer, def_end_line integer, has_body integer
);
create table refs (
    source_id integer, ordinal integer, kind text, name text, line integer, target_id integer, confidence real, origin text
);
create table candidates (source_id integer, ordinal integer, chunk_id integer);
insert into files values (1, 'a.h', 0), (2, 'unix.c', 0), (3, 'win.c', 0), (4, 'b.c', 0);
insert into chunks values
    (1, 1, null, 'function', 'f', 'f', 'int f(int)', 1, 1, 1, 0),
    (2, 2, null, 'function', 'f', 'f', 'int f(int)', 3, 3, 5, 1),
    (3, 3, null, 'function', 'f', 'f', 'int f(int)', 3, 3, 5, 1),
    (4, 4, null, 'function', 'g', 'g', 'int g(void)', 1, 1, 4, 1),
    (5, 4, null, 'function', 'h', 'h', 'int h(void)', 6, 6, 8, 1);
"""

TRUTH = """\
unix.c\t3\tf\tdefined\tunix.c:3:5\t
b.c\t1\tg\tdefined\tb.c:1:4\t
b.c\t6\th\tdefined\tb.c:6:8\t
a.h\t1\t\tseen\ta.h:1:9\t
unix.c\t1\t\tseen\tunix.c:1:9\t
b.c\t1\t\tseen\tb.c:1:9\t
b.c\t2\tf\tcall\tunix.c:3:5\tb.c:1:4:g
b.c\t3\tputs\tcall\texternal\tb.c:1:4:g
"""


def judge(folder: Path, *calls: tuple[int, str, int]) -> Any:
    """Judge calls, each given by its line in `b.c`, its name, and the number of the chunk where it ends."""
    bench = runpy.run_path(str(SCRIPT), run_name="bench_sites")
    connection = apsw.Connection(":memory:")
    connection.execute(TABLES)
    for ordinal, (line, name, target) in enumerate(calls):
        row = (4 if line < 5 else 5, ordinal, "calls", name, line, target, 0.9, None)
        connection.execute("insert into refs values (?, ?, ?, ?, ?, ?, ?, ?)", row)
    table = folder / "sites.tsv"
    table.write_text(TRUTH)
    for path in ("a.h", "unix.c", "win.c", "b.c"):
        (folder / path).write_text("\n" * 9)
    return bench["Judge"](bench["Index"](connection), bench["Truth"].of_table(table), folder)


@pytest.mark.parametrize(
    ("calls", "edges", "required"),
    [
        ([(2, "f", 2)], ["right"], ["right"]),
        ([(2, "f", 1)], ["declaration"], ["declaration"]),
        ([(2, "f", 3)], ["another platform"], ["another platform"]),
        ([(2, "f", 2), (2, "f", 3)], ["right", "neutral"], ["right"]),
        ([(2, "f", 2), (2, "f", 1)], ["right", "declaration"], ["right"]),
        ([(2, "f", 5)], ["wrong"], ["missed"]),
        ([(3, "puts", 5)], ["outside"], ["missed"]),
        ([(4, "h", 5)], ["no call"], ["missed"]),
        ([], [], ["missed"]),
    ],
)
def test_an_edge_is_right_only_at_the_definition_that_runs(
    tmp_path: Path, calls: list[tuple[int, str, int]], edges: list[str], required: list[str]
) -> None:
    verdicts = judge(tmp_path, *calls)
    assert [fate for fate, *_ in verdicts.judge_edges()] == edges
    assert [fate for fate, *_ in verdicts.judge_required()] == required


def test_a_call_site_that_leads_to_a_declaration_is_wrong(tmp_path: Path) -> None:
    fates = {site.name: fate for fate, site, _ in judge(tmp_path, (2, "f", 1)).judge_sites()}
    assert fates == {"f": "declaration", "puts": "left alone"}
