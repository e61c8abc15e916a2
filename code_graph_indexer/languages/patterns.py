"""Gitignore patterns, and those of files.toml that say what a file is: ignored, secret, data, test, generated."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from code_graph_indexer.languages.registry import languages

_GROUP_NAME = re.compile(r"\?P<\w+>")


class PathPatterns:
    """Match paths against gitignore patterns; nearly every path matches none, which one combined expression finds out.

    On Django's 6,900 files this is several times faster than asking pathspec for each path and pattern.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = tuple(lines)

    @cached_property
    def _any(self) -> re.Pattern[str] | None:
        texts = (GitIgnoreSpecPattern.pattern_to_regex(line)[0] for line in self._lines)
        # A group name may stand only once in an expression.
        kept = [f"(?:{_GROUP_NAME.sub('?:', text)})" for text in texts if text]
        return re.compile("|".join(kept)) if kept else None

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        return GitIgnoreSpec.from_lines(self._lines)

    def verdict(self, path: str) -> bool | None:
        """Say what the last matching pattern says: True, False for a `!` pattern, None where none matches."""
        if self._any is None or not self._any.match(path):
            return None
        return self._spec.check_file(path).include

    def match(self, path: str) -> bool:
        """Say whether a path (a folder's ends with `/`) matches."""
        return bool(self.verdict(path))


@dataclass(frozen=True, slots=True)
class FilePatterns:
    """Hold the patterns, compiled when first asked; `left_out` is data and secrets together.

    `generated_marks` are lower-case phrases near the top of a generated file."""

    ignored: PathPatterns
    secrets: PathPatterns
    data: PathPatterns
    left_out: PathPatterns
    tests: PathPatterns
    examples: PathPatterns
    vendored: PathPatterns
    generated: PathPatterns
    generated_marks: tuple[bytes, ...]


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
        generated_marks=tuple(mark.encode() for mark in content["generated_marks"]),
    )
