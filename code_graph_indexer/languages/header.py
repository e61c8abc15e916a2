"""The keys that the header of a language file may have: one table, from which `Language` is read and documented.

Each field of `Language` is a key of the header, with its type, meaning, example and default. To add a key, add a field.
An underscore in the field's name is a hyphen in the header.
"""

# ruff: noqa: RUF009 - the functions called in `Language` describe fields, as `dataclasses.field` does.

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeVar

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages.scan import check_gaps

BLANK_MARK = "␠"
"""The sign for a blank at the start or end of a value, where real blanks are stripped."""

INHERITS = "inherits"
"""The key that lists the languages from which a language inherits its header and query."""

EXPRESSION, LIKE = "expression", "like "
"""The key with the roles of nodes, and the word before a language whose rows it takes over."""

STEPS = {
    "call": "an object is called",
    "item": "it is indexed",
    "each": "a loop over it starts",
    "next": "the loop takes an element",
    "enter": "it is entered (`with`)",
    "exit": "it is left",
    "deref": "it lacks a member, which the method's result then has",
    "missing": "a method of it is called that it lacks",
    "static": "a method of the class itself is called that it lacks",
    "store": "an entry is set",
    "remove": "an entry is removed",
    "fill": "it is made with entries in braces",
    "contains": "it is searched (`in`)",
    "equals": "it is compared (`==`)",
    "size": "its size is asked for",
    "truth": "it is a condition",
    "text": "it becomes a text",
    "shown": "it is shown to developers",
}
"""The steps of code that may run methods of an object without naming them, each with what it is."""

PLACES = {
    "class": "members of the classes around",
    "modules": "modules by their full name, which has a capital letter",
    "file": "definitions of the file",
    "imports": "what an import binds",
    "peers": "the other files of the module",
    "around": "those, and the files of the modules around",
    "below": "modules below the own one, before those of the full name",
    "top": "the files that declare no module",
    "stars": "files imported whole",
    "used": "functions of modules imported whole",
    "helpers": "functions of the files that `helpers` names",
    "global": "the only definition anywhere",
    "macros": "the nearest macro anywhere",
    "dotted": "definitions of the module by their names with all dots, and of the module that the first words import",
}
"""The places where a language may look a name up, each with what is found there."""

TAGS = "tags"
"""The word of the key `template` for where the code of a template stands that has a language of its own."""

TEMPLATE_WORDS = {
    TAGS: "the code that no grammar reads, by groups",
    "calls": "a call",
    "references": "a name passed on",
    "reads": "a name shown",
    "imports": "another template, with the groups `names` or `alias`, or `star` if all its functions are seen",
    "binds": "a variable, with its `type`, its `value` or the list `each`",
    "opens": "a block in which names that begin with a dot belong to its `value`, or to an element of `each`",
    "closes": "the end of a block, or `else`",
    "context": "a template that gets `value` as a whole",
    "defines": "a function, which is the match, or what the name of its group says, such as `class`",
    "declares": "what the definition around declares, as frameworks do",
    "serves": "what it answers",
    "named": "another name of it",
    "entry": "what runs `handler`",
    "apply": "a helper",
    "link": "the name of a route or definition",
    "view": "the name of a template",
    "route": "a route, with the groups `verb` and `handler`",
    "mount": "the prefix of the routes in the file or class `handler`",
}
"""What a line of the key `template` tells, by its first word."""

TEMPLATE_MEANING = (
    "What a template uses outside of `script`, by its group. The first match at a place counts. The words are "
    f"{', '.join(f'`{word}`: {what}' for word, what in TEMPLATE_WORDS.items())}."
)

R = TypeVar("R", bound=type)

_CAPTURE = re.compile(r"@([a-z][\w.]*)")
_HEADER_LINE = re.compile(r"^; ([\w-]+):(?: (.*))?$")
_NEARLY_A_HEADER_LINE = re.compile(r"^[;#\s]*([\w-]+)\s*:\s")


_SPELLINGS = {
    "null_words": "null",
    "self_names": "self",
    "self_types": "self-type",
    "super_names": "super",
    "reexports": "re-exports",
}
"""The keys of fields whose names differ: a field must be a noun, and Python code uses `self` already."""


class HeaderKey(NamedTuple):
    """A key that a header may have, with its type and meaning for the reference page.

    `read` turns the text of the value into the field's value, or raises ValueError with the reason. If `repeats`, the
    key may occur on several lines. Their texts are then joined by line ends.
    """

    type: str
    meaning: str
    example: str
    read: Callable[[str], object]
    repeats: bool


class Entry(NamedTuple):
    """A value as written in a header, with its language file and its line, counted from 1."""

    file: str
    line: int
    text: str


Header = dict[str, Entry]
"""The entries of one header, by key."""


def _key(
    key_type: str,
    meaning: str,
    example: str,
    *,
    read: Callable[[str], object],
    default: object,
    repeats: bool = False,
) -> Any:
    """Return a field of `Language` that is read from a header key of any type."""
    key = HeaderKey(key_type, meaning, example, read, repeats)
    return field(default=default, init=False, repr=False, metadata={"key": key})


