"""Measure what stands behind the imports of applications: known ends, the cost of an environment, and broken upgrades.

`ends` counts the places of calls in each index file or checkout. A checkout is indexed into a temporary file. Vendored and
generated files are left out, and languages without packages, such as SQL and shell scripts. A place is the file, the line,
the column and the name.

| column | the call |
|---|---|
| inside | leads to a definition of the repository |
| outside | has a name outside the repository, with its package. The library of the language is a package too |
| ambiguous | has candidates, and none is sure |
| open | has no end |

*Known* is the share of inside and outside, in all files and in those without tests. The second table divides the known ends by
their confidence. `--sample N` prints N
of the outside ends, drawn by `--seed`, to be judged by hand: place, package, name, confidence, and the line of the code.
`--most C` draws among those of at most that confidence.

`cost` runs `cgi libraries add --installed` twice in each checkout, with an empty cache. The checkout gets an index. The row has
packages, lines, megabytes of source and of the cache, processor seconds of 100,000 lines, the second run as a share of the
first, and the peak memory of all processes together. Memory is sampled as in `bench_index.py`, on Linux only.

`upgrades` judges `cgi impact --upgrade` by commits that raised a library and mended the code. ROWS is a JSON list of objects:

| key | meaning |
|---|---|
| `repository`, `revision` | a checkout in CHECKOUTS, and the commit. Asked is its parent |
| `package`, `from`, `to` | the package as the answer shall call it, and two archives or folders below PACKAGES |
| `places` | `path:line` of the parent that the commit mended, where names or signatures of the library show the break |
| `breaks` | further places that do break, as read by hand: an import beside a mended use, or what the commit left out |
| `unseen` | mended places where no name and no signature shows the break. They are counted, not asked |

*Recall* is the share of `places` that the answer names with any certainty. *Precision* is the share of listed places (certain
or likely, and with those that are possible) that are in `places` or `breaks`. A place is listed by its line.

usage: bench_libraries.py ends INDEX|CHECKOUT… [--sample N] [--seed N] [--most C]
       bench_libraries.py cost CHECKOUT… [--environment FOLDER]
       bench_libraries.py upgrades ROWS.json --checkouts FOLDER --packages FOLDER [--places]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw
from bench_fresh import processor_time
from bench_index import run, tree_memory

from code_graph_indexer import CodeIndexer
from code_graph_indexer.languages import ecosystem_of
from code_graph_indexer.libraries import Libraries, Repository
from code_graph_indexer.libraries.upgrade import POSSIBLE, Upgrade

FATES = ("inside", "outside", "ambiguous", "open")
"""The ends of a call. A place with several references has the first of their ends."""

GRADES = (0.9, 0.8, 0.7, 0.0)
"""The lower ends of the grades of confidence."""

CACHE_MEGABYTES = 16_384
"""The size of the cache while it is measured: nothing is removed."""

CALLS = """
select f.path, r.line, r.column, r.name, r.target_id, r.ambiguous, r.confidence, m.package,
    m.module || iif(m.module = '' or e.name = '', '', '.') || e.name, f.language, f.is_test
