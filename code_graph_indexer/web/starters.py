"""Read what says that a program begins: files that start programs, such as a Procfile, and marks in files of code."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cache, cached_property
from importlib.resources import files

from code_graph_indexer.languages import is_package_file
from code_graph_indexer.results import SourceType
from code_graph_indexer.storage import FileRow, Store

Starts = Mapping[str, Mapping[int, Sequence[str]] | None]
"""Files that start programs, by path: the words of the lines that do so. None if all that the file names is started."""

_WORD = re.compile(r"/?[\w@.][\w@./-]*(?::(?=[a-z_])\w+)?")
"""Pattern of a word that may name a file by its path or its module, with a name in it: `shop.wsgi:application`."""


@cache
def signs() -> Mapping[str, Mapping[str, str]]:
    """Return what says that a program begins, by the tables of programs.toml."""
    text = files("code_graph_indexer.languages").joinpath("programs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _starters() -> tuple[re.Pattern[str], Sequence[tuple[re.Pattern[str], re.Pattern[str]]]]:
    """Return the pattern of the names of files that start programs, and each such pattern with that of the parts that do so."""
    rules = signs()["starters"].items()
    names = re.compile("|".join(translate(name) for name, _ in rules))
    return names, [(re.compile(translate(name)), re.compile(part, re.MULTILINE)) for name, part in rules]


def is_starter(file: FileRow) -> bool:
    """Say whether a file is a manifest, or may start programs, by its path."""
    if file.source_type == SourceType.CODE:
        return False
    return is_package_file(file.path) or _starters()[0].match(file.path.rpartition("/")[2]) is not None


def starting_words(store: Store, file: FileRow) -> dict[int, list[str]] | None:
    """Map the lines of a file that start programs to their words. None if all that it names does, as in `pyproject.toml`."""
    name = file.path.rpartition("/")[2]
    part = next((part for pattern, part in _starters()[1] if pattern.match(name)), None)
    if part is None:
        return None
    text = (store.file_text(file.path) or b"").decode("utf-8", "replace")
    lines: dict[int, list[str]] = {}
    for match in part.finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        for line, content in enumerate(match[0].split("\n"), first):
            lines.setdefault(line, []).extend(_WORD.findall(content))
    return lines


class CodePaths:
    """Files of code by the ends of their paths, for the words of files that start programs."""

    def __init__(self, code: Collection[str]) -> None:
        self._code = code

    @cached_property
    def _by_stem(self) -> Mapping[str, Sequence[str]]:
        """Map the names of files without their endings to paths."""
        stems: dict[str, list[str]] = {}
        for path in self._code:
            stems.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
        return stems

    def find(self, word: str, starter: str) -> str:
        """Return the file that a word names, by a path or by a module, or an empty text. The nearest to the starter counts."""
        word = word.partition(":")[0]
        own = word.removeprefix("./").strip("/.")
        folder = starter.rpartition("/")[0]
        near = next((path for path in (f"{folder}/{own}".lstrip("/"), own) if path in self._code), "")
        if near or not re.search(r"[./]", own):
            return near
        paths = self._with_end(own, word[0] == "/") or next(filter(None, map(self._of_module, _module_names(own))), [])
        # Of several, the one below the starter is meant, and then the one near the root.
        return min(paths, key=lambda path: (not path.startswith(folder), path.count("/"), path), default="")

    def _with_end(self, word: str, is_absolute: bool) -> list[str]:
        """List the files whose paths end with a word. The path of a container, which is absolute, ends with that of a file."""
        stem = word.rpartition("/")[2].partition(".")[0]
        return [
            path
            for path in self._by_stem.get(stem, ())
            if f"/{path}".endswith(f"/{word}") or (is_absolute and f"/{word}".endswith(f"/{path}"))
        ]

    def _of_module(self, name: str) -> list[str]:
        """List the files of a module by its dotted name: `shop.wsgi` is `shop/wsgi.py`."""
        tail = "/" + name.replace(".", "/")
        stem = tail.rpartition("/")[2]
        return [path for path in self._by_stem.get(stem, ()) if f"/{path.rpartition('.')[0]}".endswith(tail)]


def _module_names(word: str) -> Iterator[str]:
    """Yield the modules that a word may name, by itself or before the name of a function: `shop.wsgi.serve`."""
    module = word.rpartition(".")[0]
    yield from (name for name in (word, module) if "." in name or "/" in name)


def runner_of(path: str) -> str:
    """Return what runs a file by its name, or an empty text: `a web server` for `public/index.php`."""
    return signs()["names"].get(path.rpartition("/")[2], "")
