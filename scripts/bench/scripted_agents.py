"""The two agents of bench_agents.py and what they may call: searches and a file reader, or the tour of this project.

No language model takes part: what an agent does next follows from what the replies show, by fixed rules.
"""

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from code_graph_indexer import CodeIndexer

CHARACTERS_PER_TOKEN = 4

MAX_CALLS = 40
"""Calls after which an agent gives up."""

LINE_WIDTH = 300
"""Characters of a line that a search prints at most."""

MAX_FUNCTION = 250
"""Lines of a function that are read at most."""

AUTHOR = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.hooksPath=/dev/null")
"""Options of git for a commit that nobody keeps."""

Line = tuple[str, int]


def git(root: Path, *arguments: str) -> str:
    """Run git in a checkout and return what it prints."""
    command = ["git", "-C", str(root), *AUTHOR, *arguments]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8", errors="replace").stdout


# Replies


_ROW = re.compile(r"\s*(\d+)(?:\t|[:-]|\s*[│|]| {2,})")
_TOKEN = re.compile(r"[\w@.+~-]+(?:/[\w@.+~$()\[\]-]+)*(?::\d+)?")


def shown(text: str, paths: frozenset[str]) -> Iterator[tuple[int, str, int]]:
    """Yield (end of the row in the text, path, line) for each line that a text shows, and line 0 for each path it names."""
    heading, end = "", 0
    for row in text.split("\n"):
        end += len(row) + 1
        if heading and (match := _ROW.match(row)):
            yield end, heading, int(match.group(1))
            continue
        for token in _TOKEN.findall(row):
            path, _, number = token.partition(":")
            path = path if path in paths else path.rstrip(".")
            if path in paths:
                heading = path
                yield end, path, 0
                if number:
                    yield end, path, int(number)


class Transcript:
    """The replies that an agent got, in order."""

    def __init__(self, budget: int) -> None:
        """Begin with nothing read."""
        self.budget = budget
        self.replies: list[str] = []
        self.size = 0

    @property
    def is_open(self) -> bool:
        """Say whether the agent may call again."""
        return self.size < self.budget and len(self.replies) < MAX_CALLS

    def append(self, reply: str) -> str:
        """Add a reply, cut at the budget, and return what is left of it."""
        reply = reply[: self.budget - self.size]
        self.replies.append(reply)
        self.size += len(reply)
        return reply


# The tree that an agent works in


class Block(NamedTuple):
    """A function around a line: its name, and its first and last line."""

    name: str
    first: int
    last: int


_NO_HEAD = r"(?:if|for|while|switch|return|else|elif|catch|do|throw|new|await|yield|assert|raise|with|case)\b|#|//|\*"
_HEAD = re.compile(
    rf"^(?P<indent>\s*)(?=\S)(?!{_NO_HEAD})(?:"
    r".*?\b(?:def|func|function|fn)\s+(?:\([^)]*\)\s*)?(?P<word>[\w$]+)|"
    r"[\w<>\[\],:&*~ \t.@?|]*?(?<![.\w])(?P<name>[A-Za-z_~$][\w$]*)\)?\s*(?:<[^>]*>)?\s*\(|"
    r".*?\b(?P<bound>[\w$]+)\s*[:=]\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>)"
)
_SKIPPED = re.compile(r"^\s*(?:$|[{}\])]+[;,]?\s*$|#|//|/?\*)")


def indent(line: str) -> int:
    """Return the width of the blanks before a line."""
    text = line.expandtabs(4)
    return len(text) - len(text.lstrip())


def block_at(lines: Sequence[str], number: int) -> Block | None:
    """Find the function around a line by its indent, as a reader would."""
    depth = indent(lines[number - 1]) + (1 if _is_head(lines, number) else 0)
    for first in range(number, max(0, number - MAX_FUNCTION), -1):
        line = lines[first - 1]
        if _SKIPPED.match(line) or indent(line) >= max(depth, 1):
            continue
        match = _HEAD.match(line)
        if match and _is_head(lines, first):
            name = match.group("word") or match.group("name") or match.group("bound")
            return Block(name, first, _last_line(lines, first))
        # The arguments of a signature stand between its first line and its body.
        if not line.lstrip().startswith(")"):
            depth = min(depth, max(indent(line), 1))
    return None


