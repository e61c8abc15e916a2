"""Make the tasks of bench_agents.py from executed tests, compilers, type checkers, git and ctags.

Nothing of this project's index is used. The tasks hold paths, line numbers, names and commits, and no source.
`repositories.json` names each repository with its revision, its set and how many tasks of each kind you want. Each choice
has a fixed seed, so the same inputs give the same file.

| kind | truth |
|---|---|
| flow | call chains that the project's tests execute, over two files at least |
| callers | call sites that a compiler or type checker resolves or tests execute, and the signatures around them |
| tests | test functions that a commit of code changes, and with PYTHON only those that execute its functions |
| together | files that one commit changes, without a name in common |
| where | names that ctags finds once |

FLOWS holds the chains: NAME.jsonl of oracles/record_flows.py, or NAME.txt and the program NAME of oracles/record_flows.c.
TRUTH holds the call sites: NAME.tsv of oracles/clang_calls.py, or NAME.json with the sites or edges of a type checker.

A place is `PATH:LINE`, `PATH:LINE,LINE…` (any of these lines), `PATH:FIRST-LAST` (any line of the range) or `PATH`. A task is
answered by all places of one of its alternatives.

usage: prepare_agents.py --repos DIR --flows DIR --truth DIR [--python PYTHON] [--only NAME…]
"""

import argparse
import ast
import json
import os
import random
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parent.parent.parent / "fixtures" / "agents"

MIN_CHAIN, MAX_CHAIN = 3, 6
"""Functions of a flow."""

MAX_ALTERNATIVES = 3
"""Different executed chains between the ends of a flow. With more, no single answer is right."""

MIN_CALLERS, MAX_CALLERS = 3, 40
"""Call sites of a definition whose callers are asked for."""

SHARED = 2 / 3
"""Share of the callers' tasks where text search is not enough: the name is defined twice, or a call site lacks it."""

MAX_FILES = 12
"""Files that a commit changes at most."""

MAX_TESTS = 8
"""Test functions that a commit changes at most."""

MAX_TOGETHER = 4
"""Files that a commit with a hidden dependency changes at most."""

TEST_SECONDS = 300
"""Seconds that the tests of a commit may run."""

COMMITS = 1_500
"""Commits that are looked through."""

COMMON_NAMES = 4
"""Shorter words are no names that would connect two files."""

DEFINITION_KINDS = ("function", "class", "method", "func", "struct", "interface")
"""Kinds of ctags that a reader would call a definition."""

Function = tuple[str, int, str]
"""A function of a flow: path, line of its signature, name."""

Task = dict[str, Any]


class Site(NamedTuple):
    """A call site: path, line, the path and qualified name of its target, and the line of the signature around it, or 0."""

    path: str
    line: int
    target: tuple[str, str]
    caller: int


def git(root: Path, *arguments: str) -> str:
    """Run git in a checkout and return what it prints."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8", errors="replace").stdout


def shuffled(values: Iterable[Any], *seed: str) -> list[Any]:
    """Return the sorted values in a fixed random order."""
    ordered = sorted(values)
    random.Random("/".join(seed)).shuffle(ordered)
    return ordered


def simple(name: str) -> str:
    """Return the last part of a qualified name."""
    return re.split(r"\.|::", name)[-1]


# Flows


def python_chains(path: Path) -> Iterator[list[tuple[Function, int]]]:
    """Yield the chains of record_flows.py: each function with the line where it calls the next one."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield [((function[0], function[1], function[2]), function[3]) for function in json.loads(line)]