def _words(meaning: str, example: str, default: str = "", *, count: int | None = None) -> Any:
    """Return a field for a key whose value is a list of words, `count` of them if given. Their order matters."""

    def read(text: str) -> tuple[str, ...]:
        words = tuple(text.split())
        if count not in (None, len(words)):
            raise ValueError(f"must be {count} words")
        return words

    return _key("words", meaning, example, read=read, default=tuple(default.split()))


def _places(meaning: str, example: str) -> Any:
    """Return a field for a key whose value is some of `PLACES`, in the order in which a name is looked up."""

    def read(text: str) -> tuple[str, ...]:
        places = tuple(text.split())
        if unknown := [place for place in places if place not in PLACES]:
            raise ValueError(f"has the place {unknown[0]!r}; a place may be {', '.join(PLACES)}")
        return places

    meaning += ", ".join(f"`{place}`: {what}" for place, what in PLACES.items()) + "."
    return _key("words", meaning, example, read=read, default=("file", "imports", "peers", "stars"))


def _set(meaning: str, example: str, default: str = "") -> Any:
    """Return a field for a key whose value is words separated by blanks, in any order."""
    return _key("set", meaning, example, read=lambda text: frozenset(text.split()), default=frozenset(default.split()))


def _flag(meaning: str) -> Any:
    """Return a field for a key that is `yes` or `no`, by default `no`."""
    return _choice(meaning, {"yes": True, "no": False}, default=False)


def _choice(meaning: str, choices: Mapping[str, object], *, default: object, example: str = "yes") -> Any:
    """Return a field for a key with a few allowed values. `choices` maps each text to the field's value."""

    def read(text: str) -> object:
        if text not in choices:
            raise ValueError(f"is {text!r}; it may be {' or '.join(choices)}")
        return choices[text]

    return _key(" or ".join(choices), meaning, example, read=read, default=default)


def _text(meaning: str, example: str, default: str = "") -> Any:
    """Return a field for a key whose value is one text."""
    return _key("text", meaning, example, read=lambda text: text.replace(BLANK_MARK, " "), default=default)


def _compiled(text: str) -> re.Pattern[str]:
    """Compile a regular expression. Raises ValueError if the text is not one."""
    try:
        return re.compile(text)
    except re.error as exc:
        raise ValueError(f"is no regular expression: {exc}") from exc


def _pattern(meaning: str, example: str) -> Any:
    """Return a field for a key whose value is a regular expression."""
    return _key("pattern", meaning, example, read=_compiled, default=None)


def _text_pattern(meaning: str, example: str, *, check: Callable[[bytes], None] | None = None) -> Any:
    """Return a field for a key whose value is a regular expression for the bytes of a file, where `^` begins a line."""

    def read(text: str) -> re.Pattern[bytes]:
        if check:
            check(text.encode())
        return re.compile(_compiled(text).pattern.encode(), re.MULTILINE)

    return _key("pattern", meaning, example, read=read, default=None)


def _patterns(meaning: str, example: str) -> Any:
    """Return a field for a key that may repeat, with one regular expression per line.

    The field keeps texts. `blank_patterns` compiles them.
    """
    return _key("patterns", meaning, example, read=lambda text: tuple(text.splitlines()), default=(), repeats=True)


def _rows(meaning: str, example: str) -> Any:
    """Return a field for a key that may repeat, with a list of words per line."""
    return _key("rows", meaning, example, read=lambda text: tuple(text.splitlines()), default=(), repeats=True)


def _steps(meaning: str, example: str) -> Any:
    """Return a field for a key that may repeat, with one of `STEPS` and names of methods per line."""

    def read(text: str) -> tuple[tuple[str, ...], ...]:
        rows = tuple(tuple(line.split()) for line in text.splitlines())
        for step, *_ in rows:
            if step not in STEPS:
                raise ValueError(f"has the step {step!r}; a step may be {', '.join(STEPS)}")
        return rows

    meaning += ", ".join(f"`{step}`: {what}" for step, what in STEPS.items()) + "."
    return _key("rows", meaning, example, read=read, default=(), repeats=True)


def _lists(meaning: str, example: str) -> Any:
    """Return a field for a key whose value is several lists of words, separated by `|`."""
    return _key(
        "lists",
        meaning,
        example,
        read=lambda text: tuple(tuple(words.split()) for words in text.split("|")),
        default=(),
    )


def _pairs(
    key_type: str,
    meaning: str,
    example: str,
    *,
    first: str,
    repeats: bool = True,
    words: Sequence[str] = (),
    check: Callable[[bytes], None] | None = None,
) -> Any:
    """Return a field for a key with a text (`first` says which), a blank and a regular expression, on one line or on several.

    The field keeps pairs of texts, or the one pair of a key that does not repeat. With `words`, the first text is one of them.
    """

    def read(text: str) -> object:
        pairs = tuple((word, pattern) for word, _, pattern in (line.partition(" ") for line in text.splitlines()))
        for word, pattern in pairs:
            if not pattern or (words and word not in words):
                raise ValueError(f"must be {first}, a blank and a regular expression")
            _compiled(pattern)
            if check:
                check(pattern.encode())
        return pairs if repeats else pairs[0]

    return _key(key_type, meaning, example, read=read, default=() if repeats else None, repeats=repeats)


