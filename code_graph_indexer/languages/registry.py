"""Read the language files, detect the language of a file, and load its parser and its query."""

import importlib
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages.digest import FRAMEWORKS, PACKED
from code_graph_indexer.languages.header import (
    BLANK_MARK,
    EXPRESSION,
    INHERITS,
    LIKE,
    Entry,
    Framework,
    Language,
    read_header,
)
from code_graph_indexer.languages.literals import Mark
from code_graph_indexer.languages.query_text import Part, Shapes, patterns_of
from code_graph_indexer.threads import per_thread

_DEFINES = re.compile(r"@(?:opens\b|definition\.|scope|anonymous|comment)")
_OUTER = re.compile(r"@outer\b")
_QUERY_ERROR_ROW = re.compile(r"row (\d+)")
_SHEBANG = re.compile(rb"^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:\S*/)?([A-Za-z_+-]+)[0-9.]*")

OWN_KEYS = frozenset({"extensions", "filenames", "shebangs"})
"""Header keys that a language does not inherit: the files that are its parent's are not its own."""

CONTENT_WINDOW = 10_000
"""Bytes at the top of a file that tell its language. Headers have long comments, but then soon say what they are."""

SHEBANG_WINDOW = 200
"""Bytes at the top of a file in which a shebang line ends. A path in it is not longer."""


class Mend(NamedTuple):
    """A replacement for what the group of a pattern matches. Blanks fill it up to the length of the group."""

    replacement: bytes
    pattern: re.Pattern[bytes]


def _read_language(name: str, texts: dict[str, str]) -> Language:
    """Read one language file, together with the header and query of each language that it inherits from.

    `texts` maps the names of all languages to their files. Raises GrammarError for a header that cannot be read.
    """
    file = f"{name}.scm"
    header = read_header(file, texts[name])
    query = texts[name]
    entry = header.get(INHERITS)
    for parent in entry.text.split() if entry else ():
        if parent not in texts:
            raise GrammarError(f"{file}:{header[INHERITS].line}: there is no language {parent!r} to inherit from")
        # The own keys win, and earlier parents win over later ones.
        inherited = read_header(f"{parent}.scm", texts[parent])
        header = {**{key: above for key, above in inherited.items() if key not in OWN_KEYS}, **header}
        # The inherited query comes last, so that line numbers in errors stay those of this file.
        query = f"{query}\n{texts[parent]}"
    if EXPRESSION in header:
        header[EXPRESSION] = _with_rows_of_others(header[EXPRESSION], texts)
    if "grammar" not in header:
        raise GrammarError(f"{file}: the header names no grammar; add a line '; grammar: tree_sitter_{name}'")
    # The last parent is the one that the others inherit from.
    family = entry.text.split()[-1] if entry else name
    return Language(name=name, query=query, header={"family": Entry(file, 0, family), **header})


def _with_rows_of_others(entry: Entry, texts: dict[str, str]) -> Entry:
    """Replace each row `like c` of an entry by the rows of that language. Raises GrammarError if there is no such language."""
    rows: list[str] = []
    for row in entry.text.splitlines():
        name = row.removeprefix(LIKE)
        if name == row:
            rows.append(row)
        elif name not in texts:
            raise GrammarError(f"{entry.file}:{entry.line}: there is no language {name!r}, which the row {row!r} names")
        else:
            other = read_header(f"{name}.scm", texts[name])[EXPRESSION]
            rows += _with_rows_of_others(other, texts).text.splitlines()
    return entry._replace(text="\n".join(rows))


@cache
def languages() -> dict[str, Language]:
    """Return every language by name, in alphabetical order."""
    folder = files(__package__)
    texts = {
        entry.name.removesuffix(".scm"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".scm")
    }
    return {name: _read_language(name, texts) for name in sorted(texts)}


@cache
def libraries() -> tuple[str, ...]:
    """List the languages whose library is declared, in `<name>.lib.<extension>` and packed in `<name>.lib.pack`."""
    names = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(PACKED) for name in names if name.endswith(PACKED)))


@cache
def libraries_of(name: str) -> tuple[str, ...]:
    """List the languages whose libraries code of a language uses: its own one, then those of its family."""
    family = languages()[name].family
    names = (library for library in libraries() if languages()[library].family == family)
    return tuple(sorted(names, key=lambda library: library != name))


def packed_library(name: str) -> bytes:
    """Return the packed declarations of a library."""
    return files(__package__).joinpath(name + PACKED).read_bytes()


