"""Measure the call graph against what type checkers, compilers and executed tests say.

DATA is a folder with `truth/*.json` and its `score.py`. CHECKOUTS holds a checkout of each repository by name, at the commit
that its truth names. The script indexes each one into a temporary file. It writes the calls in the scorer's form (--keep
keeps them) and scores them. A call that ends at a declaration is wrong, if the same file has the definition.

Then comes the calibration. For each confidence the script prints how many edges have it, and how many of those that the
truth judges are right.

usage: bench_calls.py CHECKOUTS --data DATA [--only REPO…] [--misses N] [--keep FOLDER]
"""

import argparse
import json
import re
import runpy
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from code_graph_indexer import CodeIndexer
from code_graph_indexer.storage.sqlite import SqliteStore

ROOTS = {"zod": "packages/zod"}
"""Folders of a checkout that the truth speaks of, where it is not the whole."""

PREFIXES = {"gson": "gson/src/main/", "cJSON": "cJSON"}
"""How the paths of the callers begin that a truth of edges has looked at, tests always left out."""

BANDS = (0.95, 0.9, 0.8, 0.7, 0.5, 0.0)
"""Lower ends of the bands of confidence in the table of calibration."""

NUMBER = re.compile(r"(?<=<anon):\d+(?=>)")
"""What tells the classes without names in one definition apart; the truth does not."""

CALLS = """
select f.path, r.line, r.column,
    iif(c.kind in ('constant', 'field', 'variable', 'property', 'enum_member'), p.qualified_name, c.qualified_name), f.module,
    r.target_id, r.confidence
from refs as r
join chunks as c on c.id = r.source_id left join chunks as p on p.id = c.parent_id join files as f on f.id = c.file_id
join chunks as t on t.id = r.target_id
where r.kind = 'calls' and t.kind != 'macro' and not f.is_test and f.path like ? || '%'
order by f.path, r.line, r.column
"""


OVERRIDES = "select source_id, target_id from refs where kind = 'overrides'"
ENDS = "select c.id, f.path, c.qualified_name, f.module from chunks as c join files as f on f.id = c.file_id"

DECLARATIONS = """
select declaration.id from chunks as declaration join chunks as definition
on definition.file_id = declaration.file_id and definition.qualified_name = declaration.qualified_name
left join chunks as scope on scope.id = declaration.parent_id
where not declaration.has_body and definition.has_body and definition.kind = declaration.kind
    and (scope.kind is null or scope.kind not in ('class', 'interface', 'enum'))
"""
"""Declarations of what the same file defines. The truth names both alike. An overload of a class may have no body."""

DECLARED = " (declaration)"
"""What tells the end of a call at a declaration from the end at the definition."""


class Call(NamedTuple):
    """A predicted call, in the scorer's words."""

    path: str
    line: int
    column: int
    caller: str
    callee_path: str
    callee: str
    may: bool
    confidence: float


def rows_of(connection: apsw.Connection, sql: str, *values: str) -> list[Any]:
    """Return the rows of a query."""
    return connection.execute(sql, values).fetchall()


def overriding(connection: apsw.Connection) -> dict[int, set[int]]:
    """Return the methods that override each method, directly or not: what a call of it may run."""
    direct: dict[int, set[int]] = defaultdict(set)
    for source, target in rows_of(connection, OVERRIDES):
        direct[target].add(source)
    overriders: dict[int, set[int]] = {}
    for method in direct:
        waiting, overriders[method] = [method], set()
        while waiting:
            fresh = direct.get(waiting.pop(), set()) - overriders[method]
            overriders[method] |= fresh
            waiting += fresh
    return overriders


class Namer:
    """Name definitions inside their files as the truth does: a constructor by its class, without namespaces."""

    def __init__(self, connection: apsw.Connection, language: str) -> None:
        self.top = "<package>" if language == "go" else "<module>"
        # A namespace is in the name of what it holds, but is no definition of the index.
        rows = connection.execute(
            "select qualified_name from chunks where kind != 'namespace' "
            "union select qualified_name from members where kind != 'namespace'"
        )
        self.known = {name for (name,) in rows}

    def name(self, qualified_name: str, module: str) -> str:
        """Return the dotted name of a definition, or what stands for the file itself."""
        if qualified_name == module or not qualified_name:
            return self.top
        skipped = len(module) + 1 if module else 0
        while (end := qualified_name.find(".", skipped)) > 0 and qualified_name[:end] not in self.known:
            skipped = end + 1
        parts = NUMBER.sub("", qualified_name[skipped:]).replace("::", ".").split(".")
        return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == parts[-2] else parts)


