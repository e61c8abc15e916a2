"""Mine training pairs from source repositories: what people say of code, and the code.

The script reads a table of sources and their git mirrors. The table's columns are owner/name, language, licence and commit,
parted by tabs. The script writes one JSON object a line: repo, language, path, kind, query, name, code. Kinds:

* doc: a docstring or leading comment, and the definition without it.
* name: the words of a definition's name, and its body, where there is no doc.
* comment: a comment of a line, and the lines that follow it.
* module: what a file says of itself, and the names that it defines.
* commit: the subject of a commit of few files, and the longest stretch of code that it touched.

Tests, generated, vendored and large files are left out. The script takes files in the order of a hash of their path. So a
limit keeps a spread over the repository, and the same mirrors give the same output.

usage: mine.py SOURCES.tsv --mirrors DIR --out PAIRS.jsonl.gz [--processes N] [--exclude NAMES.txt]
"""

import argparse
import gzip
import hashlib
import json
import multiprocessing
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.languages import detect_language
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.syntax.disk import decode
from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.read import is_generated
from code_graph_indexer.syntax.records import Definition, Syntax
from code_graph_indexer.words import split_identifier

MAX_FILE = 250_000
"""Bytes of the largest file read: larger ones are tables, or generated."""

MAX_TEXT = 25_000_000
"""Bytes read of one repository: diversity of repositories teaches more than more of one."""

MAX_PAIRS = 15_000
"""Pairs of one repository."""

MAX_CODE = 1_600
"""Characters of code in a pair: what a chunk holds."""

MIN_DOC_WORDS, MAX_DOC = 3, 400
"""Words of the shortest doc, and characters kept of one."""

MAX_COMMITS, MAX_COMMIT_FILES, MAX_HISTORY, MIN_HUNK = 3_000, 3, 30_000_000, 120
"""Commits read of one repository, files of a commit that is about one thing, bytes of diffs, characters of a hunk."""

_ISSUE = re.compile(r"\s*\(?#\d+\)?|^\w+(?:\([^)]*\))?!?:\s+|^\[[^\]]*\]\s*")
_CHORE = re.compile(
    r"\b(?:bump|merge|release|version|changelog|typos?|lint|rustfmt|clippy|format(?:ting)?|revert|readme|whitespace|cleanup|upgrade"
    r"|warnings?|copyright|ci|deps|dependabot|wip|review)\b",
    re.I,
)

KINDS = frozenset(
    ["class", "interface", "struct", "enum", "trait", "union", "object", "protocol", "function", "method", "macro"]
)

_COMMENT = re.compile(r"^[ \t]*(?://+|#+|--+)[ \t]+(\S.{20,240})$", re.M)
_NOISE = re.compile(
    r"copyright|licen[cs]e|todo|fixme|eslint|prettier|noqa|pragma|pylint|type: ignore|swiftlint|nolint|@ts-|clang-format"
    r"|https?://\S+$|^\W*$|shellcheck|auto-?generated|do not edit",
    re.I,
)
_TAG = re.compile(
    r"^\s*(?:[@:\\]\w+|Args:|Arguments:|Parameters|Returns?:|Raises:|Examples?:?|#+ |- \w+:|>>>|```|<pre>|\* @)", re.I
)
_MARKUP = re.compile(r"</?[a-zA-Z][^>]*>|\{@\w+ ([^}]*)\}|`+")


class Source(NamedTuple):
    """One repository of the table."""

    repo: str
    language: str
    licence: str
    commit: str
    git_dir: str


class Pair(NamedTuple):
    """A query and the code that answers it."""

    kind: str
    language: str
    path: str
    query: str
    name: str
    code: str


