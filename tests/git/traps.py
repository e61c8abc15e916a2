"""Repositories that have a program run when git is called in them. The program leaves a mark.

Each trap prepares a repository and returns the git command that springs it, which shows that the trap works.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.git.test_layout import git_in
from tests.indexing.repository import write_tree

FILES = {
    "a.py": "def first():\n    return second()\n\n\ndef second():\n    return 1\n",
    "lib/b.py": "import a\n\na.first()\n",
}

Trap = Callable[[Path, Path], list[str]]
"""A function of a repository and a program that returns the arguments of a git command."""


def repository(root: Path) -> Path:
    """Make a repository with one commit."""
    write_tree(root, FILES)
    git_in(root, "init", "-q", "-b", "main")
    git_in(root, "add", ".")
    git_in(root, "commit", "-qm", "first")
    return root


def mark_maker(folder: Path) -> tuple[Path, Path]:
    """Return a program and the file that it makes."""
    folder.mkdir()
    program, mark = folder / "program", folder / "mark"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\nexit 1\n")
    program.chmod(0o755)
    return program, mark


def _set(root: Path, **values: str) -> None:
    for key, value in values.items():
        git_in(root, "config", key.replace("_", "."), value)


def monitor(root: Path, program: Path) -> list[str]:
    """Name a monitor of files."""
    _set(root, core_fsmonitor=str(program))
    return ["status"]


def hooks(root: Path, program: Path) -> list[str]:
    """Name a folder with every hook."""
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "fsmonitor-watchman"):
        write_tree(root, {f"traps/{name}": program.read_text()})
        (root / "traps" / name).chmod(0o755)
    _set(root, core_hooksPath=str(root / "traps"))
    return ["update-ref", "refs/heads/new", "HEAD"]


def clean_filter(root: Path, program: Path) -> list[str]:
    """Name a filter that reads files into git."""
    write_tree(root, {".gitattributes": "* filter=x\n"})
    _set(root, filter_x_clean=str(program))
    write_tree(root, {"a.py": FILES["a.py"] + "\n"})
    return ["diff", "HEAD"]


def process_filter(root: Path, program: Path) -> list[str]:
    """Name a filter that stays open, through attributes beside the repository."""
    write_tree(root, {".git/info/attributes": "* filter=x\n", "a.py": FILES["a.py"] + "\n"})
    _set(root, filter_x_process=str(program))
    return ["diff", "HEAD"]


def external_diff(root: Path, program: Path) -> list[str]:
    """Name a program that compares."""
    _set(root, diff_external=str(program))
    write_tree(root, {"a.py": FILES["a.py"] + "\n"})
    return ["diff", "HEAD"]


def diff_driver(root: Path, program: Path) -> list[str]:
    """Name a program that compares files with an attribute."""
    write_tree(root, {".gitattributes": "*.py diff=x\n", "a.py": FILES["a.py"] + "\n"})
    _set(root, diff_x_command=str(program))
    return ["diff", "HEAD"]


def text_converter(root: Path, program: Path) -> list[str]:
    """Name a program that makes text of files with an attribute."""
    write_tree(root, {".gitattributes": "*.py diff=x\n", "a.py": FILES["a.py"] + "\n"})
    _set(root, diff_x_textconv=str(program))
    return ["diff", "HEAD"]


def signature(root: Path, program: Path) -> list[str]:
    """Name a program that checks signatures, and sign the commit."""
    commit = subprocess.run(
        ["git", "-C", str(root), "cat-file", "commit", "HEAD"], check=True, capture_output=True, text=True
    ).stdout
    head, _, message = commit.partition("\n\n")
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{message}"
    command = ["git", "-C", str(root), "hash-object", "-t", "commit", "-w", "--stdin"]
    name = subprocess.run(command, input=signed, check=True, capture_output=True, text=True).stdout.strip()
    git_in(root, "update-ref", "refs/heads/main", name)
    _set(root, log_showSignature="true", gpg_program=str(program))
    return ["log"]


def lazy_fetch(root: Path, program: Path) -> list[str]:
    """Name a program that fetches what is missing, and let a tree be missing."""
    tree = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD:lib"], check=True, capture_output=True, text=True
    ).stdout.strip()
    (root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    _set(
        root,
        **{"remote_origin_url": str(root), "remote_origin_promisor": "true", "remote_origin_uploadpack": str(program)},
        **{"extensions_partialClone": "origin", "core_repositoryformatversion": "1"},
    )
    return ["log", "--name-only"]


def ssh_command(root: Path, program: Path) -> list[str]:
    """Name a program that reaches a server, for a partial clone of it."""
    lazy_fetch(root, program)
    git_in(root, "config", "--unset", "remote.origin.uploadpack")
    _set(root, remote_origin_url="ssh://127.0.0.1/x", core_sshCommand=str(program))
    return ["log", "--name-only"]


def included_file(root: Path, program: Path) -> list[str]:
    """Include a configuration that stands among the files."""
    write_tree(root, {"trap.config": f"[core]\n\tfsmonitor = {program}\n"})
    _set(root, include_path="../trap.config")
    return ["status"]


def worktree_configuration(root: Path, program: Path) -> list[str]:
    """Put the setting into the configuration of the work tree."""
    _set(root, core_repositoryformatversion="1", extensions_worktreeConfig="true")
    write_tree(root, {".git/config.worktree": f"[core]\n\tfsmonitor = {program}\n"})
    return ["status"]


def bare_folder(root: Path, program: Path) -> list[str]:
    """Let a subfolder look like a bare repository."""
    signature(root, program)
    lib, gitdir = root / "lib", root / ".git"
    git_in(root, "config", "--remove-section", "log")
    (lib / "refs").mkdir()
    write_tree(lib, {"HEAD": "ref: refs/heads/main\n", "commondir": "x\n"})
    write_tree(
        lib / "x",
        {
            "config": f"[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {program}\n",
            "refs/heads/main": (gitdir / "refs" / "heads" / "main").read_text(),
            "objects/info/alternates": f"{gitdir}/objects\n",
        },
    )
    return ["-C", "lib", "log"]


def git_file(root: Path, program: Path) -> list[str]:
    """Let a file `.git` name a folder among the files."""
    (root / ".git").rename(root / "data")
    write_tree(root, {".git": "gitdir: data\n"})
    _set(root, core_fsmonitor=str(program))
    return ["status"]


def submodule(root: Path, program: Path) -> list[str]:
    """Put the setting into the configuration of a submodule."""
    inner = repository(root / "sub")
    _set(inner, core_fsmonitor=str(program))
    git_in(root, "add", "sub")
    git_in(root, "commit", "-qm", "sub")
    return ["diff", "HEAD"]


def alias(root: Path, program: Path) -> list[str]:
    """Name programs by the names of commands."""
    _set(root, **{f"alias_{name}": f"!{program}" for name in ("log", "diff", "lg", "rev-parse", "cat-file")})
    return ["lg"]


def alternate_references(root: Path, program: Path) -> list[str]:
    """Name a program that lists the references of a repository whose objects are borrowed."""
    inner = repository(root / "inner")
    write_tree(root, {".git/objects/info/alternates": f"{inner}/.git/objects\n"})
    _set(root, core_alternateRefsCommand=str(program))
    return ["fetch", str(inner), "main"]


def foreign_owner(root: Path, program: Path) -> list[str]:
    """Let the repository belong to another user, and say that this is safe."""
    _set(root, core_fsmonitor=str(program), safe_directory="*")
    if os.geteuid() == 0:
        for place in (root, root / ".git"):
            os.chown(place, 12345, 12345)
    return ["-c", "safe.directory=*", "status"]


TRAPS: tuple[Trap, ...] = (
    *(monitor, hooks, clean_filter, process_filter, external_diff, diff_driver, text_converter, signature, lazy_fetch),
    *(ssh_command, included_file, worktree_configuration, bare_folder, git_file, submodule, alias),
    *(alternate_references, foreign_owner),
)
