"""Edit a tree at random, and check after each step that the updated index equals a fresh build.

usage: hurt_updates.py TREE [--seeds 1 2 3] [--steps 300] [--files 200]

TREE is a folder with sources of many languages. At most `--files` of its files are taken. Each step makes one to eight
edits in a copy of them, updates the index of the copy, builds a second index from nothing, and compares all their tables.
The copy is a git repository: some steps commit, amend, tag, remove a tag or go back to an older commit, before or after an
update.

For each difference, the script looks for the smallest pair of trees that shows it, and prints both: the files before the
edit, and the files after it. Such a pair is a test case.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from code_graph_indexer.embedders import create_embedder
from code_graph_indexer.indexing import index_differences, index_repository, run
from code_graph_indexer.indexing.file import WorkOptions
from code_graph_indexer.indexing.workers import index_safely
from code_graph_indexer.settings import Settings, load_settings
from code_graph_indexer.syntax.disk import content_hash, read_regular
from code_graph_indexer.syntax.records import IndexedFile, SourceFile

Tree = dict[str, bytes]
"""The files of a repository: path → content."""

Edit = Callable[[random.Random, Tree, Tree], None]
"""A function that changes a tree. It gets the tree and the tree at the start."""

MAX_FILE_BYTES = 30_000
"""Larger files are not taken: a step should be short."""

AGAIN = 0.3
"""The share of steps that update the index a second time, after another act of git."""

TRIES = 600
"""The most indexes that are built to make one difference smaller."""

WORD = re.compile(rb"[A-Za-z_]\w{2,}")
NAME = re.compile(rb'"name"\s*:\s*"[^"]*"|name\s*=\s*"[^"]*"|^module \S+', re.MULTILINE)
IGNORE_FILES = (".gitignore", ".cgiignore")

SPLICES = (
    (b"self.", b""),
    (b"get", b"x"),
    (b"import ", b"import a."),
    (b"class ", b"class B"),
    (b"def ", b"def f"),
    (b"return ", b""),
    (b"static ", b""),
    (b"(", b""),
    (b"}", b""),
    (b'"', b""),
)
"""Texts that an edit exchanges, each with its replacement."""

HEADER_LINES = (
    b"class Added { public: int added(); };\n",
    b"@interface Added\n- (int)added;\n@end\n",
    b"int added(int one);\n",
    b"namespace added { int added(); }\n",
    b"#define added(x) added_too(x)\n",
)
"""Lines that make a header C++, Objective-C or C."""

DECLARATION_CHANGES = (
    (re.compile(rb"\s*\{.*\}"), b";"),
    (re.compile(rb"(?<=\));"), b" { return run(1); }"),
    (re.compile(rb"^static "), b""),
    (re.compile(rb"^(?=\w[\w *]*\()"), b"static "),
    (re.compile(rb"\((?=\w)"), b"(int first, "),
    (re.compile(rb"\(\w+ [^,()]*, "), b"("),
    (re.compile(rb"^#include .*"), b""),
    (re.compile(rb"^#if.*"), b"#if 0"),
    (re.compile(rb"^#else.*"), b"#endif\n#if 1"),
    (re.compile(rb"^#define (\w+)"), rb"#undef \1"),
    (re.compile(rb"::"), b"::inner::"),
    (re.compile(rb"^ *@overload.*\n"), b""),
    (re.compile(rb"\b(?:abstract|virtual|declare|expect|actual|partial|extern|inline) "), b""),
)
"""What is exchanged in a line, so that a declaration and its definition meet or part."""

INDEX_NAMES = (
    "__init__.py",
    "index.ts",
    "index.js",
    "mod.rs",
    "lib.rs",
    "init.lua",
    "package.json",
    "go.mod",
    "Cargo.toml",
)
"""Names of files that give a folder a name, or make it a module."""


def _lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def _pick(rng: random.Random, tree: Tree) -> str:
    return rng.choice(sorted(tree))


def delete_lines(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Delete a few lines of a file."""
    path = _pick(rng, tree)
    if lines := _lines(tree[path]):
        at = rng.randrange(len(lines))
        del lines[at : at + rng.choice((1, 1, 2, 5, 20))]
        tree[path] = b"".join(lines)