def _is_head(lines: Sequence[str], number: int) -> bool:
    """Say whether a line begins a function: a body follows before a statement ends."""
    line = lines[number - 1]
    match = _HEAD.match(line)
    if match is None:
        return False
    if match.group("word") or match.group("bound"):
        return True
    for text in lines[number - 1 : number + 8]:
        stripped = text.rstrip()
        if stripped.endswith("{"):
            return True
        if stripped.endswith((";", "}")) or not stripped:
            return False
    return False


def _last_line(lines: Sequence[str], first: int) -> int:
    """Return the last line of a function: the last one that is indented, or the bracket that closes it."""
    depth = indent(lines[first - 1])
    body = False
    last = first
    for number in range(first + 1, min(len(lines), first + MAX_FUNCTION) + 1):
        line = lines[number - 1]
        if not line.strip() or line.startswith("#"):
            continue
        if indent(line) > depth:
            body, last = True, number
        elif line.lstrip()[0] in "})]{":
            last = number
            if line.lstrip()[0] == "}" and body:
                break
        elif body:
            break
    return last


class Tree:
    """A checkout with what both agents may call."""

    def __init__(self, root: Path, tests: str) -> None:
        """Work in this folder. `tests` is the pattern of the paths of tests."""
        self.root = root
        self.tests = re.compile(tests)
        self._lines: dict[str, list[str]] = {}

    @cached_property
    def paths(self) -> frozenset[str]:
        """The files of the tree."""
        return frozenset(git(self.root, "ls-files").split("\n")) - {""}

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file."""
        if path not in self._lines:
            file = self.root / path
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            self._lines[path] = text.split("\n")
        return self._lines[path]

    def search(self, pattern: str, *options: str, paths: Sequence[str] = ()) -> str:
        """Return what ripgrep prints, with the path as a heading and numbered lines."""
        command = [
            "rg",
            "--no-config",
            "-n",
            "--heading",
            "--color=never",
            "--sort=path",
            f"-M{LINE_WIDTH}",
            "--no-messages",
        ]
        done = subprocess.run(
            [*command, *options, "-e", pattern, *(paths or ["."])],
            cwd=self.root,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
        return re.sub(r"^\./", "", done.stdout, flags=re.MULTILINE)

    def read(self, path: str, first: int, last: int) -> str:
        """Return lines of a file as a file reader prints them."""
        lines = self.lines(path)[first - 1 : last]
        return "\n".join([path, *(f"{number}\t{line}" for number, line in enumerate(lines, first))]) + "\n"

    def is_test(self, path: str) -> bool:
        """Say whether a path is one of a test, in any of the usual forms."""
        return bool(self.tests.search(path)) or bool(re.search(r"(^|/)(tests?|testing|testes|examples?|docs)/", path))

    def hits(self, text: str) -> list[Line]:
        """Return the lines that a reply shows."""
        return [(path, line) for _, path, line in shown(text, self.paths) if line]

    def block(self, line: Line) -> Block | None:
        """Return the function around a line."""
        lines = self.lines(line[0])
        return block_at(lines, line[1]) if 0 < line[1] <= len(lines) else None


# The agent with ripgrep

SOURCE_ONLY = (
    "-g",
    "!*.{md,rst,txt,html,json,lock,svg,map,xml,yml,yaml,toml,po,tcl,3,man}",
    "-g",
    "!{docs,doc,examples}/",
)
NO_TESTS = (*SOURCE_ONLY, "-g", "!*{test,Test,spec}*", "-g", "!{test,tests,testes,__tests__,benchmarks}/")

KEYWORDS = frozenset(
    {
        *(
            "if",
            "for",
            "while",
            "switch",
            "return",
            "sizeof",
            "catch",
            "def",
            "class",
            "super",
            "await",
            "typeof",
            "new",
        ),
        *("defined", "function", "assert", "isinstance", "len", "str", "int", "list", "dict", "set", "tuple", "bool"),
        *(
            "print",
            "range",
            "getattr",
            "setattr",
            "hasattr",
            "make",
            "append",
            "cap",
            "copy",
            "panic",
            "string",
            "type",
        ),
        *("enumerate", "zip", "map", "filter", "min", "max", "sum", "any", "all", "sorted", "iter", "next", "repr"),
        *("bytes", "float", "memcpy", "memset", "memcmp", "strlen", "strcmp", "free", "malloc", "equals", "toString"),
        *(
            "Error",
            "TypeError",
            "ValueError",
            "RuntimeError",
            "startswith",
            "endswith",
            "split",
            "strip",
            "join",
            "cast",
        ),
    }
)
"""Words before a bracket that lead out of the repository."""

MAX_NAMES = 12
"""Names of one search."""

MAX_READ = 6
"""Functions that one call reads."""


def last_word(name: str) -> str:
    """Return the last part of a qualified name."""
    return re.split(r"\.|::", name)[-1]


def owner(name: str) -> str:
    """Return the class of a qualified name, or nothing."""
    parts = re.split(r"\.|::", name)
    return parts[-2] if len(parts) > 1 else ""


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words."""
    return "(?:" + "|".join(map(re.escape, words)) + ")"


