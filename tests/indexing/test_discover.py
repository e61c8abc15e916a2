"""What is found of a repository: ignore files, folders of tools, links, secrets, data, sizes."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from code_graph_indexer.errors import UsageError
from code_graph_indexer.indexing.discover import LeftOut, discover, left_out, readable_files
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.results import Filters
from tests.indexing.repository import index, opened, write_tree


def errors_of(root: Path, *, max_file_size: int = 1_000) -> dict[str, str | None]:
    """Give the error of every file found, by path, without the ignore files themselves."""
    files = discover(root, max_file_size=max_file_size)
    assert [file.path for file in files] == sorted(file.path for file in files)
    return {file.path: file.error for file in files if not file.path.endswith("ignore")}


def indexable(root: Path) -> set[str]:
    return {path for path, error in errors_of(root).items() if error is None}


def tree(root: Path, paths: str, **ignores: str) -> Path:
    """Write empty files at the paths, and ignore files given as `git="…"`, `git_below="…"` (in below/), `cgi="…"`."""
    files = dict.fromkeys(paths.split(), "")
    for name, text in ignores.items():
        kind, _, folder = name.partition("_")
        files[f"{folder}/.{kind}ignore" if folder else f".{kind}ignore"] = text
    return write_tree(root, files)


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ("", "a.py b.txt c/a.py c/b.txt c/d/a.py"),
        ("*.txt", "a.py c/a.py c/d/a.py"),
        ("# *.py\n\n", "a.py b.txt c/a.py c/b.txt c/d/a.py"),
        ("*.txt\n!b.txt", "a.py b.txt c/a.py c/b.txt c/d/a.py"),
        ("*.txt\n!/b.txt", "a.py b.txt c/a.py c/d/a.py"),
        ("/a.py", "b.txt c/a.py c/b.txt c/d/a.py"),
        ("c/a.py", "a.py b.txt c/b.txt c/d/a.py"),
        ("c/", "a.py b.txt"),
        ("d/", "a.py b.txt c/a.py c/b.txt"),
        ("a.py/", "a.py b.txt c/a.py c/b.txt c/d/a.py"),
        ("c/*\n!c/d/", "a.py b.txt c/d/a.py"),
        ("c/\n!c/a.py", "a.py b.txt"),
        ("**/d/a.py", "a.py b.txt c/a.py c/b.txt"),
        ("c/**/a.py", "a.py b.txt c/b.txt"),
        ("?.txt", "a.py c/a.py c/d/a.py"),
        ("[ab].py", "b.txt c/b.txt"),
        ("\\!x\n*.txt  ", "a.py c/a.py c/d/a.py"),
        ("*\n!*/\n!*.py", "a.py c/a.py c/d/a.py"),
        ("*/", "a.py b.txt"),
        ("c/**\n!c/a.py", "a.py b.txt c/a.py"),
        ("*.txt\n!c/", "a.py c/a.py c/d/a.py"),
        ("*.txt\n!\n! \n\\\nb\\\n[z-a]\n[[:alpha:]]\n[", "a.py c/a.py c/d/a.py"),
    ],
)
def test_a_gitignore_at_the_root_is_obeyed(tmp_path: Path, patterns: str, left: str) -> None:
    root = tree(tmp_path, "a.py b.txt c/a.py c/b.txt c/d/a.py", git=patterns)
    assert indexable(root) == set(left.split())


def test_a_deeper_gitignore_overrides_one_above(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.txt c/a.txt c/d/a.txt e/a.txt", git="*.txt", git_c="!*.txt", **{"git_c/d": "a.txt"})
    assert indexable(root) == {"c/a.txt"}


def test_a_deeper_gitignore_is_anchored_in_its_own_folder(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py c/a.py c/d/a.py", git_c="/a.py")
    assert indexable(root) == {"a.py", "c/d/a.py"}


NAMES = st.sampled_from(["a", "b", "a.py", "b.txt", "ab"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PATTERNS = st.tuples(
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/", "**/"]),
    st.lists(st.sampled_from(["a", "b", "*", "**", "*.py", "?", "a*", "[ab]", "b.txt"]), min_size=1, max_size=3).map(
        "/".join
    ),
    st.sampled_from(["", "", "/", "/*", "/**"]),
).map("".join)
IGNORES = st.lists(PATTERNS, max_size=4).map("\n".join)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")
@settings(deadline=None, max_examples=60)
@given(st.lists(PATHS, max_size=8, unique=True), IGNORES, st.dictionaries(PATHS, IGNORES, max_size=2))
def test_ignore_files_are_obeyed_as_git_does(paths: list[str], at_the_root: str, below: dict[str, str]) -> None:
    folders = {folder.as_posix() for path in paths for folder in PurePosixPath(path).parents}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = [path for path in paths if path not in folders]
        ignores = {f"{place}/.gitignore": text for place, text in below.items() if place in folders}
        write_tree(root, {**dict.fromkeys(files, ""), **ignores, ".gitignore": at_the_root})
        git = ["git", "-c", "core.excludesFile=", "-C", folder]
        subprocess.run([*git, "init", "-q"], check=True)
        command = [*git, "ls-files", "-z", "--others", "--exclude-standard"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
        assert indexable(root) == {path for path in listed if path and not path.endswith(".gitignore")}


def test_a_gitignore_in_an_ignored_folder_brings_nothing_back(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py c/a.py", git="c/", git_c="!a.py")
    assert indexable(root) == {"a.py"}


def test_a_gitignore_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    root = tree(tmp_path / "repository", "a.py")
    write_tree(tmp_path, {"outside": "*.py"})
    (root / ".gitignore").symlink_to(tmp_path / "outside")
    assert indexable(root) == {"a.py"}


@pytest.mark.parametrize(
    ("cgi", "left"),
    [
        ("!gen/", "a.py gen/b.py gen/deep/c.py"),
        ("!gen/deep/*.py", "a.py gen/deep/c.py"),
        ("!c.py", "a.py gen/deep/c.py"),
        ("!a.txt", "a.py a.txt"),
        ("a.py", ""),
        ("!gen/\ngen/deep/", "a.py gen/b.py"),
        ("!node_modules/pkg/", "a.py node_modules/pkg/d.py"),
    ],
)
def test_a_cgiignore_has_the_last_word(tmp_path: Path, cgi: str, left: str) -> None:
    paths = "a.py a.txt gen/b.py gen/deep/c.py node_modules/pkg/d.py node_modules/e.py"
    assert indexable(tree(tmp_path, paths, git="gen/\n*.txt", cgi=cgi)) == set(left.split())


def test_a_deeper_cgiignore_overrides_one_above(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.txt c/a.txt c/b.txt", cgi="*.txt", cgi_c="!a.txt")
    assert indexable(root) == {"c/a.txt"}


def test_folders_of_tools_are_left_out(tmp_path: Path) -> None:
    outside = (
        "node_modules/a.js x/node_modules/a.js .venv/a.py __pycache__/a.py build/a.py dist/a.py target/a.rs .git/config"
    )
    inside = "src/build/a.py src/dist/a.py lib/a.py .github/workflows/ci.yml"
    assert indexable(tree(tmp_path, f"{outside} {inside}")) == set(inside.split())


def test_the_git_file_of_a_submodule_is_no_folder_of_tools(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"sub/.git": "gitdir: ../.git/modules/sub\n", "sub/a.py": ""})
    assert "sub/a.py" in indexable(root)


def test_links_are_recorded_and_never_followed(tmp_path: Path) -> None:
    root = tree(tmp_path / "repository", "a.py c/b.py")
    write_tree(tmp_path / "outside", {"secret.py": "PASSWORD = 1\n"})
    for name, target in {
        "file.py": "a.py",
        "folder": "c",
        "loop": ".",
        "self": "self",
        "out.py": "../outside/secret.py",
        "outside": "../outside",
    }.items():
        (root / name).symlink_to(target)
    assert errors_of(root) == {
        **dict.fromkeys(("file.py", "folder", "loop", "self", "out.py", "outside"), "symbolic link"),
        **dict.fromkeys(("a.py", "c/b.py")),
    }


SECRETS = (
    ".env .env.production deploy/id_rsa server.pem app.key credentials.json .npmrc prod.tfvars secrets.yaml .netrc"
)

NAMES_OF_SECRETS = """
    .ENV .Env.Production a/.env-prod a/x.env .envrc .flaskenv .dev.vars secret.yaml secret.yml .secrets
    .secrets.toml Secrets.JSON secrets.ini secrets.sh credentials a/credentials.csv client_secret_1.json
    service-account.json serviceAccountKey.json my-firebase-adminsdk-a1.json terraform.tfstate
    terraform.tfstate.backup a/prod.tfvars x.auto.tfvars prod.tfvars.json .terraformrc tls.PEM AuthKey.p8
    a.der deploy_key site_deploy_key client.ovpn ID_RSA ssh_host_rsa_key api.example.com.key kubeconfig
    dev.kubeconfig .kube/config a/.kube/cache/hosts .ssh/config .aws/credentials .dockerconfigjson
    .docker/config.json a/.docker/config.json .cargo/credentials .cargo/credentials.toml .yarnrc.yml .NPMRC
    .m2/settings.xml NuGet.Config pip.conf .config/gh/hosts.yml .my.cnf .s3cfg .boto rclone.conf .vault-token
    .bash_history .git-credentials .htpasswd
