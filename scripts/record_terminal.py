"""Record a terminal in which `cgi` answers about the package rich, and write it as an animated picture (SVG).

The commands really run, in a copy of the installed package: every line of the picture was printed, and long ones are cut.

usage: record_terminal.py [--to FILE]
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from pathlib import Path

import rich

REPOSITORY = Path(__file__).resolve().parent.parent
PICTURE = REPOSITORY / "docs" / "pictures" / "terminal.svg"

SUBJECT = "rich"
"""The package that is asked about. Which version it was stands in the picture."""

COLUMNS = 96
CHARACTER, LINE = 8.4, 19
"""The width of a character and the height of a line, in pixels, at a font size of 14."""

MARGIN = 16

TYPING, READING = 0.8, 1.6
"""Seconds for the typing of a command, and for the reading of its answer."""

MORE = "…"


@dataclass(frozen=True, slots=True)
class Scene:
    """A command, and how many lines of its answer the picture has."""

    command: str
    lines: int


SCENES = (
    Scene("cgi index", 3),
    Scene("cgi callers Style.parse", 11),
    Scene('cgi explore "how wide is a column?" --expect "table column width measure"', 15),
)


def run_scenes(scenes: Sequence[Scene], folder: Path) -> list[list[str]]:
    """Run the commands in a copy of the package below a folder, and return the lines of each as the picture has them."""
    root = folder / "repository"
    shutil.copytree(Path(rich.__file__).parent, root / SUBJECT, ignore=shutil.ignore_patterns("__pycache__"))
    surroundings = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONIOENCODING": "utf-8",
    }
    outputs = []
    for scene in scenes:
        words = [sys.executable, "-m", "code_graph_indexer", *shlex.split(scene.command)[1:]]
        done = subprocess.run(words, cwd=root, env=surroundings, check=True, stdout=subprocess.PIPE, encoding="utf-8")
        lines = done.stdout.rstrip("\n").split("\n")
        shown = [cut(line) for line in lines[: scene.lines]]
        outputs.append([*shown, MORE] if len(lines) > scene.lines else shown)
    return outputs


def cut(line: str) -> str:
    """Return a line as long as the terminal is wide."""
    line = line.expandtabs(4)
    return line if len(line) <= COLUMNS else line[: COLUMNS - 1] + MORE


def picture(scenes: Sequence[Scene], outputs: Sequence[Sequence[str]]) -> str:
    """Return the animated picture. Where a reader wants no motion, it shows everything at once."""
    rows = list(_rows(scenes, outputs))
    width, height = round(COLUMNS * CHARACTER + 2 * MARGIN), len(rows) * LINE + 2 * MARGIN
    title = escape("; ".join(scene.command for scene in scenes))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">',
            f"<desc>{SUBJECT} {version(SUBJECT)}</desc>",
            "<style>",
            "text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9;"
            " white-space: pre; animation: show 0.2s both }",
            ".command { fill: #7ee787; font-weight: bold }",
            # Before its moment a line is dim: a still of the picture shows everything.
            "@keyframes show { from { opacity: 0.4 } to { opacity: 1 } }",
            "@media (prefers-reduced-motion: reduce) { text { animation: none } }",
            "</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _rows(scenes: Sequence[Scene], outputs: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of the terminal as texts of the picture, each with the moment at which it appears."""
    moment, row = 0.0, 0
    for scene, lines in zip(scenes, outputs, strict=True):
        for line in (f"$ {scene.command}", *lines, ""):
            kind = ' class="command"' if line.startswith("$ ") else ""
            base = MARGIN + (row + 0.75) * LINE
            delay = f' style="animation-delay: {moment:.1f}s"'
            yield f'<text{kind} x="{MARGIN}" y="{base:.0f}"{delay}>{escape(line, quote=False)}</text>'
            moment += TYPING if kind else 0
            row += 1
        moment += READING


def main() -> None:
    """Record the terminal and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=PICTURE, help="file to write")
    target = parser.parse_args().to
    with tempfile.TemporaryDirectory() as folder:
        outputs = run_scenes(SCENES, Path(folder))
    target.write_text(picture(SCENES, outputs), encoding="utf-8")


if __name__ == "__main__":
    main()
