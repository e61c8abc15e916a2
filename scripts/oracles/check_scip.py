"""Check the form of a SCIP index, and count what it holds.

| fault | what is wrong |
|---|---|
| path | a document's path is not relative, has `..` or a backslash, or stands there twice, or ROOT has no such file |
| range | an occurrence's range has not three or four numbers, or does not lie in the text |
| role | an occurrence has unknown roles, or both defines and declares |
| symbol | a symbol breaks the grammar of scip.proto |
| duplicate | two occurrences of a document have the same range and symbol |
| described twice | a document describes a symbol twice, or two documents describe it, and it is no namespace |
| undescribed | an occurrence or relationship names a symbol that no document and no external symbol describes |
| undefined | a document describes a symbol that it does not define, or uses a local symbol that it does not define |
| text | the text at a definition is not the name of its symbol |

With --uses too, the text at every occurrence must be the name of its symbol. An alias is then counted as a fault. The exit
status is 1 if there is a fault.

usage: check_scip.py ROOT INDEX.scip [--uses] [--list N]
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from code_graph_indexer.scip import DEFINITION, ENCODINGS, FORWARD_DEFINITION, parsed, symbol_name

ROLES = {1: "definition", 2: "import", 4: "write", 8: "read", 16: "generated", 32: "test", 64: "forward definition"}
"""The bits of `symbol_roles`."""

NAME = r"(?:`(?:[^`]|``)++`|[\w+\-$]++)"
SYMBOL = re.compile(
    rf"(?:(?:[^ ]|  )++ ){{2}}(?:(?:[^ ]|  )*+ ){{2}}(?:{NAME}(?:\([\w+\-$]*+\)\.|[/#.:!])|\[{NAME}\]|\({NAME}\))++"
)
LOCAL = re.compile(r"local [\w+\-$]+")
NAMESPACE = "/"
WIDTHS = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}
"""The bytes of a unit in each encoding that columns may count."""


class Fault(NamedTuple):
    """What is wrong, and where."""

    kind: str
    place: str


class Text:
    """The lines of a file, and the encoding that columns count."""

    def __init__(self, path: Path, position_encoding: int) -> None:
        self.encoding = ENCODINGS.get(position_encoding, ENCODINGS[2])
        self.lines = path.read_bytes().decode("utf-8", "replace").split("\n")

    def token(self, token_range: Sequence[int]) -> str | None:
        """Return the text at a range, or none where the range does not lie in the text."""
        first, start = token_range[:2]
        last, end = (first, token_range[2]) if len(token_range) == 3 else token_range[2:]
        if not 0 <= first <= last < len(self.lines) or start < 0 or (first, start) > (last, end):
            return None
        width = WIDTHS[self.encoding]
        units = [line.encode(self.encoding) for line in self.lines[first : last + 1]]
        if start * width > len(units[0]) or end * width > len(units[-1]):
            return None
        units[-1] = units[-1][: end * width]
        units[0] = units[0][start * width :]
        return "\n".join(unit.decode(self.encoding, "ignore") for unit in units)


class Checker:
    """The faults of an index."""

    def __init__(self, root: Path, index: Any, has_names: bool) -> None:
        self.root = root
        self.index = index
        self.has_names = has_names
        self.described = Counter(symbol.symbol for document in index.documents for symbol in document.symbols)
        self.external = {symbol.symbol for symbol in index.external_symbols}

    def faults(self) -> Iterator[Fault]:
        """Yield the faults of all documents."""
        paths = Counter(document.relative_path for document in self.index.documents)
        for document in self.index.documents:
            path = document.relative_path
            pure = PurePosixPath(path)
            if not path or pure.is_absolute() or ".." in pure.parts or "\\" in path or paths[path] > 1:
                yield Fault("path", path)
            elif not (self.root / path).is_file():
                yield Fault("path", f"{path} is not there")
            else:
                yield from self.faults_of_occurrences(document)
            yield from self.faults_of_symbols(document)

    def faults_of_occurrences(self, document: Any) -> Iterator[Fault]:
        """Yield the faults of the occurrences of a document."""
        text = Text(self.root / document.relative_path, document.position_encoding)
        seen: set[tuple[tuple[int, ...], str]] = set()
        defined = {occurrence.symbol for occurrence in document.occurrences if occurrence.symbol_roles & DEFINITION}
        for occurrence in document.occurrences:
            token_range, symbol, roles = tuple(occurrence.range), occurrence.symbol, occurrence.symbol_roles
            place = f"{document.relative_path}:{':'.join(map(str, token_range))} {symbol}"
            token = text.token(token_range) if len(token_range) in (3, 4) else None
            if token is None:
                yield Fault("range", place)
            elif symbol_name(symbol) not in ("", token) and (roles & DEFINITION or self.has_names):
                yield Fault("text", f"{place}: {token!r}")
            if roles & ~sum(ROLES) or (roles & DEFINITION and roles & FORWARD_DEFINITION):
                yield Fault("role", f"{place}: {roles}")
            if (token_range, symbol) in seen:
                yield Fault("duplicate", place)
            seen.add((token_range, symbol))
            yield from self.faults_of_symbol(symbol, place)
            if symbol.startswith("local ") and symbol not in defined:
                yield Fault("undefined", place)

    def faults_of_symbol(self, symbol: str, place: str) -> Iterator[Fault]:
        """Yield the faults of a symbol that an occurrence or relationship names."""
        if LOCAL.fullmatch(symbol):
            return
        if not SYMBOL.fullmatch(symbol):
            yield Fault("symbol", place)
        elif symbol not in self.described and symbol not in self.external:
            yield Fault("undescribed", place)

    def faults_of_symbols(self, document: Any) -> Iterator[Fault]:
        """Yield the faults of the descriptions of a document."""
        defined = {occurrence.symbol for occurrence in document.occurrences if occurrence.symbol_roles & DEFINITION}
        counts = Counter(symbol.symbol for symbol in document.symbols)
        for information in document.symbols:
            symbol = information.symbol
            place = f"{document.relative_path} {symbol}"
            is_shared = symbol.endswith(NAMESPACE) or symbol.startswith("local ")
            if counts[symbol] > 1 or (self.described[symbol] > 1 and not is_shared):
                yield Fault("described twice", place)
            if symbol not in defined and not symbol.endswith(NAMESPACE):
                yield Fault("undefined", place)
            for relationship in information.relationships:
                yield from self.faults_of_symbol(relationship.symbol, f"{place} relates to {relationship.symbol}")

    def counts(self) -> str:
        """Write how many documents, symbols and occurrences there are, the latter by role."""
        occurrences = [occurrence for document in self.index.documents for occurrence in document.occurrences]
        roles = Counter(
            name for occurrence in occurrences for bit, name in ROLES.items() if occurrence.symbol_roles & bit
        )
        roles["no role"] = sum(not occurrence.symbol_roles for occurrence in occurrences)
        by_role = ", ".join(f"{name} {count:,}" for name, count in roles.most_common())
        return (
            f"{len(self.index.documents):,} documents, {self.described.total():,} symbols, {len(self.external):,} external, "
            f"{len(occurrences):,} occurrences: {by_role}"
        )


def main() -> None:
    """Check an index and print its counts and faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("index", type=Path)
    parser.add_argument(
        "--uses", action="store_true", help="compare the text of all occurrences, not only of definitions"
    )
    parser.add_argument("--list", type=int, default=3, help="print so many faults of each kind")
    arguments = parser.parse_args()
    checker = Checker(arguments.root, parsed("Index", arguments.index.read_bytes()), arguments.uses)
    print(checker.counts())
    faults: Counter[str] = Counter()
    for kind, place in checker.faults():
        faults[kind] += 1
        if faults[kind] <= arguments.list:
            print(f"{kind}: {place}")
    print(f"faults: {', '.join(f'{kind} {count:,}' for kind, count in faults.most_common()) or 'none'}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
