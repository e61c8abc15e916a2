"""Let two scripted agents do tasks of a coding agent, and count which of the needed lines each one sees.

The first agent has ripgrep and a file reader. The second one has this project's tour (`cgi explore`, `cgi impact
--markdown`) and a file reader. No language model takes part, so a run gives the same figures each time. The tasks and their
truth come from elsewhere (see prepare_agents.py). They lie in fixtures/agents and hold no source. Each agent gets the text of
the task, and for the tests of a change also the diff in the working tree.

A line is seen if a reply names its path and number. A reply names it as `PATH:LINE`, or as a row that begins with the number
below a heading with the path. In `PATH:FIRST-LAST` only the first line counts, because the text is not there. A needed file is
seen if a reply names its path. What stands behind the budget is cut off.

The agent with ripgrep is as strong as we could make it (scripted_agents.py). For free it knows where a function ends and
which functions a change touches, and one call runs several searches and reads. It must have seen the first line of a function
to know its name. It leaves tests out where nobody asks for them, and goes on until the budget ends. POLICIES has the variants
that we tried. The kinds of tasks, and what it does:

* flow: It searches the definitions of both ends and reads them. Then it goes on from both sides at once. It reads functions
  that are called, those first that a caller of the end has the name of. It searches the calls of the functions around hits.
* callers: It searches the calls of the name, and reads from each hit up to the signature around it. Then it searches the name
  without a bracket, and the words that stand for it: macros, imports with another name, assignments.
* tests: It searches the changed names in the tests, and lists the tests in files named as the changed ones. Then it goes
  on with the callers of the changed functions, and at last with the words of the changed lines.
* together: It searches the names, the name of the file, and the definitions of what the functions call.
* where: It searches the definition, and the name if there is none.

The agent with this project calls the tool once. Then it reads what the reply names without its text, until the budget ends.

You need `rg` (https://github.com/BurntSushi/ripgrep) and clones of the repositories below REPOS, by the names in
repositories.json. Trees and their indexes are made below WORK and kept.

usage: bench_agents.py --repos DIR --work DIR [--set development] [--only NAME…] [--kinds KIND…] [--losses]
"""

import argparse
import json
import re
import shutil
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scripted_agents import POLICIES, Explorer, Searcher, Tree, git, shown

from code_graph_indexer import CodeIndexer

FOLDER = Path(__file__).resolve().parent.parent.parent / "fixtures" / "agents"

BUDGETS = (8_000, 16_000, 24_000, 32_000, 60_000)
"""Characters that an agent reads at most. The first two and the fourth are 2,000, 4,000 and 8,000 tokens."""

MAIN_BUDGET = 24_000
"""The budget of the bar, and about what a host lets a tool return at once."""

BARRED = ("flow", "callers", "tests")
"""The kinds of the bar: 0.85 of the needed lines within MAIN_BUDGET and two calls."""

# What a reply shows


class Place(NamedTuple):
    """A needed place: a file, and the lines of which any is enough. Without lines the file itself is enough."""

    path: str
    lines: frozenset[int]


def parse_place(text: str) -> Place:
    """Read a place of a task.

    >>> sorted(parse_place("a.py:3,5").lines), sorted(parse_place("a.py:3-5").lines), parse_place("a.py").path
    ([3, 5], [3, 4, 5], 'a.py')
    """
    match = re.fullmatch(r"(.+?)(?::(\d+)-(\d+)|:([\d,]+))?", text)
    assert match is not None
    path, first, last, numbers = match.groups()
    if first:
        return Place(path, frozenset(range(int(first), int(last) + 1)))
    return Place(path, frozenset(map(int, numbers.split(","))) if numbers else frozenset())


class Score(NamedTuple):
    """What an agent saw of the needed places: the share, and the calls and characters until the last place it saw."""

    share: float
    calls: int
    characters: int
    first_two: float
    """The share after two calls."""


def score(replies: Sequence[str], alternatives: Sequence[Sequence[Place]], paths: frozenset[str]) -> Score:
    """Score the replies by the alternative that is seen best."""
    moments: dict[Place, tuple[int, int]] = {}
    wanted = {place for places in alternatives for place in places}
    by_path: dict[str, list[Place]] = defaultdict(list)
    for place in wanted:
        by_path[place.path].append(place)
    before = 0
    for call, reply in enumerate(replies, 1):
        for end, path, line in shown(reply, paths):
            for place in by_path.get(path, ()):
                if place not in moments and (line in place.lines or not place.lines):
                    moments[place] = call, before + end
        before += len(reply)
    scores = []
    for places in alternatives:
        seen = [moments[place] for place in places if place in moments]
        early = sum(call <= 2 for call, _ in seen)
        calls, characters = max(seen, default=(0, 0))
        scores.append(Score(len(seen) / len(places), calls, characters, early / len(places)))
    return max(scores, key=lambda entry: (entry.share, -entry.characters))


# Trees


