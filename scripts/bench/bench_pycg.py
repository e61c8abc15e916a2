"""Measure the edges between definitions against PyCG's micro-benchmark.

SNIPPETS is the folder `micro-benchmark/snippets` of a checkout of github.com/vitsalis/PyCG (Apache-2.0). It holds small
programs by category, each with its expected call graph. The script counts edges between functions, and edges to
constructors. It leaves out edges to classes, to lambdas, and to what the program does not define. An edge is found if a
call leads there, or a value that is passed on. An edge is wrong if a call leads elsewhere. Code in the value of a variable
belongs to the definition around the variable.

usage: bench_pycg.py SNIPPETS [--only CATEGORY…] [--show]
"""

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer import CodeIndexer
from code_graph_indexer.storage.sqlite import SqliteStore

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
    modules = {".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.py")}
    modules |= {module.removesuffix(".__init__") for module in modules}
    graph = json.loads((folder / "callgraph.json").read_text(encoding="utf-8"))
    expected = {(source, target) for source, targets in graph.items() for target in targets if _inside(target, modules)}
    with CodeIndexer(folder, db=db, embedder="hashing", workers=1) as indexer:
        indexer.index(full=True)
        edges: dict[str, set[Edge]] = {"calls": set(), "references": set()}
        for source, target, kind in SqliteStore(indexer.db).rows(EDGES):
            edges[kind].add((source, target))
    return Snippet({edge for edge in expected if "<lambda" not in edge[1]}, edges["calls"], edges["references"])


def _inside(name: str, modules: set[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def main() -> None:
    """Print precision and recall by category and of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snippets", type=Path)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--show", action="store_true", help="list what is missed and wrong")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for category in sorted(folder for folder in arguments.snippets.iterdir() if folder.is_dir()):
            if arguments.only and category.name not in arguments.only:
                continue
            counts: Counter[str] = Counter()
            for folder in sorted(graph.parent for graph in category.rglob("callgraph.json")):
                snippet = read_snippet(folder, Path(temporary) / "index.db")
                counts["snippets"] += 1
                counts["expected"] += len(snippet.expected)
                counts["calls"] += len(snippet.calls)
                counts["right"] += len(snippet.calls & snippet.expected)
                counts["found"] += len((snippet.calls | snippet.values) & snippet.expected)
                if arguments.show:
                    for verdict, edges in (
                        ("missed", snippet.expected - snippet.calls - snippet.values),
                        ("wrong", snippet.calls - snippet.expected),
                    ):
                        for source, target in sorted(edges):
                            print(f"  {verdict} {folder.relative_to(arguments.snippets)}: {source} -> {target}")
            print(_row(category.name, counts))
            total += counts
    print(_row("all", total))


def _row(name: str, counts: Counter[str]) -> str:
    precision = 100 * counts["right"] / max(counts["calls"], 1)
    recall, by_calls = (100 * counts[count] / max(counts["expected"], 1) for count in ("found", "right"))
    return (
        f"{name:<14} {counts['snippets']:>4} snippets {counts['expected']:>4} edges  "
        f"P {precision:5.1f}  R {recall:5.1f}  (by calls alone {by_calls:5.1f})"
    )


if __name__ == "__main__":
    main()