class TemplateLines(NamedTuple):
    """The compiled lines of the key `template`.

    `tags` is the pattern of the code in a template that has a language of its own, or None. `patterns` has the other lines.
    """

    tags: re.Pattern[bytes] | None
    patterns: tuple[tuple[str, re.Pattern[bytes]], ...]

    @classmethod
    def of(cls, lines: Sequence[tuple[str, str]]) -> "TemplateLines":
        """Compile the lines."""
        patterns = [(word, re.compile(pattern.encode(), re.MULTILINE)) for word, pattern in lines]
        tags = next((pattern for word, pattern in patterns if word == TAGS), None)
        return cls(tags, tuple(line for line in patterns if line[0] != TAGS))


def _template() -> Any:
    """Return the field for the key with the lines that read a template."""
    words, example = tuple(TEMPLATE_WORDS), r"calls <([A-Z]\w*)"
    return _pairs(
        "word and pattern", TEMPLATE_MEANING, example, first=f"one of {', '.join(words)}", words=words, check=check_gaps
    )


OWN_CLASS = "<class>"
"""The word in a language file for a constructor that has the name of its class."""


class TreeWords(NamedTuple):
    """The words for the root of a tree of modules, for the module itself and for its parent."""

    root: str = ""
    own: str = ""
    parent: str = ""


@cache
def header_keys(record: type) -> dict[str, HeaderKey]:
    """Return the allowed header keys by name, in the order of the fields of `Language` or `Framework`."""
    return {
        _SPELLINGS.get(spec.name, spec.name.replace("_", "-")): spec.metadata["key"]
        # `name` and `query` come from the file itself and are no keys.
        for spec in fields(record)
        if spec.metadata
    }


@cache
def _field_names(record: type) -> dict[str, str]:
    """Map each header key to the name of its field of a record."""
    names = (spec.name for spec in fields(record) if spec.metadata)
    return dict(zip(header_keys(record), names, strict=True))


# No slots here: values and the cached properties below are stored in the instance's `__dict__`.
@dataclass(frozen=True, kw_only=True, eq=False)
class Described:
    """What a .scm file describes. A field that is a key of its header is read at its first use: then GrammarError is raised.

    `name` is the name of the file without its ending. `query` is its text, followed by the text of each file that it
    inherits from.
    """

    name: str
    query: str
    header: Header = field(repr=False)


class _Value:
    """A field that is read from a header at its first use: a command needs few keys of few languages."""

    def __init__(self, name: str, key: str, default: object) -> None:
        self._name, self._key, self._default = name, key, default

    def __get__(self, record: Described | None, owner: type) -> object:
        entry = record.header.get(self._key) if record else None
        value = read_value(self._key, entry, owner) if entry else self._default
        if record:
            # Python looks here before it asks this descriptor.
            vars(record)[self._name] = value
        return value


def _read_at_use(record: R) -> R:
    """Decorate `Language` or `Framework`, so that each field with a key is read from `header` at its first use."""
    for key, name in _field_names(record).items():
        # A dataclass keeps the default of a field as an attribute of the class.
        setattr(record, name, _Value(name, key, getattr(record, name)))
    return record