def program_chains(path: Path, root: Path) -> Iterator[list[tuple[Function, int]]]:
    """Yield the chains of record_flows.c, with addr2line for the lines of its addresses."""
    rows = sorted({tuple(int(word, 16) for word in line.split()) for line in path.read_text().splitlines()})
    # The return address lies behind the call, so the byte before it belongs to the call.
    addresses = sorted({word - at % 2 for row in rows for at, word in enumerate(row) if word > 1})
    command = ["addr2line", "-f", "-e", str(path.with_suffix(""))]
    text = "\n".join(map(hex, addresses))
    answer = subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout.splitlines()
    where: dict[int, Function] = {}
    for address, name, place in zip(addresses, answer[::2], answer[1::2], strict=True):
        file, _, line = place.split(" ")[0].rpartition(":")
        if line.isdecimal() and file.startswith(f"{root}/"):
            where[address] = (Path(file).relative_to(root).as_posix(), int(line), name)
    for row in rows:
        chain = []
        for function, site in zip(row[::2], row[1::2], strict=True):
            call = where.get(site - 1)
            if function not in where or (site > 1 and (call is None or call[0] != where[function][0])):
                break
            chain.append((where[function], call[1] if call and site > 1 else 0))
        else:
            yield chain


def flow_tasks(
    name: str, count: int, chains: Iterable[list[tuple[Function, int]]], source: re.Pattern[str]
) -> list[Task]:
    """Choose flows between two functions with a unique name, of all lengths and over two files at least."""
    lines: dict[tuple[Function, Function], set[int]] = defaultdict(set)
    routes: dict[tuple[Function, Function], set[tuple[Function, ...]]] = defaultdict(set)
    functions: dict[str, set[Function]] = defaultdict(set)
    for chain in chains:
        for (caller, line), (callee, _) in pairwise(chain):
            lines[caller, callee].add(line)
        path = tuple(function for function, _ in chain)
        for function in path:
            functions[function[2]].add(function)
        for first in range(len(path)):
            for last in range(first + MIN_CHAIN, len(path) + 1):
                part = path[first:last]
                if len(set(part)) == len(part):
                    routes[part[0], part[-1]].add(part)
    chosen: dict[int, list[tuple[Function, Function]]] = defaultdict(list)
    for ends in shuffled(routes, name, "flow"):
        parts = routes[ends]
        plain = all(
            "<" not in end[2] and not simple(end[2]).startswith("__") and len(functions[end[2]]) == 1 for end in ends
        )
        inside = all(source.search(function[0]) for part in parts for function in part)
        files = {function[0] for function in min(parts, key=len)}
        if plain and inside and ends not in lines and len(parts) <= MAX_ALTERNATIVES and len(files) > 1:
            chosen[min(map(len, parts))].append(ends)
    tasks: list[Task] = []
    taken: set[Function] = set()
    length = MAX_CHAIN
    while len(tasks) < count and any(chosen.values()):
        while chosen[length]:
            ends = chosen[length].pop()
            # No end serves twice, and no two flows share most of their way.
            route = min(sorted(routes[ends]), key=len)
            if not taken & set(ends) and len(taken & set(route)) < len(route) / 2:
                taken |= set(route)
                tasks.append(
                    {
                        "kind": "flow",
                        "text": f"{ends[0][2]} -> {ends[1][2]}",
                        "names": [ends[0][2], ends[1][2]],
                        "needed": [flow_places(part, lines) for part in sorted(routes[ends])],
                    }
                )
                break
        length = length - 1 if length > MIN_CHAIN else MAX_CHAIN
    return tasks


def flow_places(part: Sequence[Function], lines: Mapping[tuple[Function, Function], set[int]]) -> list[str]:
    """Return the places of a flow: the signatures, and between them the lines of the calls."""
    places = [f"{path}:{line}" for path, line, _ in part]
    for caller, callee in pairwise(part):
        places.append(f"{caller[0]}:{','.join(map(str, sorted(lines[caller, callee])))}")
    return places


# Callers