from refs as r join text_chunks as c on c.id = r.source_id join files as f on f.id = c.file_id
left join externals as e on e.id = r.external_id left join external_modules as m on m.id = e.module_id
where r.kind = 'calls' and not f.is_vendored and not f.is_generated
"""


class Call(NamedTuple):
    """The place of a call, and its end. `package` and `meaning` are empty unless it leads outside."""

    path: str
    line: int
    column: int
    name: str
    fate: str
    confidence: float
    package: str
    meaning: str
    language: str
    is_test: bool


def calls_of(db: Path) -> list[Call]:
    """Return the places of calls of an index, each with the best of its ends."""
    best: dict[tuple[str, int, int, str], Call] = {}
    with closing(apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        for row in cast("Iterable[Any]", connection.execute(CALLS)):
            path, line, column, name, target, ambiguous, confidence, package, meaning, language, is_test = row
            if ecosystem_of(language) is None:
                continue
            fate = "inside" if target is not None else "outside" if package else "ambiguous" if ambiguous else "open"
            end = confidence or 0.0, package or "", meaning or ""
            call = Call(path, line, column, name, fate, *end, language, bool(is_test))
            earlier = best.setdefault(call[:4], call)
            if (FATES.index(fate), -call.confidence) < (FATES.index(earlier.fate), -earlier.confidence):
                best[call[:4]] = call
    return sorted(best.values())


@contextmanager
def index_of(place: Path) -> Iterator[Path]:
    """Yield an index file, or that of a checkout, which is built into a temporary folder."""
    if place.is_file():
        yield place
        return
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder, "index.db")
        with CodeIndexer(place, db=db, embedder="hashing") as indexer:
            indexer.index()
        yield db


def share(part: float, whole: float) -> str:
    """Write a share with three digits."""
    return f"{part / whole:.3f}" if whole else "–"


def ends_row(name: str, calls: Sequence[Call]) -> str:
    """Write the ends of calls as a row."""
    counts = Counter(call.fate for call in calls)
    ended = counts["inside"] + counts["outside"]
    code = [call for call in calls if not call.is_test]
    known_in_code = sum(call.fate in FATES[:2] for call in code)
    figures = [f"{count:,}" for count in (len(calls), *(counts[fate] for fate in FATES))]
    return f"| {' | '.join([name, *figures, share(ended, len(calls)), share(known_in_code, len(code))])} |"


def grades_row(name: str, calls: Sequence[Call]) -> str:
    """Write the confidence of known ends as a row: the share of each grade, inside and outside."""
    cells = []
    for fate in FATES[:2]:
        ends = [call for call in calls if call.fate == fate]
        grades = Counter(next(grade for grade in GRADES if call.confidence >= grade) for call in ends)
        cells += [share(grades[grade], len(ends)) for grade in GRADES]
    return f"| {name} | {' | '.join(cells)} |"


def ends(places: Sequence[Path], sample: int, seed: int, most: float) -> None:
    """Print the ends of calls of applications, and a sample of those outside."""
    rows: dict[str, list[Call]] = {}
    texts: dict[tuple[str, str], list[str]] = {}
    for place in places:
        with index_of(place) as db:
            rows[place.stem] = calls_of(db)
            if sample:
                with CodeIndexer(db=db) as indexer:
                    for path in {call.path for call in rows[place.stem] if call.fate == "outside"}:
                        text = (indexer.store.file_text(path) or b"").decode(errors="replace")
                        texts[place.stem, path] = text.split("\n")
    if len(rows) > 1:
        rows["all"] = [call for calls in rows.values() for call in calls]
    print(f"| application | calls | {' | '.join(FATES)} | known | known, without tests |\n|{'---|' * 8}")
    for name, calls in rows.items():
        print(ends_row(name, calls))
        languages = Counter(call.language for call in calls) if name != "all" else {}
        for language in languages if len(languages) > 1 else ():
            print(ends_row(f"{name}, {language}", [call for call in calls if call.language == language]))
    titles = [f"{fate} ≥ {grade}" if grade else f"{fate}, lower" for fate in FATES[:2] for grade in GRADES]
    print(f"\n| application | {' | '.join(titles)} |\n|{'---|' * 9}")
    print("\n".join(grades_row(name, calls) for name, calls in rows.items()))
    drawn = [
        (name, call)
        for name, calls in rows.items()
        for call in calls
        if name != "all" and call.fate == "outside" and call.confidence <= most
    ]
    for name, call in random.Random(seed).sample(drawn, min(sample, len(drawn))):
        line = texts[name, call.path][call.line - 1].strip()
        print(f"\n{name}/{call.path}:{call.line}  {call.name} → {call.package}: {call.meaning}  ({call.confidence:g})")
        print(f"    {line}")


def cost_row(root: Path, environment: Path | None) -> str:
    """Index all installed packages of a checkout twice, and write what that costs as a row."""
    command = [sys.executable, "-m", "code_graph_indexer"]
    arguments = ["--environment", str(environment.resolve())] if environment is not None else []
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder, "cache")
        os.environ["CGI_LIBRARIES"] = str(cache)
        os.environ["CGI_LIBRARIES_SIZE"] = str(CACHE_MEGABYTES)
        run(*command, "index", "--embedder", "hashing", cwd=root)
        add = [*command, "libraries", "add", "--installed", "--no-update", *arguments]
        spent: list[float] = []
        samples: list[int] = [0]
        for _ in range(2):
            before = processor_time() - own_time()
            run(*add, cwd=root, watch=lambda pid: samples.append(tree_memory(pid)))
            spent.append(processor_time() - own_time() - before)
        indexes = sorted(cache.glob("*/*/*/*.db"))
        lines = source = 0
        for index in indexes:
            with closing(apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
                sums = connection.execute("select sum(lines), sum(size) from files where error is null").get
                lines, source = lines + (sums[0] or 0), source + (sums[1] or 0)
        size = sum(index.stat().st_size for index in indexes)
    return (
        f"| {root.name} | {len(indexes):,} | {lines:,} | {source / 1e6:.1f} | {size / 1e6:.1f} | {size / source:.2f} "
        f"| {spent[0]:.1f} | {spent[0] / lines * 1e5:.1f} | {spent[1] / spent[0]:.3f} | {max(samples) / 2**20:,.0f} |"
    )


def own_time() -> float:
    """Return the processor time of this process alone."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Verdict(NamedTuple):
    """How an answer about an upgrade fits what the commit mended. `sure` and `listed` are the listed places."""

    places: frozenset[str]
    breaks: frozenset[str]
    unseen: int
    sure: frozenset[str]
    listed: frozenset[str]

    @property
    def hit(self) -> frozenset[str]:
        """The mended places that the answer names."""
        return self.places & self.listed

    def right(self, listed: frozenset[str]) -> int:
        """Count the listed places that do break."""
        return len(listed & (self.places | self.breaks))


