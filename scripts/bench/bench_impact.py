"""Measure `impact` by real commits: are the tests that a commit touched among the tests to run for its change of the code?

The script takes the newest COMMITS commits of each git checkout that fit. Such a commit is no merge and changes at most FILES
files. It changes a function in a file of code, and a definition in a test file that existed before. Changes of blanks alone do
not count, because such a commit says nothing of which test belongs to which code. Files that only help tests hold none.

A changed test file is always listed, so the tests of the commit are no part of the question. The index is one of the commit.
The diff goes to it from the same tree with the code of the parent commit. So it holds the change of the code only.

The table has a row for each commit:

* `files`: how many of the test files that the commit changed are listed. A commit is right if `impact` lists all of them.
* `listed`: how many test files `impact` lists, of how many there are.

usage: bench_impact.py CHECKOUT… [--code FOLDER…] [--revisions REV…] [--depth N]
"""

import argparse
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer import CodeIndexer
from code_graph_indexer.graph.changes import changes_of
from code_graph_indexer.languages import detect_language
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.results import IMPACT_DEPTH

COMMITS = 10
"""Commits of a repository that are judged."""

FILES = 15
"""Files that such a commit changes at most."""

LOOKED_AT = 2_000
"""Commits that are looked through for them."""

HELPERS = frozenset({"common", "conftest", "fixtures", "helpers", "macros", "mod", "setup", "support", "util", "utils"})
"""The names of test files, without their endings, that a runner does not collect."""

_TEST = re.compile(
    r"#\[(?:\w+::)*test\b|\b\w*tests?!|\b(?:describe|it|test|suite)(?:\.\w+)*\(|\bdef test|\bfunc Test|@Test\b|\bTEST\w*\("
)
"""What makes a test, in the languages of the repositories that were measured."""

AUTHOR = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.hooksPath=/dev/null")
"""Options of git for a commit that nobody keeps."""


class Commit(NamedTuple):
    """A commit: its revision and subject, the paths of its code, and those of the test files that it changed."""

    revision: str
    subject: str
    code: list[str]
    tests: list[str]


class Verdict(NamedTuple):
    """The answer for a commit: changed test files that are listed and that are not, test files listed, and all there are."""

    right: list[str]
    missing: list[str]
    listed: int
    test_files: int


def git(root: Path, *arguments: str) -> str:
    """Run git in a checkout and return what it prints."""
    command = ["git", "-C", str(root), *AUTHOR, *arguments]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8", errors="replace").stdout


def commits(root: Path, folders: Sequence[str]) -> Iterator[Commit]:
    """Yield the newest commits that change functions of the code and tests."""
    log = git(root, "log", "--no-merges", f"-n{LOOKED_AT}", "--format=%x01%H%n%s", "--name-status", "--no-renames")
    for entry in log.split("\x01")[1:]:
        revision, subject, *lines = entry.strip().split("\n")
        status = dict(line.split("\t", 1)[::-1] for line in lines if line)
        if len(status) > FILES:
            continue
        tests = [path for path, letter in status.items() if letter == "M" and is_test(path)]
        code = [path for path in status if is_code(path, folders) and not is_test(path)]
        if not tests or not code:
            continue
        # With -w, git names only the files that change in more than blanks.
        changed = git(root, "diff", "-w", "--numstat", "--no-renames", f"{revision}^", revision).split("\n")
        more_than_blanks = {line.split("\t", 2)[-1] for line in changed}
        code, tests = (sorted(more_than_blanks.intersection(paths)) for paths in (code, tests))
        changes = changes_of(root, f"{revision}^..{revision}") if code and tests else {}
        tests = [path for path in tests if any(changes.get(path, ())) and not is_helper(root, revision, path)]
        if tests and any(name for path in code for name in changes.get(path, ())):
            yield Commit(revision, subject, code, tests)


