"""Count how much of the needed source the answers to questions of agents show, and their characters.

`fixtures/questions/agents.json` has 270 questions. The pieces of source that an answer needs were written down beside each,
from the sources, before any answer was read, and the expected words from the question alone. A piece is shown if the answer
names its file and has half of its lines, so the same count works for other programs. REPOS has a checkout of each repository
at its commit, with an index.

usage: bench_answers.py --repos DIR [--half held-out] [--command 'codegraph explore']
"""

import argparse
import json
import re
import shlex
import statistics
import subprocess
from pathlib import Path

QUESTIONS = Path(__file__).resolve().parent.parent.parent / "fixtures" / "questions" / "agents.json"

LEAST_LINE, MOST_COMPARED = 8, 110
"""Characters that a line needs to count, where a longer one is there, and those that are compared. A reply may cut a line."""


def answer(root: Path, question: str, expect: str, command: str) -> str:
    """Return what a program prints for a question. Expected words are an option of cgi, and further words for others."""
    words = shlex.split(command) if command else ["cgi", "explore"]
    words += [f"{question} {expect}".strip()] if command else ["--expect", expect, "--", question]
    return subprocess.run(words, cwd=root, capture_output=True, encoding="utf-8", errors="replace").stdout


def shows(text: str, root: Path, piece: str) -> bool:
    """Say whether an answer shows a piece: `PATH:FIRST-LAST`."""
    match = re.fullmatch(r"(.+):(\d+)-(\d+)", piece)
    assert match is not None
    path, first, last = match[1], int(match[2]), int(match[3])
    stripped = [line.strip() for line in (root / path).read_text(encoding="utf-8").split("\n")[first - 1 : last]]
    lines = [line for line in stripped if len(line) >= LEAST_LINE] or [line for line in stripped if line]
    return path in text and 2 * sum(line[:MOST_COMPARED] in text for line in lines) >= len(lines)


def main() -> None:
    """Print a line for each question, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, help="a folder with the checkouts, by name")
    parser.add_argument("--half", choices=("development", "held-out"), help="one half of the questions (default: both)")
    parser.add_argument("--command", default="", help="another program, which gets the question as its last argument")
    arguments = parser.parse_args()
    sizes: list[int] = []
    shown = needed = 0
    for entry in json.loads(QUESTIONS.read_text(encoding="utf-8")):
        if arguments.half not in (None, entry["half"]):
            continue
        root = arguments.repos / entry["repo"]
        text = answer(root, entry["q"], entry["expect"], arguments.command)
        missing = [piece for piece in entry["needed"] if not shows(text, root, piece)]
        sizes.append(len(text))
        shown, needed = shown + len(entry["needed"]) - len(missing), needed + len(entry["needed"])
        print(
            f"{entry['repo']}\t{len(text)}\t{entry['q'][:60]!r}\tmissing: {', '.join(missing) or 'nothing'}", flush=True
        )
    print(f"{shown} of {needed} pieces, {statistics.fmean(sizes):,.0f} characters each")


if __name__ == "__main__":
    main()
