"""Packages on this machine are found, indexed once, and two versions compared. A hostile package ends in one sentence."""

import io
import json
import os
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import pytest

from code_graph_indexer import CodeIndexer, render
from code_graph_indexer.errors import NotInIndexError, UsageError
from code_graph_indexer.index import Behind
from code_graph_indexer.indexing.packages import read_lock, read_packages
from code_graph_indexer.languages.ecosystems import ecosystems
from code_graph_indexer.libraries import Installed, Libraries, Repository, installed, sources
from code_graph_indexer.libraries.cache import reader, version_of
from code_graph_indexer.libraries.signatures import arguments, broken, parameters
from code_graph_indexer.libraries.surface import Surface
from code_graph_indexer.libraries.upgrade import _DEPRECATED
from code_graph_indexer.storage import open_store
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

OLD = {
    "kit/__init__.py": "from .core import Client, load, save\n",
    "kit/core.py": """\
class Base:
    def close(self): ...
    def reset(self, now=True): ...


class Client(Base):
    def __init__(self, url, retries=3, proxy=None): ...
    def send(self, text, quick=False): ...


def load(path, mode="r"): ...
def save(path, text): ...
def tidy(path): ...
""",
    "kit/tests/test_core.py": "def test_load(): ...\n",
}
NEW = {
    "kit/__init__.py": "from .core import Client, load\nfrom .files import save\n",
    "kit/core.py": """\
class Base:
    def close(self): ...


class Client(Base):
    def __init__(self, url, retries=3): ...
    def send(self, text, kind, quick=False): ...


def load(path, mode="rb"): ...
""",
    "kit/files.py": "def save(path, text): ...\ndef tidy(path): ...\n",
}
APP = {
    "app.py": """\
from kit import Client, load, save
from kit.core import tidy


def run():
    client = Client("u", proxy=None)
    plain = Client("u")
    client.send("x")
    client.reset()
    client.close()
    load("p")
    save("p", "t")
    tidy("p")
""",
    "test_app.py": "import kit\n\nfrom app import run\n\n\ndef test_run():\n    run()\n",
    "pyproject.toml": '[project]\nname = "app"\ndependencies = ["kit", "absent==1.0"]\n',
}


def site_packages(root: Path, files: Mapping[str, str], version: str) -> Path:
    """Write the package `kit` into a virtual environment, and return its folder of packages."""
    folder = write_tree(root / ".venv" / "lib" / "python3.11" / "site-packages", files)
    record = [f"{path},," for path in files] + ["../../../bin/kit,,", "/etc/passwd,,", "kit/gone.py,,"]
    information = {
        "METADATA": f"Metadata-Version: 2.1\nName: Kit\nVersion: {version}\nLicense-Expression: MIT\n\nText.\n",
        "RECORD": "\n".join(record),
    }
    write_tree(folder / f"kit-{version}.dist-info", information)
    return folder


