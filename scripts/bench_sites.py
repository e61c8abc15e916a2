"""Judge the calls of any checkout against what a compiler or type checker says of them.

SITES is a SCIP index of the checkout (scip-python, scip-typescript), or the call sites that a script in `scripts/oracles`
has written. Its columns are path, line, name, `call` or `new`, and the definition. Tabs part them. The definition is
PATH:FIRST:LAST, `external` or `?`. Write such a file like this:

    javac -d /tmp scripts/oracles/JavaCalls.java && java -cp /tmp JavaCalls ROOT src/main/java > SITES.tsv
    go run scripts/oracles/gocalls.go ROOT > SITES.tsv
    python scripts/oracles/clang_calls.py ROOT c++17 include > SITES.tsv

The script indexes ROOT into a temporary file. It prints how many calls lead where the oracle says, and counts another
overload of the same function apart. It prints precision and recall, where any overload is right. It prints by confidence
the share that is right to the overload. It leaves out tests, and calls of which the oracle says nothing.

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


class Call(NamedTuple):
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


def calls_by_place(connection: apsw.Connection) -> dict[tuple[str, int, str], list[Call]]:
    """List where the calls of an index lead, by path, line and name."""
    calls: dict[tuple[str, int, str], list[Call]] = defaultdict(list)
    for row in connection.execute(CALLS):
        path, line, name, *target = cast("tuple[Any, ...]", row)
        calls[path, line, name].append(Call(*target))
    return calls


def sites_of_table(table: Path) -> Iterator[Site]:
    """Read the sites that a script has written, without those that it could not resolve."""
    for line in table.read_text(encoding="utf-8").splitlines():
        path, at, name, kind, target = line.split("\t")
        if target == "?" or name in ("super", "this"):
            continue
        place, first = ("", 0) if target == "external" else (target.rsplit(":", 2)[0], int(target.rsplit(":", 2)[1]))
        yield Site(path, int(at), name, kind == "new", place, first)


def sites_of_scip(connection: apsw.Connection) -> Iterator[Site]:
    """Take the exact calls of an index that was made with a SCIP index."""
    for (path, line, name), targets in calls_by_place(connection).items():
        exact = [target for target in targets if target.origin == "scip"]
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
        ours = calls_by_place(connection)
    fates: Counter[str] = Counter()
    sure: dict[float, Counter[bool]] = defaultdict(Counter)
    for site in sites:
        if site.path in tests:
            continue
        targets = ours.get((site.path, site.line, site.name), [])
        fate, lead = judge(site, targets, spans)
        fates[fate] += 1
        if lead is not None:
            sure[lead.confidence][fate == "right"] += 1
        if fate in ("wrong", "missed") and arguments.misses > 0:
            arguments.misses -= 1
            print(f"{fate}: {site.path}:{site.line} {site.name} -> {site.target}:{site.at}, said {lead and lead.name}")
    good = fates["right"] + fates["another overload"]
    print(dict(fates))
    print(f"precision {100 * good / max(1, good + fates['wrong']):.1f}, ", end="")
    print(f"recall {100 * good / max(1, good + fates['wrong'] + fates['missed']):.1f}")
    for confidence, right in sorted(sure.items(), reverse=True):
        print(
            f"confidence {confidence}: {right.total()}, right to the overload {100 * right[True] / right.total():.1f} %"
        )


def judge(
    site: Site, targets: list[Call], spans: dict[tuple[str, str], list[tuple[int, int]]]
) -> tuple[str, Call | None]:
    """Return the fate of a call and its target, if any. Of several calls in a line, any that fits is taken."""
    leads = [target for target in targets if target.path]
    if not site.target:
        return ("wrong", leads[0]) if leads and len(leads) == len(targets) == 1 else ("left alone", None)
    for lead in leads:
        declared = lead.path != site.target and any(a <= site.at <= b for a, b in spans[lead.name, site.target])
        if declared or (lead.path == site.target and (site.is_new or lead.first <= site.at <= lead.last)):
            return "right", lead
    for lead in leads:
        if any(a <= site.at <= b for a, b in spans[lead.name, site.target]):
            return "another overload", lead
    return ("wrong", leads[0]) if leads and len(targets) == 1 else ("missed", None)


if __name__ == "__main__":
    main()
