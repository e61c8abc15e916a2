"""Read the language files: which file is of which language, and how its syntax tree is queried."""

import importlib
import re
import warnings
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath

import tree_sitter

from code_graph_indexer.errors import GrammarError

_HEADER_LINE = re.compile(r"^; ([a-z-]+): (.*)$")
_DEFINES = re.compile(rb"@(?:opens\b|definition\.|scope|anonymous|comment)")
_QUERY_ERROR_ROW = re.compile(r"row (\d+)")
_PROTOCOLS = ("call", "item", "each", "next", "enter", "exit")
_SHEBANG = re.compile(r"^#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?:\S*/)?([A-Za-z_+-]+)[0-9.]*")


@dataclass(frozen=True, slots=True)
class Language:
    """Describe one language, as the header of its .scm file says.

    `modules` is how a file's module is named: `path` (folders and stem), `folder` (all files of a folder are one
    module), `declared` (a `definition.namespace` or `definition.module` in the file names it) or `file` (included by path).
    """

    name: str
    grammar: str
    source_type: str
    separator: str
    family: str
    implicit_self: bool
    global_names: bool
    global_macros: bool
    imports_first: bool
    open_types: bool
    split_types: bool
    functions_apart: bool
    pointers: bool
    conditionals: bool
    implicit_super: bool
    conversions: bool
    outer_modules: bool
    extension_methods: bool
    structural: bool
    namespaces: bool
    reexports: bool
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]
    shebangs: tuple[str, ...]
    tests: tuple[str, ...]
    wrappers: frozenset[str]
    self_names: frozenset[str]
    super_names: frozenset[str]
    self_types: frozenset[str]
    constructors: tuple[str, ...]
    variadic: frozenset[str]
    literal_types: tuple[tuple[str, ...], ...]
    text_calls: tuple[str, ...]
    any_type: frozenset[str]
    defaults_elsewhere: frozenset[str]
    passes: frozenset[str]
    picks: frozenset[str]
    takes_anything: re.Pattern[str] | None
    gives_anything: re.Pattern[str] | None
    common: frozenset[str]
    platform: frozenset[str]
    protocols: dict[str, tuple[str, ...]]
    modules: str
    index: frozenset[str]
    roots: frozenset[str]
    import_separator: str
    import_prefix: str
    import_decoration: re.Pattern[str] | None
    relative: str
    binds: str
    manifest: tuple[str, str] | None
    aliases: tuple[str, ...]
    blank: tuple[str, ...]
    query: str


def _read_header(text: str) -> dict[str, str]:
    header: dict[str, str] = {}
    for line in text.splitlines():
        match = _HEADER_LINE.match(line)
        if not match:
            break
        above = f"{header[match[1]]}\n" if match[1] in header else ""
        header[match[1]] = above + match[2].strip()
    return header


def _read_language(name: str, texts: dict[str, str]) -> Language:
    header = _read_header(texts[name])
    query = texts[name]
    for parent in header.get("inherits", "").split():
        header = {**_read_header(texts[parent]), **header}
        # The inherited query comes last, so that line numbers in errors stay those of this file.
        query = f"{query}\n{texts[parent]}"
    if "grammar" not in header:
        raise GrammarError(f"{name}.scm: the header names no grammar; add a line '; grammar: tree_sitter_{name}'")

    def words(key: str) -> tuple[str, ...]:
        return tuple(header.get(key, "").split())

    def pattern(key: str) -> re.Pattern[str] | None:
        return re.compile(header[key]) if key in header else None

    manifest_file, _, manifest_pattern = header.get("manifest", "").partition(" ")
    return Language(
        name=name,
        grammar=header["grammar"],
        source_type=header.get("source-type", "code"),
        separator=header.get("separator", ".").replace("␠", " "),
        family=header.get("family", name),
        implicit_self=header.get("implicit-self") == "yes",
        open_types=header.get("open-types") == "yes",
        split_types=header.get("split-types") == "yes",
        pointers=header.get("pointers") == "yes",
        conditionals=header.get("conditionals") == "yes",
        functions_apart=header.get("functions-apart") == "yes",
        extension_methods=header.get("extension-methods") == "yes",
        structural=header.get("structural") == "yes",
        namespaces="@definition.namespace" in query,
        outer_modules=header.get("outer-modules") == "yes",
        conversions=header.get("conversions") == "yes",
        implicit_super=header.get("implicit-super") == "yes",
        reexports=header.get("re-exports") == "yes",
        global_names=header.get("global-names") == "yes",
        imports_first=header.get("imports-first") == "yes",
        global_macros=header.get("global-macros") == "yes",
        extensions=words("extensions"),
        filenames=words("filenames"),
        shebangs=words("shebangs"),
        tests=words("tests"),
        wrappers=frozenset(words("wrappers")),
        self_names=frozenset(words("self")),
        super_names=frozenset(words("super")),
        self_types=frozenset(words("self-type")),
        constructors=words("constructors"),
        variadic=frozenset(words("variadic")),
        literal_types=tuple(tuple(one.split()) for one in header.get("literal-types", "").split("|")),
        text_calls=words("text-calls"),
        any_type=frozenset(words("any-type")),
        defaults_elsewhere=frozenset(words("defaults-elsewhere")),
        passes=frozenset(words("passes")),
        picks=frozenset(words("picks")),
        takes_anything=pattern("takes-anything"),
        gives_anything=pattern("gives-anything"),
        common=frozenset(words("common")),
        platform=frozenset(words("platform")),
        protocols={step: tuple(words(f"on-{step}")) for step in _PROTOCOLS},
        modules=header.get("modules", "file"),
        index=frozenset(words("index")),
        roots=frozenset(words("roots")),
        import_separator=header.get("import-separator", "/"),
        import_prefix=header.get("import-prefix", ""),
        import_decoration=pattern("import-decoration"),
        relative=header.get("relative", ""),
        binds=header.get("binds", "last"),
        manifest=(manifest_file, manifest_pattern) if manifest_pattern else None,
        aliases=words("aliases"),
        blank=tuple(header.get("blank", "").splitlines()),
        query=query,
    )