def wheel(place: Path, files: Mapping[str, str]) -> Path:
    """Write files into a wheel and return its path."""
    with zipfile.ZipFile(place, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return place


@pytest.fixture
def cache(tmp_path: Path) -> Libraries:
    return Libraries(tmp_path / "cache", 1 << 30)


@pytest.fixture
def app(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    site_packages(root, OLD, "1.0")
    write_tree(root, APP)
    with CodeIndexer(root, embedder="hashing") as indexer:
        indexer.index()
    return root


def names_in(place: Path) -> set[str]:
    store = open_store(place)
    try:
        return {file.path for file in store.files()}
    finally:
        store.close()


def test_packages_of_python_node_and_go_are_found(tmp_path: Path) -> None:
    site_packages(tmp_path, OLD, "1.0")
    node = {"name": "@my/dom", "version": "2.0.0", "license": "ISC"}
    write_tree(tmp_path, {
        "node_modules/@my/dom/package.json": json.dumps(node),
        "node_modules/broken/package.json": "{",
        "vendor/modules.txt": "# example.com/x/kit v1.2.0\n## explicit\n",
        "vendor/example.com/x/kit/kit.go": "package kit\n",
    })  # fmt: skip
    packages = installed(tmp_path)
    assert [(*package[:3], package.licence) for package in packages] == [
        ("go", "example.com/x/kit", "v1.2.0", ""),
        ("npm", "@my/dom", "2.0.0", "ISC"),
        ("pypi", "Kit", "1.0", "MIT"),
    ]
    assert packages[2].modules == ("kit",)


def test_a_crate_has_the_licence_of_its_manifest(tmp_path: Path) -> None:
    manifest = '[package]\nname = "kit"\nversion = "1.0.0"\nlicense = "MIT OR Apache-2.0"\n\n[dependencies]\n'
    write_tree(tmp_path, {"vendor/kit/Cargo.toml": manifest, "vendor/kit/src/lib.rs": "pub fn run() {}\n"})
    assert [package.licence for package in installed(tmp_path)] == ["MIT OR Apache-2.0"]


def test_a_package_is_indexed_once_without_tests_and_paths_that_lead_out(app: Path, cache: Libraries) -> None:
    (package,) = installed(app)
    place = cache.add(package)
    assert names_in(place) == {"kit/__init__.py", "kit/core.py"}
    stamp = place.stat().st_mtime_ns
    assert cache.add(package) == place
    assert place.stat().st_mtime_ns == stamp
    assert place.parents[3] == cache.folder
    assert [path.name for path in cache.folder.iterdir()] == ["pypi"]
    store = open_store(place)
    assert store.meta()["licence"] == "MIT"
    store.close()


def test_the_list_says_what_is_used_declared_and_missing(app: Path, cache: Libraries) -> None:
    with CodeIndexer(app) as indexer:
        repository = Repository(indexer.store, indexer.folders)
        rows = {row.package: row for row in repository.libraries(cache)}
        assert (rows["kit"].installed, rows["kit"].state, rows["kit"].indexed) == ("1.0", "found", False)
        assert (rows["absent"].version, rows["absent"].state) == ("", "not installed")
        packages = repository.chosen((), everything=False)
        for is_new in (True, False):
            assert list(cache.add_all(packages, 1)) == [(packages[0], is_new, "")]
        assert {row.package: row.indexed for row in repository.libraries(cache)}["kit"]
        with pytest.raises(UsageError, match="'nobody' is not installed here"):
            repository.chosen(["nobody"], everything=False)


def test_packages_are_indexed_side_by_side(cache: Libraries, tmp_path: Path) -> None:
    packages = []
    for name in ("kit", "box"):
        folder = write_tree(tmp_path / name, {f"{name}.py": "x = 1\n"})
        packages.append(Installed("pypi", name, "1", folder, (f"{name}.py",)))
    assert list(cache.add_all(packages, 2)) == [(packages[0], True, ""), (packages[1], True, "")]
    assert all(map(cache.has, packages))


def test_an_upgrade_names_what_breaks_where_and_how_surely(app: Path, cache: Libraries, tmp_path: Path) -> None:
    newer = wheel(tmp_path / "kit-2.0-py3-none-any.whl", NEW)
    with CodeIndexer(app) as indexer:
        answer = Repository(indexer.store, indexer.folders).upgrade(f"kit={newer}", cache)
    assert (answer.package, answer.old, answer.new, answer.unknown) == ("kit", "1.0", "2.0", 0)
    assert [(b.qualified_name, b.change, b.certainty, [use.line for use in b.uses]) for b in answer.breaks] == [
        ("kit.Client", "signature", "certain", [6]),
        ("kit.Client.reset", "gone", "certain", [9]),
        ("kit.Client.send", "signature", "certain", [8]),
        ("kit.core.tidy", "moved", "certain", [2]),
        ("kit.load", "signature", "possible", [11]),
    ]
    assert {b.tests for b in answer.breaks} == {("test_app.py",)}
    assert not answer.is_safe


def test_two_dots_in_a_path_are_no_range(app: Path, cache: Libraries, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(app.parent / "kit-2.0.whl", NEW)
    wheel(app.parent / "kit-1.5.whl", OLD)
    monkeypatch.chdir(app)
    with CodeIndexer(app) as indexer:
        repository = Repository(indexer.store, indexer.folders)
        for text in ("../kit-2.0.whl", "1.0..../kit-2.0.whl", "../kit-1.5.whl..../kit-2.0.whl"):
            answer = repository.upgrade(f"kit={text}", cache)
            assert (answer.old, answer.new, len(answer.breaks)) == ("1.5" if "1.5" in text else "1.0", "2.0", 5)


def test_an_upgrade_finds_the_uses_of_a_package_that_no_manifest_names(cache: Libraries, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "app", {"app.py": "from ruamel.yaml import load\n\nload('x', 1)\n"})
    with CodeIndexer(root, embedder="hashing") as indexer:
        indexer.index()
        older = wheel(tmp_path / "ruamel.yaml-1.0.whl", {"ruamel/yaml/__init__.py": "def load(a, b): ...\n"})
        newer = wheel(tmp_path / "ruamel.yaml-2.0.whl", {"ruamel/yaml/__init__.py": "def load(a): ...\n"})
        answer = Repository(indexer.store, indexer.folders).upgrade(f"ruamel.yaml={older}..{newer}", cache)
    assert [(entry.qualified_name, entry.certainty) for entry in answer.breaks] == [("ruamel.yaml.load", "certain")]


@pytest.mark.parametrize(
    ("copy", "user", "text", "package"),
    [
        ("vendor/kit/more.py", "app.py", "from kit import load\n\nload('x', 1)\n", "def load(a, b): ...\n"),
        (
            "vendor/kit/more.js",
            "app.js",
            "import { load } from 'kit';\nload(1, 2);\n",
            "export function load(a, b) {}\n",
        ),
    ],
)
def test_an_upgrade_names_no_use_in_a_vendored_copy(
    cache: Libraries, tmp_path: Path, copy: str, user: str, text: str, package: str
) -> None:
    root = write_tree(tmp_path / "app", {copy: text, user: text})
    entry = "__init__" if user.endswith(".py") else "index"
    with CodeIndexer(root, embedder="hashing") as indexer:
        indexer.index()
        name = f"kit/{entry}{Path(user).suffix}"
        older = wheel(tmp_path / "kit-1.0.whl", {name: package})
        newer = wheel(tmp_path / "kit-2.0.whl", {name: package.replace("load", "store")})
        answer = Repository(indexer.store, indexer.folders).upgrade(f"kit={older}..{newer}", cache)
    assert {use.file_path for entry in answer.breaks for use in entry.uses} == {user}


def test_a_setup_file_declares_what_it_requires() -> None:
    text = """\
REQUIREMENTS = ["click"]
setup(
    name="app", packages=["app", "app.cli"], python_requires=">=3.9",
    install_requires=["ruamel.yaml>=0.17", "requests[socks] ~= 2.0",
        'six; python_version < "3"',
    ],
    extras_require={"dev": ["pytest"]},
    classifiers=["Topic :: Text"],
)
"""
    declared, _ = read_packages({"setup.py": text}, ecosystems()["pypi"])
    assert sorted(declared) == ["click", "pytest", "requests", "ruamel.yaml", "six"]


def test_an_upgrade_to_the_same_files_breaks_nothing(app: Path, cache: Libraries, tmp_path: Path) -> None:
    same = wheel(tmp_path / "kit-1.1-py3-none-any.whl", OLD)
    with CodeIndexer(app) as indexer:
        repository = Repository(indexer.store, indexer.folders)
        answer = repository.upgrade(f"kit={same}", cache)
        assert (answer.breaks, answer.is_safe) == ((), True)
        with pytest.raises(UsageError, match=r"Kit 9 is not indexed \(indexed: 1\.0, 1\.1\)"):
            repository.upgrade("kit=9", cache)
        with pytest.raises(UsageError, match=r"nothing is at '\.\./kit\.whl'; give a wheel"):
            repository.upgrade("kit=../kit.whl", cache)
        with pytest.raises(UsageError, match="does not use 'nobody'"):
            repository.upgrade("nobody=9", cache)
        with pytest.raises(UsageError, match=r"give one as requests=2\.33\.0"):
            repository.upgrade("kit", cache)


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        (
            "def run(self, a, b: dict[str, int] = {}, *args, c=(1, 2), **rest) -> int",
            ["a", "b?", "args?", "c?", "rest?"],
        ),
        ("run(a: string, b?: Map<string, number>, ...rest: T[]): void", ["a", "b?", "rest?"]),
        ("func (c *Client) Run(ctx context.Context, f func(int) error) error", ["ctx", "f"]),
        ("def run( # type: ignore self, a)", ["a"]),
        ("class Kit", None),
        ("def run(a", None),
    ],
)
def test_parameters_are_read_in_every_language_with_brackets(signature: str, expected: list[str] | None) -> None:
    read = parameters(signature, "Run" if "Run(" in signature else "run")
    assert (None if read is None else [f"{entry.name}{'?' * entry.optional}" for entry in read]) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('open(path, "r")', True),
        ('open(path, mode="r")', True),
        ("open(path, key=1)", False),
        ("open(path, *rest)", False),
        ('open<T>("a, b", { key: 1, mode: 2 })', True),
        ("open()", True),
        ("open", None),
    ],
)
def test_a_call_breaks_by_the_arguments_that_it_passes(call: str, expected: bool | None) -> None:
    before, after = (
        parameters("def open(path, mode, key=','): ...", "open"),
        parameters("def open(path, *, key)", "open"),
    )
    assert before is not None
    assert after is not None
    read = arguments(call)
    optional = [entry._replace(optional=True) if entry.name == "key" else entry for entry in after]
    assert (None if read is None else broken(read, before, optional)) is expected


