"""The pages are true: the tutorial prints what it shows, queries and code run, and every link leads somewhere."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer, errors

REPOSITORY = Path(__file__).parent.parent
DOCS = REPOSITORY / "docs"
TUTORIAL = DOCS / "tutorial.md"
SHELL_PAGES = [DOCS / "agents.md", *sorted((DOCS / "how-to").glob("*.md"))]
"""The pages whose commands run in order in the shop, a repository of the fixtures with another one beside it."""

PAGES = sorted([REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *DOCS.rglob("*.md")])

PUBLISHED = False
"""Whether the index of packages has a release. Before, no page may tell a reader to install from there."""

NOT_RUN = "<!-- not run"
"""Marks a block that the tests leave out, with the reason."""

LEFT_OUT = "…"
"""On a line of its own: lines that the page does not show. Inside of a line: text that may differ."""

MAX_FIRST_PAGE = 900
"""The most words of README.md, figures, table rules and links included."""

NUMBER = re.compile(r"\d[\d,.]*")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
END_OF_BLOCK = "=== end of block ==="


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page. `line` is that of its first fence."""

    language: str
    text: str
    line: int
    run: bool


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start, before = 0, ""
    for number, line in enumerate(lines, 1):
        if line.startswith("```") and not start:
            start, before = number, lines[number - 2]
        elif line == "```":
            text = "\n".join(lines[start : number - 1])
            yield Block(lines[start - 1].removeprefix("```"), text, start, not before.startswith(NOT_RUN))
            start = 0
    assert not start, f"{page.name}: the block of line {start} has no end"


def blocks_in(folder: str, language: str) -> list[object]:
    """List the blocks of a language in the pages of a folder, named by page and line."""
    pages = sorted((DOCS / folder).glob("*.md"))
    matches = ((page, block) for page in pages for block in blocks(page) if block.language == language)
    return [pytest.param(block, id=f"{page.name}:{block.line}") for page, block in matches]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks, of which comments look like headings."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run_in_one_shell(commands: list[str], folder: Path) -> list[str]:
    """Run commands in order, as pasted into a shell. Return what each printed."""
    script = "".join(f"{command}\necho '{END_OF_BLOCK}'\n" for command in commands)
    surroundings = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        # Not above the repositories: cgi refuses to index a home folder.
        "HOME": str(folder.parent / "home"),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        ["bash", "-e"],
        input=script,
        cwd=folder,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.split(f"{END_OF_BLOCK}\n")[:-1]


def shown_lines(text: str) -> list[str]:
    """Return the lines of a page's output that are compared."""
    return [line for line in text.splitlines() if line not in ("", LEFT_OUT)]


def is_shown(line: str, printed: str) -> bool:
    """Say whether a line of the page is the printed one. Numbers and what the page leaves out may differ."""
    parts = (re.escape(NUMBER.sub("0", part)) for part in line.split(LEFT_OUT))
    return bool(re.fullmatch(".*".join(parts), NUMBER.sub("0", printed)))


def missing_lines(text: str, output: str) -> list[str]:
    """List the lines that a page shows and a command did not print in this order. The command may print more between them."""
    printed = iter(output.splitlines())
    return [line for line in shown_lines(text) if not any(is_shown(line, candidate) for candidate in printed)]


def test_a_line_is_compared_but_for_numbers_and_what_is_left_out() -> None:
    assert is_shown("weighted.py:12 in 3.0 s", "weighted.py:1,345 in 12 s")
    assert is_shown("Most likely: a, …", "Most likely: a, b and c")
    assert not is_shown("calls b", "calls c")


def test_shown_lines_are_printed_in_their_order() -> None:
    assert missing_lines("a\n…\nc", "a\nb\nc\n") == []
    assert missing_lines("c\na", "a\nb\nc\n") == ["a"]


def differences(page: Path, folder: Path) -> dict[str, list[str]]:
    """Run the commands of a page in a folder. Map the place of each output that it shows to the lines that were not printed."""
    steps = [block for block in blocks(page) if block.run]
    commands = [block for block in steps if block.language == "sh"]
    output_blocks = {steps[at - 1].line: block for at, block in enumerate(steps) if block.language == "text"}
    outputs = run_in_one_shell([block.text for block in commands], folder)
    missing = {
        f"{page.name}:{output_blocks[command.line].line}": missing_lines(output_blocks[command.line].text, output)
        for command, output in zip(commands, outputs, strict=True)
        if command.line in output_blocks
    }
    return {place: lines for place, lines in missing.items() if lines}


@pytest.mark.slow
def test_the_tutorial_prints_what_it_shows(tmp_path: Path) -> None:
    assert differences(TUTORIAL, tmp_path) == {}


@pytest.fixture
def shop_beside_worker(shop: Path, tmp_path: Path) -> Path:
    """Return the indexed shop as a git repository, with another indexed repository beside it."""
    root = tmp_path / "code" / "shop"
    shutil.copytree(shop, root)
    shutil.copytree(shop / "worker", tmp_path / "code" / "worker")
    with CodeIndexer(tmp_path / "code" / "worker", workers=1) as indexer:
        indexer.index()
    run_git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run([*run_git, "init", "-q"], cwd=root, check=True)
    for subject in ("Sell tea", "Raise the tax"):
        pricing = root / "shop" / "pricing.py"
        pricing.write_text(
            pricing.read_text(encoding="utf-8").replace("// 100", "// 100  # cents", 1), encoding="utf-8"
        )
        subprocess.run([*run_git, "add", "."], cwd=root, check=True)
        subprocess.run([*run_git, "commit", "-q", "-m", subject], cwd=root, check=True)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("page", SHELL_PAGES, ids=lambda page: page.name)
