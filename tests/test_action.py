"""The steps of the action for GitHub and of the template for GitLab, run by a shell on a repository with a change."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shop import copy_shop

REPOSITORY = Path(__file__).parent.parent
TEMPLATES = REPOSITORY / "docs" / "how-to" / "ci"

FENCE = "`" * 6


def scripts(path: Path) -> list[str]:
    """Return the scripts of several lines in a YAML file, in order."""
    blocks = re.findall(
        r"^( *)(?:- )?(?:run: )?\|\n((?:\1 +.*\n|\n)+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return ["\n".join(line.strip() for line in body.splitlines()) for _, body in blocks]


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def changed_shop(tmp_path: Path) -> Path:
    """Return a git repository whose last commit is that of a stranger, who wants to end the block of the comment."""
    root = copy_shop(tmp_path)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sell tea")
    pricing = root / "shop" / "pricing.py"
    text = pricing.read_text(encoding="utf-8")
    body = "    return cents + (cents * TAX_PERCENT + 50) // 100\n"
    assert body in text
    pricing.write_text(text.replace(body, f"    # {FENCE}``\n{body}    # @everyone\n{FENCE}\n"), encoding="utf-8")
    git(root, "commit", "-q", "-a", "-m", "Change the tax")
    return root


def run(script: str, root: Path, **variables: str) -> str:
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=root,
        env={"PATH": os.environ["PATH"], "HOME": str(root.parent / "home")} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder with `cgi/bin/cgi`, as the first step of the action makes it."""
    (tmp_path / "cgi" / "bin").mkdir(parents=True)
    command = tmp_path / "cgi" / "bin" / "cgi"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -m code_graph_indexer "$@"\n')
    command.chmod(0o755)
    return tmp_path


@pytest.mark.slow
def test_the_action_says_what_a_pull_request_affects_in_one_block(changed_shop: Path, installed: Path) -> None:
    _install, index, impact = scripts(REPOSITORY / "action.yml")
    files = {"GITHUB_STEP_SUMMARY": str(installed / "summary.md"), "GITHUB_OUTPUT": str(installed / "output")}
    assert "sound" in run(index, changed_shop, RUNNER_TEMP=str(installed))
    base = git(changed_shop, "rev-parse", "HEAD~1")
    run(impact, changed_shop, RUNNER_TEMP=str(installed), BASE=base, BUDGET="1500", **files)
    comment = (installed / "impact.md").read_text(encoding="utf-8")
    assert comment == (installed / "summary.md").read_text(encoding="utf-8")
    assert "file=" in (installed / "output").read_text(encoding="utf-8")
    assert "shop/pricing.py:12  add_tax(" in comment
    assert "tests/test_cart.py" in comment
    assert [line for line in comment.splitlines() if line.startswith(FENCE)] == [f"{FENCE}text", FENCE]


@pytest.mark.slow
def test_the_template_says_what_a_merge_request_affects(changed_shop: Path, installed: Path) -> None:
    (impact,) = scripts(TEMPLATES / "gitlab.yml")
    path = os.pathsep.join([str(installed / "cgi" / "bin"), os.environ["PATH"]])
    base = git(changed_shop, "rev-parse", "HEAD~1")
    run("cgi index", changed_shop, PATH=path)
    printed = run(impact, changed_shop, PATH=path, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert "shop/pricing.py:12  add_tax(" in printed
    assert (changed_shop / "impact.md").read_text(encoding="utf-8") == printed
    assert run(impact, changed_shop, PATH=path) == ""


@pytest.fixture
def forge(tmp_path: Path) -> dict[str, str]:
    """Return the variables of the run that writes comments, whose `gh` knows the pull request 7 and no comment."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "gh"
    command.write_text('#!/bin/sh\ncase "$*" in *"--method GET"*) echo 7;; esac\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    return {"PATH": path, "RUNNER_TEMP": str(tmp_path), "GH_REPO": "a/b", "OWNER": "a", "BRANCH": "b"}


def test_nothing_in_the_text_of_a_fork_ends_the_block_of_the_comment(tmp_path: Path, forge: dict[str, str]) -> None:
    (comment,) = scripts(TEMPLATES / "github-comment.yml")
    work = tmp_path / "work"
    work.mkdir()
    title = "### What this change affects"
    text = f"{title}\n\n{FENCE}text\nadd_tax\n{FENCE}\n@everyone {FENCE}`\n  {FENCE}\n"
    (work / "impact.md").write_text(text, encoding="utf-8")
    run(comment, work, **forge)
    lines = (tmp_path / "comment.md").read_text(encoding="utf-8").splitlines()
    assert lines[:4] == ["<!-- cgi -->", title, "", f"{FENCE}text"]
    assert [line for line in lines[4:] if line] == ["add_tax", "@everyone ```", "  ```", FENCE]


def test_a_link_of_a_fork_is_not_read(tmp_path: Path, forge: dict[str, str]) -> None:
    (comment,) = scripts(TEMPLATES / "github-comment.yml")
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "secret").write_text("token", encoding="utf-8")
    (work / "impact.md").symlink_to(tmp_path / "secret")
    with pytest.raises(AssertionError, match="is no file"):
        run(comment, work, **forge)
    assert not (tmp_path / "comment.md").exists()