def test_dots_inside_a_type_make_no_parameter_optional() -> None:
    read = parameters("def run(func: Callable[..., T], *args: Any) -> T", "run")
    assert read is not None
    assert [entry.optional for entry in read] == [False, True]


def upgraded(root: Path, cache: Libraries, name: str, old: Path, new: Path) -> list[tuple[str, str, str, list[str]]]:
    """Index a repository, and return what an upgrade breaks in it: name, change, certainty and places."""
    with CodeIndexer(root, embedder="hashing") as indexer:
        indexer.index()
        answer = Repository(indexer.store, indexer.folders).upgrade(f"{name}={old}..{new}", cache)
    return [
        (b.qualified_name, b.change, b.certainty, [f"{use.file_path}:{use.line}" for use in b.uses])
        for b in answer.breaks
    ]


def test_a_default_export_that_is_gone_breaks_its_imports_and_calls(cache: Libraries, tmp_path: Path) -> None:
    manifest = '{"name": "pair", "version": "1.0.0", "main": "dist/index.js"}'
    old = write_tree(
        tmp_path / "pair-1.0",
        {
            "package.json": manifest,
            "dist/index.js": "module.exports = a;\nfunction a(b) {}\n",
            "dist/index.d.ts": "declare function pair(text: string): string[];\nexport default pair;\n",
        },
    )
    new = write_tree(
        tmp_path / "pair-2.0",
        {"package.json": manifest, "dist/index.js": "import fs from 'fs';\nexport function pair(text, from) {}\n"},
    )
    newest = write_tree(
        tmp_path / "pair-3.0",
        {"package.json": manifest, "dist/index.js": "export default function pair(text, from) {}\n"},
    )
    root = write_tree(tmp_path / "web", {"view.js": 'import pair from "pair";\n\nexport const parts = pair("ab");\n'})
    places = ["view.js:1", "view.js:3"]
    assert upgraded(root, cache, "pair", old, new) == [("pair", "gone", "certain", places)]
    assert upgraded(root, cache, "pair", old, newest) == [("pair", "signature", "certain", places[1:])]