"""

NAMES_OF_SOURCE = """
    .env.example .ENV.EXAMPLE .env.template .env.local.example .env.sample .env.dist example.env
    secrets.example.yaml secrets.yml.example terraform.tfvars.example prod.example.tfvars
    credentials.json.template kubeconfig.example service-account.example.json .npmrc.example
    .aws/config.example secrets.py secrets.go secrets.md secrets.tf credentials.rs credentials/a.py
    lib/credentials/roles.json secrets/a.txt env.ts environment.py keys.py pem.rs auth/auth.json history.py
    settings.xml key.test.js
"""


@pytest.mark.parametrize("path", NAMES_OF_SECRETS.split())
def test_a_name_of_a_secret_is_known_in_any_case(path: str) -> None:
    assert file_patterns().why_unread(path) == "secret"


@pytest.mark.parametrize("path", NAMES_OF_SOURCE.split())
def test_a_template_and_code_about_secrets_are_source(path: str) -> None:
    assert file_patterns().why_unread(path) == ""


@pytest.mark.slow
def test_secrets_are_recorded_and_their_text_is_nowhere_in_the_index(tmp_path: Path) -> None:
    password = "hunter2" * 3
    files = dict.fromkeys(SECRETS.split(), f"KEY={password}\n")
    root = write_tree(tmp_path / "repository", {**files, ".env.example": "KEY=\n", "a.py": "x = 1\n"})
    db = tmp_path / "index.db"
    index(root, db)
    assert {path for path, error in errors_of(root).items() if error == "secret"} == set(SECRETS.split())
    assert indexable(root) == {".env.example", "a.py"}
    with opened(db) as store:
        assert all(store.file_text(path) is None for path in files)
        assert store.counts()["skipped"] == {"secret": len(files)}
        texts = [store.file_text(file.path) or b"" for file in store.files()]
        assert not any(password.encode() in text for text in texts)
        assert store.words([password], Filters(), 10) == []
        assert store.substrings(password, Filters(), 10) == []
        values = [value for _, rows in store.contents() for row in rows for value in row]
        assert not any(password in value for value in values if isinstance(value, str))
        assert not any(password.encode() in value for value in values if isinstance(value, bytes))
    assert password.encode() not in db.read_bytes()


def test_a_secret_forced_in_is_read(tmp_path: Path) -> None:
    root = tree(tmp_path, ".env sub/.env", cgi="!/.env")
    assert errors_of(root) == {".env": None, "sub/.env": "secret"}


def test_data_and_oversized_files_are_recorded(tmp_path: Path) -> None:
    files = {"big.py": "x" * 1_001, "fits.py": "x" * 1_000, "table.csv": "", "yarn.lock": "", "package-lock.json": "{}"}
    assert errors_of(write_tree(tmp_path, files)) == {
        "big.py": "too large (over 1000 bytes)",
        "fits.py": None,
        "table.csv": "data",
        "yarn.lock": "data",
        "package-lock.json": "data",
    }


def test_the_files_that_can_be_read_are_those_without_an_error(tmp_path: Path) -> None:
    root = tree(
        tmp_path, "a.py b/c.py big.py .env table.csv gen/a.py build/a.py private/a.py", git="gen/", cgi="private/"
    )
    (root / "big.py").write_bytes(bytes(1_001))
    paths = {path for path in readable_files(root, max_file_size=1_000) if not path.endswith("ignore")}
    assert paths == indexable(root) == {"a.py", "b/c.py"}


def test_what_is_no_folder_is_an_error(tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere", write_tree(tmp_path, {"file": ""}) / "file"):
        with pytest.raises(UsageError, match="is not a folder; give the folder of a repository"):
            discover(place, max_file_size=1)


def test_what_git_tracks_is_not_ignored(tmp_path: Path) -> None:
    files = {
        ".gitignore": "package.json\ngen/\nvendored.txt\n",
        "package.json": "{}",
        "lib/package.json": "{}",
        "gen/kept.py": "x = 1\n",
        "gen/made.py": "x = 1\n",
        "node_modules/left/index.js": "x\n",
        ".cgiignore": "lib/package.json\n",
    }
    root = write_tree(tmp_path / "repository", files)
    git = ["git", "-C", str(root), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for arguments in (["init", "-q"], ["add", "-f", "package.json", "lib/package.json", "gen/kept.py", "node_modules"]):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    paths = {file.path for file in discover(root, max_file_size=1_000_000)}
    assert paths == {".gitignore", ".cgiignore", "package.json", "gen/kept.py", "node_modules/"}


def git_in(folder: Path, *arguments: str) -> None:
    """Run git in a folder, as an author who needs no configuration."""
    options = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", "-C", str(folder), *options, *arguments], check=True, capture_output=True)


def committed(root: Path, paths: str) -> Path:
    """Write empty files into a new repository, and commit them."""
    tree(root, paths)
    for arguments in (["init", "-q"], ["add", "-f", "."], ["commit", "-qm", "x"]):
        git_in(root, *arguments)
    return root


BUILT = (
    "build/a.py dist/a.py out/a.py target/a.py venv/a.py lib/venv/a.py Pods/a.py x/Pods/a.py .cache/a.py x/.cache/a.py"
)


def test_what_git_tracks_in_a_folder_of_tools_is_source(tmp_path: Path) -> None:
    root = committed(tmp_path / "repository", f"{BUILT} a.py node_modules/left/a.js")
    # A new file beside tracked ones is source too, before anybody adds it.
    tree(root, "build/new.py build/target/debug/a.py")
    assert errors_of(root) == {
        **dict.fromkeys([*BUILT.split(), "a.py", "build/new.py"]),
        "build/target/debug/": "built-in rule **/target/debug/",
        "node_modules/": "built-in rule node_modules/",
    }


def test_tracked_files_are_known_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = committed(tmp_path / "repository", "build/a.py a.py")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert indexable(root) == {"build/a.py", "a.py"}


def test_a_root_inside_a_repository_has_its_tracked_files(tmp_path: Path) -> None:
    root = committed(tmp_path / "repository", "lib/build/a.py build/b.py")
    assert indexable(root / "lib") == {"build/a.py"}


def test_what_a_built_in_rule_leaves_out_is_listed_with_the_rule(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py build/a.py lib/venv/a.py __pycache__/a.py x/node_modules/a.js gen/Pods/a.m", git="gen/")
    assert errors_of(root) == {
        "a.py": None,
        "build/": "built-in rule /build/",
        "lib/venv/": "built-in rule venv/",
        "x/node_modules/": "built-in rule node_modules/",
    }


def test_what_git_ignores_too_is_left_out_by_git(tmp_path: Path) -> None:
    assert errors_of(tree(tmp_path, "a.py build/a.py venv/a.py", git="build\n/venv/")) == {"a.py": None}


@pytest.mark.parametrize(
    ("git", "left"),
    [
        ("/dist/*\n!/dist/keep.py", "a.py dist/keep.py"),
        ("dist/*\n!dist/keep.py", "a.py dist/keep.py"),
        ("*.js\n!/dist/", "a.py dist/a.py dist/keep.py"),
        ("!dist/", "a.py dist/a.py dist/keep.py"),
        # Said of every folder, it says nothing of this one.
        ("*\n!*/\n!*.py", "a.py"),
        ("!keep.py", "a.py"),
        # As in git, a folder that is ignored holds nothing to bring back.
        ("/dist/\n!/dist/keep.py", "a.py"),
    ],
)
def test_a_negation_in_a_gitignore_names_a_folder_of_source(tmp_path: Path, git: str, left: str) -> None:
    assert indexable(tree(tmp_path, "a.py dist/a.py dist/keep.py", git=git)) == set(left.split())


def test_linked_worktrees_below_the_root_are_no_part_of_the_tree(tmp_path: Path) -> None:
    root = committed(tmp_path / "repository", "a.py")
    committed(root / "nested", "a.py build/a.py")
    git_in(root, "submodule", "add", "-q", str(root / "nested"), "sub")
    git_in(root, "worktree", "add", "-q", "trees/w1")
    git_in(root / "nested", "worktree", "add", "-q", "w2")
    assert errors_of(root) == {
        **dict.fromkeys((".gitmodules", "a.py", "nested/a.py", "nested/build/a.py", "sub/a.py", "sub/build/a.py")),
        "trees/w1/": "linked worktree",
        "nested/w2/": "linked worktree",
    }
    # It is a tree of its own where it is the root.
    assert indexable(root / "trees/w1") == {"a.py"}
    tree(root, "", cgi="!/trees/w1/")
    assert "trees/w1/a.py" in indexable(root)


def test_no_index_names_the_place_of_a_repository(tmp_path: Path) -> None:
    root = committed(tmp_path / "repository", "a.py")
    git_in(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert str(root) in (tmp_path / "tree" / ".git").read_text(encoding="utf-8")
    assert set(errors_of(tmp_path / "tree")) == {"a.py"}
    tree(tmp_path / "tree", "", cgi="!.git")
    assert set(errors_of(tmp_path / "tree")) == {"a.py"}


def test_the_rules_that_leave_paths_out_are_named(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        "a.py src/a.py src/b.txt lib/x.py lib/y.py build/a.py",
        git="# sources\n/src/\n",
        git_lib="x.*\n!x.py\nx.py",
        cgi="*.txt\na.py",
    )
    assert left_out(root) == [
        LeftOut("a.py", '.cgiignore:2 "a.py"'),
        LeftOut("build/", "built-in rule /build/"),
        LeftOut("lib/x.py", 'lib/.gitignore:3 "x.py"'),
        LeftOut("src/", '.gitignore:2 "/src/"'),
    ]


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has only names in UTF-8")
def test_a_rule_is_named_for_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    Path(tmp_path, os.fsdecode(b"\xff"), "venv").mkdir(parents=True)
    assert left_out(tmp_path) == [LeftOut("\\udcff/venv/", "built-in rule venv/")]
    assert errors_of(tmp_path) == {"\\udcff/venv/": "built-in rule venv/"}


def test_a_tracked_path_of_many_folders_stops_nothing(tmp_path: Path) -> None:
    root = committed(tmp_path / "repository", "a.py")
    blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    git_in(root, "update-index", "--add", "--cacheinfo", f"100644,{blob},{'d/' * 1_900}a.py")
    assert indexable(root) == {"a.py"}
