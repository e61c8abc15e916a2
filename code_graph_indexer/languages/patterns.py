"""Match paths against gitignore patterns, and say by files.toml and secrets.toml what a file is: secret, data, test."""

import posixpath
import re
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from code_graph_indexer.languages.registry import detect_language, languages

DATA_FILES = ("files.toml", "secrets.toml")
"""The files beside this module that have the patterns."""

SECRET_NAMES = ("names", "data_names", "keys", "folders")
"""The keys of secrets.toml with the patterns of names."""

_FOLDER_MARK = "ps_d"
"""The name of the group, in pathspec's expressions, that holds the slash after a matched folder."""

_TRAILING_STARS = re.compile(r"/\*\*/\s*$")
"""Matches the end of `a/**/`, which means only the folders below `a`.

pathspec wrongly matches the files below `a` too. `a/**/*/` has the same meaning, and pathspec understands it.
"""

_STARTS = ("^(?:.+/)?", "[^/]*")
"""How most of pathspec's expressions begin: first "in any folder", then "any start of a name"."""

_GROUP_NAME = re.compile(r"\?P<\w+>")


@cache
def _pattern(line: str) -> tuple[str, bool]:
    """Return pathspec's regular expression for a line of gitignore patterns, and False for a `!` pattern, else True.

    The expression is empty if the line is not a pattern.
    """
    try:
        expression, include = GitIgnoreSpecPattern.pattern_to_regex(line)
    except ValueError:
        return "", False
    return expression or "", bool(include)


def _one_of(expressions: Iterable[str], group: str = "?:") -> str:
    """Join regular expressions with `|`, each in a group of its own. Groups inside them become non-capturing.

    `group` is how each outer group begins: `?:` does not capture, and an empty text captures.
    """
    # Any group inside would shift the numbers by which the caller finds its pattern.
    return "|".join(f"({group}{_GROUP_NAME.sub('?:', expression)})" for expression in expressions)


def _factored(expressions: Iterable[str], starts: Sequence[str] = _STARTS) -> str:
    """Join regular expressions as `_one_of` does, but write each common start only once.

    A path's start is then matched once, and not once per pattern.
    """
    if not starts:
        return _one_of(expressions)
    expressions = list(expressions)
    inner = [expression.removeprefix(starts[0]) for expression in expressions if expression.startswith(starts[0])]
    other_expressions = [expression for expression in expressions if not expression.startswith(starts[0])]
    parts = [f"{starts[0]}(?:{_factored(inner, starts[1:])})"] if inner else []
    return "|".join([*parts, _one_of(other_expressions)] if other_expressions else parts)


def _first_of(expressions: Iterable[str]) -> str:
    """Return an expression that captures group n if expression n is the first in the list that matches a path.

    It must be matched from the start of the path, by `re.match`.
    """
    return _one_of(
        (expression if expression.startswith("^") else f"^(?s:.*?)(?:{expression})" for expression in expressions), ""
    )


def _compiles(expression: str) -> bool:
    """Return whether Python compiles a regular expression without an error or a warning."""
    try:
        # Git takes `[[a]` as a pattern. Python warns of such sets, as their meaning may change.
        with warnings.catch_warnings(action="error"):
            re.compile(expression)
    except (re.error, FutureWarning):
        return False
    return True