def test_a_member_that_overrides_what_is_gone_or_takes_less_is_named(cache: Libraries, tmp_path: Path) -> None:
    base = "class Base:\n    def {0}(self): ...\n    def sell(self, name{1}): ...\n    def buy(self, name{1}): ...\n"
    old = write_tree(tmp_path / "kit-1.0", {"kit/__init__.py": base.format("scripts", "")})
    new = write_tree(tmp_path / "kit-2.0", {"kit/__init__.py": base.format("environment", ", price")})
    text = """\
import kit


class Shop(kit.Base):
    def scripts(self): ...
    def sell(self, name): ...
    def buy(self, *all): ...
"""
    root = write_tree(tmp_path / "app", {"app.py": text})
    assert upgraded(root, cache, "kit", old, new) == [
        ("kit.Base.scripts", "gone", "likely", ["app.py:5"]),
        ("kit.Base.sell", "signature", "likely", ["app.py:6"]),
    ]


def test_a_class_that_is_a_function_now_is_no_type_any_more(cache: Libraries, tmp_path: Path) -> None:
    old = write_tree(tmp_path / "kit-1.0", {"kit/__init__.py": "class Field:\n    def __init__(self, name): ...\n"})
    new = write_tree(tmp_path / "kit-2.0", {"kit/__init__.py": "def Field(name): ...\n"})
    text = "from kit import Field\n\n\ndef make(field: Field):\n    Field(field)\n"
    root = write_tree(tmp_path / "app", {"app.py": text})
    assert upgraded(root, cache, "kit", old, new) == [("kit.Field", "gone", "certain", ["app.py:1", "app.py:4"])]