def definition(words: Iterable[str]) -> str:
    """Return a pattern for the definitions of names, in the languages of the tasks."""
    names = any_of(words)
    keyword = rf"\b(?:def|class|func|function|struct|interface|enum|trait|type|fn)\s+(?:\([^)]*\)\s*)?{names}\b"
    bound = rf"\b(?:const|let|var)\s+{names}\s*[:=]"
    column_0 = rf"^[A-Za-z_][^;=]*[\s*&:(]{names}\)?\s*\([^;]*$"
    modifiers = "public|private|protected|static|final|async|override|virtual|inline|abstract|synchronized"
    method = rf"^\s+(?:{modifiers})\s+[^;=.]*\b{names}\s*\("
    bare = rf"^\s{{2,4}}(?:[\w<>\[\], *&:]+\s)?{names}\s*(?:<[^>]*>)?\([^;]*\)?[^;]*\{{\s*$"
    macro = rf"^\s*#\s*define\s+{names}\b"
    return "|".join((keyword, bound, column_0, method, bare, macro))


def call(words: Iterable[str]) -> str:
    """Return a pattern for calls of names."""
    return rf"\b{any_of(words)}\b\s*(?:<[^>()]*>)?\("


def any_word(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, whole."""
    return rf"\b{any_of(words)}\b"


TEST_HEAD = (
    r"^\s*(?:async )?def test|^\s*(?:test|it)(?:\.\w+)?\(|^(?:TEST\w*|BENCHMARK_IMPL)\s*\(|"
    r"^func (?:Test|Benchmark|Example)|^\s+public void \w+\("
)
"""The signatures of tests."""

ANY_HEAD = (
    r"^\s*(?:async )?def |^\s*(?:export )?(?:abstract )?class |^func |^[A-Za-z_][\w ]*[ *]\(?\w+\)?\s*\([^;]*$|"
    r"^\s+(?:public|private|protected|static)[^;=]*\([^;]*$|^\s*(?:export )?(?:async )?function "
)
"""The signatures of a file."""


COMMENT = re.compile(r"\s*(?:#(?!\s*define)|//|\*|/\*)")


class Searcher:
    """The agent with ripgrep and a file reader."""

    def __init__(self, tree: Tree, budget: int, policy: Mapping[str, Any]) -> None:
        """Begin a task."""
        self.tree, self.policy = tree, policy
        self.transcript = Transcript(budget)
        self.shown: set[Line] = set()
        self.read: set[Line] = set()
        self.looked_at: set[Line] = set()
        self.resigned = False

    def ask(self, *parts: str) -> str:
        """Make one call, whose reply is these outputs."""
        reply = self.transcript.append("\n".join(filter(None, parts)))
        self.shown.update(self.tree.hits(reply))
        return reply

    def do(self, task: Mapping[str, Any]) -> list[str]:
        """Work on a task and return the replies."""
        steps: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "flow": self.flow,
            "callers": self.callers,
            "tests": self.tests,
            "together": self.together,
            "where": self.where,
        }
        steps[task["kind"]](task)
        return self.transcript.replies

    def pick_definition(self, text: str, name: str) -> Line | None:
        """Choose among the hits the definition of a qualified name: the one below its class if there is one."""
        word, around = last_word(name), owner(name)
        hits = [hit for hit in self.tree.hits(text) if re.search(rf"\b{re.escape(word)}\b", self.line(hit))]
        if around:
            inside = [
                hit
                for hit in hits
                if around in self.line(hit)
                or any(
                    re.search(rf"\b(?:class|struct|interface)\s+{around}\b", self.line((hit[0], number)))
                    and indent(self.line((hit[0], number))) < indent(self.line(hit))
                    for number in self.classes_before(hit)
                )
            ]
            hits = inside or hits
        return hits[0] if hits else None

    def classes_before(self, hit: Line) -> list[int]:
        """Return the line of the last class that begins before a hit."""
        for number in range(hit[1] - 1, 0, -1):
            if re.match(
                r"\s*(?:export |public |abstract |final |static )*(?:class|struct|interface)\s+\w",
                self.line((hit[0], number)),
            ):
                return [number]
        return []

    def line(self, hit: Line) -> str:
        """Return the text of a hit."""
        lines = self.tree.lines(hit[0])
        return lines[hit[1] - 1] if hit[1] <= len(lines) else ""

    def known_block(self, hit: Line) -> Block | None:
        """Return the function around a hit, if its first line was in a reply."""
        block = self.tree.block(hit)
        return block if block and (hit[0], block.first) in self.shown else None

    def context(self, hits: Iterable[Line], most: int) -> str:
        """Read from the beginning of the function down to each hit, until it is known for `most` functions more."""
        parts = []
        for hit in hits:
            block = self.tree.block(hit)
            if (
                block is None
                or block.name in KEYWORDS
                or self.known_block(hit)
                or (hit[0], block.first) in self.looked_at
            ):
                continue
            self.looked_at.add((hit[0], block.first))
            above = self.policy.get("above", 0)
            first = max(1, hit[1] - above) if above else max(block.first, hit[1] - MAX_FUNCTION)
            parts.append(self.tree.read(hit[0], first, hit[1]))
            if len(parts) == most:
                break
        return "\n".join(parts)

    def outline(self, hits: Sequence[Line]) -> str:
        """List the signatures in the files of hits whose functions are not known."""
        files = list(dict.fromkeys(path for path, line in hits if not self.known_block((path, line))))
        return self.tree.search(ANY_HEAD, paths=files) if files else ""

    def flow(self, task: Mapping[str, Any]) -> None:
        """Search from both ends until the budget ends."""
        source, target = task["names"]
        words = [last_word(source), last_word(target)]
        classes = [owner(name) for name in (source, target) if owner(name)]
        reply = self.ask(self.tree.search(definition(dict.fromkeys([*words, *classes])), *NO_TESTS))
        start, end = self.pick_definition(reply, source), self.pick_definition(reply, target)
        forward: dict[str, None] = {}
        backward: dict[str, None] = {words[1]: None}
        backward_hits: dict[Line, None] = {}
        done_forward, done_backward = set(words), set[str]()
        queue = [line for line in (start, end) if line]
        while self.transcript.is_open:
            parts = []
            for hit in backward_hits:
                if block := self.known_block(hit):
                    backward.setdefault(block.name)
            bridges = {name for name in forward if name in backward}
            for line in queue[:MAX_READ]:
                block = self.tree.block(line)
                if block and (line[0], block.first) not in self.read:
                    self.read.add((line[0], block.first))
                    parts.append(self.tree.read(line[0], block.first, block.last))
                    body = "\n".join(self.tree.lines(line[0])[block.first : block.last])
                    if line != end:
                        forward.update(dict.fromkeys(self.called(body)))
            del queue[:MAX_READ]
            if self.policy["context"]:
                parts.append(self.context(backward_hits, self.policy["context"]))
            asked = [name for name in backward if name not in done_backward | KEYWORDS][: self.policy["back"]]
            if asked:
                done_backward.update(asked)
                calls = self.tree.search(
                    call(asked) if self.policy["callers"] == "call" else any_word(asked), *NO_TESTS
                )
                parts.append(calls)
                hits = self.tree.hits(calls)[: self.policy["hits"]]
                backward_hits.update(dict.fromkeys(hits))
                if not self.policy["context"]:
                    parts.append(self.outline(hits))
            # A function that leads to the end comes first.
            todo = sorted((name for name in forward if name not in done_forward), key=lambda name: name not in bridges)
            todo = todo[: self.policy["forward"]]
            if todo:
                done_forward.update(todo)
                heads = self.tree.search(definition(todo), *NO_TESTS)
                parts.append(heads)
                lines = [line for line in self.tree.hits(heads) if not self.line(line).lstrip().startswith("#")]
                lines.sort(key=lambda hit: not any(re.search(any_word([name]), self.line(hit)) for name in bridges))
                queue = lines + queue
            if not any(parts):
                if not self.last_resort(words):
                    break
                continue
            self.ask(*parts)

    def last_resort(self, words: Sequence[str]) -> bool:
        """Search the ends as words, once: they may be passed on without a call."""
        if self.resigned:
            return False
        self.resigned = True
        self.ask(self.tree.search(any_word(words), *NO_TESTS))
        return True

    def called(self, body: str) -> list[str]:
        """List the names that a body calls, in order."""
        return [word for word in re.findall(r"([A-Za-z_$][\w$]*)\s*\(", body) if word not in KEYWORDS]

    def callers(self, task: Mapping[str, Any]) -> None:
        """Search calls of the name and of what stands for it, and read which function each hit is in."""
        name = task["names"][0]
        word, around = last_word(name), owner(name)
        pattern = call([word]) if self.policy["callers"] == "call" else any_word([word])
        reply = ""
        if around and self.policy.get("class_first"):
            files = self.tree.search(any_word([around]), "-l", *NO_TESTS).split("\n")[:-1]
            if files:
                reply = self.ask(self.tree.search(pattern, *NO_TESTS, paths=files))
                self.who(reply, [word])
        if self.transcript.is_open:
            reply = self.ask(self.tree.search(pattern, *NO_TESTS))
            self.who(reply, [word])
        if self.transcript.is_open and self.policy["callers"] == "call":
            # Without a bracket it is a property, an alias or passed on.
            rest = self.ask(self.tree.search(rf"\b{re.escape(word)}\b(?:\s*[^\s(]|\s*$)", *NO_TESTS))
            reply += rest
            self.who(rest, [word])
        names, seen_names = [word], {word}
        while self.transcript.is_open:
            aliases = [alias for alias in self.aliases(self.tree.hits(reply), names) if alias not in seen_names]
            names = list(dict.fromkeys(aliases))[:MAX_NAMES]
            if not names:
                break
            seen_names.update(names)
            reply = self.ask(self.tree.search(any_word(names), *NO_TESTS))
            self.who(reply, names)
        if around and self.transcript.is_open:
            # Classes below the class call its methods with `super`.
            self.ask(self.tree.search(rf"\bsuper\b.*\b{word}\(|\b{around}\b", *NO_TESTS))

    def who(self, reply: str, names: Sequence[str]) -> None:
        """Learn in which functions the hits of a reply are."""
        word = re.compile(any_word(names))
        hits = [
            hit for hit in self.tree.hits(reply) if word.search(self.line(hit)) and not COMMENT.match(self.line(hit))
        ]
        if not self.policy["context"]:
            if self.transcript.is_open and (text := self.outline(hits)):
                self.ask(text)
            return
        while self.transcript.is_open and (text := self.context(hits, self.policy["context"])):
            self.ask(text)

    def aliases(self, hits: Iterable[Line], names: Sequence[str]) -> Iterator[str]:
        """Yield the words that hits make stand for names: macros, imports and assignments."""
        word = any_of(names)
        for hit in hits:
            number = hit[1]
            while number > 1 and self.line((hit[0], number - 1)).endswith("\\"):
                number -= 1
            if match := re.match(r"\s*#\s*define\s+(\w+)", self.line((hit[0], number))):
                yield match.group(1)
            line = self.line(hit)
            if match := re.search(rf"\b{word}\s+as\s+(\w+)|\b(\w+)\s*[:=]\s*[\w.]*\b{word}\s*[;,]?\s*$", line):
                yield match.group(1) or match.group(2)

    def tests(self, task: Mapping[str, Any]) -> None:
        """Search the changed names in the tests, then tests by the names of files, then callers in the tests."""
        changed = self.changed_functions(task["code"])
        test_files = sorted(filter(self.tree.is_test, self.tree.paths))
        code_tests = [path for path in test_files if self.tree.tests.search(path)]
        stems = {Path(path).stem.lower().strip("_") for path in task["code"]}
        alike = [path for path in code_tests if any(stem in Path(path).stem.lower() for stem in stems if len(stem) > 1)]
        by_name = self.tree.search(TEST_HEAD, paths=alike) if alike else ""
        steps = [self.in_tests(changed, code_tests), by_name]
        for step in reversed(steps) if self.policy.get("stem_first") else steps:
            if step and self.transcript.is_open:
                self.ask(step)
        names, seen_names = changed, set(changed)
        while self.transcript.is_open and names:
            reply = self.tree.search(call(names), *NO_TESTS)
            self.ask(reply)
            hits = self.tree.hits(reply)
            if self.transcript.is_open:
                self.ask(self.context(hits, MAX_NAMES))
            blocks = [self.known_block(hit) for hit in hits]
            names = [block.name for block in blocks if block and block.name not in KEYWORDS | seen_names]
            names = list(dict.fromkeys(names))[:MAX_NAMES]
            seen_names.update(names)
            if names and self.transcript.is_open:
                self.ask(self.in_tests(names, code_tests))
        words = [word for word in self.changed_words(task["code"]) if word not in seen_names][:MAX_NAMES]
        if words and self.transcript.is_open:
            self.ask(self.in_tests(words, code_tests))

    def changed_words(self, code: Sequence[str]) -> list[str]:
        """Return the words in changed lines that look like names, the longest first, because they are rare."""
        diff = git(self.tree.root, "diff", "-U0", "--no-color", "--no-renames", "HEAD", "--", *code)
        lines = [line for line in diff.split("\n") if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]
        words = {word for line in lines for word in re.findall(r"[A-Za-z_]\w{4,}", line)}
        return sorted(
            (word for word in words if not word.islower() or "_" in word), key=lambda word: (-len(word), word)
        )

    def in_tests(self, names: Sequence[str], test_files: Sequence[str]) -> str:
        """Search names in tests. `-m` keeps a frequent name from filling the reply."""
        if not names or not test_files:
            return ""
        options = ["-m", str(self.policy["per_file"])] if "per_file" in self.policy else []
        return self.tree.search(any_word(names), *options, paths=test_files)

    def changed_functions(self, code: Sequence[str]) -> list[str]:
        """Return the names of the functions around the changed lines, which the diff shows."""
        names: dict[str, None] = {}
        diff = git(self.tree.root, "diff", "-U0", "--no-color", "--no-renames", "HEAD", "--", *code)
        path = ""
        for line in diff.split("\n"):
            if line.startswith("+++ b/"):
                path = line[6:]
            elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
                for number in range(int(match[1]), int(match[1]) + max(1, int(match[2] or 1))):
                    block = self.tree.block((path, number))
                    if block:
                        names.setdefault(block.name)
        return [name for name in names if name not in KEYWORDS]

    def together(self, task: Mapping[str, Any]) -> None:
        """Search the names, then the file's name, then what its functions call."""
        path, names = task["code"][0], task["names"]
        self.ask(self.tree.search(any_word(names), *NO_TESTS))
        stem = Path(path).stem
        if self.transcript.is_open:
            self.ask(self.tree.search(rf"\b{re.escape(stem)}\b", "-l", *SOURCE_ONLY))
        heads = self.tree.search(definition(names), paths=[path])
        blocks = [block for hit in self.tree.hits(f"{path}\n{heads}") if (block := self.tree.block(hit))]
        if blocks and self.transcript.is_open:
            self.ask(*(self.tree.read(path, block.first, block.last) for block in blocks[:MAX_READ]))
        words = [
            word for block in blocks for word in self.called("\n".join(self.tree.lines(path)[block.first : block.last]))
        ]
        words = list(dict.fromkeys(words))
        while words and self.transcript.is_open:
            self.ask(self.tree.search(definition(words[:MAX_NAMES]), *NO_TESTS))
            del words[:MAX_NAMES]

    def where(self, task: Mapping[str, Any]) -> None:
        """Search the definition, or else the name."""
        words = [last_word(name) for name in task["names"]]
        if not self.tree.hits(self.ask(self.tree.search(definition(words), *SOURCE_ONLY))):
            self.ask(self.tree.search(any_word(words), *SOURCE_ONLY))


# The agent with this project


class Explorer:
    """The agent with the tour and a file reader."""

    def __init__(self, tree: Tree, budget: int, size: int) -> None:
        """Begin a task. `size` is how many characters the tool may return."""
        self.tree, self.size = tree, size
        self.transcript = Transcript(budget)

    def do(self, task: Mapping[str, Any]) -> list[str]:
        """Call the tool once, then read what it names without its text."""
        reply = self.transcript.append(ask_tool(self.tree.root, task, self.size // CHARACTERS_PER_TOKEN))
        read = set(self.tree.hits(reply))
        for match in re.finditer(r"([\w@./+-]+):(\d+)(?:-(\d+))?", reply):
            path, first = match.group(1), int(match.group(2))
            if path not in self.tree.paths or not self.transcript.is_open:
                continue
            last = int(match.group(3) or first)
            if last == first and (block := self.tree.block((path, first))):
                first, last = block.first, block.last
            last = min(last, first + MAX_FUNCTION)
            if not any((path, line) in read for line in range(first + 1, last + 1)):
                self.transcript.append(self.tree.read(path, first, last))
                read.update((path, line) for line in range(first, last + 1))
        return self.transcript.replies


def ask_tool(root: Path, task: Mapping[str, Any], tokens: int) -> str:
    """Return the reply of `cgi impact --diff HEAD --markdown` to a question for tests, and that of `cgi explore` to others."""
    with CodeIndexer(root) as indexer:
        if task["kind"] == "tests":
            return indexer.explore_change(diff="HEAD", budget=tokens).text
        return indexer.explore(task["text"], budget=tokens).text


POLICIES: dict[str, dict[str, Any]] = {
    "best": {"callers": "call", "back": 8, "forward": 4, "hits": 60, "context": 12, "stem_first": True},
    "block": {"callers": "call", "back": 4, "forward": 12, "hits": 60, "context": 6},
    "word": {"callers": "word", "back": 4, "forward": 12, "hits": 60, "context": 6, "stem_first": True},
    "window": {"callers": "call", "back": 4, "forward": 12, "hits": 60, "context": 6, "above": 30},
    "outline": {"callers": "call", "back": 4, "forward": 12, "hits": 60, "context": 0},
    "class": {"callers": "call", "class_first": True, "back": 8, "forward": 6, "hits": 60, "context": 6},
    "narrow": {"callers": "call", "back": 2, "forward": 6, "hits": 20, "context": 3, "per_file": 5},
    "back": {"callers": "call", "back": 8, "forward": 2, "hits": 60, "context": 12, "per_file": 2, "stem_first": True},
    "front": {"callers": "call", "back": 1, "forward": 24, "hits": 20, "context": 2, "per_file": 1},
}
"""What the agent with ripgrep was tried with. `best` puts together what won on the development set."""