def clone(repos: Path, work: Path, name: str, suffix: str) -> Path:
    """Return a checkout below `work` that shares the objects of a clone."""
    root = work / f"{name}{suffix}"
    if not root.exists():
        git(Path(), "clone", "--quiet", "--shared", "--no-checkout", str((repos / name).resolve()), str(root))
        with (root / ".git" / "info" / "exclude").open("a", encoding="utf-8") as file:
            file.write(".cgi/\n")
    return root


def lay_out(root: Path, task: Mapping[str, Any], revision: str) -> None:
    """Check out the tree of a task.

    For the tests of a change, HEAD is the parent with the commit's tests, and the working tree has the change of the code. The
    history says nothing of the commit. For files that change together, it is the parent.
    """
    base = f"{task['commit']}^" if "commit" in task else revision
    git(root, "checkout", "--quiet", "--force", "--detach", base)
    git(root, "clean", "--quiet", "-dffx", "-e", ".cgi")
    if task["kind"] == "tests":
        git(root, "read-tree", "-u", "--reset", task["commit"])
        git(root, "checkout", base, "--", *task["code"])
        git(root, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "the tests without the code")
        git(root, "checkout", task["commit"], "--", *task["code"])
        git(root, "reset", "--quiet")


def index(root: Path) -> None:
    """Bring the index of a tree up to date."""
    with CodeIndexer(root) as indexer:
        indexer.index()


# The report


class Row(NamedTuple):
    """The result of a task at a budget."""

    task: Mapping[str, Any]
    agent: str
    budget: int
    score: Score
    calls: int
    characters: int


AGENTS = ("ripgrep", "cgi")


def run_task(task: Mapping[str, Any], tree: Tree, agents: Sequence[str], policy: Mapping[str, Any]) -> Iterator[Row]:
    """Let agents do a task, and score what they read within each budget."""
    alternatives = [[parse_place(text) for text in places] for places in task["needed"]]
    # The agent with ripgrep does the same at each budget, and the tool gets no more than MAIN_BUDGET.
    searched = Searcher(tree, BUDGETS[-1], policy).do(task) if "ripgrep" in agents else []
    explored = Explorer(tree, BUDGETS[-1], MAIN_BUDGET).do(task) if "cgi" in agents else []
    for agent in agents:
        for budget in BUDGETS:
            replies = searched if agent == "ripgrep" else explored
            if agent == "cgi" and budget < MAIN_BUDGET:
                replies = Explorer(tree, budget, budget).do(task)
            replies = cut(replies, budget)
            yield Row(
                task, agent, budget, score(replies, alternatives, tree.paths), len(replies), sum(map(len, replies))
            )


def cut(replies: Iterable[str], budget: int) -> list[str]:
    """Return the replies that begin within a budget, the last one cut off.

    >>> cut(["four", "more"], 6)
    ['four', 'mo']
    """
    within = []
    for reply in replies:
        if budget <= 0:
            break
        within.append(reply[:budget])
        budget -= len(reply)
    return within


def mean(values: Iterable[float]) -> float:
    """Return the mean, or 0 of nothing."""
    return statistics.fmean(listed) if (listed := list(values)) else 0.0