class PathPatterns:
    """Gitignore patterns, combined into one expression, because nearly every path matches none of them.

    On Django's 6,900 files this is several times faster than one pathspec call per path and pattern. A line that is not
    a pattern (`!` alone, an unfinished escape) matches nothing, as in git.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._texts = tuple(lines)
        self._lines = tuple(_TRAILING_STARS.sub("/**/*/", line) for line in self._texts)

    @cached_property
    def _patterns(self) -> list[tuple[str, bool]]:
        """List each line that is a pattern as (expression, False if it begins with `!`), the last line first."""
        patterns = [pattern for pattern in map(_pattern, reversed(self._lines)) if pattern[0]]
        # The expression of `_any`, which is thus compiled once.
        whole = _factored(expression for expression, _ in patterns)
        # One bad pattern spoils the whole. Only then is each tried alone.
        return patterns if _compiles(whole) else [pattern for pattern in patterns if _compiles(pattern[0])]

    @cached_property
    def _exceptions(self) -> re.Pattern[str] | None:
        """Return an expression for all `!` patterns, or None if there are none.

        The order of the patterns matters only for paths that match this expression.
        """
        excepting = [expression for expression, include in self._patterns if not include]
        return re.compile(_factored(excepting)) if excepting else None

    @cached_property
    def _any(self) -> re.Pattern[str]:
        """Return an expression that matches what any of the patterns matches."""
        return re.compile(_factored(expression for expression, _ in self._patterns))

    @cached_property
    def _last(self) -> re.Pattern[str]:
        """Return an expression that captures group n if pattern n of `_patterns` is the first of them that matches."""
        return re.compile(_first_of(expression for expression, _ in self._patterns))

    def verdict(self, path: str) -> bool | None:
        """Return what the last matching pattern says: True for a match, False for a `!` pattern, None if none matches.

        A pattern that matches the path itself takes precedence over a pattern that matches a folder above it.
        """
        from_above: bool | None = None
        for include, is_own in self._matching(path):
            if is_own:
                return include
            # The first pattern that comes is the last one in the file, so it decides.
            from_above = include if from_above is None else from_above
        return from_above

    def own_verdict(self, path: str) -> bool | None:
        """Return what the last pattern that matches the path itself says, as `verdict` does.

        Patterns that match only a folder above the path are ignored.
        """
        return next((include for include, is_own in self._matching(path) if is_own), None)

    def _matching(self, path: str) -> Iterator[tuple[bool, bool]]:
        """Yield two flags for each matching pattern, the last pattern in the file first.

        The first flag is False for a `!` pattern. The second says whether the pattern matches the path itself, not only
        a folder above it.
        """
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

    def line_for(self, path: str) -> tuple[int, str]:
        """Return the number, from 1, and the text of the line that makes `verdict` True for a path.

        Without such a line, the number is 0. This is slow, and meant for messages.
        """
        from_above = (0, "")
        for number in range(len(self._texts), 0, -1):
            line = PathPatterns(self._texts[number - 1 : number])
            if line.own_verdict(path):
                return number, self._texts[number - 1].strip()
            if not from_above[0] and line.verdict(path):
                from_above = number, self._texts[number - 1].strip()
        return from_above

    def match(self, path: str) -> bool:
        """Return whether the patterns match a path. The path of a folder ends with `/`."""
        if not self._patterns or not self._any.search(path):
            return False
        # Only an exception that matches makes the order of the patterns matter.
        excepted = self._exceptions is not None and self._exceptions.search(path)
        return not excepted or bool(self.verdict(path))


@dataclass(frozen=True, slots=True)
class FilePatterns:
    """The patterns that classify a file by its path, compiled at their first use.

    `ignored` is `caches`, `packages` and build output together. `secret_names` and `secret_places` are all patterns of secrets,
    those without and those with a slash. `tests` has the patterns of all languages, and `family_tests` those of each family.
    `secret_data` are secrets if no language reads the file. `generated_marks` matches the lower-cased top of a generated file,
    and `release_marks` that of a copied one among `releases`. `text_languages` maps the ending of a file, such as `.vb`, to the
    name of its language without a grammar.
    """

    ignored: PathPatterns
    caches: PathPatterns
    packages: PathPatterns
    secret_names: PathPatterns
    secret_places: PathPatterns
    secrets: PathPatterns
    secret_data: PathPatterns
    secret_folders: PathPatterns
    data: PathPatterns
    tests: PathPatterns
    family_tests: Mapping[str, PathPatterns]
    examples: PathPatterns
    vendored: PathPatterns
    generated: PathPatterns
    generated_marks: re.Pattern[bytes]
    releases: PathPatterns
    release_marks: re.Pattern[bytes]
    text_languages: Mapping[str, str]

    def is_test(self, path: str, language: str | None) -> bool:
        """Say whether a file holds tests, by its path. The patterns of a language are for the files of its family alone.

        Kotlin's `*Test/` says nothing of PHP's `app/Notifications/Test/`. A file without a language may be of any.
        """
        return (self.family_tests[languages()[language].family] if language else self.tests).match(path)

    def why_unread(self, path: str) -> str:
        """Return why a file is not read, by its path: `secret`, `data`, or an empty text if it is read."""
        # The name of a secret has any case: where files are found in any case, tools also read `.ENV`.
        path = path.lower()
        # Most files match nothing, and a name is searched faster than a path.
        if self.secret_names.match(path[path.rfind("/") + 1 :]) or self.secret_places.match(path):
            # A pattern is of a file. A folder of this name, such as `credentials/`, has files of all sorts.
            is_secret = self.secrets.own_verdict(path)
            if is_secret is None and not self._is_in_language(path):
                is_secret = self.secret_data.own_verdict(path)
            if is_secret is None:
                is_secret = self.secret_folders.match(path)
            if is_secret:
                return "secret"
        return "data" if self.data.match(path) else ""

    def _is_in_language(self, path: str) -> bool:
        """Say whether a file is code or prose. One of a language for data, such as YAML, holds what any data may."""
        name = detect_language(path)
        is_read = name is not None and languages()[name].source_type != "text"
        return is_read or posixpath.splitext(path)[1] in self.text_languages


def with_language(ending: str) -> str:
    """Return the ending of a file that is read as text, with its language where files.toml names it: `.vb (Visual Basic)`."""
    language = file_patterns().text_languages.get(ending)
    return f"{ending} ({language})" if language else ending or "no ending"


@cache
def file_patterns() -> FilePatterns:
    """Return the patterns of files.toml and secrets.toml. The test patterns of all languages are added to `tests`."""
    content, secrets = (
        tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8")) for name in DATA_FILES
    )
    all_secrets = [line for key in SECRET_NAMES for line in secrets[key]]
    tests: dict[str, list[str]] = {}
    for language in languages().values():
        tests.setdefault(language.family, list(content["tests"])).extend(language.tests)
    return FilePatterns(
        ignored=PathPatterns([*content["caches"], *content["built"], *content["packages"]]),
        caches=PathPatterns(content["caches"]),
        packages=PathPatterns(content["packages"]),
        secret_names=PathPatterns([line for line in all_secrets if "/" not in line]),
        secret_places=PathPatterns([line for line in all_secrets if "/" in line]),
        secrets=PathPatterns([*secrets["names"], *secrets["templates"], *secrets["keys"]]),
        secret_data=PathPatterns([*secrets["data_names"], *secrets["templates"]]),
        secret_folders=PathPatterns(secrets["folders"]),
        data=PathPatterns(content["data"]),
        tests=PathPatterns(dict.fromkeys(chain.from_iterable(tests.values()))),
        family_tests={family: PathPatterns(patterns) for family, patterns in tests.items()},
        examples=PathPatterns(content["examples"]),
        vendored=PathPatterns(content["vendored"]),
        generated=PathPatterns(content["generated"]),
        generated_marks=re.compile("|".join(content["generated_marks"]).encode(), re.MULTILINE),
        releases=PathPatterns(content["releases"]),
        release_marks=re.compile("|".join(content["release_marks"]).encode()),
        text_languages={
            ending: name for name, endings in content["text_languages"].items() for ending in endings.split()
        },
    )