def answer(root: Path, row: dict[str, Any], packages: Path, folder: Path) -> Upgrade:
    """Ask what the upgrade of a row breaks in the parent of its commit."""
    checkout = folder / "checkout"
    git = ["git", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"]
    subprocess.run([*git, "clone", "-q", "--shared", "--no-checkout", root.resolve(), checkout], check=True)
    subprocess.run([*git, "-C", checkout, "checkout", "-q", f"{row['revision']}^"], check=True)
    with CodeIndexer(checkout, db=folder / "index.db", embedder="hashing") as indexer:
        indexer.index()
        versions = "..".join(str((packages / row[key]).resolve()) for key in ("from", "to"))
        cache = Libraries(folder / "cache", CACHE_MEGABYTES << 20)
        return Repository(indexer.store, {}).upgrade(f"{row['package']}={versions}", cache)


def judged(row: dict[str, Any], upgrade: Upgrade) -> Verdict:
    """Compare an answer with the places of a row."""
    listed = {
        certainty: {
            f"{use.file_path}:{use.line}"
            for change in upgrade.breaks
            if (change.certainty == POSSIBLE) == certainty
            for use in change.uses
        }
        for certainty in (False, True)
    }
    places, breaks = (frozenset(row.get(key, ())) for key in ("places", "breaks"))
    return Verdict(
        places, breaks, len(row.get("unseen", ())), frozenset(listed[False]), frozenset(listed[False] | listed[True])
    )


def upgrades(rows: Sequence[dict[str, Any]], checkouts: Path, packages: Path, *, lists: bool) -> None:
    """Print how each answer fits the commit, and all together."""
    print("| repository | upgrade | mended | found | sure: right | all: right | not to be seen |\n|" + "---|" * 7)
    verdicts = []
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            upgrade = answer(checkouts / row["repository"], row, packages, Path(folder))
        verdict = judged(row, upgrade)
        verdicts.append(verdict)
        print(upgrade_row(f"{row['repository']} | {upgrade.package} {upgrade.old} → {upgrade.new}", [verdict]))
        if lists:
            for title, places in (
                ("missed", verdict.places - verdict.listed),
                ("listed besides", verdict.listed - verdict.places - verdict.breaks),
            ):
                print("\n".join(f"    {title}: {place}" for place in sorted(places)), end="\n" if places else "")
    print(upgrade_row("all |", verdicts))


def upgrade_row(name: str, verdicts: Sequence[Verdict]) -> str:
    """Write verdicts as a row."""

    def part(some: int, whole: int) -> str:
        return f"{some} of {whole} ({share(some, whole)})"

    recall = part(sum(len(verdict.hit) for verdict in verdicts), sum(len(verdict.places) for verdict in verdicts))
    sure = part(
        sum(verdict.right(verdict.sure) for verdict in verdicts), sum(len(verdict.sure) for verdict in verdicts)
    )
    listed = part(
        sum(verdict.right(verdict.listed) for verdict in verdicts), sum(len(verdict.listed) for verdict in verdicts)
    )
    mended = sum(len(verdict.places) for verdict in verdicts)
    return f"| {name} | {mended} | {recall} | {sure} | {listed} | {sum(verdict.unseen for verdict in verdicts)} |"


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("ends")
    command.add_argument("places", type=Path, nargs="+", metavar="INDEX|CHECKOUT")
    command.add_argument("--sample", type=int, default=0, help="print so many ends outside")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--most", type=float, default=1.0, help="draw only ends of at most this confidence")
    command = commands.add_parser("cost")
    command.add_argument("checkouts", type=Path, nargs="+")
    command.add_argument("--environment", type=Path, help="virtual environment [.venv of the checkout]")
    command = commands.add_parser("upgrades")
    command.add_argument("rows", type=Path)
    command.add_argument("--checkouts", type=Path, required=True)
    command.add_argument("--packages", type=Path, required=True)
    command.add_argument("--places", action="store_true", help="print the places that are missed or listed besides")
    options = parser.parse_args()
    if options.command == "ends":
        ends(options.places, options.sample, options.seed, options.most)
    elif options.command == "cost":
        print(
            "| environment | packages | lines | source, MB | cache, MB | ratio | processor, s | s / 100,000 lines",
            end="",
        )
        print(f" | second run | memory, MiB |\n|{'---|' * 10}")
        for root in options.checkouts:
            print(cost_row(root.resolve(), options.environment), flush=True)
    else:
        rows = json.loads(options.rows.read_text(encoding="utf-8"))
        upgrades(rows, options.checkouts, options.packages, lists=options.places)


if __name__ == "__main__":
    main()