def test_a_page_prints_what_it_shows(page: Path, shop_beside_worker: Path) -> None:
    assert differences(page, shop_beside_worker) == {}


def test_pages_install_from_where_the_package_is() -> None:
    by_name = re.compile(r"pip install [^|\n]*code-graph-indexer(?![./\w])")
    texts = [page.read_text(encoding="utf-8") for page in [*PAGES, *DOCS.rglob("*.y*ml"), REPOSITORY / "action.yml"]]
    assert any(by_name.search(text) for text in texts) == PUBLISHED


def test_every_block_for_a_shell_is_run_or_says_why_not() -> None:
    reasons = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines() if NOT_RUN in line]
    assert [line for line in reasons if not re.fullmatch(r"<!-- not run: \w.+ -->", line)] == []


@pytest.mark.slow
def test_the_first_page_does_what_it_says(tmp_path: Path) -> None:
    (commands,) = re.findall(r"<!-- run -->\n```sh\n(.+)\n```", first_page())
    package = tmp_path / "repository" / "code_graph_indexer"
    shutil.copytree(REPOSITORY / package.name / "syntax", package / "syntax")
    shutil.copytree(REPOSITORY / package.name / "resolve", package / "resolve")
    # The environment is there already.
    asked = commands.partition("pip install -q . && ")[2].replace(".venv/bin/", "")
    (printed,) = run_in_one_shell([asked], package.parent)
    assert "callers of " in printed
    assert "= " in printed
    assert "syntax/read.py" in printed


def first_page() -> str:
    return (REPOSITORY / "README.md").read_text(encoding="utf-8")


def test_a_stranger_reads_the_first_page_in_a_few_minutes() -> None:
    assert len(first_page().split()) <= MAX_FIRST_PAGE


def test_the_first_page_says_what_it_is_shows_it_and_then_how_to_try_it() -> None:
    order = [
        "portable SQLite file",
        "terminal.svg",
        "<!-- figures -->",
        "<!-- run -->",
        "<!-- test -->",
        "## Three doors",
    ]
    order += ["something else", "## Commands"]
    assert sorted(order, key=first_page().index) == order


@pytest.mark.slow
def test_the_recorded_terminal_shows_what_cgi_prints(tmp_path: Path) -> None:
    recorder = runpy.run_path(str(REPOSITORY / "scripts" / "record_terminal.py"))
    scenes, subject = recorder["SCENES"], recorder["SUBJECT"]
    outputs = recorder["run_scenes"](scenes, tmp_path)
    assert [len(lines) > 1 for lines in outputs] == [True] * len(scenes)
    recording = recorder["PICTURE"].read_text(encoding="utf-8")
    # Another version of the package has other callers.
    if f"<desc>{subject} {version(subject)}</desc>" in recording:
        recorded = re.findall(r">([^<>]*)</text>", recording)
        printed = re.findall(r">([^<>]*)</text>", recorder["picture"](scenes, outputs))
        # A long line is cut, wherever its numbers let it end.
        starts = [line.rstrip(LEFT_OUT)[:60] for line in recorded]
        assert [line for line, now in zip(starts, printed, strict=True) if not is_shown(line + LEFT_OUT, now)] == []


@pytest.mark.parametrize("block", blocks_in("how-to", "sql"))
def test_the_queries_find_something_in_the_shop(shop: Path, block: Block) -> None:
    connection = apsw.Connection(str(shop / ".cgi" / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    assert list(connection.execute(block.text)) != []


@pytest.mark.parametrize("block", blocks_in("how-to", "python"))
def test_the_code_of_the_pages_compiles(block: Block) -> None:
    compile(block.text, f"line {block.line}", "exec")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(prose(page)):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_page_is_in_the_index_of_pages() -> None:
    index = DOCS / "README.md"
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in LINK.findall(index.read_text(encoding="utf-8"))}
    top = chain(DOCS.glob("*.md"), *((DOCS / folder).glob("*.md") for folder in ("how-to", "reference", "explanation")))
    assert {page.name for page in top if page.resolve() not in linked | {index.resolve()}} == set()


def test_every_exit_code_is_documented() -> None:
    page = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    classes = [
        error for error in vars(errors).values() if isinstance(error, type) and issubclass(error, errors.CgiError)
    ]
    rows = [rf"^\| {error.exit_code} \| .+ \| `{error.__name__}` \|$" for error in classes]
    assert [row for row in rows if not re.search(row, page, flags=re.MULTILINE)] == []


def test_every_table_and_view_of_the_index_is_documented() -> None:
    connection = apsw.Connection(":memory:")
    schema = REPOSITORY / "code_graph_indexer" / "storage" / "sqlite.sql"
    page = (DOCS / "reference" / "index-file.md").read_text(encoding="utf-8")
    created = re.findall(r"^create (?:virtual )?(?:table|view) (\w+)", schema.read_text(encoding="utf-8"), flags=re.M)
    connection.execute(schema.read_text(encoding="utf-8"))
    assert [name for name in created if f"`{name}`" not in page] == []