class _ByExtension(NamedTuple):
    """The languages of a file extension: those with a pattern for the top of the file, and the one without, or None."""

    by_content: list[tuple[re.Pattern[bytes], str]]
    default: str | None

    def language(self, text: bytes | None) -> str | None:
        """Return the language of a file with this top. If the text is not known, that is the default or the likeliest."""
        if text is None:
            return self.default or self.by_content[0][1]
        if not self.by_content:
            return self.default
        # The line end lets a pattern that begins with one find the first line too: `^` is several times slower.
        top = b"\n" + text[:CONTENT_WINDOW]
        return next((name for pattern, name in self.by_content if pattern.search(top)), self.default)


@cache
def _detection() -> tuple[dict[str, _ByExtension], dict[str, str], dict[str, str]]:
    """Return three tables to language names: by file extension, by file name, and by the program of a shebang."""
    by_extension: dict[str, _ByExtension] = {}
    by_filename: dict[str, str] = {}
    by_shebang: dict[str, str] = {}
    # Of languages that share an entry the last by name wins: `deno` runs `typescript`, not `tsx`.
    for language in languages().values():
        patterns = {ending: re.compile(pattern.encode(), re.MULTILINE) for ending, pattern in language.content}
        for extension in language.extensions:
            by_content, default = by_extension.get(extension, ([], None))
            if extension in patterns:
                by_content = [(patterns[extension], language.name), *by_content]
            else:
                default = language.name
            by_extension[extension] = _ByExtension(by_content, default)
        by_filename.update(dict.fromkeys(language.filenames, language.name))
        by_shebang.update(dict.fromkeys(language.shebangs, language.name))
    return by_extension, by_filename, by_shebang


def detect_language(path: str, text: bytes | None = None) -> str | None:
    """Return the name of a file's language, by file name, extension, content or shebang line. None if no language fits.

    Without the text, the name alone decides. Only the first `CONTENT_WINDOW` bytes of the text count.
    """
    by_extension, by_filename, by_shebang = _detection()
    pure = PurePosixPath(path)
    if pure.name in by_filename:
        return by_filename[pure.name]
    # The case counts first: `.C` is C++, and `.c` is C. A name may have two endings, as `show.blade.php` has.
    endings = "".join(pure.suffixes[-2:]), pure.suffix, pure.suffix.lower()
    if entry := next((by_extension[ending] for ending in endings if ending in by_extension), None):
        return entry.language(text)
    if not pure.suffix and text and (shebang := _SHEBANG.match(text[:SHEBANG_WINDOW])):
        return by_shebang.get(shebang[1].decode())
    return None


def parsing_language(path: str, language: str) -> str:
    """Return the language whose grammar and query read a file. For nearly all files, that is the file's own language."""
    ending, _, other = " ".join(languages()[language].parsed_as).partition(" ")
    return other if other and path.endswith(ending) else language


@cache
def blank_patterns(name: str) -> tuple[re.Pattern[bytes], ...]:
    """Return the patterns of the text that a language replaces by blanks before parsing, such as a preprocessor's lines.

    They are compiled at the first call for the language. They need a text that begins with a line end: `^` at the start of a
    pattern is read as a line end, for which Python searches several times faster.
    """
    return tuple(
        re.compile(re.sub(r"^\^", r"\\n", pattern).encode(), re.MULTILINE) for pattern in languages()[name].blank
    )


@cache
def mends(name: str) -> tuple[Mend, ...]:
    """Return the mends of a language's syntax errors, in the order in which they are tried."""
    return tuple(
        Mend(replacement.replace(BLANK_MARK, " ").encode(), re.compile(pattern.encode(), re.MULTILINE))
        for replacement, pattern in languages()[name].mend
    )


@per_thread
def load_parser(name: str) -> tree_sitter.Parser:
    """Return the parser of a language for this thread. Raises GrammarError if its grammar cannot be loaded.

    Two threads that use one parser at the same time end the process. Grammars and compiled queries never change, and are
    shared.
    """
    return tree_sitter.Parser(load_grammar(name))


@cache
def load_grammar(name: str) -> tree_sitter.Language:
    """Load the grammar of a language from its wheel. Raises GrammarError if that fails."""
    module_name, _, function = languages()[name].grammar.partition(":")
    distribution = module_name.replace("_", "-")
    try:
        module = importlib.import_module(module_name)
        with warnings.catch_warnings():
            # Older grammars give their address as a number, of which tree-sitter warns.
            warnings.simplefilter("ignore", DeprecationWarning)
            return tree_sitter.Language(getattr(module, function or "language")())
    # A grammar for another version of tree-sitter raises ValueError.
    except (ImportError, AttributeError, ValueError) as exc:
        raise GrammarError(
            f"the grammar of {name} cannot be loaded ({exc}); reinstall it: pip install --force-reinstall {distribution}"
        ) from exc


