"""Count how the documents, docstrings and names of this repository read.

With --before it also counts the tree of a git revision, and prints both columns.

usage: prose.py [--before REVISION]
"""

import argparse
import ast
import io
import re
import subprocess
import tarfile
import tempfile
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGE = "code_graph_indexer"

LONG_SENTENCE = 25
"""Words of a sentence; with more it is long."""

NOT_NOUNS = frozenset(
    {"one", "found", "told", "known", "given", "meant", "made", "kept", "other", "each", "own", "named"}
)
"""Pronouns and participles that stand where a noun should."""

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?(?:^ *\1[`~]* *$|\Z)", re.MULTILINE | re.DOTALL)
_GENERATED = re.compile(
    r"<!-- (?!/)(?P<name>[\w-]+)(?: [^>]*)?-->(?:(?!<!-- /?(?P=name)\b).)*<!-- /(?P=name)(?: [^>]*)?-->", re.DOTALL
)
_REMARK = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LIST_ITEM = re.compile(r"^ *(?:[-*+]|\d+\.) +")
_TABLE_RULE = re.compile(r"[|\s:-]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9`])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf)\.")
_WORD = re.compile(r"[^\W\d_]")


class Docs(NamedTuple):
    """The text of documents: blocks of prose (a paragraph, an item of a list), cells of tables, and headings."""

    prose: tuple[str, ...]
    cells: tuple[str, ...]
    headings: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All of it."""
        return self.prose + self.cells + self.headings


def doc_paths(root: Path) -> list[Path]:
    """List the documents of a tree, sorted."""
    doors = [root / name for name in ("README.md", "CONTRIBUTING.md")]
    return [path for path in doors if path.is_file()] + sorted((root / "docs").rglob("*.md"))


def read_markdown(markdown: str) -> Docs:
    """Cut a document into its texts, without fenced code, comments and generated blocks.

    A generated block stands between `<!-- name … -->` and `<!-- /name -->`. Inline code becomes a single word.
    """
    text = _FENCE.sub("", _written(markdown))
    text = _CODE.sub("`code`", _LINK.sub(r"\1", text))
    prose: list[str] = []
    cells: list[str] = []
    headings: list[str] = []
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        starts_anew = not line.strip() or line.lstrip().startswith(("|", "#")) or _LIST_ITEM.match(line)
        if starts_anew and block:
            prose.append(" ".join(block))
            block = []
        if line.lstrip().startswith("|"):
            cells += (
                [] if _TABLE_RULE.fullmatch(line) else [cell.strip() for cell in line.strip().strip("|").split("|")]
            )
        elif line.startswith("#"):
            headings.append(line.strip("# "))
        elif line.strip():
            block.append(_LIST_ITEM.sub("", line).strip(" >"))
    return Docs(tuple(prose), tuple(cells), tuple(headings))


def _written(markdown: str) -> str:
    """Return a document without comments and generated blocks."""
    return _REMARK.sub("", _GENERATED.sub("", markdown))


def read_docs(root: Path) -> Docs:
    """Read all documents of a tree."""
    pages = [read_markdown(path.read_text(encoding="utf-8")) for path in doc_paths(root)]
    return Docs(*(tuple(chain.from_iterable(texts)) for texts in zip(*pages, strict=True)))


def word_count(text: str) -> int:
    """Count the words of a text: what stands between blanks and has a letter, so no figures and no marks."""
    return sum(1 for token in text.split() if _WORD.search(token))


def sentences(text: str) -> list[str]:
    """Cut a block of prose into sentences."""
    plain = _ABBREVIATION.sub(lambda match: match[0].replace(".", ""), text)
    return [part for part in _SENTENCE_END.split(plain) if word_count(part)]


def doc_words(root: Path) -> int:
    """Count the words of the documents: prose, headings, tables, fenced examples and remarks.

    Only generated blocks, which stand between `<!-- name … -->` and `<!-- /name -->`, do not count.
    """
    return sum(word_count(_GENERATED.sub("", path.read_text(encoding="utf-8"))) for path in doc_paths(root))


def all_doc_tokens(root: Path) -> int:
    """Count what stands between blanks in the documents, figures, examples and generated blocks included."""
    return sum(len(path.read_text(encoding="utf-8").split()) for path in doc_paths(root))


def sentence_lengths(root: Path) -> list[int]:
    """Count the words of each sentence of prose in the documents."""
    return [word_count(sentence) for block in read_docs(root).prose for sentence in sentences(block)]


def semicolons_per_thousand(root: Path) -> float:
    """Count the semicolons in 1,000 words of the documents."""
    texts = read_docs(root).texts
    return 1000 * sum(text.count(";") for text in texts) / max(sum(map(word_count, texts)), 1)


def sources(root: Path) -> list[str]:
    """Read the modules of the package."""
    return [path.read_text(encoding="utf-8") for path in sorted((root / PACKAGE).rglob("*.py"))]


def nodes(root: Path) -> list[ast.AST]:
    """List the nodes of the modules of the package."""
    return [node for source in sources(root) for node in ast.walk(ast.parse(source))]


def docstring_sentence_lengths(nodes: Iterable[ast.AST]) -> list[int]:
    """Count the words of the first sentence of each docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    lengths: list[int] = []
    for node in nodes:
        docstring = ast.get_docstring(node) if isinstance(node, documented) else None
        if docstring:
            first = " ".join(_CODE.sub("`code`", docstring.partition("\n\n")[0]).split())
            lengths.append(word_count(next(iter(sentences(first)), "")))
    return lengths


