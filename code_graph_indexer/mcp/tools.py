"""The tools of the server: what each takes, and the reading of the arguments that a client sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from code_graph_indexer.errors import UsageError
from code_graph_indexer.outside import number_of

MAX_TOKENS, MIN_TOKENS = 6_000, 500
"""The most and the least tokens of a reply. Some hosts write replies above 25,000 characters to a file."""

INSTRUCTIONS = """\
cgi knows this code base: definitions, calls with their certainty, tests, history. Its index follows the files on disk, so \
quoted lines are current: edit from them, do not read them again.
Use `explore` before grep or reading files whenever you ask how something works, who calls it, how A reaches B, or where \
to change something: one call replaces many. With a question, always give `expect`: names and words that such code would \
use. Use `impact` before you change a definition, and before you commit, for what \
breaks and the tests to run."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a tool: a text, or a whole number if `is_number`."""

    name: str
    description: str = ""
    is_number: bool = False
    is_required: bool = False

    @property
    def default(self) -> str | int:
        """Return the value of an argument that is left out, or null."""
        return 0 if self.is_number else ""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the argument."""
        schema: dict[str, Any] = {"type": "integer" if self.is_number else "string"}
        if self.description:
            schema["description"] = self.description
        return schema if self.is_required else {**schema, "default": self.default}

    def read(self, tool: str, value: object) -> str | int:
        """Return a value that a client sent. Raises UsageError if it is of another type."""
        if self.is_number and isinstance(value, str | float) and not isinstance(value, bool):
            # Models write numbers as texts, and some clients as 4000.0.
            number = number_of(str(value).strip().removesuffix(".0"))
            value = value if number is None else number
        if isinstance(value, bool) or not isinstance(value, int if self.is_number else str):
            kind = "a whole number" if self.is_number else "a text"
            raise UsageError(f"`{self.name}` of {tool} is {kind}, not {str(value)[:MAX_SHOWN]!r}")
        return value


MAX_SHOWN = 80
"""The most characters of a wrong value that an error repeats."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the server."""

    name: str
    description: str
    arguments: Sequence[Argument]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": {argument.name: argument.schema() for argument in self.arguments},
            "required": [argument.name for argument in self.arguments if argument.is_required],
            "additionalProperties": False,
        }

    def read(self, sent: Mapping[str, object]) -> dict[str, Any]:
        """Return the value of each argument. Null counts as left out.

        Raises UsageError, which names the arguments that the tool takes, for one that it does not take, or lacks.
        """
        names = [argument.name for argument in self.arguments]
        for name in sent:
            if name not in names:
                close = get_close_matches(name.lower(), names, n=1)
                hint = f"Did you mean `{close[0]}`? " if close else ""
                raise UsageError(f"{self.name} takes no argument {name[:MAX_SHOWN]!r}. {hint}{self._takes()}")
        return {argument.name: self._value(argument, sent.get(argument.name)) for argument in self.arguments}

    def _value(self, argument: Argument, value: object) -> str | int:
        """Return the value of an argument, checked, or its default for None. Raises UsageError if it is required or wrong."""
        if value is not None:
            return argument.read(self.name, value)
        if argument.is_required:
            raise UsageError(f"{self.name} needs `{argument.name}`. {self._takes()}")
        return argument.default

    def _takes(self) -> str:
        *names, last = (f"`{argument.name}`" for argument in self.arguments)
        return f"It takes {', '.join(names)} and {last}."


_SHARED = (
    Argument("repo", "Name or path of the repository or worktree; needed only if you work in several."),
    Argument(
        "budget",
        f"Most tokens of the reply ({MIN_TOKENS} to {MAX_TOKENS}); default by size of the repository.",
        is_number=True,
    ),
)

EXPLORE = Tool(
    "explore",
    """\
Understand code in one call. `query`: a question ("how are sessions saved?"), names ("Cart.total add_tax"), \
"A -> B" (how A reaches B), "who calls X", "what does X call", "tests of X", "implementations of X", a file, \
"path:10-40", a stack trace, an option or message ("--dry-run"), or "where do I add an option, such as --dry-run?". \
Filters: lang:go path:src/* -test:yes.
`expect`: four to eight names and words that such code would use. They find it; a question in plain words alone finds \
little: query "what goes when memory is full?", expect "evict lru maxmemory policy cache size".
Returns the structure (calls, callers, callees, tests, classes), then whole definitions as number<TAB>line, then what was \
left out and what is not known.""",
    (
        Argument("query", is_required=True),
        Argument("expect", 'For a question, words that code for it would use: "session save store serialize cookie".'),
        *_SHARED,
    ),
)

IMPACT = Tool(
    "impact",
    """\
What a change breaks, how surely, and which tests to run. Give `target` (a definition or file), or `diff` (REV..REV, or \
REV against the working tree). With neither: the uncommitted changes.""",
    (
        Argument("target", "A name (save, Model.save, models.py:save) or a path."),
        Argument("diff", "Git revisions: main..HEAD, or HEAD~1."),
        *_SHARED,
    ),
)

TOOLS = {tool.name: tool for tool in (EXPLORE, IMPACT)}