def tarred(place: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(place, "w:gz") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x = 1\n"[: member.size]))
    return place


def member(path: str, size: int = 6, link: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(path)
    entry.size = 0 if link else size
    entry.type, entry.linkname = (tarfile.SYMTYPE if link else tarfile.REGTYPE), link
    return entry


def test_an_archive_writes_nothing_outside_and_follows_no_link(cache: Libraries, tmp_path: Path) -> None:
    archive = tarred(
        tmp_path / "kit-1.tar.gz",
        member("kit-1/ok.py"),
        member("kit-1/../../out.py"),
        member("/kit-1/abs/../../../out.py"),
        member("kit-1/link.py", link="/etc/passwd"),
    )
    assert names_in(cache.add_archive(archive, "pypi", "kit", "1")) == {"ok.py"}
    assert list(tmp_path.rglob("out.py")) == []


def test_what_another_repository_has_under_a_name_and_version_answers_nothing(
    app: Path, cache: Libraries, tmp_path: Path
) -> None:
    forged = site_packages(tmp_path / "evil", OLD | {"kit/core.py": "def load(path): ...\n"}, "1.0")
    cache.add(Installed("pypi", "Kit", "1.0", forged, tuple(OLD)))
    (package,) = installed(app)
    assert cache.find(package) is None
    assert cache.add(package) == cache.find(package)
    with pytest.raises(UsageError, match=r"Kit 1\.0 is indexed with 2 different contents"):
        cache.version_at("pypi", "Kit", "1.0", None)
    assert cache.version_at("pypi", "Kit", "1.0", package) == (cache.find(package), True)


def test_a_version_that_only_another_repository_has_is_called_unchecked(
    app: Path, cache: Libraries, tmp_path: Path
) -> None:
    elsewhere = site_packages(tmp_path / "elsewhere", NEW, "2.0")
    place = cache.add(Installed("pypi", "Kit", "2.0", elsewhere, tuple(NEW)))
    with CodeIndexer(app) as indexer:
        repository = Repository(indexer.store, indexer.folders)
        answer = repository.upgrade("kit=2.0", cache)
        assert answer.unchecked == ("2.0",)
        assert "Not checked: 2.0 is what another repository has installed." in render.upgrade(answer)
        assert repository.upgrade(f"kit={wheel(tmp_path / 'kit-2.1.whl', NEW)}", cache).unchecked == ()
    assert version_of(place) == "2.0"


def test_a_package_is_indexed_again_by_another_release_or_other_language_files(
    app: Path, cache: Libraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package,) = installed(app)
    before = cache.add(package)
    for name, value in (("VERSION", "9.9"), ("SCHEMA_VERSION", -1), ("fingerprint", lambda: "other")):
        with monkeypatch.context() as changed:
            changed.setattr(f"code_graph_indexer.libraries.cache.{name}", value)
            assert not cache.has(package)
            assert cache.versions("pypi", "Kit") == []
            assert list(cache.add_all([package], 1)) == [(package, True, "")]
            assert cache.add(package) != before
    assert cache.add(package) == before


def test_a_link_out_of_an_installed_package_is_not_read(cache: Libraries, tmp_path: Path) -> None:
    secret = write_tree(tmp_path / "home", {"secret.py": "KEY = 1\n"})
    folder = write_tree(tmp_path / "kit", {"ok.py": "x = 1\n"})
    (folder / "file.py").symlink_to(secret / "secret.py")
    (folder / "folder").symlink_to(secret)
    package = Installed("pypi", "kit", "1", folder, ("ok.py", "file.py", "folder/secret.py"))
    assert names_in(cache.add(package)) == {"ok.py"}


@pytest.mark.parametrize(
    "path",
    ["/package.json", "../go.mod", "x//package.json", "x\\package.json", "C:/go.mod", "a\0/go.mod", "x" * 300 + ".py"],
)
def test_a_manifest_that_leads_out_of_its_package_is_no_file_of_it(cache: Libraries, path: str, tmp_path: Path) -> None:
    assert not sources.is_wanted(path)
    archive = wheel(tmp_path / "kit-1.whl", {"ok.py": "x = 1\n", path: "{}"})
    assert names_in(cache.add_archive(archive, "pypi", "kit", "1")) == {"ok.py"}
    assert [*tmp_path.rglob("package.json"), *tmp_path.rglob("go.mod")] == []


def test_a_package_whose_files_collide_ends_in_a_sentence(cache: Libraries, tmp_path: Path) -> None:
    archive = wheel(tmp_path / "kit-1.whl", {"a.py": "x = 1\n", "a.py/b.py": "x = 1\n"})
    with pytest.raises(UsageError, match=r"kit 1 has a file 'a\.py/b\.py' that cannot be written"):
        cache.add_archive(archive, "pypi", "kit", "1")


def test_a_broken_list_of_files_leaves_its_package_out(tmp_path: Path) -> None:
    folder = site_packages(tmp_path, OLD, "1.0")
    record = folder / "kit-1.0.dist-info" / "RECORD"
    record.write_text("kit/core.py,,\nkit/\0.py,,\n")
    assert [package.paths for package in installed(tmp_path)] == [("kit/core.py",)]
    record.write_text("kit/core.py,,\n" + "x" * 140_000 + ",,\n")
    assert installed(tmp_path) == []


def test_no_folder_outside_of_a_repository_is_a_package_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crate = '[package]\nname = "s"\nversion = "1.0.0"\n'
    outside = write_tree(
        tmp_path / "out", {"s/Cargo.toml": crate, "s/s.rs": "fn s() {}\n", "x.org/s/s.go": "package s\n"}
    )
    site_packages(tmp_path / "other", OLD, "1.0")
    cache = write_tree(tmp_path / "home" / "go/pkg/mod", {"x.org/real@v1.0.0/r.go": "package r\n"})
    (cache / "x.org" / "s@v1").mkdir()
    root = write_tree(tmp_path / "app", {
        "vendor/t/Cargo.toml": crate.replace('"s"', '"t"'),
        "go.mod": f"module a.b/c\n\nrequire x.org/s v1/{'../' * 6}out/s\nrequire x.org/real v1.0.0\n",
    })  # fmt: skip
    (root / "vendor" / "s").symlink_to(outside / "s")
    (root / ".venv").symlink_to(tmp_path / "other" / ".venv")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert [package[:3] for package in installed(root)] == [("cargo", "t", "1.0.0"), ("go", "x.org/real", "v1.0.0")]
    (root / "vendor" / "modules.txt").write_text("# x.org/s v1.0.0\n")
    (root / "vendor" / "x.org").symlink_to(outside / "x.org")
    assert [package[:3] for package in installed(root)] == [("cargo", "t", "1.0.0")]


def test_a_lock_file_outside_of_the_root_is_not_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"out/package-lock.json": "{}", "app/in/package-lock.json": "{ }"})
    (tmp_path / "app" / "sub").symlink_to("../out")
    root = tmp_path / "app"
    assert read_lock(root, "in/package-lock.json") == "{ }"
    assert read_lock(root, "sub/package-lock.json") is None
    assert read_lock(root, "../out/package-lock.json") is None


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_with_a_huge_header_ends_in_a_sentence(cache: Libraries, tmp_path: Path, mode: Literal["w"]) -> None:
    archive = tmp_path / "kit-1.tar"
    with tarfile.open(archive, mode) as opened:
        opened.addfile(member("kit-1/ok.py"), io.BytesIO(b"x = 1\n"))
    assert names_in(cache.add_archive(archive, "pypi", "kit", "1")) == {"ok.py"}
    with tarfile.open(archive, mode, format=tarfile.GNU_FORMAT) as opened:
        opened.addfile(member("x" * (2 << 20)), io.BytesIO(b"x = 1\n"))
    with pytest.raises(UsageError, match=r"kit-1\.tar is no archive that can be read \(a header above 1 MB\)"):
        cache.add_archive(archive, "pypi", "kit", "2")