def repeat_lines(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Repeat some lines of a file."""
    path = _pick(rng, tree)
    if lines := _lines(tree[path]):
        at = rng.randrange(len(lines))
        lines[at:at] = lines[max(0, at - 9) : at]
        tree[path] = b"".join(lines)


def shuffle_lines(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Put the lines of a file in another order."""
    path = _pick(rng, tree)
    lines = _lines(tree[path])
    rng.shuffle(lines)
    tree[path] = b"".join(lines)


def borrow_lines(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Insert lines of another file of the same language, such as its imports."""
    path = _pick(rng, tree)
    suffix = PurePosixPath(path).suffix
    lines, source_lines = _lines(tree[path]), _lines(tree[rng.choice([p for p in sorted(tree) if p.endswith(suffix)])])
    if source_lines:
        at, begin = rng.randrange(len(lines) + 1), rng.choice((0, rng.randrange(len(source_lines))))
        lines[at:at] = source_lines[begin : begin + rng.choice((1, 3, 12))]
        tree[path] = b"".join(lines)


def exchange_texts(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Replace a text everywhere in a file."""
    path = _pick(rng, tree)
    tree[path] = tree[path].replace(*rng.choice(SPLICES))


def share_name(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Give a name of one file to something in another file, so that a variable may have the name of a function elsewhere."""
    path, source = _pick(rng, tree), _pick(rng, tree)
    words, names = sorted(set(WORD.findall(tree[path]))), sorted(set(WORD.findall(tree[source])))
    if words and names:
        word, name = rng.choice(words), rng.choice(names)
        tree[path] = re.sub(rb"\b%b\b" % word, name, tree[path], count=rng.choice((0, 1, 2)))


def rename_everywhere(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Rename one word in all files, or only where it is first found."""
    words = sorted(set(WORD.findall(tree[_pick(rng, tree)])))
    if words:
        word, name = rng.choice(words), b"renamed%d" % rng.randrange(9)
        for path in sorted(tree):
            tree[path] = re.sub(rb"\b%b\b" % word, name, tree[path])


def delete_file(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Delete a file."""
    del tree[_pick(rng, tree)]


def rename_file(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Rename a file in its folder."""
    path = PurePosixPath(_pick(rng, tree))
    tree[str(path.with_name(f"r{rng.randrange(9)}_{path.name}"))] = tree.pop(str(path))


def move_file(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Move a file to the folder of another, or make it a test or no test."""
    path = PurePosixPath(_pick(rng, tree))
    folder = PurePosixPath(_pick(rng, tree)).parent
    stem, dot, suffix = path.name.partition(".")
    moved = rng.choice(
        (
            folder / path.name,
            PurePosixPath("tests") / path,
            path.with_name(f"test_{path.name}"),
            path.with_name(f"{stem}_test{dot}{suffix}"),
            path.with_name(path.name.removeprefix("test_")),
            PurePosixPath(str(path).removeprefix("tests/")),
        )
    )
    tree[str(moved)] = tree.pop(str(path))


def move_folder(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Move all files of a folder into another folder."""
    folder = PurePosixPath(_pick(rng, tree)).parent
    target = PurePosixPath(_pick(rng, tree)).parent / f"moved{rng.randrange(9)}"
    for path in sorted(tree):
        if PurePosixPath(path).is_relative_to(folder):
            tree[str(target / PurePosixPath(path).relative_to(folder))] = tree.pop(path)


def change_suffix(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Give a file the suffix of another, and so another language."""
    path = PurePosixPath(_pick(rng, tree))
    suffix = PurePosixPath(_pick(rng, tree)).suffix
    if suffix:
        tree[str(path.with_suffix(suffix))] = tree.pop(str(path))


def copy_content(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Give a file the content of another one."""
    path = _pick(rng, tree)
    suffix = PurePosixPath(path).suffix
    tree[path] = tree[rng.choice([name for name in sorted(tree) if name.endswith(suffix)])]


def copy_file(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Copy a file to another folder, so that its names are there twice."""
    path = PurePosixPath(_pick(rng, tree))
    tree[str(PurePosixPath(_pick(rng, tree)).parent / path.name)] = tree[str(path)]


def add_index(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Write a file that makes a folder a module or a package."""
    folder = PurePosixPath(_pick(rng, tree)).parent
    name = rng.choice(INDEX_NAMES)
    like = [path for path in sorted(start) if PurePosixPath(path).name == name]
    tree[str(folder / name)] = start[rng.choice(like)] if like else b""


def change_manifest(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Change the name that a manifest gives."""
    paths = [path for path in sorted(tree) if NAME.search(tree[path])]
    if paths:
        path = rng.choice(paths)
        tree[path] = NAME.sub(lambda match: re.sub(rb"\w+(\W*)$", rb"other\1", match[0]), tree[path], count=1)


def change_ignores(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Write, change or remove a file of ignore rules."""
    folder = rng.choice((PurePosixPath(), PurePosixPath(_pick(rng, tree)).parent))
    place = str(folder / rng.choice(IGNORE_FILES))
    path = PurePosixPath(_pick(rng, tree))
    rules = (path.name, f"*{path.suffix}" if path.suffix else path.name, f"{path.parent.name}/", f"!{path.name}", "")
    if place in tree and rng.random() < 0.7:
        del tree[place]
    else:
        tree[place] = f"{rng.choice(rules)}\n".encode()


def change_header(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Add or remove lines that decide which language a header is."""
    paths = [path for path in sorted(tree) if path.endswith(".h")]
    if paths:
        path = rng.choice(paths)
        line = rng.choice(HEADER_LINES)
        tree[path] = tree[path].replace(line, b"") if line in tree[path] else tree[path] + line


def change_declaration(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Make a definition a declaration, or the reverse, or change what ties the two: parameters, `static`, an include."""
    path = _pick(rng, tree)
    lines = _lines(tree[path])
    pattern, replacement = rng.choice(DECLARATION_CHANGES)
    if places := [place for place, line in enumerate(lines) if pattern.search(line)]:
        place = rng.choice(places)
        lines[place] = pattern.sub(replacement, lines[place], count=1)
        tree[path] = b"".join(lines)


def spoil_file(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Make a file empty, binary, not UTF-8 or broken."""
    path = _pick(rng, tree)
    at = rng.randrange(len(tree[path]) + 1)
    tree[path] = rng.choice(
        (b"", b"\0" + tree[path], tree[path][:at] + b"\xff\xfe{(" + tree[path][at:], tree[path][:at])
    )


def restore_file(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Write a file as it was at the start."""
    path = _pick(rng, start)
    tree[path] = start[path]


def restore_all(rng: random.Random, tree: Tree, start: Tree) -> None:
    """Write most files as they were at the start, and remove most others."""
    for path in sorted(tree.keys() | start.keys()):
        if rng.random() < 0.8:
            if path in start:
                tree[path] = start[path]
            elif len(tree) > 1:
                del tree[path]


EDITS: dict[Edit, int] = {
    delete_lines: 6,
    repeat_lines: 4,
    shuffle_lines: 1,
    borrow_lines: 5,
    exchange_texts: 4,
    share_name: 8,
    rename_everywhere: 3,
    delete_file: 3,
    rename_file: 3,
    move_file: 5,
    move_folder: 1,
    change_suffix: 2,
    copy_content: 2,
    copy_file: 3,
    add_index: 2,
    change_manifest: 2,
    change_ignores: 2,
    change_header: 3,
    change_declaration: 8,
    spoil_file: 2,
    restore_file: 10,
    restore_all: 1,
}
"""Each edit, with how often it is drawn."""


GIT_ACTS: dict[tuple[str, ...], int] = {
    (): 6,
    ("commit", "--quiet", "--allow-empty", "--message", "step"): 6,
    ("commit", "--quiet", "--allow-empty", "--amend", "--message", "amended"): 2,
    ("tag", "--force", "v1"): 2,
    ("tag", "--force", "--annotate", "--message", "x", "v2"): 1,
    ("tag", "--delete", "v1"): 1,
    ("reset", "--quiet", "--soft", "HEAD~1"): 1,
    ("pack-refs", "--all"): 1,
}
"""What is done with git beside an update, with how often it is drawn."""

DAY = 86_400


def edited(rng: random.Random, tree: Tree, start: Tree) -> tuple[Tree, list[str]]:
    """Return the tree after some random edits, and the names of the edits."""
    after, names = dict(tree), []
    for edit in rng.choices(list(EDITS), list(EDITS.values()), k=rng.choice((1, 1, 1, 3, 8))):
        edit(rng, after, start)
        names.append(edit.__name__)
        if not after:
            after = dict(start)
    return _without_clashes(after), names


def _without_clashes(tree: Tree) -> Tree:
    """Leave out files whose path is also a folder."""
    folders = {str(folder) for path in tree for folder in PurePosixPath(path).parents}
    return {path: content for path, content in tree.items() if path not in folders}


class Bench:
    """A folder in which trees are written and indexed. Parsed files are kept, because parsing takes most of the time."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.root.mkdir()
        self._day = 0
        self._git("init", "--quiet")
        self.db = folder / "index.db"
        self.fresh = folder / "fresh.db"
        self._embedder = create_embedder("hashing")
        self._settings: Settings = replace(load_settings(None, {}), workers=1, embedder="hashing")
        self._parsed: dict[tuple[str, bytes], IndexedFile] = {}
        # The module itself offers no other place to put it.
        vars(run)["index_files"] = self._index_files

    def _index_files(self, sources: Sequence[SourceFile], options: WorkOptions, **_: object) -> Iterator[IndexedFile]:
        """Take the place of the workers, and parse no content twice."""
        for source in sources:
            key = (source.path, content_hash(read_regular(options.root / source.path)))
            if key not in self._parsed:
                (self._parsed[key],) = index_safely([replace(source, mtime_ns=0)], options)
            file = self._parsed[key]
            yield replace(file, source=replace(file.source, mtime_ns=source.mtime_ns))

    def _git(self, *arguments: str) -> None:
        # Without a parent, a tag or a commit, some of these fail, which is no harm.
        self._day += 1
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{self._day * DAY} +0000")
        who = ["-c", f"user.email=a{self._day % 3}@example.org", "-c", "user.name=a", "-c", "gc.auto=0"]
        command = ["git", "-C", str(self.root), *who, *arguments]
        subprocess.run(command, capture_output=True, check=False, env=os.environ | dates)

    def act(self, rng: random.Random) -> str:
        """Do something with git, and return what."""
        arguments = rng.choices(list(GIT_ACTS), list(GIT_ACTS.values()))[0]
        if arguments[:1] == ("commit",):
            self._git("add", "--all", "--force")
        if arguments:
            self._git(*arguments)
        return " ".join(arguments[:1] or ("no act",))

    def write(self, tree: Mapping[str, bytes]) -> None:
        """Make the folder hold these files and no other."""
        places = [path for path in self.root.rglob("*") if ".git" not in path.relative_to(self.root).parts]
        present = {str(path.relative_to(self.root)): path for path in places if path.is_file()}
        for name in present.keys() - tree.keys():
            present[name].unlink()
        for folder in sorted((path for path in places if path.is_dir()), reverse=True):
            if not any(folder.iterdir()):
                folder.rmdir()
        for name, content in tree.items():
            place = self.root / name
            if name not in present or place.read_bytes() != content:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)

    def index(self, db: Path, *, full: bool) -> None:
        """Index the folder."""
        index_repository(self.root, db, self._settings, embedder=self._embedder, full=full)

    def compare(self) -> list[str]:
        """Build a fresh index of the folder, and list the differences of the updated one."""
        self.index(self.fresh, full=True)
        return index_differences(self.db, self.fresh)

    def differs(self, before: Tree, after: Tree) -> list[str]:
        """List the differences after an update from one tree to another."""
        self.write(before)
        self.index(self.db, full=True)
        self.write(after)
        self.index(self.db, full=False)
        return self.compare()


class Shrinker:
    """A search for the smallest pair of trees whose update differs from a fresh build."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._tries = 0

    def shrink(self, before: Tree, after: Tree) -> tuple[Tree, Tree] | None:
        """Return the smallest pair that was reached, or None if the pair itself shows no difference."""
        self._tries = 0
        if not self._fails(before, after):
            return None
        changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        # Undo edits first, then drop files, then drop lines.
        for path in sorted(changed):
            undone = dict(after)
            undone.pop(path, None)
            if path in before:
                undone[path] = before[path]
            if self._fails(before, undone):
                after = undone
        before, after = self._without_files(before, after)
        return self._without_lines(before, after)

    def _fails(self, before: Tree, after: Tree) -> bool:
        self._tries += 1
        return self._tries <= TRIES and bool(before and after and self._bench.differs(before, after))

    def _without_files(self, before: Tree, after: Tree) -> tuple[Tree, Tree]:
        paths = sorted(before.keys() | after.keys())
        size = len(paths) // 2
        while size:
            for start in range(0, len(paths), size):
                dropped = set(paths[start : start + size])
                fewer = [{path: tree[path] for path in tree if path not in dropped} for tree in (before, after)]
                if self._fails(*fewer):
                    before, after = fewer
            paths = sorted(before.keys() | after.keys())
            size = size // 2 if size > 1 else 0
        return before, after

    def _without_lines(self, before: Tree, after: Tree) -> tuple[Tree, Tree]:
        for path in sorted(before.keys() | after.keys()):
            trees = [tree for tree in (before, after) if path in tree]
            shared = before.get(path) == after.get(path)
            for side in [(0, 1)] if shared or len(trees) == 1 else [(0,), (1,)]:
                size = 64
                while size:
                    at = 0
                    while at < max(len(_lines((before, after)[i].get(path, b""))) for i in side):
                        fewer = [dict(before), dict(after)]
                        for i in side:
                            if path in fewer[i]:
                                lines = _lines(fewer[i][path])
                                fewer[i][path] = b"".join(lines[:at] + lines[at + size :])
                        if self._fails(*fewer):
                            before, after = fewer
                        else:
                            at += size
                    size //= 4
        return before, after


def take(root: Path, count: int, rng: random.Random) -> Tree:
    """Return at most `count` small files of a folder."""
    places = sorted(p for p in root.rglob("*") if p.is_file() and not p.is_symlink() and ".git" not in p.parts)
    small = [place for place in places if place.stat().st_size <= MAX_FILE_BYTES]
    chosen = sorted(rng.sample(small, min(count, len(small))))
    return {place.relative_to(root).as_posix(): place.read_bytes() for place in chosen}


def show(tree: Tree, expected: Tree) -> str:
    """Return the files of a tree as text. `expected` is the tree that it is compared with."""
    return "\n".join(
        f"  --- {path}{'' if expected.get(path) == content else ' (differs)'}\n"
        + "\n".join(f"  | {line}" for line in content.decode("utf-8", "backslashreplace").splitlines()[:30])
        for path, content in sorted(tree.items())
    )


def hurt(start: Tree, seed: int, steps: int, folder: Path) -> int:
    """Make `steps` steps from a tree, and print every difference. Return their number."""
    rng = random.Random(seed)
    bench = Bench(folder)
    tree = dict(start)
    bench.write(tree)
    bench.index(bench.db, full=True)
    count, began = 0, time.perf_counter()
    for step in range(steps):
        after, names = edited(rng, tree, start)
        bench.write(after)
        names.append(bench.act(rng))
        bench.index(bench.db, full=False)
        if rng.random() < AGAIN:
            # Nothing but git changes between these two updates.
            names.append(bench.act(rng))
            bench.index(bench.db, full=False)
        if lines := bench.compare():
            count += 1
            print(f"seed {seed} step {step}: {', '.join(names)}", *lines[:6], sep="\n  ", flush=True)
            if pair := Shrinker(bench).shrink(tree, after):
                print(
                    " before:",
                    show(*pair),
                    " after:",
                    show(*reversed(pair)),
                    *bench.differs(*pair)[:6],
                    sep="\n",
                    flush=True,
                )
            bench.write(after)
            bench.index(bench.db, full=True)
        tree = after
    print(f"seed {seed}: {steps} steps, {count} differences, {time.perf_counter() - began:.0f} s", flush=True)
    return count


def main() -> int:
    """Run all seeds. Return 1 if an update differed from a fresh build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--files", type=int, default=200)
    options = parser.parse_args()
    count = 0
    for seed in options.seeds:
        scratch = Path(tempfile.mkdtemp(prefix="hurt-"))
        try:
            count += hurt(take(options.tree, options.files, random.Random(seed)), seed, options.steps, scratch)
        finally:
            shutil.rmtree(scratch)
    return int(count > 0)


if __name__ == "__main__":
    raise SystemExit(main())
