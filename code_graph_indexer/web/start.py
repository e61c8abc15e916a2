"""Describe a repository for somebody who sees it for the first time: its folders, where it begins, and what it is made of."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate

from code_graph_indexer.languages import languages
from code_graph_indexer.storage import FileRow, Store
from code_graph_indexer.web.sentences import first_sentence, readme_sentence
from code_graph_indexer.words import split_identifier

MAX_LARGEST = 3
"""How many files are named of a folder about which nothing is written."""

MAX_README = 4_000
"""Most bytes of a README that are read for a line about its folder."""

MAX_PROBES = 6
"""Most files of a folder that are read for a line about it."""

MAIN_SHARE = 0.4
"""A folder with more than this share of all code is shown with the folders inside."""

ASIDE_WORDS = frozenset(
    {"test", "tests", "testing", "spec", "docs", "doc", "examples", "vendor", "third", "benchmarks"}
)
"""Words in the names of folders that are listed behind the code of the product."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with its numbers of files and lines, and a line about it from its own README or module.

    `path` has no slash at its end. `largest` are the names of its largest files, for a folder about which nothing is written.
    """

    path: str
    files: int
    lines: int
    about: str
    largest: tuple[str, ...] = ()
    folders: "tuple[Folder, ...]" = ()

    @property
    def name(self) -> str:
        """Return the last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in the list of a folder, with the first line of its documentation, or the names of its main definitions.

    `complete` says that the grammar could read all of it.
    """

    path: str
    lines: int
    about: str
    error: str = ""
    names: tuple[str, ...] = ()
    complete: bool = True

    @property
    def name(self) -> str:
        """Return the last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Language:
    """A language of a repository, with its numbers of files and lines, and its share of all lines in percent."""

    name: str
    files: int
    lines: int
    share: int


def folders(store: Store, files: Mapping[str, FileRow], below: str = "", depth: int = 2) -> list[Folder]:
    """List the folders directly below a folder, those with the most code first, and tests last.

    A folder with much of the code shows what is in it.
    """
    prefix = f"{below}/" if below else ""
    members: dict[str, list[FileRow]] = defaultdict(list)
    for file in files.values():
        if file.error is None and file.path.startswith(prefix) and "/" in file.path[len(prefix) :]:
            members[file.path[len(prefix) :].partition("/")[0]].append(file)
    code = {
        # Zero for what is no code of the product, however long it is.
        name: 0 if is_aside(name) else sum(row.lines for row in rows if row.source_type == "code")
        for name, rows in members.items()
    }
    total = sum(code.values())
    marked = store.marked_files(tests=True)

    def inner(name: str) -> list[Folder]:
        large = depth > 1 and code[name] > MAIN_SHARE * total
        return folders(store, files, prefix + name, depth - 1) if large else []

    names = sorted(members, key=lambda name: (-code[name], is_aside(name), name))
    return [_folder(store, prefix + name, members[name], marked, inner(name)) for name in names]


def repositories(store: Store, files: Mapping[str, FileRow], names: Sequence[str]) -> list[Folder]:
    """List the repositories of a set as folders, those with the most code first."""
    members: dict[str, list[FileRow]] = {name: [] for name in names}
    for file in files.values():
        # A name may hold slashes, and no name is the beginning of another one.
        name = next((name for name in _beginnings(file.path) if name in members), "")
        if name and file.error is None:
            members[name].append(file)
    marked = store.marked_files(tests=True)
    rows = [_folder(store, name, members[name], marked, ()) for name in names]
    return sorted(rows, key=lambda folder: (-folder.lines, folder.path))


def _beginnings(path: str) -> Iterator[str]:
    """Yield the folders around a path, the outermost first."""
    return accumulate(path.split("/")[:-1], lambda folder, name: f"{folder}/{name}")


def _folder(
    store: Store, path: str, rows: Sequence[FileRow], marked: Collection[str], inside: Sequence[Folder]
) -> Folder:
    """Return a folder of the start page. Files in `marked`, such as tests, are not among the largest that it names."""
    code = (row for row in rows if row.source_type == "code" and row.path not in marked)
    largest = sorted(code, key=lambda row: (-row.lines, row.path))[:MAX_LARGEST]
    names = tuple(row.path[len(path) + 1 :] for row in largest)
    lines = sum(row.lines for row in rows)
    return Folder(path, len(rows), lines, about_folder(store, path, rows), names, tuple(inside))