def sites_of_table(path: Path, root: Path) -> Iterator[Site]:
    """Yield the call sites of clang_calls.py whose target is defined in the repository."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    names = {row[4]: row[2] for row in rows if row[3] == "defined"}
    for file, line, _, kind, target, *rest in rows:
        places = [place for place in target.split("|") if place in names]
        if kind in ("call", "new", "macro") and places:
            target_path, first, last = places[0].rsplit(":", 2)
            qualified = scoped_name(root, target_path, names[places[0]], range(int(first), int(last) + 1))
            yield Site(
                file, int(line), (target_path, qualified), signature(root, file, rest[0]) if rest and rest[0] else 0
            )


def signature(root: Path, path: str, caller: str) -> int:
    """Return the line of a caller's name: a definition may begin with its type or a template in the lines before."""
    first, last, name = caller.removeprefix(f"{path}:").split(":", 2)
    word = re.compile(rf"\b{re.escape(simple(name))}\b")
    return next(
        (number for number in range(int(first), int(last) + 1) if word.search(source_line(root, path, number))),
        int(first),
    )


def enclosing(root: Path, path: str, line: int) -> int:
    """Return the line of the innermost function that ctags finds around a line, or 0."""
    kinds = ("function", "method", "func", "member", "constructor")
    around = [tag for tag in tags(root, path) if tag["kind"] in kinds and tag["line"] <= line <= tag.get("end", 0)]
    return max((tag["line"] for tag in around), default=0)


@cache
def tags(root: Path, path: str) -> list[dict[str, Any]]:
    """Return what ctags finds in a file."""
    command = ["ctags", "--output-format=json", "--fields=+neKzsSl", "--kinds-all=*", "-f", "-", path]
    text = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True, errors="replace").stdout
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def scoped_name(root: Path, path: str, name: str, lines: range) -> str:
    """Return the name of a definition with the class around it."""
    for tag in tags(root, path):
        if tag["name"] == name and tag["line"] in lines and tag.get("scopeKind") in ("class", "struct"):
            return f"{simple(tag['scope'])}::{name}"
    return name


def without_constructor(name: str) -> str:
    """Return the class instead of its constructor."""
    head, _, last = name.rpartition(".")
    return head if last in ("__init__", "__new__", "constructor", "<init>") and head else name


def sites_of_chains(chains: Iterable[list[tuple[Function, int]]]) -> Iterator[Site]:
    """Yield the call sites that tests executed."""
    sites = {
        Site(caller[0], line, (callee[0], without_constructor(callee[2])), caller[1])
        for chain in chains
        for (caller, line), (callee, _) in pairwise(chain)
    }
    yield from sorted(sites)


def sites_of_checker(truth: Mapping[str, Any], prefix: str, root: Path) -> Iterator[Site]:
    """Yield the call sites that a type checker resolved inside the repository, or those of its edges."""
    for path, line, _, _, state, accepted in truth.get("sites", ()):
        for target in {without_constructor(text) for text in accepted} if state == "internal" else ():
            target_path, _, name = target.partition("::")
            yield Site(prefix + path, line, (prefix + target_path, name), enclosing(root, prefix + path, line))
    for caller, callee, _, line in truth.get("edges", ()):
        target_path, _, name = without_constructor(callee).partition("::")
        path = prefix + caller.partition("::")[0]
        yield Site(path, line, (prefix + target_path, name), enclosing(root, path, line))


def caller_tasks(name: str, count: int, sites: Iterable[Site], root: Path, source: re.Pattern[str]) -> list[Task]:
    """Choose definitions with several call sites, most of them such that the name alone does not tell the callers."""
    lines_of: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    callers: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    homes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for site in sites:
        homes[simple(site.target[1])].add(site.target)
        if source.search(site.path) and source.search(site.target[0]) and "<" not in site.target[1] and site.line > 0:
            lines_of[site.target].add((site.path, site.line))
            if site.caller:
                callers[site.target].add((site.path, site.caller))
    fit = {target: places for target, places in lines_of.items() if MIN_CALLERS <= len(places) <= MAX_CALLERS}
    qualified = [target[1] for target in lines_of]
    hard: list[tuple[str, str]] = []
    plain: list[tuple[str, str]] = []
    for target in shuffled(fit, name, "callers"):
        word = re.compile(rf"\b{re.escape(simple(target[1]))}\b")
        aliased = any(not word.search(source_line(root, *place)) for place in fit[target])
        # A qualified name that stands for two definitions is no question with one answer.
        if qualified.count(target[1]) == 1 and any(word.search(line) for line in source_lines(root, target[0])):
            (hard if aliased or len(homes[simple(target[1])]) > 1 else plain).append(target)
    wanted = min(len(hard), max(round(count * SHARED), count - len(plain)))
    return [
        {
            "kind": "callers",
            "text": f"Who calls {target[1]}? (tests left out)",
            "names": [target[1]],
            "needed": [[f"{path}:{line}" for path, line in sorted(fit[target] | callers[target])]],
        }
        for target in [*hard[:wanted], *plain[: count - wanted]]
    ]