def read_sources(table: Path, mirrors: Path, excluded: frozenset[str]) -> list[Source]:
    """Read the table of sources. Name on stderr those that are excluded or have no mirror, and leave them out."""
    sources: list[Source] = []
    for line in table.read_text(encoding="utf-8").splitlines():
        repo, language, licence, commit = line.split("\t")[:4]
        git_dir = mirrors / repo.replace("/", "+") / "repo"
        git_dir = git_dir / ".git" if (git_dir / ".git").exists() else git_dir
        if repo.lower() in excluded or repo.lower().rpartition("/")[2] in excluded:
            print(f"{repo}: excluded", file=sys.stderr)
        elif not git_dir.exists():
            print(f"{repo}: no mirror", file=sys.stderr)
        else:
            sources.append(Source(repo, language, licence, commit, str(git_dir)))
    return sources


def files_of(source: Source) -> Iterator[tuple[str, bytes]]:
    """Yield the code files of a repository at its commit, in the order of a hash of their paths."""
    patterns = file_patterns()
    command = ["git", "--git-dir", source.git_dir, "ls-tree", "-r", "-l", "-z", source.commit]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    paths: list[str] = []
    for entry in listed.split("\0"):
        about, _, path = entry.partition("\t")
        size = about.split()[-1] if about else "-"
        if not size.isdecimal() or int(size) > MAX_FILE or not detect_language(path):
            continue
        sets = (patterns.tests, patterns.examples, patterns.vendored, patterns.generated)
        if not any(patterns_of_kind.match(path) for patterns_of_kind in sets):
            paths.append(path)
    paths.sort(key=lambda path: hashlib.sha256(path.encode()).digest())
    size_read = 0
    for start in range(0, len(paths), 200):
        names = paths[start : start + 200]
        request = "".join(f"{source.commit}:{name}\n" for name in names if "\n" not in name)
        batch = subprocess.run(
            ["git", "--git-dir", source.git_dir, "cat-file", "--batch"], input=request.encode(), capture_output=True
        ).stdout
        place = 0
        for name in names:
            end = batch.find(b"\n", place)
            header = batch[place:end].split()
            if len(header) < 3 or not header[2].isdigit():
                place = end + 1
                continue
            length = int(header[2])
            yield name, batch[end + 1 : end + 1 + length]
            place = end + 2 + length
            size_read += length
        if size_read > MAX_TEXT:
            return


def clean(doc: str) -> str:
    """Return the prose of a doc, up to its first tag or example. Empty if too little is left."""
    lines: list[str] = []
    for line in doc.splitlines():
        if _TAG.match(line):
            break
        lines.append(line)
    text = " ".join(_MARKUP.sub(r" \1 ", " ".join(lines)).split())[:MAX_DOC]
    if _NOISE.search(text[:200]) or len(re.findall(r"[A-Za-z]{2,}", text)) < MIN_DOC_WORDS:
        return ""
    return text


def without(code: str, doc: str) -> str:
    """Take the lines of a doc out of the code that holds it."""
    doc_lines = {line.strip() for line in doc.splitlines() if len(line.strip()) > 3}
    marks = " \t\"'#/*-"
    code_lines = [
        line for line in code.splitlines() if line.strip(marks) not in doc_lines and line.strip() not in doc_lines
    ]
    return "\n".join(code_lines)[:MAX_CODE]


def pairs_of_file(path: str, language: str, text: bytes) -> Iterator[Pair]:
    """Find the pairs of one file."""
    syntax: Syntax = parse(path, text, language)

    def code_of(definition: Definition) -> str:
        return text[definition.start : definition.end].decode("utf-8", "replace")

    names = [definition.path_name for definition in syntax.definitions if definition.kind in KINDS]
    if (prose := clean(syntax.module_doc)) and names:
        yield Pair("module", language, path, prose, "", "\n".join(names)[:MAX_CODE])
    for definition in syntax.definitions:
        if definition.kind not in KINDS or not definition.name:
            continue
        prose = clean(definition.doc)
        code = without(code_of(definition), definition.doc)
        if len(code) < 40:
            continue
        if prose:
            yield Pair("doc", language, path, prose, definition.path_name, code)
        elif len(words := split_identifier(definition.name)) >= 2 and len(code) > 80:
            yield Pair("name", language, path, " ".join(words), definition.path_name, code)
    decoded = text.decode("utf-8", "replace")
    for match in _COMMENT.finditer(decoded):
        after = decoded[match.end() + 1 : match.end() + 900].split("\n\n")[0]
        if _COMMENT.match(after) or _NOISE.search(match[1]) or len(after.strip()) < 40:
            continue
        if prose := clean(match[1]):
            yield Pair("comment", language, path, prose, "", after)


