"""Compare the functions, methods, classes and types of the index with those of Universal Ctags.

usage: bench_symbols.py REPO [REPO…] [--misses N] [--json]

The script indexes each repository into a temporary file. ctags reads the same files, each as the language that the index
took it for. A tag is found if the index has a definition of its name in its file, at most two lines away. Variables,
fields and constants do not count. The first rule that holds explains a tag without such a definition. If no rule holds, the
tag is a miss.
"""

import argparse
import json
import re
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import NamedTuple

import apsw

from code_graph_indexer import CodeIndexer
from code_graph_indexer.languages import load_parser

OPTIONS = "--options=NONE --output-format=json --fields=+n --sort=no -f - -L -"
NEAR = 2  # lines between a tag and our definition; ctags may count from the decorator or the return type
VALUE_KINDS = {"variable", "constant", "field", "property", "enum_member"}
PARSE_TIMEOUT = 60.0  # seconds; a busy machine must not decide which files are compared
ANONYMOUS = re.compile(r"<|__anon|[Aa]nonymous")
# fmt: off
PEERS = {
    "bash": ("Sh", "function"),
    "c": ("C", "function struct union enum typedef"),
    "cpp": ("C++", "function class struct union enum typedef"),
    "csharp": ("C#", "class enum interface method struct"),
    "elixir": ("Elixir", "callback delegate exception function guard macro module protocol record test type"),
    "go": ("Go", "func interface struct type talias methodSpec"),
    "haskell": ("Haskell", "function module type"),
    "java": ("Java", "annotation class enum interface method"),
    "javascript": ("JavaScript", "class function generator method"),
    "kotlin": ("Kotlin", "class interface method object typealias"),
    "lua": ("Lua", "function"),
    "php": ("PHP", "class function interface trait"),
    "python": ("Python", "class function member"),
    "ruby": ("Ruby", "class method module singletonMethod"),
    "rust": ("Rust", "enum function interface macro method module struct typedef"),
    "typescript": ("TypeScript", "alias class enum function generator interface method namespace"),
}
PEERS["tsx"] = PEERS["typescript"]
"""Our language → that of ctags, and its kinds that are compared. Python's `member` is a method."""


class Ours(NamedTuple):
    """A definition of the index."""

    name: str
    kind: str
    line: int


@dataclass
class Source:
    """An indexed file: its text, and the definitions found in it."""

    root: Path
    path: str
    language: str
    module: str
    broken: int
    ours: dict[str, list[Ours]] = field(default_factory=lambda: defaultdict(list))

    @cached_property
    def lines(self) -> list[bytes]:
        """Return the lines of the text."""
        return (self.root / self.path).read_bytes().replace(b"\r\n", b"\n").split(b"\n")


class Tag(NamedTuple):
    """A definition as ctags sees it."""

    name: str
    kind: str
    line: int
    source: Source

    @property
    def text(self) -> str:
        """Return the line the tag stands on."""
        return self.source.lines[self.line - 1].decode(errors="replace")

    @property
    def namesakes(self) -> list[Ours]:
        """List our definitions of the name in the file."""
        return self.source.ours.get(key(self.name), [])

    @property
    def near(self) -> list[Ours]:
        """List our definitions of any name about the line."""
        definitions = chain.from_iterable(self.source.ours.values())
        return [definition for definition in definitions if abs(definition.line - self.line) <= NEAR]

    def is_on_line(self, pattern: str) -> bool:
        """Say whether the line matches a pattern, in which NAME is the tag's name."""
        return re.search(pattern.replace("NAME", re.escape(key(self.name))), self.text) is not None


def key(name: str) -> str:
    """Bring a name of either side to its last part, without quotes and blanks."""
    plain = re.sub(r'^\["(.*)"\]$', r"\1", name).replace(" ", "").strip('"`:')
    return re.split(r"::|[.\\:]", plain)[-1] or plain


def is_text(tag: Tag) -> bool:
    """Say whether a tag stands in a string or a comment, in a file that the grammar reads without an error."""
    if tag.source.broken:
        return False
    column = max(tag.text.find(re.split(r"[.:]", tag.name)[-1]), 0)
    at = (tag.line - 1, len(tag.text[:column].encode()))
    tree = load_parser(tag.source.language).parse(b"\n".join(tag.source.lines))
    node = tree.root_node.descendant_for_point_range(at, at)
    while node is not None and not re.search("interpolation|substitution", node.type):
        if re.search("string|comment|quoted|heredoc", node.type):
            return True
        node = node.parent
    return False