def test_an_archive_that_unpacks_without_an_end_ends_in_a_sentence(
    cache: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "kit-1.tgz"
    with tarfile.open(archive, "w:gz") as opened:
        opened.addfile(member("kit-1/bundle.bin", 3 << 20), io.BytesIO(bytes(3 << 20)))
        opened.addfile(member("kit-1/ok.py"), io.BytesIO(b"x = 1\n"))
    monkeypatch.setattr(sources, "MAX_UNPACKED", 2 << 20)
    with pytest.raises(UsageError, match="more than 2 MB, unpacked"):
        cache.add_archive(archive, "pypi", "kit", "1")


def test_a_folder_named_as_a_version_is_not_that_version(
    cache: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tree(tmp_path, {"good/good.py": "x = 1\n", "2.33.0/bad.py": "x = 1\n"})
    place = cache.add(Installed("pypi", "requests", "2.33.0", tmp_path / "good"))
    monkeypatch.chdir(tmp_path)
    assert cache.version_at("pypi", "requests", "2.33.0", None) == (place, False)
    assert names_in(place) == {"good.py"}
    assert names_in(cache.version_at("pypi", "requests", "./2.33.0", None)[0]) == {"bad.py"}


def test_no_two_packages_have_one_place(cache: Libraries, tmp_path: Path) -> None:
    names = ["@a/b", "@a!b", "@a%2Fb", "@a:b", "@a b", "@a\ud800b"]
    assert len({cache.place("npm", name, "1") for name in names}) == len(names)
    place = cache.add(Installed("pypi", "kit", "1!2.0", write_tree(tmp_path / "kit", {"ok.py": "x = 1\n"})))
    assert (version_of(place), cache.versions("pypi", "kit")) == ("1!2.0", ["1!2.0"])


def test_a_long_chain_of_classes_is_followed_without_recursion(cache: Libraries, tmp_path: Path) -> None:
    chain = "".join(f"class C{number}(C{number - 1}): ...\n" for number in range(1, 1_500))
    text = f"class C0:\n    def run(self): ...\n{chain}"
    place = cache.add(Installed("pypi", "kit", "1", write_tree(tmp_path / "kit", {"kit.py": text})))
    store = open_store(place)
    surface = Surface(store)
    member = surface.find("kit", "kit", "C200.run")
    assert member is not None
    assert member.definition.dotted == "C0.run"
    assert surface.find("kit", "kit", "C1499.run") is None
    store.close()


def test_a_manifest_of_repetitions_is_read_in_one_pass(tmp_path: Path) -> None:
    packages = {
        "setup.py": ("require" * 30_000 + "require = [" + "] " * 30_000 + " " * 30_000 + "'b'\n]", "pypi", {"b": ""}),
        "setup.cfg": (" a" + " " * 100_000 + "\x01\n  b>=1\n", "pypi", {"b": ""}),
        "build.gradle": ("'" + "a." * 100_000 + "\n'org.b:b:1.0'", "maven", {"org.b": "1.0"}),
        "a.gemspec": ("add_" * 100_000 + "\ns.add_runtime_dependency( 'b'", "rubygems", {"b": ""}),
        "Gemfile": ("\n" * 100_000 + " gem 'b'", "rubygems", {"b": ""}),
        "go.mod": ("a.b" + "/x" * 1_000 + "\nrequire b.c/d v1.0.0\n", "go", {"b.c/d": "v1.0.0"}),
    }
    for path, (text, ecosystem, declared) in packages.items():
        assert read_packages({path: text}, ecosystems()[ecosystem])[0] == declared
    lines = 'name = "a"\n' * 20_000
    write_tree(tmp_path, {"go.mod": "\n" * 100_000, "vendor/a/Cargo.toml": f"[package]\n{lines}\n[b]\nversion = '1'\n"})
    assert installed(tmp_path) == []
    assert _DEPRECATED.search("\n" * 100_000) is None
    assert _DEPRECATED.search("Text.\n\n  @deprecated since 2") is not None


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\x1f\x8b\x08\x00 broken"])
def test_a_broken_archive_ends_in_a_sentence(cache: Libraries, tmp_path: Path, content: bytes) -> None:
    archive = tmp_path / "kit-1.tar.gz"
    archive.write_bytes(content)
    with pytest.raises(UsageError, match=r"kit-1\.tar\.gz is (no archive that can be read|damaged).*give another file"):
        cache.add_archive(archive, "pypi", "kit", "1")
    assert list(cache.folder.rglob("*.db")) == []


def test_a_package_without_an_end_or_without_code_ends_in_a_sentence(
    cache: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_tree(tmp_path / "kit", {f"m{number}.py": "x = 1\n" for number in range(12)})
    monkeypatch.setattr(sources, "MAX_FILES", 10)
    with pytest.raises(UsageError, match="kit has more than 10 files"):
        cache.add(Installed("npm", "kit", "1", folder))
    empty = write_tree(tmp_path / "empty", {"README.md": "# Kit\n"})
    with pytest.raises(UsageError, match=r"kit 2 has no code"):
        cache.add(Installed("npm", "kit", "2", empty))
    for name in ("..", "", "x" * 300):
        with pytest.raises(UsageError, match="is no package and version"):
            cache.add(Installed("npm", name, "1", folder))


def test_the_least_recently_used_index_goes_first(tmp_path: Path) -> None:
    cache = Libraries(tmp_path / "cache", 1_500)
    names = [f"1/a.{reader()}.db", f"2/b.{reader()}.db"]
    write_tree(cache.folder / "npm" / "kit", dict.fromkeys(names, "x" * 1_000))
    (cache.folder / "npm" / "kit" / names[0]).touch()
    older = cache.folder / "npm" / "kit" / names[1]
    os.utime(older, (1, 1))
    cache.shrink()
    assert cache.versions("npm", "kit") == ["1"]


@pytest.fixture
def indexed(app: Path, cache: Libraries, monkeypatch: pytest.MonkeyPatch) -> Iterator[CodeIndexer]:
    """Open the application, whose package is indexed too."""
    monkeypatch.setenv("CGI_LIBRARIES", str(cache.folder))
    cache.add(*installed(app))
    with CodeIndexer(app) as indexer:
        yield indexer


def test_a_name_that_only_a_package_defines_leads_into_it(indexed: CodeIndexer) -> None:
    behind = Behind(indexed).named(["kit.load"])
    assert behind is not None
    library, (name,) = behind
    assert (library.name, name) == ("Kit@1.0", "Kit@1.0/kit/core.py:load")
    assert [symbol.qualified_name for symbol in library.symbol(name)] == ["kit.core.load"]
    assert [(step.file_path, step.line) for step in library.callers(name)[0].steps] == [("app.py", 11)]
    assert Behind(indexed).named(["run"]) is None
    assert Behind(indexed).named(["nobody.load"]) is None


def test_a_path_leads_from_the_repository_into_a_package(indexed: CodeIndexer) -> None:
    behind = Behind(indexed).named(["run", "kit.Client.reset"])
    assert behind is not None
    library, (source, target) = behind
    (steps,) = library.graph.paths(source, target).paths
    assert [(step.file_path, step.line, step.symbol.qualified_name) for step in steps] == [
        ("app.py", 9, "kit.core.Base.reset")
    ]


def test_answers_about_the_repository_stay_as_they_are(indexed: CodeIndexer) -> None:
    assert [use.qualified_name for use in indexed.callees("run")[0].external][:2] == ["kit.Client", "kit.Client"]
    assert not any("@" in context.file_path for context in indexed.retrieve("load the client"))
    assert "Kit@1.0" not in indexed.explore("run").text


def test_a_search_asks_the_package_that_it_names(indexed: CodeIndexer) -> None:
    contexts = indexed.retrieve("library:kit load a path", keyword_only=True)
    assert {context.file_path for context in contexts} == {"Kit@1.0/kit/core.py", "Kit@1.0/kit/__init__.py"}
    assert "def tidy(path)" in indexed.explore("library:kit tidy", keyword_only=True).text
    with pytest.raises(NotInIndexError, match="no package 'nobody' is installed here"):
        indexed.retrieve("library:nobody load")


def test_a_tour_follows_names_and_traces_into_a_package(indexed: CodeIndexer) -> None:
    tour = indexed.explore("kit.core.Client.send").text
    assert "app.py:8" in tour
    assert "def send(self, text, quick=False)" in tour
    trace = """\
Traceback (most recent call last):
  File "/srv/app/app.py", line 11, in run
    load("p")
  File "/srv/.venv/lib/python3.11/site-packages/kit/core.py", line 11, in load
    open(path)
ValueError: bad
"""
    tour = indexed.explore(trace).text
    assert "11\tdef load(path" in tour
    assert '11\t    load("p")' in tour
    assert "app.py:5  run" in tour


def test_a_package_that_is_not_indexed_is_named_with_what_to_do(
    app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CGI_LIBRARIES", str(tmp_path / "none"))
    with CodeIndexer(app) as indexer:
        with pytest.raises(
            NotInIndexError, match=r"Kit 1\.0 is installed, but not indexed; index it: cgi libraries add Kit"
        ):
            Behind(indexer).named(["kit.load"])
        assert "index it: cgi libraries add Kit" in indexer.explore("kit.load").text
        tour = indexer.explore('File "/x/site-packages/kit/core.py", line 11, in load')
    assert "the lines of Kit are not shown; index them: cgi libraries add Kit" in tour.text