@cache
def languages() -> dict[str, Language]:
    """Return every language known, by name, in alphabetical order."""
    folder = files(__package__)
    texts = {
        entry.name.removesuffix(".scm"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".scm")
    }
    return {name: _read_language(name, texts) for name in sorted(texts)}


@cache
def fingerprint() -> str:
    """Digest the language files: what an index made with others holds is not what these would find."""
    entries = sorted(files(__package__).iterdir(), key=lambda entry: entry.name)
    texts = [entry.read_text(encoding="utf-8") for entry in entries if entry.name.endswith((".scm", ".toml"))]
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


@cache
def _detection() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    by_extension: dict[str, str] = {}
    by_filename: dict[str, str] = {}
    by_shebang: dict[str, str] = {}
    for language in languages().values():
        by_extension.update(dict.fromkeys(language.extensions, language.name))
        by_filename.update(dict.fromkeys(language.filenames, language.name))
        by_shebang.update(dict.fromkeys(language.shebangs, language.name))
    return by_extension, by_filename, by_shebang


def detect_language(path: str, first_line: str = "") -> str | None:
    """Name the language of a file by its name, its extension or the shebang on its first line."""
    by_extension, by_filename, by_shebang = _detection()
    pure = PurePosixPath(path)
    found = by_filename.get(pure.name) or by_extension.get(pure.suffix) or by_extension.get(pure.suffix.lower())
    if found is None and not pure.suffix and (shebang := _SHEBANG.match(first_line)):
        found = by_shebang.get(shebang[1])
    return found


@cache
def blank_patterns(name: str) -> tuple[re.Pattern[bytes], ...]:
    """Return what of a language's text is blanked before it is parsed, compiled for the languages that are met."""
    return tuple(re.compile(one.encode(), re.MULTILINE) for one in languages()[name].blank)


@cache
def load_parser(name: str) -> tree_sitter.Parser:
    """Return the parser of a language; raise GrammarError when its grammar cannot be loaded."""
    return tree_sitter.Parser(_load_grammar(name))


@cache
def _load_grammar(name: str) -> tree_sitter.Language:
    module_name, _, function = languages()[name].grammar.partition(":")
    distribution = module_name.replace("_", "-")
    try:
        module = importlib.import_module(module_name)
        with warnings.catch_warnings():
            # Grammars of older make give their address as a number.
            warnings.simplefilter("ignore", DeprecationWarning)
            return tree_sitter.Language(getattr(module, function or "language")())
    except (ImportError, AttributeError, ValueError) as exc:
        raise GrammarError(
            f"the grammar of {name} cannot be loaded ({exc}); reinstall it: pip install --force-reinstall {distribution}"
        ) from exc


@cache
def load_query(name: str) -> tree_sitter.Query:
    """Return the compiled tags query of a language; raise GrammarError naming file and line when it is broken."""
    return _compile(name)


@cache
def load_definition_query(name: str) -> tree_sitter.Query:
    """Return what of a language's query says where definitions are. Raises GrammarError."""
    query = _compile(name)
    text = languages()[name].query.encode()
    for pattern in range(query.pattern_count):
        if not _DEFINES.search(text, query.start_byte_for_pattern(pattern), query.end_byte_for_pattern(pattern)):
            query.disable_pattern(pattern)
    return query


def _compile(name: str) -> tree_sitter.Query:
    grammar = _load_grammar(name)
    try:
        return tree_sitter.Query(grammar, languages()[name].query)
    except tree_sitter.QueryError as exc:
        row = _QUERY_ERROR_ROW.search(str(exc))
        line = int(row[1]) + 1 if row else 1
        raise GrammarError(f"{name}.scm:{line}: the tags query does not fit its grammar: {exc}") from exc
