"""Gitignore patterns, and those of files.toml that say what a file is: ignored, secret, data, test, generated."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pathspec import GitIgnoreSpec

from code_graph_indexer.languages.registry import languages

_GROUP_NAME = re.compile(r"\?P<\w+>")


class PathPatterns:
    """Match paths against gitignore patterns; nearly every path matches none, which one combined expression finds out.

    On Django's 6,900 files this is five times faster than asking pathspec for each path.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._spec = GitIgnoreSpec.from_lines(lines)
        expressions = [one.regex.pattern for one in self._spec.patterns if one.regex is not None]
        # A group name may stand only once in an expression.
        texts = [_GROUP_NAME.sub("?:", text if isinstance(text, str) else text.decode()) for text in expressions]
        self._any = re.compile("|".join(f"(?:{text})" for text in texts)) if texts else None

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
    """Hold the compiled patterns; `generated_marks` are lower-case phrases near the top of a generated file."""

    ignored: PathPatterns
    secrets: PathPatterns
    data: PathPatterns
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
        tests=PathPatterns(tests),
        examples=PathPatterns(content["examples"]),
        vendored=PathPatterns(content["vendored"]),
        generated=PathPatterns(content["generated"]),
        generated_marks=tuple(mark.encode() for mark in content["generated_marks"]),
    )
