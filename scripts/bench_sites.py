"""Judge the calls of any checkout against what a compiler or type checker says of them.

SITES is a SCIP index of the checkout (scip-python, scip-typescript), or the call sites that a script in `scripts/oracles`
has written: path, line, name, `call` or `new`, and PATH:FIRST:LAST of the definition, `external` or `?`; tab-separated.

    javac -d /tmp scripts/oracles/JavaCalls.java && java -cp /tmp JavaCalls ROOT src/main/java > SITES.tsv
    go run scripts/oracles/gocalls.go ROOT > SITES.tsv
    python scripts/oracles/clang_calls.py ROOT c++17 include > SITES.tsv

ROOT is indexed into a temporary file. Printed are how many calls lead where the oracle says (another overload of the same
function counted apart), precision and recall with either overload taken for right, and the share that is right to the
overload by confidence. Tests are left out; so are calls of which the oracle says nothing.

usage: bench_sites.py ROOT SITES [--misses N]
"""

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw

from code_graph_indexer import CodeIndexer

CALLS = (
    "select f.path, r.line, r.name, tf.path, t.start_line, t.end_line, t.qualified_name, r.confidence, r.origin "
    "from refs as r join chunks as s on s.id = r.source_id join files as f on f.id = s.file_id "
    "left join chunks as t on t.id = r.target_id left join files as tf on tf.id = t.file_id "
    "where r.kind = 'calls' and not f.is_test"
)

DEFINITIONS = (
    "select c.qualified_name, f.path, c.start_line, c.end_line from chunks as c join files as f on f.id = c.file_id"
)


class Said(NamedTuple):
    """Where a call leads in an index."""

    path: str
    first: int
    last: int
    name: str
    confidence: float
    origin: str | None


class Site(NamedTuple):
    """A call as the oracle sees it: the place of the definition that it runs, empty for what is outside."""

    path: str
    line: int
    name: str
    is_new: bool
    target: str
    at: int


def index(root: Path, db: Path, scip: Path | None = None) -> apsw.Connection:
    """Index a checkout and open what came out."""
    with CodeIndexer(root, db=db) as indexer:
        indexer.index(full=True, scip=[scip] if scip else [])
    return apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)


def said_by(connection: apsw.Connection) -> dict[tuple[str, int, str], list[Said]]:
    """List where the calls of an index lead, by path, line and name."""
    found: dict[tuple[str, int, str], list[Said]] = defaultdict(list)
    for row in connection.execute(CALLS):
        path, line, name, *target = cast("tuple[Any, ...]", row)
        found[path, line, name].append(Said(*target))
    return found


def sites_of_table(table: Path) -> Iterator[Site]:
    """Read the sites that a script has written; those of which it does not know are left out."""
    for line in table.read_text(encoding="utf-8").splitlines():
        path, at, name, kind, target = line.split("\t")
        if target == "?" or name in ("super", "this"):
            continue
        place, first = ("", 0) if target == "external" else (target.rsplit(":", 2)[0], int(target.rsplit(":", 2)[1]))
        yield Site(path, int(at), name, kind == "new", place, first)


def sites_of_scip(connection: apsw.Connection) -> Iterator[Site]:
    """Take the exact calls of an index that was made with a SCIP index."""
    for (path, line, name), targets in said_by(connection).items():
        exact = [one for one in targets if one.origin == "scip"]
        if len(exact) == 1 and len(targets) == 1:
            yield Site(path, line, name, False, exact[0].path or "", exact[0].first or 0)


def main() -> None:
    """Index, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("sites", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="print so many of what is wrong or missed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        connection = index(arguments.root, Path(folder) / "ours.db")
        if arguments.sites.suffix == ".scip":
            sites = [*sites_of_scip(index(arguments.root, Path(folder) / "exact.db", arguments.sites))]
        else:
            sites = [*sites_of_table(arguments.sites)]
        spans: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for row in connection.execute(DEFINITIONS):
            name, path, first, last = cast("tuple[Any, ...]", row)
            spans[name, path].append((first, last))
        tests = {path for (path,) in connection.execute("select path from files where is_test")}
        ours = said_by(connection)
    fates: Counter[str] = Counter()
    sure: dict[float, Counter[bool]] = defaultdict(Counter)
    for site in sites:
        if site.path in tests:
            continue
        targets = ours.get((site.path, site.line, site.name), [])
        fate, one = judge(site, targets, spans)
        fates[fate] += 1
        if one is not None:
            sure[one.confidence][fate == "right"] += 1
        if fate in ("wrong", "missed") and arguments.misses > 0:
            arguments.misses -= 1
            print(f"{fate}: {site.path}:{site.line} {site.name} -> {site.target}:{site.at}, said {one and one.name}")
    good = fates["right"] + fates["another overload"]
    print(dict(fates))
    print(f"precision {100 * good / max(1, good + fates['wrong']):.1f}, ", end="")
    print(f"recall {100 * good / max(1, good + fates['wrong'] + fates['missed']):.1f}")
    for confidence, right in sorted(sure.items(), reverse=True):
        print(
            f"confidence {confidence}: {right.total()}, right to the overload {100 * right[True] / right.total():.1f} %"
        )


def judge(
    site: Site, targets: list[Said], spans: dict[tuple[str, str], list[tuple[int, int]]]
) -> tuple[str, Said | None]:
    """Say what became of a call, and where it leads if anywhere; of several calls in a line, one that fits is its."""
    leads = [one for one in targets if one.path]
    if not site.target:
        return ("wrong", leads[0]) if leads and len(leads) == len(targets) == 1 else ("left alone", None)
    for one in leads:
        declared = one.path != site.target and any(a <= site.at <= b for a, b in spans[one.name, site.target])
        if declared or (one.path == site.target and (site.is_new or one.first <= site.at <= one.last)):
            return "right", one
    for one in leads:
        if any(a <= site.at <= b for a, b in spans[one.name, site.target]):
            return "another overload", one
    return ("wrong", leads[0]) if leads and len(targets) == 1 else ("missed", None)


if __name__ == "__main__":
    main()