def comment_share(root: Path) -> float:
    """Return the share of comments in the lines of code of the package that are not blank; `# type:` and the like are none."""
    comments = lines = 0
    for source in sources(root):
        lines += sum(1 for line in source.splitlines() if line.strip())
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            comments += token.type == tokenize.COMMENT and not re.match(r"# ?(?:type:|noqa|pragma|mypy:)", token.string)
    return comments / max(lines, 1)


def bindings(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the name of each binding of a variable among the nodes of some modules.

    A binding is an assignment, the target of a loop, of a comprehension or of `with`, an argument, a walrus, a caught
    exception, or a capture of `match`. `x += 1` binds nothing anew.
    """
    counted_on = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in counted_on:
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name


def not_noun_share(nodes: Sequence[ast.AST]) -> float:
    """Return the share of the bindings that a pronoun or participle names."""
    names = list(bindings(nodes))
    return sum(name in NOT_NOUNS for name in names) / max(len(names), 1)


def long_share(lengths: Sequence[int]) -> float:
    """Return the share of sentences that are long."""
    return sum(length > LONG_SENTENCE for length in lengths) / max(len(lengths), 1)


def ninetieth(lengths: Sequence[int]) -> float:
    """Return the length that nine of ten sentences do not exceed."""
    return quantiles(lengths, n=10, method="inclusive")[-1]


COUNTS: dict[str, Callable[[Path], str]] = {
    "words in docs, generated blocks aside": lambda root: f"{doc_words(root):,}",
    "tokens in docs, all that wc counts": lambda root: f"{all_doc_tokens(root):,}",
    "words a sentence, median": lambda root: f"{median(sentence_lengths(root)):g}",
    "words a sentence, p90": lambda root: f"{ninetieth(sentence_lengths(root)):g}",
    "sentences over 25 words": lambda root: f"{long_share(sentence_lengths(root)):.1%}",
    "semicolons per 1,000 words": lambda root: f"{semicolons_per_thousand(root):.1f}",
    "docstrings, first sentence over 25 words": lambda root: (
        f"{long_share(docstring_sentence_lengths(nodes(root))):.1%}"
    ),
    "comments a line of code": lambda root: f"{comment_share(root):.1%}",
    "bindings named by no noun": lambda root: f"{not_noun_share(nodes(root)):.1%}",
}
"""What is printed, in this order."""


def checkout(revision: str, folder: Path) -> None:
    """Write the files of a git revision into a folder."""
    command = ["git", "archive", revision, "--", PACKAGE, "docs", "README.md"]
    archive = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--before", metavar="REVISION", help="count the tree of this git revision too")
    revision = parser.parse_args().before
    with tempfile.TemporaryDirectory() as folder:
        roots = {"now": REPOSITORY}
        if revision:
            checkout(revision, Path(folder))
            roots = {revision: Path(folder), **roots}
        print(f"{'':42}" + "".join(f"{name[:12]:>14}" for name in roots))
        for name, count in COUNTS.items():
            print(f"{name:42}" + "".join(f"{count(root):>14}" for root in roots.values()))


if __name__ == "__main__":
    main()