def calls_of(db: Path, prefix: str, language: str) -> Iterator[Call]:
    """Read the calls of an index."""
    store = SqliteStore(db)
    texts: dict[str, list[bytes]] = {}
    connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
    namer = Namer(connection, language)
    ends: dict[int, tuple[str, str, str]] = {row[0]: row[1:] for row in rows_of(connection, ENDS)}
    for (declaration,) in rows_of(connection, DECLARATIONS):
        path, qualified_name, module = ends[declaration]
        ends[declaration] = path, qualified_name + DECLARED, module
    below = overriding(connection)
    for path, line, column, caller, module, target, confidence in rows_of(connection, CALLS, prefix):
        lines = texts.get(path) or texts.setdefault(path, (store.file_text(path) or b"").split(b"\n"))
        before = lines[line - 1][:column].decode("utf-8", "replace")
        units = len(before.encode("utf-16-le")) // 2
        for method in (target, *below.get(target, ())):
            callee_path, callee, other_module = ends[method]
            name = namer.name(callee, other_module)
            yield Call(path, line, units, namer.name(caller, module), callee_path, name, method != target, confidence)
    connection.close()
    store.close()


def judged(truth: Mapping[str, Any], calls: Iterable[Call], names: Any) -> Iterator[tuple[float, bool]]:
    """Yield the confidence of each edge that the truth judges, and whether it is right."""
    certain = [call for call in calls if not call.may]
    if "sites" in truth:
        sites = {
            (path, line, column): (state, set(accepted)) for path, line, column, _, state, accepted in truth["sites"]
        }
        best: dict[tuple[str, int, int], tuple[float, bool]] = {}
        for call in certain:
            state, accepted = sites.get(call[:3], ("unjudged", set()))
            if state != "unjudged":
                right = f"{call.callee_path}::{call.callee}" in accepted
                # A class and its constructor are two edges of one site, and one decision.
                best[call[:3]] = max(
                    best.get(call[:3], (call.confidence, right)), (call.confidence, right), key=lambda pair: pair[1]
                )
        yield from best.values()
    else:
        true_edges = {(a, b) for caller, callee, *_ in truth["edges"] for a in names(caller) for b in names(callee)}
        edges = {
            (f"{call.path}::{call.caller}", f"{call.callee_path}::{call.callee}", call.confidence) for call in certain
        }
        for source, target, confidence in edges:
            yield confidence, (source, target) in true_edges


def calibration(rows: Sequence[tuple[float, bool]]) -> str:
    """Draw the table of confidence against truth, in Markdown."""
    table = ["| confidence | judged edges | right |", "|---|---|---|"]
    band_of = [next(band for band in BANDS if confidence >= band) for confidence, _ in rows]
    counts = Counter(band_of)
    right = Counter(band for band, (_, hit) in zip(band_of, rows, strict=True) if hit)
    table += [f"| ≥ {band} | {counts[band]:,} | {right[band] / counts[band]:.1%} |" for band in BANDS if counts[band]]
    sure = [hit for confidence, hit in rows if confidence >= 0.9]
    table.append(f"| all ≥ 0.9 | {len(sure):,} | {sum(sure) / max(1, len(sure)):.1%} |")
    return "\n".join(table)


def main() -> int:
    """Index, predict, score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    scorer = runpy.run_path(str(args.data / "score.py"), run_name="score")
    rows: list[tuple[float, bool]] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        predictions: list[str] = []
        for path in sorted((args.data / "truth").glob("*.json")):
            truth = json.loads(path.read_text(encoding="utf-8"))
            name = truth["repo"]
            root = args.checkouts / name / ROOTS.get(name, "")
            if (args.only and name not in args.only) or not root.is_dir():
                continue
            db = folder / f"{name}.db"
            with CodeIndexer(root, db=db, embedder="hashing") as indexer:
                indexer.index(full=True)
            calls = list(calls_of(db, PREFIXES.get(name, ""), truth["language"]))
            predictions.append(str(folder / f"{name}.json"))
            Path(predictions[-1]).write_text(json.dumps({"repo": name, "calls": [call._asdict() for call in calls]}))
            rows += judged(truth, calls, scorer["names"])
        sys.argv = ["score.py", *predictions, "--truth", str(args.data / "truth"), "--misses", str(args.misses)]
        status: int = scorer["main"]()
    print(f"\n{calibration(rows)}")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
