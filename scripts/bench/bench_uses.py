"""Judge the uses of definitions in any checkout against what a compiler or type checker says of them.

USES is what a script in `scripts/oracles` has written, with a row for each name. `scip_uses.py` explains the columns.
Write such a file like this:

    python scripts/oracles/scip_uses.py ROOT INDEX.scip > USES.tsv
    go run scripts/oracles/gouses.go ROOT > USES.tsv
    java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED -cp LIBRARY.jar \\
        scripts/oracles/JavaUses.java ROOT src/main/java > USES.tsv
    python scripts/oracles/clang_uses.py ROOT BUILD/compile_commands.json > USES.tsv

`--truth FILE` keeps the uses as JSON. Leave out USES to judge by what FILE keeps. The script indexes ROOT into a temporary
file, unless `--db` names an index of it. It reads the view `uses`, and judges by place: path, line and column.

| word | at the place |
|---|---|
| right | the index has a use that leads to the definition that the oracle names, by path and line of its name |
| another assignment | the index takes for the definition what is a use of it for the oracle. Right |
| wrong | all uses of the index lead to other definitions |
| outside | the index has a use, but the oracle says that the name is local or leaves the checkout. Wrong |
| missed | the oracle has a use, and the index has none |

A use that leads to code beside the right one which the oracle did not read, such as that of another platform, does not count.

`references` and calls follow the value that a name holds: they are right where they lead to the definition, and else nothing.
A row of an import may have the column of the module, so imports are judged by path, line and name.
*All* counts names of definitions that are not called. Names in import statements, and called names whose definition holds a
value, have lines of their own. Other calls are left out, since `bench_sites.py` judges them. So are places of which the oracle
says nothing. A definition is *falsely unused* if the oracle has a use of it, and the index leads to it from nowhere. The
oracle names the declaration (`class Cart;`) of what a file defines that it did not read. Such a definition is used if the
index leads from a use, and from the declaration, to one place.

Held out, to be judged at the end alone: detect-secrets and marshmallow (Python), rxjs and @tanstack/query-core (TypeScript),
chi and viper (Go), jsoup and commons-csv (Java), lua and libuv (C), re2 and tinyxml2 (C++).

usage: bench_uses.py ROOT [USES] [--truth FILE] [--db DB] [--no-tests] [--sample N]
"""

import argparse
import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw

from code_graph_indexer import CodeIndexer

VIEW = (
    "select kind, name, path, line, column, confidence, target, target_path, target_line from uses "
    "where kind not in ('overrides', 'declares') and target_path is not null"
)
FOLLOWED = {
    "use": frozenset({"references"}),
    "local": frozenset({"references", "calls"}),
    "outside": frozenset({"references", "calls"}),
    "called": frozenset({"references", "calls"}),
}
"""The kinds of uses that lead to what a name holds, by the role of the name. They are no error where they lead elsewhere."""

JUDGED = frozenset({"use", "import", "called"})
GOOD = ("right", "another assignment")
UNRELATED = frozenset({"local", "outside"})
SURE = 0.95
GROUPS = {
    "constants": ("constant", "variable", "macro"),
    "types": ("class", "interface", "alias", "enum", "struct", "union", "record", "annotation", "type"),
    "fields": ("field", "member"),
    "properties": ("property",),
    "keys of objects": ("property_key",),
    "enum members": ("enum_member",),
    "functions": ("function", "method"),
}
"""The kinds that have a line together."""

UNCOUNTED = frozenset({"literal", "namespace", "loop_variable"})
"""Kinds that count as wrong where a use leads elsewhere, but are not missed: few names can lead to them."""

Spot = tuple[str, int, int]
"""A path, a line from 1 and a byte column from 0."""


class Target(NamedTuple):
    """Where a definition has its name."""

    path: str
    line: int
    name: str