STEPS_PER_BYTE = 8
"""The time to list, twice, what a byte of code needs of a query. A step compiles a pattern for a state of the grammar.

A step is half a microsecond, and half of the steps are saved.
"""


FORK_STEPS = 200_000
"""The time of the process that lists what the files need, and of compiling the fewest patterns."""


@dataclass(slots=True)
class _Patterns:
    """Some patterns of a query in the file `file`, and what is compiled of them.

    That is `whole`, or queries of few patterns (`partial`), each for all trees that match no other patterns. `spent` is how
    many patterns these have together.
    """

    file: str
    language: str
    text: str
    patterns: tuple[Part, ...]
    whole: tree_sitter.Query | None = None
    partial: list[tuple[frozenset[Part], tree_sitter.Query]] = field(default_factory=list)
    spent: int = 0

    def load(self) -> tree_sitter.Query:
        """Return the whole compiled query, for many files. Raises GrammarError, with file and line, if the query is broken."""
        if self.whole is None:
            self.whole = self._compiled(self.patterns)
        return self.whole

    def load_for(self, shapes: Callable[[], Shapes]) -> tree_sitter.Query:
        """Return a compiled query with all patterns that match anything in a tree of these shapes.

        Raises GrammarError, with file and line, if the query is broken.
        """
        if self.whole is not None:
            return self.whole
        needed = shapes().matched(self.patterns)
        for patterns, query in self.partial:
            if patterns.issuperset(needed):
                return query
        if self.spent + len(needed) > len(self.patterns):
            # With this, the work is at most twice that of the whole.
            return self.load()
        self.add(needed)
        return self.partial[-1][1]

    def add(self, patterns: Sequence[Part]) -> None:
        """Compile some of the patterns, for all trees that match no others. Raises GrammarError if the query is broken."""
        self.spent += len(patterns)
        self.partial.append((frozenset(patterns), self._compiled(patterns)))

    def _compiled(self, patterns: Sequence[Part]) -> tree_sitter.Query:
        kept, end = "", 0
        for part in patterns:
            # Line ends stay, so that the rows of errors do.
            kept += "\n" * self.text.count("\n", end, part.start) + self.text[part.start : part.end]
            end = part.end
        return _compiled_query(self.file, self.language, kept)


_loaded_frameworks: set[tuple[str, str]] = set()
"""The frameworks whose queries are compiled in this process, each with the language."""


def load_query(name: str, *, definitions_only: bool = False) -> tree_sitter.Query:
    """Return the whole compiled tags query of a language, for many files, or only its patterns that find definitions.

    Raises GrammarError, with file and line, if the query is broken.
    """
    return _tags(query_name(name), definitions_only).load()


def is_better_in_part(name: str, size: int) -> bool:
    """Say whether nothing of a query is compiled yet, and it pays to list first what files of `size` bytes in all need."""
    patterns = _tags(name, False)
    steps = load_grammar(name).parse_state_count * len(patterns.patterns)
    return patterns.whole is None and not patterns.partial and size * STEPS_PER_BYTE + FORK_STEPS < steps


def needed_patterns(name: str, trees: Iterable[tree_sitter.Tree]) -> tuple[int, ...]:
    """Return the positions of the patterns of a query that match anything in the trees."""
    patterns = _tags(name, False).patterns
    needed = {pattern for tree in trees for pattern in Shapes(tree, load_grammar(name)).matched(patterns)}
    return tuple(position for position, pattern in enumerate(patterns) if pattern in needed)


def load_patterns(name: str, positions: Iterable[int]) -> None:
    """Compile the patterns at these positions of a query. Raises GrammarError, with file and line, if it is broken."""
    patterns = _tags(name, False)
    patterns.add([patterns.patterns[position] for position in positions])


def query_for(name: str, tree: tree_sitter.Tree, *, definitions_only: bool = False) -> tree_sitter.Query:
    """Return a compiled query with all patterns of a language's tags query that match anything in a tree.

    With `definitions_only`, only patterns that find definitions, scopes and comments count. Raises GrammarError, with file and
    line, if the query is broken.
    """
    name = query_name(name)
    return _tags(name, definitions_only).load_for(lambda: _shapes(tree, name))


@lru_cache(maxsize=1)
def _shapes(tree: tree_sitter.Tree, name: str) -> Shapes:
    """Return the shapes of a tree. The query of its language and those of the frameworks are chosen by the same ones."""
    return Shapes(tree, load_grammar(name))