@_read_at_use
@dataclass(frozen=True, kw_only=True, eq=False)
class Language(Described):
    """A language, as the header of its .scm file describes it."""

    grammar: str = _text(
        "The module of the grammar wheel, with the function when it is not `language`.",
        "tree_sitter_typescript:language_tsx",
    )
    inherits: tuple[str, ...] = _words(
        "Languages whose header and query this language inherits. Its own keys win, and its own patterns come first.",
        "base_language",
    )
    source_type: str = _choice(
        "What the files contain.", {kind: kind for kind in ("code", "markdown", "text")}, default="code", example="text"
    )
    family: str = _text(
        "A name shared by languages whose functions call each other. By default the last parent's, else the own.", "jvm"
    )
    extensions: tuple[str, ...] = _words("Endings of the language's files.", ".py .pyi")
    content: tuple[tuple[str, str], ...] = _pairs(
        "word and pattern",
        "What the top of a file with this ending must match. A language that matches goes before a language without the "
        "key.",
        r".pl ^(?:use|my|sub)\b",
        first="the ending of a file",
    )
    parsed_as: tuple[str, ...] = _words(
        "An ending and the language as which files with it are parsed, because its grammar reads them better.",
        ".h cpp",
    )
    filenames: tuple[str, ...] = _words("Names of files that have no extension of the language.", "SConstruct")
    shebangs: tuple[str, ...] = _words("Programs in the first line (`#!`) of the language's scripts.", "python3")
    tests: tuple[str, ...] = _words("Gitignore patterns of test files.", "test_*.py tests/")
    wrappers: frozenset[str] = _set(
        "Node types around a definition that belong to it, such as decorators and `export`.", "decorated_definition"
    )
    blank: tuple[str, ...] = _patterns(
        "Text that is replaced by blanks before parsing, such as a preprocessor's lines. If the pattern has "
        "groups, only the groups that match are replaced. The group `use` is the name of a macro that is used there.",
        r"^[ \t]*#.*$",
    )
    item_chains: frozenset[str] = _set(
        "Macros that choose between definitions: `if`, `else if` and `else` with definitions in braces.", "cfg_if"
    )
    twins: re.Pattern[str] | None = _pattern(
        "How a statement begins that chooses between functions of one name. Functions that begin so need no such statement.",
        r"(?:if|try)\b",
    )
    notebooks: tuple[str, ...] = _words("Endings of notebooks, whose code cells are read as one file.", ".book")
    script: re.Pattern[bytes] | None = _text_pattern(
        "The code in a file of another kind, such as a component. Each group is code, all else template.",
        r"(?s)<script>(.*?)</script>",
        check=check_gaps,
    )
    embedded: tuple[tuple[str, str], ...] = _pairs(
        "language and pattern",
        "Code of another language inside of texts: the language, and a pattern whose group is the code.",
        r'heex (?s)~H"""(.*?)"""',
        first="a language",
        check=check_gaps,
    )
    helpers: re.Pattern[str] | None = _pattern(
        "The paths of the files whose functions a template calls by their name alone. See `lookup`.", "^app/helpers/"
    )
    behind: tuple[tuple[str, str], ...] = _pairs(
        "name and pattern",
        "The class whose object a template belongs to, by the path of the template. A group with a capital letter is written "
        "in camel case. The first class that the repository has counts.",
        r"{Name}Controller app/views/(?P<Name>.+)/[^/]+",
        first="a name",
    )
    template: tuple[tuple[str, str], ...] = _template()
    macro_use: re.Pattern[bytes] | None = _text_pattern(
        "A use of a macro outside of functions. Its group is the name.",
        r"^([A-Z]+)\(\w+\)$",
    )
    condition: re.Pattern[bytes] | None = _text_pattern(
        "A directive, by its group: `set` and `unset` begin a branch for a name, `other` begins one, `else`, `end`, and "
        "`defined` for a name that the file defines. A broken piece of a file is then read with only the first branch of each.",
        r"#if (?P<set>\w+)",
    )
    cut: re.Pattern[bytes] | None = _text_pattern(
        "The end of a piece of a file, where a file with syntax errors is cut. A match with a group opens a scope.",
        r"^\}[ \t]*\n",
    )
    mend: tuple[tuple[str, str], ...] = _pairs(
        "mends",
        "What replaces the group of a pattern on broken lines, filled with blanks, if fewer bytes are then broken.",
        r"␠ \b(ref )(?=partial\b)",
        first="a replacement",
    )
    body_start: re.Pattern[bytes] | None = _text_pattern(
        "What stands before the body of a function that the grammar reads only in part. Its group is the mark before and "
        "behind the body.",
        r"(?i)\bas\s+(\$\w*\$)",
    )
    body_filling: str = _text("With `body-start`, what the grammar reads in the place of the body.", "SELECT 1")
    body_names: re.Pattern[bytes] | None = _text_pattern(
        "With `body-start`, a name in such a body: the groups `call` and `value`. A match without them is passed over.",
        r"--.*|(?P<call>\w+)\(|from (?P<value>\w+)",
    )
    flat_functions: bool = _flag("No function may contain another one.")

    self_names: frozenset[str] = _set("Receivers that mean an instance of the enclosing class.", "self")
    self_types: frozenset[str] = _set("Receivers and types that mean the enclosing class.", "cls Self")
    super_names: frozenset[str] = _set("Receivers that mean the bases of the enclosing class.", "super()")
    class_members: frozenset[str] = _set(
        "Members of a class or of its objects whose value is the class, or a new object of it.", "__class__ new"
    )
    class_getters: frozenset[str] = _set(
        "Those of `class-members` whose value is the class. The others make an object.", "class"
    )
    type_of: tuple[str, ...] = _words(
        "Generic types whose value is a class, namely their argument: `type[Cart]`.", "type Class"
    )
    doc_types: tuple[str, ...] = _patterns(
        "A type that a comment declares, with the groups `type` and `name` for a variable, or `result` for a function. "
        "The groups `variable` and `bound` are a type variable.",
        r"@param\s+(?P<type>\w+)\s+(?P<name>\w+)",
    )
    vague_types: frozenset[str] = _set(
        "Declared types that say less than a comment or the value does.", "array iterable auto"
    )
    type_decoration: re.Pattern[str] | None = _pattern(
        "Words and marks in the text of a type that do not change which type it is.", r"\b(?:final|static)\s+(?=\S)"
    )
    wrapper_types: frozenset[str] = _set(
        "Generic types that pass calls on to their argument, where the repository has no type of that name.",
        "Optional Future",
    )
    union_types: frozenset[str] = _set("Generic types whose arguments are alternatives.", "Union")
    function_types: frozenset[str] = _set(
        "Words for the types of functions, as in `Callable[[A], B]` or `func(A) B`.", "Callable"
    )
    type_words: frozenset[str] = _set(
        "Words that begin the types of maps, `map[K]V`, and of channels, `chan T`.", "map chan"
    )
    loops_over: str = _choice(
        "What a loop with one variable over a map gives, or over anything that is no channel: `positions`.",
        {value: value for value in ("keys", "values", "pairs", "positions")},
        default="keys",
        example="pairs",
    )
    implicit_super: bool = _flag("A constructor calls the constructor of its base without naming it.")
    constructors: tuple[str, ...] = _words(
        "Methods that run when a class is instantiated. `<class>` is a method with the name of its class.",
        "__init__ __new__",
    )
    open_types: bool = _flag("Methods of a type may be in other files than the type.")
    bracket_types: tuple[str, ...] = _words("Names of the types `[T]` and `[K: V]`.", "Array Dictionary")
    split_types: bool = _flag("A type may be written in several files, each with a part of its bases and members.")
    table_types: bool = _flag("A variable that functions are put into, as in `M.turn = function`, is a type.")
    linear_bases: str = _choice(
        "Methods are looked up in the bases in C3 order, depth first where no base stands twice, from the `first` or the "
        "`last` base that the class names.",
        {value: value for value in ("first", "last")},
        default="",
        example="last",
    )
    late_members: bool = _flag(
        "A method may call a method of its object that only classes below its own class have, as in mixins."
    )
    members_outside: tuple[tuple[str, str], ...] = _pairs(
        "kind and pattern",
        "Members that code around their type sees by their name alone: their kind, and the signature of the type.",
        "enum_member ^enum (?!class)",
        first="the kind of a definition",
    )
    extension_methods: bool = _flag("Functions may be called as methods of a type that they do not belong to.")
    structural: bool = _flag(
        "A type implements an interface if it has the methods of the interface, without naming it."
    )
    functions_apart: bool = _flag("A variable does not hide a function of the same name: `name()` calls the function.")
    pointers: bool = _flag(
        "A pointer may point at the first of several values: `p[1]` has the type of the value that `p` points at."
    )
    type_calls: str = _choice(
        "What the call of a type does. One that `converts` a value is a reference, not a call. Where it does `nothing`, a "
        "function has the name too, and is called.",
        {value: value for value in ("creates", "converts", "nothing")},
        default="creates",
        example="converts",
    )

    lookup: tuple[str, ...] = _places(
        "Where a name is looked up that no function around binds, in this order. ", "class imports file peers stars"
    )
    declarations: str = _choice(
        "What a function without a body is: `no` has no definition elsewhere, `linked` is defined in any file, first in "
        "those that include the declaration's file, `module` is defined in another file of the same module.",
        {value: value for value in ("no", "linked", "module")},
        default="no",
        example="linked",
    )
    declaration_files: tuple[str, ...] = _words(
        "Endings of files that only declare: nothing in them is a definition.", ".stub"
    )
    local_functions: re.Pattern[str] | None = _pattern(
        "The start of the signature of a function that only its own file, and files that include it, can call.",
        r"static\b",
    )
    hidden_in: re.Pattern[str] | None = _pattern(
        "What a file begins with whose hidden definitions are its own. Other files are read into others.", "#!"
    )
    called_from_outside: re.Pattern[str] | None = _pattern(
        "Texts in or above the head of a function that something outside of the code calls.", r"\bdestructor\b"
    )
    hidden: re.Pattern[str] | None = _pattern(
        "Definitions that no other repository can use, by their kind, name and signature with blanks between, and their path "
        "on a second line.",
        r"^function \S+ static\b",
    )
    type_suffixes: tuple[str, ...] = _words(
        "Endings of the names of types that code may leave out, as `[Route]` for `RouteAttribute`. Only attributes are "
        "written so.",
        "Attribute",
    )
    types_first: bool = _flag("In a tuple type, the type of a part stands before its name: `(int total, bool late)`.")
    reexports: bool = _flag("Other files can import the names that a file imports.")
    default_export: str = _text(
        "The name under which a module exports its whole value, as `export default` does.", "default"
    )
    module_calls: frozenset[str] = _set(
        "Functions whose value is the module that their text names, or any value where they get no text.", "require"
    )

    modules: str = _choice(
        "How a file's module is named: `path` by folders and stem, `folder` by its folder, `declared` by the "
        "capture `@module`, `file` not at all, `stem` by its capitalised stem, which other files see without an "
        "import.",
        {value: value for value in ("path", "folder", "declared", "file", "stem")},
        default="file",
        example="path",
    )
    import_lookup: str = _choice(
        "How an import finds files: `path` by a file path, `name` by the name of a module, `tree` down a tree of "
        "modules from its root, the module itself or its parent, `stem` by the stem of a file, `view` by the end of the path "
        "of a template.",
        {value: value for value in ("path", "name", "tree", "stem", "view")},
        default="path",
        example="tree",
    )
    tree_words: tuple[str, ...] = _words(
        "With `import-lookup: tree`, the words for the root of the tree, the module itself and its parent.",
        "crate self super",
        count=3,
    )
    root_files: tuple[str, ...] = _words(
        "With `import-lookup: tree`, the files at which a tree of modules begins: stems of files, and folders beside a "
        "manifest, each of whose files begins a tree.",
        "lib main tests/",
    )
    index: frozenset[str] = _set("Stems of module index files, which represent their folder.", "__init__")
    roots: frozenset[str] = _set("Leading folders outside of a module's name. `.`: paths begin at the root.", "src lib")
    import_separator: str = _text("The text between the words of an imported module's name.", "::", "/")
    import_prefix: str = _text(
        "The prefix of an import that names a file by the name in a manifest. Elsewhere a leading dot tells the two apart.",
        "package:",
    )
    import_decoration: re.Pattern[str] | None = _pattern(
        "The part of an import's text that is not part of the name that it binds.", r"[/.]v\d+$"
    )
    relative: str = _text("The prefix that makes an import relative to the importing file.", ".")
    binds: str = _choice(
        "What an import without alias binds: the `first` or `last` word of the module's name, or `all` "
        "definitions of the module.",
        {value: value for value in ("first", "last", "all")},
        default="last",
        example="first",
    )
    manifest: tuple[tuple[str, str], ...] = _pairs(
        "word and pattern",
        "The name of a file, and a pattern that finds in it by its groups: `name`, by which the repository imports itself, "
        "`root`, a file at which a tree of modules begins, or `alias`, another name for a `package`.",
        r"go.mod ^module\s+(?P<name>\S+)",
        first="a file's name",
    )
    aliases: tuple[str, ...] = _words(
        "Names of files that define other names for folders, as `paths` in tsconfig.json does. A `*` matches any text.",
        "tsconfig.json",
    )

    variadic: frozenset[str] = _set(
        "Words by which a parameter takes any number of arguments. A language with such words tells overloads apart.",
        "vararg ...",
    )
    type_mark: str = _text("The mark between a parameter and its type, if it is not a single colon.", "::")
    labels: bool = _flag(
        "Arguments bear the labels of their parameters, which tell overloads apart: `work(flag: true)`, `[file load:x from:y]`."
    )
    clauses: str = _choice(
        "How a function is written in several clauses: those with the same number of parameters are `parts`, each a "
        "definition of its own, or those that follow each other are one definition, the `whole`.",
        {value: value for value in ("parts", "whole")},
        default="",
        example="parts",
    )
    defaults_elsewhere: frozenset[str] = _set(
        "Modifiers of a function whose parameters have their defaults in another declaration. `*` means any function.",
        "override",
    )
    capital_methods: bool = _flag(
        "Methods begin with a capital letter, so that a capital letter does not make a name rare."
    )
    platform_bases: frozenset[str] = _set(
        "Types of the platform that many of its types inherit from. What extends them may be called on any of its objects.",
        "Iterable Collection",
    )
    any_type: frozenset[str] = _set(
        "Types that every value has. An argument of unknown type fits an overload with such a parameter best.", "Object"
    )
    literal_types: tuple[tuple[str, ...], ...] = _lists(
        "Types as which a text, a character, a whole number, a fraction and a truth value may be passed, the most "
        "likely first. Further lists begin with another type of that kind.",
        "String | char | int long | double | boolean",
    )
    text_calls: tuple[str, ...] = _words("Endings of call expressions whose value is a text.", ".toString()")

    reserved: frozenset[str] = _set(
        "Words of the language that are no names. Macros and code that the grammar misreads may use them as such.",
        "sizeof",
    )
    super_calls: frozenset[str] = _set(
        "Words that call the method of the same name in a base. Elsewhere such a word names the base, and the method follows.",
        "super",
    )

    runs: tuple[tuple[str, ...], ...] = _steps(
        "A step of code that runs methods of an object without naming them, and their names. The steps are ",
        "enter __enter__ __aenter__",
    )
    reflective: frozenset[str] = _set("Functions that look a member up by a name that code puts together.", "getattr")
    getter: re.Pattern[str] | None = _pattern(
        "Signatures of methods that run when a member is read or assigned without brackets.", r"^@property\b"
    )

    computed_members: frozenset[str] = _set(
        "Members that an object may have got in a loop over their names, as `app[method] = function`.", "get post"
    )
    common: frozenset[str] = _set(
        "Names that the standard library has too. A call of such a name on an unknown receiver is never guessed.",
        "toString",
    )
    platform: frozenset[str] = _set(
        "Functions of the platform's library. A macro or a mere declaration with such a name does not define it.",
        "memcpy",
    )

    null_words: frozenset[str] = _set("Words for the missing value, and types without a value.", "null undefined void")
    expression: tuple[str, ...] = _rows(
        "The role of types of nodes in expressions, the types, and where the parts of such a node stand.",
        "member attribute object attribute",
    )
    alternative_operators: frozenset[str] = _set("Operators whose value is one of their operands.", "or", "|| ?? ?:")
    implicit_parameter: str = _text("The name of the first parameter of a function that declares none.", "it")
    lends_self: frozenset[str] = _set(
        "Functions that run the function that they are given as a method of their object, or of their first argument.",
        "apply with",
    )
    cast_ending: str = _text(
        "The end of the names of functions that cast, as in `cast(T, x)` and `static_cast<T>(x)`.", "cast"
    )
    comparisons: frozenset[str] = _set(
        "Operators whose value is a truth value.", "== === instanceof", "== != < > <= >= && ||"
    )
    operators: tuple[str, ...] = _words(
        "Operators of two values, each with the method of the first value that gives the result.", "+ __add__"
    )
    truth_values: frozenset[str] = _set("Words for the two truth values.", "true false", "true false")

    def casts(self, name: str) -> bool:
        """Say whether a function of this name is a cast."""
        return bool(self.cast_ending) and name.endswith(self.cast_ending)

    @property
    def separator(self) -> str:
        """Return the text between the parts of a qualified name. Headings have dots in them."""
        return " › " if self.source_type == "markdown" else "."

    @cached_property
    def embedded_patterns(self) -> tuple[tuple[str, re.Pattern[bytes]], ...]:
        """Return the languages and compiled patterns of `embedded`."""
        return tuple((name, re.compile(pattern.encode(), re.MULTILINE)) for name, pattern in self.embedded)

    @cached_property
    def template_lines(self) -> TemplateLines:
        """Return the compiled patterns of `template`."""
        return TemplateLines.of(self.template)

    @cached_property
    def is_template(self) -> bool:
        """Say whether files are templates, which code shows by their names."""
        return self.script is not None or self.template_lines.tags is not None

    @cached_property
    def tree(self) -> TreeWords:
        """Return the words of `tree_words`, or empty texts."""
        return TreeWords(*self.tree_words)

    @cached_property
    def implicit_self(self) -> bool:
        """Return whether a bare `f()` in a method may call a method of its class."""
        return "class" in self.lookup

    def is_seen_outside(self, kind: str, signature: str | None = None) -> bool:
        """Say whether code around a type sees its members of a kind. Without the signature of the type, say if it may."""
        return any(
            kind == outside and (signature is None or re.search(pattern, signature))
            for outside, pattern in self.members_outside
        )

    @cached_property
    def full_names(self) -> bool:
        """Return whether a module is seen in all files by its full name, which has a capital letter."""
        return "modules" in self.lookup

    @cached_property
    def super_functions(self) -> frozenset[str]:
        """Return the names of functions whose call means the bases of a class, such as `super` in Python."""
        return frozenset(name.removesuffix("()") for name in self.super_names if name.endswith("()"))

    @cached_property
    def operator_methods(self) -> dict[str, str]:
        """Map each operator of `operators` to the name of the method behind it."""
        return dict(zip(self.operators[::2], self.operators[1::2], strict=False))

    @cached_property
    def captures(self) -> frozenset[str]:
        """Return the names of the captures of the query. What a language captures, it has: `entry`, `static`, `typevar`."""
        return frozenset(_CAPTURE.findall(self.query))

    @cached_property
    def object_literals(self) -> bool:
        """Return whether functions in `{…}` are members of the object that the braces write."""
        return any(row.startswith("object ") for row in self.expression)

    @cached_property
    def counts_type_arguments(self) -> bool:
        """Say whether the number of type arguments belongs to the name of a type, as in C#: a type may be in several parts."""
        return self.split_types and bool(self.variadic) and "typevar" in self.captures

    @cached_property
    def protocols(self) -> dict[str, tuple[str, ...]]:
        """Map each of `STEPS` to the names of the methods that it runs."""
        return {**dict.fromkeys(STEPS, ()), **{step: tuple(names) for step, *names in self.runs}}


