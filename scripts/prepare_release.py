"""Check that a tag may be released, and write into the package what only a published one has.

The tag, the version and the change log must agree. Then README.md gets absolute links, because the index of packages shows it
outside of the repository, and pyproject.toml gets the addresses. Neither is committed.

usage: prepare_release.py TAG ADDRESS [--notes FILE]
"""

import argparse
import re
import runpy
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def release_notes(changelog: str, version: str) -> str:
    """Return the section of a version in the change log, without its heading."""
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)
    notes = next((section for section in sections if re.match(rf"{re.escape(version)}\b", section)), "")
    return notes.partition("\n")[2].strip()


def with_absolute_links(page: str, address: str, tag: str) -> str:
    """Return a page whose links and pictures lead to the files of a tag."""

    def absolute(link: re.Match[str]) -> str:
        mark, text, target = link.groups()
        kind = "raw" if mark else "blob"
        return f"{mark}[{text}]({address}/{kind}/{tag}/{target})"

    return re.sub(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)", absolute, page)


def with_addresses(project: str, address: str, tag: str) -> str:
    """Return pyproject.toml with the addresses of the project."""
    lines = (
        "[project.urls]",
        f'Homepage = "{address}"',
        f'Documentation = "{address}/blob/{tag}/docs/README.md"',
        f'Changelog = "{address}/blob/{tag}/CHANGELOG.md"',
        f'Issues = "{address}/issues"',
    )
    return project.replace("[project.scripts]", "\n".join([*lines, "", "[project.scripts]"]), 1)


def main() -> None:
    """Check the tag and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tag", help="tag of the release, such as v0.3.0")
    parser.add_argument("address", help="address of the repository, such as https://git.example/team/project")
    parser.add_argument("--notes", type=Path, help="file for the section of the change log")
    options = parser.parse_args()
    version = runpy.run_path(str(REPOSITORY / "code_graph_indexer" / "version.py"))["VERSION"]
    if options.tag != f"v{version}":
        sys.exit(f"the tag is {options.tag} and the version {version}; tag v{version}, or change version.py")
    notes = release_notes((REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if not notes:
        sys.exit(f"CHANGELOG.md has no section {version}; name what is unreleased so")
    for name, change in (("README.md", with_absolute_links), ("pyproject.toml", with_addresses)):
        path = REPOSITORY / name
        path.write_text(change(path.read_text(encoding="utf-8"), options.address, options.tag), encoding="utf-8")
    if options.notes:
        options.notes.write_text(notes + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