@cache
def source_lines(root: Path, path: str) -> list[str]:
    """Return the lines of a file."""
    return (root / path).read_text(encoding="utf-8", errors="replace").split("\n")


def source_line(root: Path, path: str, number: int) -> str:
    """Return a line of a file, from 1."""
    lines = source_lines(root, path)
    return lines[number - 1] if number <= len(lines) else ""


# Commits


class Change(NamedTuple):
    """What a commit changes in a file: the lines in the old and new version, and the words that are there."""

    old: list[int]
    new: list[int]
    words: set[str]
    heads: list[str]


_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")


def changes(root: Path, revision: str) -> dict[str, Change]:
    """Map each file that a commit changes to its changed lines."""
    text = git(root, "diff", "-U0", "-w", "--no-renames", "--no-color", f"{revision}^", revision)
    result: dict[str, Change] = {}
    change = Change([], [], set(), [])
    for line in text.split("\n"):
        if line.startswith("diff --git "):
            change = result[line.rpartition(" b/")[2]] = Change([], [], set(), [])
        elif match := _HUNK.match(line):
            for lines, first, number in zip(
                (change.old, change.new), match.group(1, 3), match.group(2, 4), strict=True
            ):
                lines.extend(range(int(first), int(first) + int(number or 1)))
            change.heads.append(match.group(5))
        elif line[:1] in ("+", "-") and line[:3] not in ("+++", "---"):
            change.words.update(re.findall(r"[A-Za-z_]\w*", line))
    return result