@_read_at_use
@dataclass(frozen=True, kw_only=True, eq=False)
class Framework(Described):
    """A framework, as the header of its .scm file describes it: how it learns of the code that it calls."""

    languages: tuple[str, ...] = _words("The languages of the files that are searched.", "javascript typescript")
    inherits: tuple[str, ...] = _words(
        "Frameworks whose queries, but not keys, count for this framework too.", "express"
    )
    mark: re.Pattern[str] | None = _pattern(
        "A text that a file has if it uses the framework. Without it, all files with a fitting `path` are read.",
        r"@[\w.]+\.route\(",
    )
    imported: re.Pattern[str] | None = _pattern(
        "A text that tells the framework from others that look alike, such as its import. If a file lacks it, others tell.",
        r"\bfrom flask\b|\bimport flask\b",
    )
    path: re.Pattern[str] | None = _pattern(
        "The path of a file that the framework reads. Its first group that matches is the name of what the file registers, "
        "and the group `verb` its method.",
        r"^app/(.*/)?route\.ts$",
    )
    cut: re.Pattern[str] | None = _pattern("A text that is cut from names, and from whole paths.", r"\([^)]*\)/")
    replace: tuple[tuple[str, str], ...] = _pairs(
        "text and pattern",
        r"A text that replaces a pattern in names, before `cut`. `\1` is a group. The key may occur on several lines.",
        r":\1 \$(\w+)",
        first="a text",
    )
    members: tuple[str, ...] = _words("The methods that the framework calls of a class that is registered.", "get post")
    factories: re.Pattern[str] | None = _pattern(
        "The end of an expression that makes the registered function from a class.", r"\.as_view\(\)$"
    )
    text: tuple[str, str] | None = _pairs(
        "file and pattern",
        "The name of a definition for a text, and the pattern of the text. A group with a capital letter is written in "
        "camel case.",
        r"{Name}Controller.{action} (?P<Name>\w+)#(?P<action>\w+)",
        first="a name",
        repeats=False,
    )
    resources: tuple[tuple[str, ...], ...] = _lists(
        "The routes of a resource: verb, path and method of each.", "GET / index | POST / create"
    )
    owner: tuple[str, ...] = _words(
        "A text in names that stands for the class around, and an ending that is cut from the name of the class.",
        "[controller] Controller",
    )
    route_functions: tuple[str, ...] = _words(
        "Endings of the functions that write the path of a route, after the name that its path gives it.", "_path _url"
    )
    fixture_files: tuple[str, ...] = _words(
        "Names of files whose fixtures all code in their folder and below may use.", "conftest.py"
    )
    common: frozenset[str] = _set("Names of events that do not tell which function is meant.", "error data")