@cache
def _tags(name: str, definitions_only: bool) -> _Patterns:
    """Return the patterns of a language that indexing needs, or those of them that find definitions."""
    text = languages()[name].query
    patterns = tuple(
        part
        for part in patterns_of(text)
        if (
            _DEFINES.search(text, part.start, part.end)
            if definitions_only
            else not _OUTER.search(text, part.start, part.end)
        )
    )
    return _Patterns(f"{name}.scm", name, text, patterns)


@cache
def query_name(name: str) -> str:
    """Return the language that a language takes its grammar and all patterns from, or itself: one compiled query serves both.

    The scripts of Vue and Svelte are TypeScript, and to compile its query takes half a second.
    """
    language = languages()[name]
    for parent in (languages()[inherited] for inherited in language.inherits):
        if parent.grammar == language.grammar and _patterns(parent) == _patterns(language):
            return parent.name
    return name


def _patterns(language: Language) -> list[str]:
    """List the lines of a query that are no comments."""
    return [line for line in language.query.splitlines() if line.strip() and not line.startswith(";")]


@cache
def load_outer_query(name: str) -> tree_sitter.Query | None:
    """Return a language's compiled query, with only the patterns that capture `@outer`. None if the language has none.

    Indexing does not need them. Raises GrammarError if the query is broken.
    """
    if (twin := query_name(name)) != name:
        return load_outer_query(twin)
    text = languages()[name].query
    patterns = tuple(part for part in patterns_of(text) if _OUTER.search(text, part.start, part.end))
    return _Patterns(f"{name}.scm", name, text, patterns).load() if patterns else None


@cache
def frameworks() -> dict[str, Framework]:
    """Return every framework by name, in alphabetical order."""
    texts = {
        entry.name.removesuffix(".scm"): entry.read_text(encoding="utf-8")
        for entry in (files(__package__) / FRAMEWORKS).iterdir()
        if entry.name.endswith(".scm")
    }
    return {name: _read_framework(name, texts) for name in sorted(texts)}


def _read_framework(name: str, texts: dict[str, str]) -> Framework:
    """Read one framework file, together with the queries of the frameworks that it inherits from. `texts` are all files."""
    header = read_header(f"{name}.scm", texts[name], Framework)
    # The inherited query comes last, so that line numbers in errors stay those of this file.
    parents = header[INHERITS].text.split() if INHERITS in header else ()
    return Framework(name=name, query="\n".join([texts[name], *(texts[parent] for parent in parents)]), header=header)


@cache
def frameworks_of(language: str) -> tuple[tuple[Framework, Mark | None], ...]:
    """List the frameworks for files of a language, each with its mark."""
    return tuple(
        (framework, Mark(framework.mark.pattern) if framework.mark else None)
        for framework in frameworks().values()
        if language in framework.languages
    )


def loaded_frameworks() -> frozenset[tuple[str, str]]:
    """Return the frameworks whose queries are compiled in this process, each with the language."""
    return frozenset(_loaded_frameworks)


def load_framework_query(name: str, language: str) -> tree_sitter.Query:
    """Return the compiled query of a framework for a language. Raises GrammarError, with file and line, if it is broken."""
    language = query_name(language)
    _loaded_frameworks.add((name, language))
    return _framework_patterns(name, language).load()


def framework_queries(language: str, tree: tree_sitter.Tree) -> Callable[[str], tree_sitter.Query]:
    """Return a function from a framework to its compiled query, with all patterns that match anything in a tree.

    It raises GrammarError, with file and line, if the query is broken.
    """
    twin = query_name(language)
    if _tags(twin, False).whole is not None:
        # This process reads many files of the language.
        return lambda name: load_framework_query(name, twin)
    return lambda name: _framework_patterns(name, twin).load_for(lambda: _shapes(tree, twin))


@cache
def _framework_patterns(name: str, language: str) -> _Patterns:
    """Return all patterns of a framework for a language."""
    text = frameworks()[name].query
    return _Patterns(f"{FRAMEWORKS}/{name}.scm", language, text, tuple(patterns_of(text)))


def _compiled_query(file: str, language: str, text: str) -> tree_sitter.Query:
    """Compile a query for the grammar of a language. Raises GrammarError, with file and line, if the query is broken."""
    grammar = load_grammar(language)
    try:
        return tree_sitter.Query(grammar, text)
    except tree_sitter.QueryError as exc:
        # Python compiles the regular expressions of a query, and Ctrl-C meanwhile reaches this place as an error of the query.
        if isinstance(exc.__cause__, KeyboardInterrupt):
            raise exc.__cause__ from None
        row = _QUERY_ERROR_ROW.search(str(exc))
        # Rows count from 0, lines from 1.
        line = int(row[1]) + 1 if row else 1
        raise GrammarError(f"{file}:{line}: the tags query does not fit its grammar: {exc}") from exc