def has_inner_name(tag: Tag) -> bool:
    """Say whether the tag is a function's own name where the function is assigned to another name, which we have."""
    outer = re.search(rf"([\w$]+)\s*[:=]\s*(?:async\s+)?function\b[\s*]*{re.escape(tag.name)}\b", tag.text)
    return outer is not None and any(definition.name == outer[1] for definition in tag.near)


class Rule(NamedTuple):
    """A known difference: where it holds, the tag is explained. No languages: all of them."""

    name: str
    languages: str
    reason: str
    holds: Callable[[Tag], bool]


JS, TS, C = "javascript typescript tsx", "typescript tsx", "c cpp"
NO_NAMES = {"as", "class", "deriving", "extends", "for", "if", "infix", "infixl", "infixr", "instance", "new", "satisfies"}
LUA_FUNCTION = r'\bfunction\s+[\w.:]*\bNAME\s*\(|\bNAME(?:"\])?\s*=\s*function\b'
RULES = (
    Rule("object literal", "javascript", "ctags takes an object literal, or what has a prototype, for a class",
         lambda tag: tag.kind == "class" and not tag.is_on_line(r"\bclass\b")),
    Rule("inner name", JS, "`a.b = function other() {}` is indexed as b, by which it is called", has_inner_name),
    Rule("imported type", TS, "no type is declared on the line: ctags takes any word `type` for a declaration",
         lambda tag: tag.kind == "alias" and not tag.is_on_line(r"\btype\s+NAME\s*(?:[<=]|$)")),
    Rule("keyword", f"{TS} haskell", "a keyword, no name", lambda tag: tag.name in NO_NAMES),
    Rule("companion", "kotlin", "no name", lambda tag: tag.kind == "object" and tag.is_on_line(r"companion object(?! \w)")),
    Rule("lambda parameter", "kotlin", "no `fun` of the name is on the line: ctags takes `{ name ->` for a method",
         lambda tag: tag.kind == "method" and not tag.is_on_line(r"\bfun\b.*?[\s.`]NAME\b")),
    Rule("array", "bash", "`name=()` is an empty array", lambda tag: tag.name.endswith("=")),
    Rule("computed name", "javascript lua elixir", "`t[key] = function`, `def unquote(x)()`: the name is known when it runs",
         lambda tag: tag.name == "unquote" or "]" in key(tag.name) or tag.is_on_line(r"\bNAME[\w.]*\[.*\][\w.]*\s*= function")),
    Rule("expression", "lua", "a value of which a function is a part", lambda tag: not tag.is_on_line(LUA_FUNCTION)),
    Rule("test title", "elixir", "ctags ends the name of a test at ` do`",
         lambda tag: any(ours.name.startswith(f"{tag.name} do") for ours in tag.near)),
    Rule("file's module", "haskell", "the module is the file's node of the graph, no definition in it",
         lambda tag: tag.kind == "module" and tag.source.module.startswith(tag.name)),
    Rule("type", "haskell", "a capitalised name is a type", lambda tag: tag.kind == "function" and tag.name[0].isupper()),
    Rule("same function", "haskell", "signature and equations are one definition, at the first equation",
         lambda tag: any(ours.kind == "function" for ours in tag.namesakes)),
    Rule("value", "haskell java", "indexed as a field or a constant",
         lambda tag: any(ours in tag.near for ours in tag.namesakes)),
    Rule("mod x;", "rust", "an import: the module is the other file", lambda tag: tag.is_on_line(r"\bmod NAME;")),
    Rule("constraint", "csharp", "`where T :` constrains a type parameter", lambda tag: tag.is_on_line(r"\bwhere NAME\s*:")),
    Rule("conversion", f"{C} csharp", "`operator X()` is indexed as `operator`, without its type",
         lambda tag: tag.name.startswith("operator ")
         and any(ours.name.startswith("operator") for ours in tag.near)),
    Rule("test macro", C, "ctags names each `TEST(group, name) {}` by the macro, the index by its arguments",
         lambda tag: tag.name.isupper()
         and tag.is_on_line(r"^\s*NAME\s*\(") and any(ours.name in tag.text for ours in tag.near)),
    Rule("one type", C, "`typedef struct X {} X;` is one definition",
         lambda tag: tag.kind != "typedef" and tag.is_on_line(r"^\s*typedef\b") and bool(tag.namesakes)),
    Rule("text", "", "the tag stands in a string or a comment", is_text),
)
# fmt: on
"""The first rule that holds explains a tag; the raw recall knows none of them."""