def commit_pairs(source: Source) -> Iterator[Pair]:
    """Find the pairs of a repository's history, newest first."""
    command = [
        "git",
        "--git-dir",
        source.git_dir,
        "log",
        "--no-merges",
        f"-n{MAX_COMMITS}",
        "--format=%x01%x01%s",
        "-p",
    ]
    command += ["-U3", "--no-color", "--no-renames", "--diff-filter=AM", "--no-ext-diff", source.commit]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        if process.stdout is None:
            return
        text = process.stdout.read(MAX_HISTORY).decode("utf-8", "replace")
        process.kill()
    patterns = file_patterns()
    for commit in text.split("\x01\x01")[1:]:
        subject, _, diff = commit.partition("\n")
        subject = _ISSUE.sub("", subject[:MAX_DOC])
        files = re.split(r"^diff --git a/\S+ b/(\S+)$", diff, flags=re.M)[1:]
        if not 2 <= len(files) <= 2 * MAX_COMMIT_FILES or _CHORE.search(subject) or not (prose := clean(subject)):
            continue
        hunks: list[tuple[int, str, str]] = []
        for path, changes in zip(files[::2], files[1::2], strict=True):
            if (
                detect_language(path) in (None, "markdown")
                or patterns.tests.match(path)
                or patterns.vendored.match(path)
            ):
                continue
            for hunk in re.split(r"^@@[^\n]*", changes, flags=re.M)[1:]:
                lines = [line[1:] for line in hunk.splitlines() if line[:1] in "+ "]
                code = "\n".join(lines)[:MAX_CODE]
                hunks.append((len(code), path, code))
        if hunks and max(hunks)[0] > MIN_HUNK:
            _, path, code = max(hunks)
            yield Pair("commit", str(detect_language(path)), path, prose, "", code)


def mine(source: Source) -> tuple[str, list[str]]:
    """Mine one repository. Return its name and its pairs as lines of JSON."""
    lines: list[str] = []
    seen: set[str] = set()
    for path, content in files_of(source):
        decoded = decode(content)
        language = detect_language(path)
        if decoded is None or language in (None, "markdown") or is_generated(path, decoded.text):
            continue
        for pair in pairs_of_file(path, str(language), decoded.text):
            if pair.query.lower() not in seen or pair.kind == "name":
                seen.add(pair.query.lower())
                lines.append(json.dumps({"repo": source.repo, **pair._asdict()}, ensure_ascii=False))
        if len(lines) >= MAX_PAIRS:
            break
    for pair in commit_pairs(source):
        if pair.query.lower() not in seen:
            seen.add(pair.query.lower())
            lines.append(json.dumps({"repo": source.repo, **pair._asdict()}, ensure_ascii=False))
    return source.repo, lines


def main() -> None:
    """Mine every source."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--mirrors", type=Path, required=True, help="folder of git mirrors, OWNER+NAME/repo")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--exclude", type=Path, help="names (owner/name, or name) that must not be learnt from")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    names = arguments.exclude.read_text(encoding="utf-8").lower().split() if arguments.exclude else []
    sources = read_sources(arguments.sources, arguments.mirrors, frozenset(names))
    started, total = time.monotonic(), 0
    with (
        multiprocessing.get_context("spawn").Pool(arguments.processes, maxtasksperchild=8) as pool,
        gzip.open(arguments.out, "wt", encoding="utf-8", compresslevel=3) as out,
    ):
        for done, (repo, lines) in enumerate(pool.imap(mine, sources), 1):
            out.writelines(line + "\n" for line in lines)
            total += len(lines)
            print(f"{done}/{len(sources)} {repo}: {len(lines)}, {total} in all", file=sys.stderr, flush=True)
    print(f"{total} pairs of {len(sources)} repositories in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