def table(rows: Sequence[Row], keys: Callable[[Row], Iterable[str]], agents: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a Markdown table.

    It holds the mean share seen by budget, then the share in two calls, the calls and the characters within the main budget,
    and the calls and characters until the last needed place that the agent sees within the largest budget. These two leave
    out tasks of which the agent sees nothing.
    """
    heads = " | ".join(f"{budget:,}" for budget in BUDGETS)
    yield f"| | tasks | agent | {heads} | in two calls | calls | characters | calls to best | characters to best |"
    yield "|---|---|---|" + "---|" * (len(BUDGETS) + 5)
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for key in keys(row):
            groups[key].append(row)
    for group, members in groups.items():
        for agent in agents:
            of_agent = [row for row in members if row.agent == agent]
            shares = [mean(row.score.share for row in of_agent if row.budget == budget) for budget in BUDGETS]
            main_rows = [row for row in of_agent if row.budget == MAIN_BUDGET]
            largest = [row for row in of_agent if row.budget == BUDGETS[-1] and row.score.share]
            cells = [f"{share:.3f}" for share in shares]
            cells.append(f"{mean(row.score.first_two for row in main_rows):.3f}")
            cells.append(f"{mean(row.calls for row in main_rows):.1f}")
            cells.append(f"{mean(row.characters for row in main_rows):,.0f}")
            cells.append(f"{mean(row.score.calls for row in largest):.1f}")
            cells.append(f"{mean(row.score.characters for row in largest):,.0f}")
            yield f"| {group} | {len(main_rows)} | {agent} | {' | '.join(cells)} |"


def halves(row: Row) -> Iterator[str]:
    """Yield the groups of a row: the kinds of the bar, and the halves of the published benchmark of repo2graph."""
    if row.task["kind"] in BARRED:
        yield "(a)-(c)"
    yield "lexical: where" if row.task["kind"] == "where" else "structural: all but where"


def bars(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the bars and the figures."""
    barred = [row for row in rows if row.task["kind"] in BARRED]
    main_rows = [row for row in barred if row.agent == "cgi" and row.budget == MAIN_BUDGET]
    share = mean(row.score.first_two for row in main_rows)
    yield f"(a)-(c): cgi sees {share:.3f} within {MAIN_BUDGET:,} characters and two calls (bar 0.85)"
    best = {(row.agent, row.task["id"]): row.score for row in barred if row.budget == BUDGETS[-1] and row.score.share}
    costs = {agent: mean(entry.characters for (who, _), entry in best.items() if who == agent) for agent in AGENTS}
    for agent in AGENTS:
        share = mean(row.score.share for row in barred if row.agent == agent and row.budget == BUDGETS[-1])
        yield f"(a)-(c): {agent} needs {costs[agent]:,.0f} characters for its best share, {share:.3f}"
    yield f"(a)-(c): ripgrep needs {costs['ripgrep'] / max(costs['cgi'], 1):.1f} times the characters (bar 3)"
    ids = {row.task["id"] for row in barred}
    whole = [
        name for name in sorted(ids) if all((entry := best.get((agent, name))) and entry.share == 1 for agent in AGENTS)
    ]
    both = {agent: mean(best[agent, name].characters for name in whole) for agent in AGENTS}
    ratio = both["ripgrep"] / max(both["cgi"], 1)
    yield (
        f"(a)-(c), {len(whole)} tasks of which both see all: ripgrep needs {both['ripgrep']:,.0f} characters, "
        f"cgi {both['cgi']:,.0f}, {ratio:.1f} times"
    )
    for agent in AGENTS:
        where = [row for row in rows if row.agent == agent and row.budget == BUDGETS[0] and row.task["kind"] == "where"]
        yield f"(e): {agent} needs {mean(row.score.calls for row in where):.2f} calls"


def losses(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each task and budget where ripgrep sees more."""
    scores = {(row.task["id"], row.agent, row.budget): row.score for row in rows}
    for (name, agent, budget), entry in scores.items():
        ours = scores.get((name, "cgi", budget))
        if (
            agent == "ripgrep"
            and ours
            and entry.share > ours.share
            and budget in (BUDGETS[0], MAIN_BUDGET, BUDGETS[-1])
        ):
            yield f"{name} at {budget:,}: ripgrep {entry.share:.2f}, cgi {ours.share:.2f}"


def main() -> None:
    """Run the agents and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, help="a folder with a clone of each repository")
    parser.add_argument("--work", type=Path, required=True, help="where trees and indexes are kept")
    parser.add_argument("--set", choices=("development", "held-out", "all"), default="development", dest="part")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    parser.add_argument("--kinds", nargs="*", default=[], help="kinds of tasks")
    parser.add_argument("--agents", nargs="*", choices=AGENTS, default=list(AGENTS))
    parser.add_argument("--policy", choices=sorted(POLICIES), default="best")
    parser.add_argument("--losses", action="store_true", help="list the tasks where ripgrep sees more")
    parser.add_argument("--tasks", action="store_true", help="print a line for each task")
    arguments = parser.parse_args()
    if shutil.which("rg") is None:
        parser.error("rg is missing: install ripgrep, for example with `apt-get install ripgrep`")
    arguments.work.mkdir(parents=True, exist_ok=True)
    repositories = json.loads((FOLDER / "repositories.json").read_text(encoding="utf-8"))
    rows: list[Row] = []
    tree: Tree | None = None
    for task in json.loads((FOLDER / "tasks.json").read_text(encoding="utf-8")):
        repo = repositories[task["repository"]]
        if arguments.part not in ("all", repo["set"]) or (arguments.only and task["repository"] not in arguments.only):
            continue
        if arguments.kinds and task["kind"] not in arguments.kinds:
            continue
        root = clone(arguments.repos, arguments.work, task["repository"], ".commits" if "commit" in task else "")
        if tree is None or root != tree.root or "commit" in task:
            lay_out(root, task, repo["revision"])
            if "cgi" in arguments.agents:
                index(root)
            tree = Tree(root, repo["tests"])
        results = list(run_task(task, tree, arguments.agents, POLICIES[arguments.policy]))
        rows += results
        if arguments.tasks:
            for row in results:
                print(
                    f"{task['id']}\t{row.agent}\t{row.budget}\t{row.score.share:.2f}\t{row.calls}\t{row.characters}",
                    flush=True,
                )
    for title, keys in (
        ("All", halves),
        ("By kind", lambda row: (row.task["kind"],)),
        ("By repository", lambda row: (row.task["repository"],)),
    ):
        print(f"\n{title}\n", *table(rows, keys, arguments.agents), sep="\n")
    if set(arguments.agents) == set(AGENTS):
        print("\nBars\n", *bars(rows), sep="\n")
    if arguments.losses:
        print("\nLosses\n", *losses(rows), sep="\n")


if __name__ == "__main__":
    main()