def read_header(file: str, text: str, record: type = Language) -> Header:
    """Return the entries of a header, which ends at the first line that is not `; key: value`.

    `record` has the allowed keys: `Language` or `Framework`.

    Raises GrammarError for an unknown key, a key without a value, a key that must not repeat, or a key below the
    header.
    """
    keys = header_keys(record)
    header: Header = {}
    # Both loops share one iterator: the second continues where the header ended.
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        match = _HEADER_LINE.match(line)
        if match is None:
            # The line that ends the header is often a key that was written in another form.
            _refuse_key(file, number, line, record)
            break
        name, value = match[1], (match[2] or "").strip()
        if name not in keys:
            raise GrammarError(f"{file}:{number}: there is no header key {name!r}{_nearest(name, record)}")
        if not value:
            raise GrammarError(f"{file}:{number}: the header key {name!r} has no value")
        if name in header and not keys[name].repeats:
            raise GrammarError(
                f"{file}:{number}: the header key {name!r} stands in line {header[name].line} too; "
                "write its value in one line"
            )
        above = header.get(name)
        header[name] = above._replace(text=f"{above.text}\n{value}") if above else Entry(file, number, value)
    for number, line in lines:
        _refuse_key(file, number, line, record)
    return header


def _refuse_key(file: str, number: int, line: str, record: type) -> None:
    """Raise GrammarError if a line below the header has the form of a header key, because it would be ignored."""
    match = _NEARLY_A_HEADER_LINE.match(line) if line.startswith(";") else None
    if match and match[1].lower() in header_keys(record):
        raise GrammarError(
            f"{file}:{number}: the header key {match[1].lower()!r} stands below the header, which ends at the first line "
            "that is not of the form '; key: value'"
        )


def _nearest(name: str, record: type) -> str:
    """Return the end of an error message: the key most similar to a wrong one, or else all keys."""
    # Fields have underscores and keys have hyphens, so the one is easily written for the other.
    matches = get_close_matches(name.lower().replace("_", "-"), header_keys(record), n=1)
    return f"; did you mean {matches[0]!r}?" if matches else f"; the keys are {', '.join(header_keys(record))}"


def read_value(key: str, entry: Entry, record: type) -> object:
    """Read the value of a key of `Language` or `Framework`. Raises GrammarError if it is wrong."""
    try:
        return header_keys(record)[key].read(entry.text)
    except ValueError as exc:
        raise GrammarError(f"{entry.file}:{entry.line}: the header key {key!r} {exc}") from exc


def default_text(name: str) -> str:
    """Return the default of a key as a header would write it. The text is empty if there is no default."""
    (spec,) = (spec for spec in fields(Language) if spec.name == _field_names(Language)[name])
    if isinstance(spec.default, bool):
        return "yes" if spec.default else "no"
    if isinstance(spec.default, tuple | frozenset):
        # A set has no order of its own, and the reference page must not change from run to run.
        return " ".join(word for word in sorted(spec.default) if isinstance(word, str))
    return str(spec.default or "")