def commits(root: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the newest commits that are no merges, with the status of each file."""
    log = git(root, "log", "--no-merges", f"-n{COMMITS}", "--format=%x01%H", "--name-status", "--no-renames")
    for entry in log.split("\x01")[1:]:
        revision, *lines = entry.strip().split("\n")
        yield revision, dict(line.split("\t", 1)[::-1] for line in lines if line)


def test_functions(text: str, head: re.Pattern[str]) -> list[tuple[str, int, int]]:
    """Return the test functions of a file with their first and last line. One ends before the next begins."""
    lines = text.split("\n")
    starts: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if match := head.search(line):
            # Decorators and remarks above a test belong to it.
            above = starts[-1][0] + 1 if starts else 1
            first = number
            while first > above and lines[first - 2].strip():
                first -= 1
            starts.append((first, match.group(1)))
    ends = [*(number - 1 for number, _ in starts[1:]), len(lines)][: len(starts)]
    return [(name, first, last) for (first, name), last in zip(starts, ends, strict=True)]


def executing_tests(
    root: Path, revision: str, python: str, changed: Mapping[str, Change], tests: Mapping[str, list[str]]
) -> set[tuple[str, str]]:
    """Return those of the test functions (path and name) that execute a function which a commit of Python changes.

    A change outside functions is executed by all of them.
    """
    git(root, "checkout", "--quiet", "--force", "--detach", revision)
    wanted: dict[str, set[int]] = {}
    for path, change in changed.items():
        tree = ast.parse((root / path).read_bytes())
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for line in change.new:
            around = [node for node in functions if covers(node, line)]
            if not around:
                return {(test, name) for test, names in tests.items() for name in names}
            inner = max(around, key=lambda node: node.lineno)
            wanted.setdefault(path, set()).update(range(inner.body[0].lineno, (inner.end_lineno or 0) + 1))
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "settings")
        settings.write_text(f"[run]\ndynamic_context = test_function\ndata_file = {folder}/lines\n", encoding="utf-8")
        names = " or ".join(name for names in tests.values() for name in names)
        coverage = [python, "-m", "coverage"]
        pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names, *tests]
        runs = ([*coverage, "run", *pytest], [*coverage, "json", "--show-contexts", "-q", "-o", f"{folder}/lines.json"])
        environment = {**os.environ, "COVERAGE_RCFILE": str(settings)}
        for command in runs:
            subprocess.run(command, cwd=root, capture_output=True, check=False, env=environment, timeout=TEST_SECONDS)
        report = Path(folder, "lines.json")
        files = json.loads(report.read_text(encoding="utf-8"))["files"] if report.exists() else {}
    contexts = {
        context
        for path, lines in wanted.items()
        for line in lines
        for context in files.get(path, {}).get("contexts", {}).get(str(line), ())
    }
    return {
        (test, name)
        for test, names in tests.items()
        for name in names
        if any(Path(test).stem in context and context.endswith(f".{name}") for context in contexts)
    }


def covers(node: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> bool:
    """Say whether a line is one of a function."""
    return node.lineno <= line <= (node.end_lineno or 0)


def test_tasks(count: int, root: Path, repo: Mapping[str, Any], python: str) -> list[Task]:
    """Take the newest commits that change code and test functions.

    Of a project whose tests were recorded, only test functions count that execute what the commit changes.
    """
    source, tests, head = (re.compile(repo[key]) for key in ("source", "tests", "test_head"))
    tasks: list[Task] = []
    for revision, status in commits(root):
        if len(tasks) == count:
            break
        code = sorted(path for path, letter in status.items() if letter == "M" and source.search(path))
        test_files = [path for path in status if tests.search(path) and status[path] in "AM"]
        if len(status) > MAX_FILES or not code or not test_files:
            continue
        changed = changes(root, revision)
        code = [path for path in code if path in changed]
        touched: dict[tuple[str, str], str] = {}
        for path in sorted(set(test_files) & changed.keys()):
            lines = set(changed[path].new)
            for name, first, last in test_functions(git(root, "show", f"{revision}:{path}"), head):
                if lines & set(range(first, last + 1)):
                    touched[path, name] = f"{path}:{first}-{last}"
        if python and code and 0 < len(touched) <= MAX_TESTS:
            of_file: dict[str, list[str]] = defaultdict(list)
            for path, name in touched:
                of_file[path].append(name)
            executing = executing_tests(root, revision, python, {path: changed[path] for path in code}, of_file)
            touched = {test: place for test, place in touched.items() if test in executing}
        places = list(touched.values())
        if code and 0 < len(places) <= MAX_TESTS:
            text = "Which tests have to run for the change in the working tree?"
            tasks.append({"kind": "tests", "text": text, "commit": revision, "code": code, "needed": [places]})
    return tasks


def together_tasks(count: int, root: Path, repo: Mapping[str, Any]) -> list[Task]:
    """Take the newest small commits that change two files of code which share no word in the changed lines."""
    source = re.compile(repo["source"])
    tasks: list[Task] = []
    for revision, status in commits(root):
        if len(tasks) == count:
            break
        code = sorted(path for path, letter in status.items() if letter == "M" and source.search(path))
        if len(status) > MAX_FILES or not 1 < len(code) <= MAX_TOGETHER:
            continue
        changed = changes(root, revision)
        code = [path for path in code if path in changed and changed[path].old]
        for path in code:
            partners = [mate for mate in code if mate != path and unconnected(changed[path], changed[mate])]
            names = sorted({word for head in changed[path].heads for word in head_names(head)})
            if partners and names:
                text = f"{', '.join(names)} in {path} has to change. Which other files have to change with it?"
                task = {"kind": "together", "text": text, "commit": revision, "code": [path], "names": names}
                tasks.append({**task, "needed": [partners]})
                break
    return tasks


def head_names(head: str) -> list[str]:
    """Return the name of the function in the heading of a hunk."""
    match = re.search(r"\b(?:def|class|func(?: \([^)]*\))?|function|interface)\s+(\w+)|([\w~]+)\s*\(", head)
    name = next(filter(None, match.groups())) if match else ""
    # In capitals it is a macro around the function.
    return [] if name.isupper() or not name else [name]


def unconnected(change: Change, partner: Change) -> bool:
    """Say whether the changed lines of two files have no word in common that could be a name."""
    shared = change.words & partner.words
    return not {word for word in shared if "_" in word or (len(word) >= COMMON_NAMES and not word.islower())}


# Names


def where_tasks(name: str, count: int, root: Path, source: re.Pattern[str]) -> list[Task]:
    """Choose functions and classes whose name ctags finds once in the sources."""
    places: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
    for path in git(root, "ls-files").split("\n"):
        if source.search(path):
            for tag in tags(root, path):
                # To ctags a method of a class in Python is a member, as is the field of a struct in C.
                kind = "method" if (tag["kind"], tag["language"]) == ("member", "Python") else tag["kind"]
                places[tag["name"]].append((path, tag["line"], kind))
    unique = [word for word, hits in places.items() if len(hits) == 1 and hits[0][2] in DEFINITION_KINDS]
    words = [word for word in shuffled(unique, name, "where") if re.fullmatch(r"[A-Za-z]\w{3,}", word)]
    return [
        {
            "kind": "where",
            "text": f"Where is {word} defined?",
            "names": [word],
            "needed": [[f"{places[word][0][0]}:{places[word][0][1]}"]],
        }
        for word in words[:count]
    ]


def main() -> None:
    """Write the tasks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--repos", "--flows", "--truth"):
        parser.add_argument(option, type=Path, required=True)
    parser.add_argument("--python", default="", help="an interpreter with pytest, coverage and the recorded projects")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    arguments = parser.parse_args()
    repositories = json.loads((FOLDER / "repositories.json").read_text(encoding="utf-8"))
    tasks: list[Task] = []
    for name, repo in repositories.items():
        if arguments.only and name not in arguments.only:
            continue
        root, source = (arguments.repos / name).resolve(), re.compile(repo["source"])
        git(root, "checkout", "--quiet", "--detach", repo["revision"])
        wanted = repo["tasks"]
        chosen: list[Task] = []
        recorded = arguments.flows / f"{name}.jsonl"
        if "flow" in wanted:
            chains = (
                python_chains(recorded) if recorded.exists() else program_chains(recorded.with_suffix(".txt"), root)
            )
            chosen += flow_tasks(name, wanted["flow"], chains, source)
        if "callers" in wanted:
            table, truth = arguments.truth / f"{name}.tsv", arguments.truth / f"{name}.json"
            if truth.exists():
                sites = sites_of_checker(json.loads(truth.read_text(encoding="utf-8")), repo.get("prefix", ""), root)
            else:
                sites = sites_of_table(table, root) if table.exists() else sites_of_chains(python_chains(recorded))
            chosen += caller_tasks(name, wanted["callers"], sites, root, source)
        python = arguments.python if recorded.exists() else ""
        chosen += test_tasks(wanted.get("tests", 0), root, repo, python)
        git(root, "checkout", "--quiet", "--force", "--detach", repo["revision"])
        chosen += together_tasks(wanted.get("together", 0), root, repo)
        chosen += where_tasks(name, wanted.get("where", 0), root, source)
        numbers: dict[str, int] = defaultdict(int)
        for task in chosen:
            numbers[task["kind"]] += 1
            tasks.append({"id": f"{name}/{task['kind']}/{numbers[task['kind']]}", "repository": name, **task})
        print(name, dict(numbers))
    text = ",\n".join(json.dumps(task, sort_keys=True) for task in tasks)
    (FOLDER / "tasks.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
