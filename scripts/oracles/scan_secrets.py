"""List what an index of repositories would leave out or mask as a secret, to be judged by hand against the files.

An entry is false if what it hides is plainly no secret: code, documentation, or a word that only looks like a token. A key
or token that somebody made for a test has the form of a secret, and is a true one. The sheet is tab-separated: repository,
rule (`name` or `form`), place, the line before and after it is masked, and an empty column for the verdict. Behind it come
the numbers of each repository: files, files left out by name, tokens masked, and files with such tokens.

usage: scan_secrets.py REPOSITORY…
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.indexing.discover import discover
from code_graph_indexer.syntax.disk import decode, read_regular
from code_graph_indexer.syntax.secrets import masked

MAX_FILE_SIZE = 1_000_000
"""Bytes of the largest file that is indexed by default."""

LINE_WIDTH = 160
"""The most characters of a line that are printed."""


class Entry(NamedTuple):
    """A file that is left out by its name, or a line with a token, which `before` and `after` show."""

    rule: str
    place: str
    before: str = ""
    after: str = ""


def entries(root: Path, counts: list[int]) -> Iterator[Entry]:
    """Yield what is left out or masked of a repository. Add to the counts of files, names, tokens, and files with tokens."""
    for file in discover(root, max_file_size=MAX_FILE_SIZE):
        counts[0] += not file.path.endswith("/")
        if file.error == "secret":
            counts[1] += 1
            yield Entry("name", file.path)
        decoded = decode(read_regular(root / file.path)) if file.error is None else None
        text, secrets = masked(decoded.text) if decoded is not None else (b"", 0)
        if decoded is None or not secrets:
            continue
        counts[2] += secrets
        counts[3] += 1
        pairs = zip(decoded.text.split(b"\n"), text.split(b"\n"), strict=True)
        yield from (
            Entry("form", f"{file.path}:{number}", *(shown(line, *pair) for line in pair))
            for number, pair in enumerate(pairs, 1)
            if pair[0] != pair[1]
        )


def shown(line: bytes, before: bytes, after: bytes) -> str:
    """Return the part of a line around the first place that is masked."""
    first = next(place for place, bytes_at in enumerate(zip(before, after, strict=True)) if bytes_at[0] != bytes_at[1])
    start = max(0, first - LINE_WIDTH // 2)
    return line[start : start + LINE_WIDTH].decode("utf-8", "replace").replace("\t", " ")


def main() -> None:
    """Print the sheet and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+")
    rows = []
    for root in parser.parse_args().repositories:
        counts = [0, 0, 0, 0]
        for entry in entries(root, counts):
            print(root.name, *entry, "", sep="\t")
        rows.append((root.name, *counts))
    print("repository", "files", "by name", "tokens", "in files", sep="\t")
    for row in rows:
        print(*row, sep="\t")
    print("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]), sep="\t")


if __name__ == "__main__":
    main()
