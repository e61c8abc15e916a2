"""Measure the edges between definitions against PyCG's micro-benchmark.

SNIPPETS is the folder `micro-benchmark/snippets` of a checkout of github.com/vitsalis/PyCG (Apache-2.0): small programs
by category, each with the call graph that is expected, in which functions call functions: edges to classes are left out,
those to their constructors are not, and those to lambdas and to what is not defined in the program neither. An edge is
found when a call or a value that is passed on leads there; it is wrong when a call leads elsewhere. What stands in the value
of a variable stands in what is around it.

usage: bench_pycg.py SNIPPETS [--only CATEGORY…] [--show]
"""

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer import CodeIndexer
from code_graph_indexer.storage.sqlite_graph import SqliteStore

EDGES = """
select distinct iif(s.kind in ('variable', 'constant', 'field'), p.qualified_name, s.qualified_name), t.qualified_name, r.kind
from refs as r
join chunks as s on s.id = r.source_id left join chunks as p on p.id = s.parent_id join chunks as t on t.id = r.target_id
where r.kind in ('calls', 'references') and t.kind in ('function', 'method')
"""

Edge = tuple[str, str]


class Snippet(NamedTuple):
    """A program's expected edges, those that our calls say, and those that our values say."""

    expected: set[Edge]
    calls: set[Edge]
    values: set[Edge]


def read_snippet(folder: Path, db: Path) -> Snippet:
    """Index a program and compare."""
    modules = {".".join(one.relative_to(folder).with_suffix("").parts) for one in folder.rglob("*.py")}
    modules |= {one.removesuffix(".__init__") for one in modules}
    graph = json.loads((folder / "callgraph.json").read_text(encoding="utf-8"))
    expected = {(source, target) for source, targets in graph.items() for target in targets if _inside(target, modules)}
    with CodeIndexer(folder, db=db, embedder="hashing", workers=1) as indexer:
        indexer.index(full=True)
        found: dict[str, set[Edge]] = {"calls": set(), "references": set()}
        for source, target, kind in SqliteStore(indexer.db).rows(EDGES):
            found[kind].add((source, target))
    return Snippet({one for one in expected if "<lambda" not in one[1]}, found["calls"], found["references"])


def _inside(name: str, modules: set[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in modules)


def main() -> None:
    """Print precision and recall by category and of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snippets", type=Path)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--show", action="store_true", help="list what is missed and wrong")
    given = parser.parse_args()
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for category in sorted(one for one in given.snippets.iterdir() if one.is_dir()):
            if given.only and category.name not in given.only:
                continue
            counts: Counter[str] = Counter()
            for folder in sorted(one.parent for one in category.rglob("callgraph.json")):
                one = read_snippet(folder, Path(temporary) / "index.db")
                counts["snippets"] += 1
                counts["expected"] += len(one.expected)
                counts["calls"] += len(one.calls)
                counts["right"] += len(one.calls & one.expected)
                counts["found"] += len((one.calls | one.values) & one.expected)
                if given.show:
                    for what, edges in (
                        ("missed", one.expected - one.calls - one.values),
                        ("wrong", one.calls - one.expected),
                    ):
                        for source, target in sorted(edges):
                            print(f"  {what} {folder.relative_to(given.snippets)}: {source} -> {target}")
            print(_row(category.name, counts))
            total += counts
    print(_row("all", total))


def _row(name: str, counts: Counter[str]) -> str:
    precision = 100 * counts["right"] / max(counts["calls"], 1)
    recall, by_calls = (100 * counts[one] / max(counts["expected"], 1) for one in ("found", "right"))
    return (
        f"{name:<14} {counts['snippets']:>4} snippets {counts['expected']:>4} edges  "
        f"P {precision:5.1f}  R {recall:5.1f}  (by calls alone {by_calls:5.1f})"
    )


if __name__ == "__main__":
    main()