class Name(NamedTuple):
    """What the oracle says of a name in the text."""

    path: str
    line: int
    column: int
    name: str
    role: str
    kind: str
    targets: tuple[Target, ...]

    @property
    def spot(self) -> Spot:
        """Return where the name stands."""
        return self.path, self.line, self.column

    @property
    def line_of_report(self) -> str:
        """Return the line of the report that the name counts in."""
        if "import" in (self.role, self.kind):
            return "imports"
        return "called values" if self.role == "called" else "all"


class Use(NamedTuple):
    """A row of the view `uses`."""

    kind: str
    name: str
    path: str
    line: int
    column: int
    confidence: float
    target: str
    target_path: str
    target_line: int

    @property
    def spot(self) -> Spot:
        """Return where the name stands."""
        return self.path, self.line, self.column


class Truth(NamedTuple):
    """What an oracle says of the names of a checkout."""

    commit: str
    names: list[Name]

    @classmethod
    def of_table(cls, table: Path, root: Path) -> "Truth":
        """Read the rows that a script has written."""
        names = []
        for row in table.read_text(encoding="utf-8").splitlines():
            path, line, column, name, role, kind, targets, *_ = [*row.split("\t"), "", ""]
            places = tuple(target_of(text) for text in targets.split("|") if text)
            names.append(Name(path, int(line), int(column), name, role, kind, places))
        return cls(commit_of(root), names)

    @classmethod
    def of_json(cls, path: Path) -> "Truth":
        """Read what `write` has written."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        names = [Name(*row)._replace(targets=tuple(Target(*target) for target in row[-1])) for row in fields["names"]]
        return cls(fields["commit"], names)

    def write(self, path: Path) -> None:
        """Keep the names as JSON."""
        path.write_text(
            json.dumps({"commit": self.commit, "names": self.names}, separators=(",", ":")), encoding="utf-8"
        )


class Verdict(NamedTuple):
    """How the index stands at a name of the oracle. Without a use, it says nothing there."""

    fate: str
    name: Name
    use: Use | None


class Judge:
    """The verdicts on the uses of an index by what an oracle says."""

    def __init__(self, uses: Iterable[Use], names: Iterable[Name]) -> None:
        self.names = list(names)
        self.uses: dict[Spot, list[Use]] = defaultdict(list)
        self.imports: dict[tuple[str, int, str], list[Use]] = defaultdict(list)
        self.reached: set[tuple[str, int]] = set()
        self.declared: dict[tuple[str, int, str], set[tuple[str, int]]] = defaultdict(set)
        self.beside: dict[tuple[str, int], list[Name]] = defaultdict(list)
        for name in self.names:
            self.beside[name.path, name.line].append(name)
        for use in uses:
            self.uses[use.spot].append(use)
            if use.kind == "imports":
                self.imports[use.path, use.line, use.name.rpartition(" ")[2]].append(use)
            self.reached.add((use.target_path, use.target_line))
            self.declared[use.path, use.line, use.name].add((use.target_path, use.target_line))

    def verdicts(self) -> Iterator[Verdict]:
        """Yield a verdict for each name that counts."""
        for name in self.names:
            uses = self.uses_of(name)
            best = max(uses, key=lambda use: (is_right(use, name), use.confidence), default=None)
            if name.role not in JUDGED | UNRELATED or (best is not None and self.is_unread(best, name)):
                continue
            if best is not None and not is_right(best, name) and any(self.is_assignment(use, name) for use in uses):
                if name.role in JUDGED:
                    yield Verdict("another assignment", name, best)
            elif name.role in UNRELATED and best is not None:
                yield Verdict("outside", name, best)
            elif best is not None:
                yield Verdict("right" if is_right(best, name) else "wrong", name, best)
            elif name.role in JUDGED and name.kind not in UNCOUNTED:
                yield Verdict("missed", name, None)

    def is_assignment(self, use: Use, name: Name) -> bool:
        """Say whether a use leads to another place of the same name, which the oracle takes for a use itself."""
        return name.role != "local" and any(
            (place.name, place.targets) == (name.name, name.targets) and place.role in ("use", name.role)
            for place in self.beside.get((use.target_path, use.target_line), [])
        )

    def is_unread(self, use: Use, name: Name) -> bool:
        """Say whether a use leads to the right folder, but to a line that the oracle did not read, as for another platform."""
        folder = Path(use.target_path).parent
        is_beside = any(Path(target.path).parent == folder for target in name.targets) and not is_right(use, name)
        return is_beside and not self.beside.get((use.target_path, use.target_line))

    def uses_of(self, name: Name) -> list[Use]:
        """Return what the index says at a name, without what only follows the value of the name."""
        if name.line_of_report == "imports":
            return self.imports.get((name.path, name.line, name.name), [])
        followed = FOLLOWED.get(name.role, frozenset())
        return [use for use in self.uses.get(name.spot, []) if use.kind not in followed or is_right(use, name)]

    def surplus(self) -> int:
        """Count the uses that lead elsewhere, at names where another use is right."""
        names = [name for name in self.names if name.role in JUDGED]
        return sum(
            not is_right(use, name)
            for name in names
            for uses in [self.uses_of(name)]
            if any(is_right(use, name) for use in uses)
            for use in uses
        )

    def unread(self) -> tuple[list[Name], int]:
        """Return a use of each definition that is falsely unused, and the number of used definitions."""
        used = {name.targets: name for name in self.names if name.role == "use" and name.kind not in UNCOUNTED}
        read = {verdict.name.targets for verdict in self.verdicts() if verdict.fate in GOOD}
        unread = [
            name
            for targets, name in used.items()
            if targets not in read
            and not any((target.path, target.line) in self.reached for target in targets)
            and not self.is_declaration(name)
        ]
        return unread, len(used)

    def is_declaration(self, name: Name) -> bool:
        """Say whether the index leads from a use, and from what the oracle takes for the definition, to one definition."""
        led = {(use.target_path, use.target_line) for use in self.uses_of(name)}
        return any(not led.isdisjoint(self.declared[target]) for target in name.targets)


def is_right(use: Use, name: Name) -> bool:
    """Say whether a use leads to what the oracle names."""
    return any((use.target_path, use.target_line) == (target.path, target.line) for target in name.targets)


def target_of(text: str) -> Target:
    """Read PATH:LINE:NAME."""
    path, line, name = text.rsplit(":", 2)
    return Target(path, int(line), name)


def commit_of(root: Path) -> str:
    """Return the commit of a checkout, or nothing where git knows none."""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()


def index(root: Path, db: Path) -> apsw.Connection:
    """Index a checkout and open what came out."""
    with CodeIndexer(root, db=db) as indexer:
        indexer.index(full=True)
    return opened(db)


def opened(db: Path) -> apsw.Connection:
    """Open an index."""
    return apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)


def rows_of(connection: apsw.Connection, sql: str) -> list[Any]:
    """Return the rows of a query."""
    return list(cast("Iterable[Any]", connection.execute(sql)))


def group_of(kind: str) -> str:
    """Return the line that a kind counts in."""
    return next((group for group, kinds in GROUPS.items() if kind in kinds), "others")


def summary(fates: Counter[str]) -> str:
    """Write precision, recall and what they are counted of."""
    right, bad = sum(fates[fate] for fate in GOOD), fates["wrong"] + fates["outside"]
    wanted = right + fates["wrong"] + fates["missed"]
    counts = ", ".join(f"{fate} {fates[fate]}" for fate in (*GOOD, "wrong", "outside", "missed") if fates[fate])
    precision, recall = share(right, right + bad), share(right, wanted)
    return f"{wanted} uses, precision {precision}, recall {recall} ({counts})"


def share(part: int, whole: int) -> str:
    """Write a share as a percentage."""
    return f"{100 * part / whole:.1f}" if whole else "-"


def report(judge: Judge, root: Path, sample: int) -> None:
    """Print the figures, and some of what is not right."""
    verdicts = list(judge.verdicts())
    lines: dict[str, Counter[str]] = defaultdict(Counter)
    for fate, name, use in verdicts:
        lines[name.line_of_report][fate] += 1
        if name.line_of_report == "all":
            # The kind of what leads outside is unknown, so it counts in the sum alone.
            lines[f"  {group_of(name.kind)}"][fate] += name.role == "use"
        if use is not None and use.confidence >= SURE and name.line_of_report == "all":
            lines["sure"][fate] += 1
    for line in ("all", *(f"  {group}" for group in (*GROUPS, "others")), "called values", "imports"):
        if lines[line].total():
            print(f"{line}: {summary(lines[line])}")
    sure = lines["sure"]
    print(f"said at >= {SURE}: {sure.total()}, right {share(sum(sure[fate] for fate in GOOD), sure.total())} %")
    print(f"more than one target: {judge.surplus()} that lead elsewhere beside the right one")
    unread, used = judge.unread()
    print(f"falsely unused: {len(unread)} of {used} definitions, {share(len(unread), used)} %")
    show(verdicts, unread, root, sample)


def show(verdicts: Sequence[Verdict], unread: Sequence[Name], root: Path, sample: int) -> None:
    """Print the first places of each fate that is not right, with their lines."""
    printed: Counter[str] = Counter()
    for fate, name, use in [*verdicts, *(Verdict("falsely unused", name, None) for name in unread)]:
        head = fate if name.line_of_report == "all" else f"{name.line_of_report}, {fate}"
        printed[head] += 1
        if fate == "right" or printed[head] > sample:
            continue
        truth = "|".join(f"{target.path}:{target.line}" for target in name.targets) or name.role
        said = f"; said {use.kind} {use.target_path}:{use.target_line} {use.target} ({use.confidence})" if use else ""
        print(f"{head}: {name.path}:{name.line}:{name.column} {name.name} ({name.kind or name.role}) -> {truth}{said}")
        print(f"    {line_of(root / name.path, name.line)}")


@cache
def lines_of(path: Path) -> list[str]:
    """Read a file."""
    return path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []


def line_of(path: Path, number: int) -> str:
    """Return a line of a file."""
    lines = lines_of(path)
    return lines[number - 1].strip() if number <= len(lines) else ""


def main() -> None:
    """Read or write the truth, index, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("uses", type=Path, nargs="?", help="what a script in scripts/oracles has written")
    parser.add_argument(
        "--truth", type=Path, help="keep the uses in this file, or read them from it where USES is left out"
    )
    parser.add_argument("--only-truth", action="store_true", help="stop when the truth is written")
    parser.add_argument("--db", type=Path, help="judge this index of ROOT, and make none")
    parser.add_argument("--no-tests", action="store_true", help="leave out the uses in tests")
    parser.add_argument("--sample", type=int, default=0, help="print so many places of each fate that is not right")
    arguments = parser.parse_args()
    if arguments.uses is None and arguments.truth is None:
        parser.error("name USES or --truth")
    if arguments.uses is None:
        truth = Truth.of_json(arguments.truth)
    else:
        truth = Truth.of_table(arguments.uses, arguments.root)
        if arguments.truth is not None:
            truth.write(arguments.truth)
    if arguments.only_truth:
        return
    with tempfile.TemporaryDirectory() as folder:
        connection = opened(arguments.db) if arguments.db else index(arguments.root, Path(folder) / "ours.db")
        if not rows_of(connection, "select 1 from sqlite_schema where name = 'uses'"):
            parser.exit(1, "The index has no view `uses`, so an older version has made it.\n")
        paths = dict(rows_of(connection, "select path, is_test from files"))
        names = [name for name in truth.names if name.path in paths and not (arguments.no_tests and paths[name.path])]
        report(Judge((Use(*row) for row in rows_of(connection, VIEW)), names), arguments.root, arguments.sample)


if __name__ == "__main__":
    main()
