"""Gitignore patterns, and those of files.toml that say what a file is: ignored, secret, data, test, generated."""

import re
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from code_graph_indexer.languages.registry import languages

_FOLDER_MARK = "ps_d"
"""The group in pathspec's expressions that holds the slash after a matched folder."""

_TRAILING_STARS = re.compile(r"/\*\*/\s*$")
"""`a/**/` means the folders below `a`, which pathspec takes for the files too. `a/**/*/` says the same and is understood."""

_STARTS = ("^(?:.+/)?", "[^/]*")
"""How pathspec's expressions begin: in any folder, and there with any name's start."""

_GROUP_NAME = re.compile(r"\?P<\w+>")


@cache
def _pattern(line: str) -> tuple[str, bool]:
    """Return pathspec's regular expression of a line, and whether it includes what matches.

    The expression is empty when the line is no pattern.
    """
    try:
        expression, include = GitIgnoreSpecPattern.pattern_to_regex(line)
    except ValueError:
        return "", False
    return expression or "", bool(include)


def _one_of(expressions: Iterable[str], group: str = "?:") -> str:
    """Write an expression that matches what any of these does, each in a group. Groups inside of them capture nothing."""
    # Any group inside would shift the numbers by which the caller finds its pattern.
    return "|".join(f"({group}{_GROUP_NAME.sub('?:', expression)})" for expression in expressions)


def _factored(expressions: Iterable[str], starts: Sequence[str] = _STARTS) -> str:
    """Write what `_one_of` writes with each common start once, so that a path is read once and not for each pattern."""
    if not starts:
        return _one_of(expressions)
    expressions = list(expressions)
    inner = [expression.removeprefix(starts[0]) for expression in expressions if expression.startswith(starts[0])]
    other_expressions = [expression for expression in expressions if not expression.startswith(starts[0])]
    parts = [f"{starts[0]}(?:{_factored(inner, starts[1:])})"] if inner else []
    return "|".join([*parts, _one_of(other_expressions)] if other_expressions else parts)


def _first_of(patterns: Iterable[tuple[str, bool]]) -> str:
    """Write an expression that matches at a path's start, with the group of the first pattern that matches anywhere."""
    return _one_of(
        (expression if expression.startswith("^") else f"^(?s:.*?)(?:{expression})" for expression, _ in patterns), ""
    )


def _compiles(expression: str) -> bool:
    """Say whether Python compiles an expression without a warning."""
    try:
        # Git takes `[[a]` as a pattern. Python warns of such sets, as their meaning may change.
        with warnings.catch_warnings(action="error"):
            re.compile(expression)
    except (re.error, FutureWarning):
        return False
    return True


class PathPatterns:
    """Match paths against gitignore patterns. Nearly every path matches none, which a combined expression finds out.

    On Django's 6,900 files this is several times faster than asking pathspec for each path and pattern. A line that is no
    pattern (`!` alone, an unfinished escape) matches nothing, as in git.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = tuple(_TRAILING_STARS.sub("/**/*/", line) for line in lines)

    @cached_property
    def _patterns(self) -> list[tuple[str, bool]]:
        """List the lines that are patterns, last first."""
        patterns = [pattern for pattern in map(_pattern, reversed(self._lines)) if pattern[0]]
        # The expression of `_any`, which is thus compiled once.
        whole = _factored(expression for expression, _ in patterns)
        # One bad pattern spoils the whole. Only then is each tried alone.
        return patterns if _compiles(whole) else [pattern for pattern in patterns if _compiles(pattern[0])]

    @cached_property
    def _exceptions(self) -> re.Pattern[str] | None:
        """Match what a `!` pattern matches. For all other paths the order of the patterns does not matter."""
        excepting = [expression for expression, include in self._patterns if not include]
        return re.compile(_factored(excepting)) if excepting else None

    @cached_property
    def _any(self) -> re.Pattern[str]:
        """Match what any of the patterns matches."""
        return re.compile(_factored(expression for expression, _ in self._patterns))

    @cached_property
    def _last(self) -> re.Pattern[str]:
        """Match with the group of the last pattern that matches."""
        return re.compile(_first_of(self._patterns))

    def verdict(self, path: str) -> bool | None:
        """Say what the last matching pattern says: True, False for a `!` pattern, None where none matches.

        A pattern that matches the path itself goes before one that matches a folder above it.
        """
        from_above: bool | None = None
        for include, is_own in self._matching(path):
            if is_own:
                return include
            # The first pattern that comes is the last one in the file, so it decides.
            from_above = include if from_above is None else from_above
        return from_above

    def own_verdict(self, path: str) -> bool | None:
        """Say what the last pattern that matches the path itself says, not one that matches a folder above it."""
        return next((include for include, is_own in self._matching(path) if is_own), None)

    def _matching(self, path: str) -> Iterator[tuple[bool, bool]]:
        """Yield the patterns that match, last first: whether each includes, and whether it matches the path itself."""
        if not self._patterns or not self._any.search(path):
            return
        last = self._last.match(path)
        if last is None or last.lastindex is None:
            return
        bare = path.removesuffix("/")
        # Group n is the n-th pattern, counted from the last. The patterns before it do not match.
        for expression, include in self._patterns[last.lastindex - 1 :]:
            pattern = re.compile(expression)
            if not pattern.search(path):
                continue
            if _FOLDER_MARK in pattern.groupindex:
                ends = [match.end(_FOLDER_MARK) for match in pattern.finditer(path)]
                # -1: the match needed no slash after the name.
                yield include, -1 in ends or (path != bare and len(path) in ends)
            else:
                yield include, bool(pattern.search(bare))

    def match(self, path: str) -> bool:
        """Say whether a path (a folder's ends with `/`) matches."""
        if not self._patterns or not self._any.search(path):
            return False
        # Only an exception that matches makes the order of the patterns matter.
        excepted = self._exceptions is not None and self._exceptions.search(path)
        return not excepted or bool(self.verdict(path))


@dataclass(frozen=True, slots=True)
class FilePatterns:
    """Hold the patterns, compiled at their first use. `left_out` is data and secrets together.

    `generated_marks` finds what the top of a generated file says, in lower case."""

    ignored: PathPatterns
    secrets: PathPatterns
    data: PathPatterns
    left_out: PathPatterns
    tests: PathPatterns
    examples: PathPatterns
    vendored: PathPatterns
    generated: PathPatterns
    generated_marks: re.Pattern[bytes]


@cache
def file_patterns() -> FilePatterns:
    """Return the patterns of files.toml, with the languages' own test patterns."""
    content = tomllib.loads(files(__package__).joinpath("files.toml").read_text(encoding="utf-8"))
    tests = [*content["tests"], *(pattern for language in languages().values() for pattern in language.tests)]
    return FilePatterns(
        ignored=PathPatterns(content["ignored"]),
        secrets=PathPatterns(content["secrets"]),
        data=PathPatterns(content["data"]),
        left_out=PathPatterns([*content["data"], *content["secrets"]]),
        tests=PathPatterns(tests),
        examples=PathPatterns(content["examples"]),
        vendored=PathPatterns(content["vendored"]),
        generated=PathPatterns(content["generated"]),
        generated_marks=re.compile("|".join(content["generated_marks"]).encode(), re.MULTILINE),
    )