def is_test(path: str) -> bool:
    """Say whether a path is one of a test file."""
    return detect_language(path) is not None and file_patterns().tests.match(path)


def is_helper(root: Path, revision: str, path: str) -> bool:
    """Say whether a test file holds no tests, but what tests use."""
    return Path(path).stem in HELPERS or not _TEST.search(git(root, "show", f"{revision}:{path}"))


def is_code(path: str, folders: Sequence[str]) -> bool:
    """Say whether a path is one of code, in one of the folders if there are any."""
    inside = not folders or any(path.startswith(folder.rstrip("/") + "/") for folder in folders)
    return inside and detect_language(path) is not None


def judge(checkout: Path, commit: Commit, depth: int) -> Verdict:
    """Ask for the impact of a commit's code, and compare it with the tests that the commit changed."""
    git(checkout, "checkout", "--quiet", "--force", "--detach", commit.revision)
    git(checkout, "clean", "--quiet", "-dffx")
    for path in commit.code:
        # A file that the commit adds is not in its parent.
        if git(checkout, "ls-tree", f"{commit.revision}^", "--", path):
            git(checkout, "checkout", f"{commit.revision}^", "--", path)
        else:
            git(checkout, "rm", "--quiet", "--force", "--", path)
    git(checkout, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "the tests without the code")
    before = git(checkout, "rev-parse", "HEAD").strip()
    git(checkout, "checkout", "--quiet", "--detach", commit.revision)
    with CodeIndexer(checkout) as indexer:
        indexer.index()
        listed = set(indexer.graph.impact(diff=f"{before}..{commit.revision}", depth=depth).tests)
        test_files = sum(is_test(file.path) for file in indexer.store.files())
    right = [path for path in commit.tests if path in listed]
    return Verdict(right, [path for path in commit.tests if path not in listed], len(listed), test_files)


def measure(root: Path, chosen: Sequence[Commit], depth: int) -> list[Verdict]:
    """Judge commits in a clone of a checkout, and print a row for each."""
    verdicts = []
    with tempfile.TemporaryDirectory() as temporary:
        checkout = Path(temporary, root.name)
        git(root, "clone", "--quiet", "--shared", "--no-checkout", str(root.resolve()), str(checkout))
        for commit in chosen:
            verdict = judge(checkout, commit, depth)
            verdicts.append(verdict)
            files = f"{len(verdict.right)} of {len(commit.tests)}"
            missing = ", ".join(verdict.missing)
            print(
                f"| {root.name} | {commit.revision[:10]} | {commit.subject.replace('|', ' ')} | {files} | {missing} "
                f"| {verdict.listed} of {verdict.test_files} |",
                flush=True,
            )
    return verdicts


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--code", nargs="*", default=[], metavar="FOLDER", help="folders of the code [all but tests]")
    parser.add_argument("--revisions", nargs="*", default=[], help="judge only these of the commits")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many of the newest commits that fit")
    parser.add_argument("--depth", type=int, default=IMPACT_DEPTH)
    arguments = parser.parse_args()
    print("| repository | commit | subject | files | missing | listed |\n|---|---|---|---|---|---|")
    for root in arguments.checkouts:
        chosen = []
        for commit in commits(root, arguments.code):
            chosen.append(commit)
            if len(chosen) == COMMITS + arguments.skip:
                break
        chosen = chosen[arguments.skip :]
        if arguments.revisions:
            chosen = [commit for commit in chosen if commit.revision.startswith(tuple(arguments.revisions))]
        verdicts = measure(root, chosen, arguments.depth)
        right = sum(not verdict.missing for verdict in verdicts)
        partly = sum(bool(verdict.right) for verdict in verdicts)
        files = sum(len(verdict.right) for verdict in verdicts)
        every = sum(len(commit.tests) for commit in chosen)
        print(f"| {root.name} | all | all listed: {right} of {len(chosen)}, any: {partly} | {files} of {every} | | |")


if __name__ == "__main__":
    main()
