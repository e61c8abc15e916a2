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
"""`a/**/` means the folders below `a`, which pathspec takes for the files too; `a/**/*/` says the same and is understood."""

_STARTS = ("^(?:.+/)?", "[^/]*")
"""How pathspec's expressions begin: in any folder, and there with any name's start."""

_GROUP_NAME = re.compile(r"\?P<\w+>")


@cache
def _pattern(line: str) -> tuple[str, bool]:
    """Return pathspec's regular expression of a line, and whether it includes what matches; empty when it is no pattern."""
    try:
        expression, include = GitIgnoreSpecPattern.pattern_to_regex(line)
    except ValueError:
        return "", False
    return expression or "", bool(include)


def _one_of(expressions: Iterable[str], group: str = "?:") -> str:
    """Write an expression that matches what one of these does, each in a group; their own groups capture nothing."""
    return "|".join(f"({group}{_GROUP_NAME.sub('?:', one)})" for one in expressions)


def _factored(expressions: Iterable[str], starts: Sequence[str] = _STARTS) -> str:
    """Write the same with the common starts once, so that a path is read once and not for each pattern."""
    if not starts:
        return _one_of(expressions)
    expressions = list(expressions)
    inner = [one.removeprefix(starts[0]) for one in expressions if one.startswith(starts[0])]
    others = [one for one in expressions if not one.startswith(starts[0])]
    parts = [f"{starts[0]}(?:{_factored(inner, starts[1:])})"] if inner else []
    return "|".join([*parts, _one_of(others)] if others else parts)


def _first_of(patterns: Iterable[tuple[str, bool]]) -> str:
    """Write an expression that matches at a path's start, with the group of the first pattern that matches anywhere."""
    return _one_of((one if one.startswith("^") else f"^(?s:.*?)(?:{one})" for one, _ in patterns), "")


def _compiles(expression: str) -> bool:
    try:
        with warnings.catch_warnings(action="error"):
            re.compile(expression)
    except (re.error, FutureWarning):
        return False
    return True


class PathPatterns:
    """Match paths against gitignore patterns; nearly every path matches none, which one combined expression finds out.

    On Django's 6,900 files this is several times faster than asking pathspec for each path and pattern. A line that is no
    pattern (`!` alone, an unfinished escape) matches nothing, as in git.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = tuple(_TRAILING_STARS.sub("/**/*/", line) for line in lines)

    @cached_property
    def _patterns(self) -> list[tuple[str, bool]]:
        """List the lines that are patterns, last first."""
        found = [one for one in map(_pattern, reversed(self._lines)) if one[0]]
        # The expression of `_any`, which is thus compiled once.
        whole = _factored(one for one, _ in found)
        return found if _compiles(whole) else [one for one in found if _compiles(one[0])]

    @cached_property
    def _exceptions(self) -> re.Pattern[str] | None:
        """Match what an exception, a `!` pattern, matches: of other paths the first match decides."""
        excepting = [one for one, include in self._patterns if not include]
        return re.compile(_factored(excepting)) if excepting else None

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile(_factored(one for one, _ in self._patterns))

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
        excepted = self._exceptions is not None and self._exceptions.search(path)
        return not excepted or bool(self.verdict(path))


@dataclass(frozen=True, slots=True)
class FilePatterns:
    """Hold the patterns, compiled when first asked; `left_out` is data and secrets together.

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