@dataclass
class Row:
    """The comparison of one language of one repository."""

    language: str
    repository: str
    tags: int = 0
    matched: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    misses: list[Tag] = field(default_factory=list)

    def add(self, tag: Tag) -> None:
        """Count one tag."""
        rules = (rule for rule in RULES if self.language in (rule.languages or self.language).split())
        self.tags += 1
        if any(
            definition.kind not in VALUE_KINDS and abs(definition.line - tag.line) <= NEAR
            for definition in tag.namesakes
        ):
            self.matched += 1
        elif rule := next((rule for rule in rules if rule.holds(tag)), None):
            self.explained[rule.name] += 1
        else:
            self.misses.append(tag)

    def record(self, misses: int) -> dict[str, object]:
        """Return the row as JSON, with its first misses."""
        return {
            "language": self.language,
            "repository": self.repository,
            "tags": self.tags,
            "found": self.matched,
            "explained": dict(self.explained.most_common()),
            "unexplained": len(self.misses),
            "in broken files": sum(tag.source.broken for tag in self.misses),
            "raw recall": round(self.matched / self.tags, 4),
            "recall": round(self.matched / max(self.tags - self.explained.total(), 1), 4),
            "misses": [f"{tag.source.path}:{tag.line} {tag.kind} {tag.name}" for tag in self.misses[:misses]],
        }


def read_sources(root: Path) -> dict[str, Source]:
    """Index a repository and return its files of known languages with their definitions, by path."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "index.db"
        with CodeIndexer(root, db=db, parse_timeout=PARSE_TIMEOUT) as indexer:
            indexer.index(full=True)
        connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
        query = "select path, language, module, is_broken from files where error is null and language != ''"
        sources = {path: Source(root, path, *rest) for path, *rest in connection.execute(query)}
        for name, kind, path, line in connection.execute("select name, kind, path, start_line from symbols"):
            if path in sources:
                sources[path].ours[key(name)].append(Ours(name, kind, line))
        connection.close()
    return sources


def read_tags(root: Path, language: str, sources: dict[str, Source]) -> Iterator[Tag]:
    """Yield what ctags finds in the files of one language."""
    peer, kinds = PEERS[language]
    paths = [path for path, source in sources.items() if source.language == language]
    with tempfile.TemporaryFile() as listing:
        listing.write("\n".join(paths).encode())
        listing.seek(0)
        command = ["ctags", *OPTIONS.split(), f"--language-force={peer}"]
        with Popen(command, cwd=root, stdin=listing, stdout=PIPE, stderr=DEVNULL) as process:
            for line in process.stdout or ():
                tag = json.loads(line.decode(errors="replace"))
                if tag["_type"] == "tag" and tag["kind"] in kinds.split() and not ANONYMOUS.match(tag["name"]):
                    yield Tag(tag["name"], tag["kind"], tag["line"], sources[tag["path"]])
    if process.returncode:
        raise SystemExit(f"ctags failed with exit code {process.returncode} on the {language} files of {root}")


def compare(root: Path) -> Iterator[Row]:
    """Yield a row for each language of a repository. A language that ctags does not know has no tags."""
    sources = read_sources(root)
    for language in sorted({source.language for source in sources.values()}):
        row = Row(language, root.name)
        for tag in read_tags(root, language, sources) if language in PEERS else ():
            row.add(tag)
        yield row


def print_table(rows: Sequence[Row], misses: int) -> None:
    """Print the rows as a Markdown table, their first misses below."""
    columns = [name for name in rows[0].record(0) if name != "misses"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        reasons = ", ".join(f"{count} {name}" for name, count in row.explained.most_common())
        cells = row.record(0) | {"explained": reasons}
        print(f"| {' | '.join(str(cells[name]) for name in columns)} |")
    for row in rows:
        for tag in row.misses[:misses]:
            print(f"{row.repository}/{tag.source.path}:{tag.line} {tag.kind} {tag.name}")


def main() -> None:
    """Read the arguments, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--misses", type=int, default=0, help="list the first N unexplained misses of each row")
    parser.add_argument("--json", action="store_true", help="print one JSON record a row")
    arguments = parser.parse_args()
    if not shutil.which("ctags"):
        parser.error("there is no ctags; install Universal Ctags (apt install universal-ctags)")
    rows = sorted((row for root in arguments.repositories for row in compare(root)), key=lambda row: row.language)
    compared = [row for row in rows if row.tags]
    if arguments.json:
        print("\n".join(json.dumps(row.record(arguments.misses)) for row in compared))
    elif compared:
        print_table(compared, arguments.misses)
        unknown = sorted({row.language for row in rows} - set(PEERS))
        print(
            f"\nNot compared, as ctags has no parser or no definitions of these kinds: {', '.join(unknown) or 'none'}"
        )


if __name__ == "__main__":
    main()