def is_aside(name: str) -> bool:
    """Say whether a folder holds tests, documents or the like, by its name."""
    return name.startswith(".") or not ASIDE_WORDS.isdisjoint(split_identifier(name))


def folder_files(
    store: Store, files: Mapping[str, FileRow], folder: str, most: int | None = None
) -> tuple[list[Entry], int]:
    """List the files directly in a folder, by name and at most `most`, and count them all."""
    prefix = f"{folder}/" if folder else ""
    # The index notes a folder that it left out as a path with a slash at its end.
    rows = [
        row
        for path, row in files.items()
        if path.startswith(prefix) and "/" not in path[len(prefix) :] and path != prefix
    ]
    shown = sorted(rows, key=lambda row: row.path)[:most]
    about = about_files(store, shown)
    torn = {row.path for row in store.unread_files()}
    # A file about which nothing is written names its largest definitions at the top.
    names = store.top_names([row.path for row in shown if row.source_type == "code" and not about[row.path]])
    entries = [
        Entry(
            row.path,
            row.lines,
            about[row.path],
            row.error or "",
            tuple(dict.fromkeys(names.get(row.path, ())))[:MAX_LARGEST],
            row.path not in torn,
        )
        for row in shown
    ]
    return entries, len(rows)


def readme(files: Mapping[str, FileRow], folder: str) -> str:
    """Return the path of the document that says what a folder is, or an empty text."""
    prefix = f"{folder}/" if folder else ""
    paths = (path for path in files if path.startswith(prefix) and "/" not in path[len(prefix) :])
    readmes = (path for path in paths if path[len(prefix) :].lower().startswith("readme"))
    # A translation has the name of its language besides.
    return min(readmes, key=lambda path: (len(path), path), default="")


def about_folder(store: Store, folder: str, rows: Sequence[FileRow]) -> str:
    """Return one line about a folder: from its README, or else from the documentation of a module that stands for it."""
    index = {name for language in languages().values() for name in language.index}
    direct = [row for row in rows if "/" not in row.path[len(folder) + 1 :]]

    def standing(row: FileRow) -> int:
        stem = _stem(row.path)
        names = ({"readme"}, {"doc", *index}, {folder.rpartition("/")[2].lower()})
        return next((at for at, some in enumerate(names) if stem.lower() in some or stem in some), len(names))

    probes = nsmallest(MAX_PROBES, direct, key=lambda row: (standing(row), len(row.path), row.path))
    sentences = about_files(store, probes)
    for row in probes:
        about = sentences[row.path]
        # Any other file speaks for itself only, unless it says that it speaks for its package.
        if about and (standing(row) < 3 or about.lower().startswith("package ")):
            return about
    return ""


def about_files(store: Store, rows: Sequence[FileRow]) -> dict[str, str]:
    """Map files to their first sentences: of the module's documentation, of a README's prose, or an empty text."""
    docs = store.file_docs([row.path for row in rows if row.source_type == "code" and not row.error])
    sentences = {row.path: first_sentence(docs.get(row.path, "")) for row in rows}
    for row in rows:
        if row.source_type != "code" and not row.error and "readme" in row.path.rpartition("/")[2].lower():
            text = (store.file_text(row.path) or b"")[:MAX_README].decode("utf-8", "replace")
            sentences[row.path] = readme_sentence(text, row.path.rpartition("/")[0].rpartition("/")[2])
    return sentences


def _stem(path: str) -> str:
    """Return the name of a file without its endings."""
    return path.rpartition("/")[2].partition(".")[0]


def language_shares(files: Mapping[str, FileRow]) -> list[Language]:
    """List the languages of a repository, with the most lines first. Text without a language is left out."""
    lines: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for file in files.values():
        if file.error is None and file.language and file.language != file.source_type:
            lines[file.language] += file.lines
            numbers[file.language] += 1
    total = max(1, lines.total())
    return [Language(name, numbers[name], count, round(100 * count / total)) for name, count in lines.most_common()]


def skipped(files: Mapping[str, FileRow]) -> list[tuple[str, int]]:
    """List the reasons why files are not indexed, each with the number of files, the most frequent first."""
    return Counter(file.error for file in files.values() if file.error is not None).most_common()
