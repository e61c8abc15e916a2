"""Compare the public definitions of two versions of a package, and say which uses of a repository the newer one breaks."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.libraries.surface import CALLABLE, Place, Surface
from code_graph_indexer.results import IMPACT_DEPTH, ExternalUse
from code_graph_indexer.storage import Store, StoredDefinition
from code_graph_indexer.storage.records import joined_name, name_inside

CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"
"""How sure it is that a use breaks, the surest first."""

GONE, MOVED, RENAMED, SIGNATURE, DEPRECATED = "gone", "moved", "renamed", "signature", "deprecated"
"""What a version does to a definition."""

CALL_LINES = 12
"""The most lines of a call that are read for the arguments that it passes by name."""

_DEPRECATED = re.compile(r"^[^\w\n]*deprecated\b", re.IGNORECASE | re.MULTILINE)
_MARKS = re.compile(r"#\s*(?:type:\s*ignore|noqa)\S*")
_RANKS = (CERTAIN, LIKELY, POSSIBLE)
_WORD = re.compile(r"[^\W\d][\w$]*")
_OPEN, _CLOSE = "([{<", ")]}>"


@dataclass(frozen=True, slots=True)
class Break:
    """A name of a package that a repository uses and that another version changes.

    `change` is one of `gone`, `moved`, `renamed`, `signature` and `deprecated`. `certainty` is `certain`, `likely` or
    `possible`. `before` and `after` are the signatures, `detail` says what differs.
    `tests` are the test files that reach a use.
    """

    qualified_name: str
    change: str
    certainty: str
    before: str
    after: str
    detail: str
    uses: tuple[ExternalUse, ...]
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What an upgrade of a package would break in a repository, the surest first.

    `uses` counts the references to the package, and `unknown` those to names that the old version does not define as far as its
    index tells. `gone` counts the public names that the newer version has no more, used or not.
    """

    ecosystem: str
    package: str
    old: str
    new: str
    breaks: tuple[Break, ...]
    uses: int
    unknown: int
    gone: int

    @property
    def is_safe(self) -> bool:
        """Say whether no use breaks for certain or likely."""
        return all(change.certainty == POSSIBLE for change in self.breaks)


class Parameter(NamedTuple):
    """A parameter as a signature writes it. `optional` says that a call may leave it out."""

    name: str
    optional: bool
    text: str


def parameters(signature: str, name: str) -> list[Parameter] | None:
    """Read the parameters of a signature in any language with brackets. None if it has none that can be read."""
    signature = _MARKS.sub("", signature)
    start = signature.find("(", max(0, signature.find(name)))
    if start < 0:
        return None
    depth, texts, current = 0, [], ""
    for at, character in enumerate(signature[start:], start):
        arrow = character == ">" and signature[at - 1] in "=-"
        if character in _OPEN:
            depth += 1
            current += character if depth > 1 else ""
        elif character in _CLOSE and not arrow:
            depth -= 1
            if not depth:
                break
            current += character
        elif character == "," and depth == 1:
            texts.append(current)
            current = ""
        else:
            current += character
    else:
        return None
    texts.append(current)
    return [parameter for text in texts if (parameter := _parameter(" ".join(text.split()))) is not None]


def _parameter(text: str) -> Parameter | None:
    """Read one parameter. None for what is none, such as `*`, `/` and the object itself."""
    match = _WORD.search(text)
    if match is None or text in ("self", "cls", "&self", "&mut self"):
        return None
    head = text.partition("=")[0]
    is_rest = text.lstrip().startswith(("*", "...", "&")) or "..." in head
    return Parameter(match[0], "=" in text.replace("=>", "") or "?" in head or is_rest, text)


class Difference(NamedTuple):
    """How a definition changed: what, how surely a use of it breaks, the text for people, and the parameters that are gone."""

    change: str
    certainty: str
    detail: str
    gone: tuple[str, ...] = ()


def difference(before: Sequence[StoredDefinition], after: Sequence[StoredDefinition]) -> Difference | None:
    """Compare a definition and its overloads in two versions: the least of the differences. None if a use need not change."""
    least: Difference | None = None
    for earlier in before:
        for candidate in after:
            change = _difference(earlier, candidate)
            if change is None:
                return None
            if least is None or _RANKS.index(change.certainty) > _RANKS.index(least.certainty):
                least = change
    return least


def _difference(before: StoredDefinition, after: StoredDefinition) -> Difference | None:
    """Return what differs between two versions of a definition: its parameters, or else that it is deprecated now."""
    pair = (before, after)
    old, new = (parameters(part.signature, part.name) if part.kind in CALLABLE else None for part in pair)
    if old is not None and new is not None and (difference := _parameters_differ(old, new)) is not None:
        return difference
    was, now = (bool(_DEPRECATED.search(f"{part.signature} {part.doc}")) for part in pair)
    return Difference(DEPRECATED, POSSIBLE, after.doc.strip().partition("\n")[0][:200]) if now and not was else None


def _parameters_differ(old: Sequence[Parameter], new: Sequence[Parameter]) -> Difference | None:
    """Return the worst that a call with the old parameters meets: some gone or required, another order, other defaults."""
    olds, news = ({entry.name: entry for entry in entries} for entries in (old, new))
    if (unmet := _unmet(olds, news)) is not None:
        return unmet
    common = [name for name in olds if name in news]
    if common != [name for name in news if name in olds]:
        return Difference(SIGNATURE, LIKELY, "parameters in another order")
    pairs = [(olds[name].text, news[name].text) for name in common]
    other = [f"{was} → {now}" for was, now in pairs if _default(was) and _default(now) not in ("", _default(was))]
    return Difference(SIGNATURE, POSSIBLE, f"another default: {', '.join(other)}") if other else None


def _unmet(olds: Mapping[str, Parameter], news: Mapping[str, Parameter]) -> Difference | None:
    """Return which parameters a new version lacks, and which it needs that a call could leave out before. None if none."""
    takes_rest = any(entry.text.startswith("**") for entry in news.values())
    gone = (
        () if takes_rest else tuple(name for name in olds if name not in news and not olds[name].text.startswith("*"))
    )
    needed = [name for name, entry in news.items() if not entry.optional and (name not in olds or olds[name].optional)]
    parts = [f"without {', '.join(gone)}"] if gone else []
    parts += [f"needs {', '.join(needed)}"] if needed else []
    # A parameter with another name is one gone and one needed.
    added = sum(name not in olds for name in needed)
    return Difference(SIGNATURE, CERTAIN if added > len(gone) else LIKELY, "; ".join(parts), gone) if parts else None


def _default(text: str) -> str:
    """Return the default value in the text of a parameter. Empty if it has none."""
    return text.partition("=")[2].strip() if "=>" not in text else ""


def upgrade_of(store: Store, old: Store, new: Store, uses: Sequence[ExternalUse], versions: tuple[str, str]) -> Upgrade:
    """Say what a newer version of a package breaks in a repository.

    `store` is the index of the repository, `old` and `new` those of the package, `uses` all references to it.
    """
    before, after = Surface(old), Surface(new)
    groups: dict[tuple[str, str], list[ExternalUse]] = defaultdict(list)
    for use in uses:
        # The import of a whole module names no definition.
        if use.qualified_name != use.module:
            groups[use.module, name_inside(use.qualified_name, use.module)].append(use)
    breaks: list[Break] = []
    unknown = 0
    package = uses[0].package if uses else ""
    for (module, name), group in sorted(groups.items()):
        place = before.find(package, module, name)
        if place is None:
            unknown += len(group)
            continue
        breaks += _breaks(store, before, after, place, (package, module, name), group)
    breaks.sort(key=lambda change: (_RANKS.index(change.certainty), change.qualified_name))
    graph = CodeGraph(store)
    breaks = [replace(change, tests=_tests(store, graph, change.uses)) for change in breaks]
    gone = sum(name not in after.by_name for name, place in before.by_name.items() if _is_public(place))
    ecosystem = uses[0].ecosystem if uses else ""
    return Upgrade(ecosystem, package, *versions, tuple(breaks), len(uses), unknown, gone)


def _is_public(place: Place) -> bool:
    """Say whether no part of a name begins with one underscore."""
    return not any(part.startswith("_") and not part.startswith("__") for part in place.definition.dotted.split("."))


def _breaks(
    store: Store,
    before: Surface,
    after: Surface,
    place: Place,
    name: tuple[str, str, str],
    group: Sequence[ExternalUse],
) -> Iterator[Break]:
    """Yield the change of one name, if a version changes it, for each certainty of its uses."""
    there = after.find(*name)
    old, new = before.run_by(place), [] if there is None else after.run_by(there)
    change = difference(old, new) if new else _missing(place, after)
    if change is None:
        return
    by_certainty: dict[str, list[ExternalUse]] = defaultdict(list)
    for use in group:
        # A signature breaks calls only.
        if change.change != SIGNATURE or use.kind == "calls":
            by_certainty[_certainty(store, change, use)].append(use)
    for certainty, uses in by_certainty.items():
        yield Break(
            group[0].qualified_name,
            change.change,
            certainty,
            old[-1].signature,
            new[-1].signature if new else "",
            change.detail,
            tuple(uses),
        )


def _missing(place: Place, after: Surface) -> Difference:
    """Say what became of a definition that the new version has no more under its name."""
    definition = place.definition
    twins = [
        candidate
        for candidate in after.dotted.get(definition.dotted, ())
        if candidate.definition.kind == definition.kind
    ]
    if twins:
        return Difference(
            MOVED, CERTAIN, f"now {joined_name(twins[0].module, definition.dotted)} in {twins[0].definition.path}"
        )
    around, _, last = definition.dotted.rpartition(".")
    old_parameters = parameters(definition.signature, definition.name) if definition.kind in CALLABLE else None
    if old_parameters:
        shapes = [entry.text for entry in old_parameters]
        for dotted, places in after.dotted.items():
            if (
                dotted.rpartition(".")[0] == around
                and places[0].definition.kind == definition.kind
                and _is_like(dotted, last)
            ):
                new_parameters = parameters(places[0].definition.signature, places[0].definition.name)
                if new_parameters and [entry.text for entry in new_parameters] == shapes:
                    return Difference(RENAMED, CERTAIN, f"now {dotted}")
    return Difference(GONE, CERTAIN, "")


def _is_like(dotted: str, last: str) -> bool:
    """Say whether two names share a word, as those of one thing do."""
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", last)
    return any(len(word) > 2 and word.lower() in dotted.rpartition(".")[2].lower() for word in words)


def _certainty(store: Store, change: Difference, use: ExternalUse) -> str:
    """Say how sure it is that a use breaks: by the change, the arguments that the call passes, and how sure its name is."""
    certainty = change.certainty
    if change.gone and certainty == LIKELY:
        text = (store.file_text(use.file_path) or b"").decode("utf-8", "replace").split("\n")
        call = "\n".join(text[use.line - 1 : use.line - 1 + CALL_LINES])
        is_passed = any(re.search(rf"\b{re.escape(name)}\s*=[^=]", call) for name in change.gone)
        certainty = CERTAIN if is_passed else POSSIBLE
    if use.confidence < 0.7:
        return POSSIBLE
    return LIKELY if use.confidence < 0.9 and certainty == CERTAIN else certainty


def _tests(store: Store, graph: CodeGraph, uses: Iterable[ExternalUse]) -> tuple[str, ...]:
    """List the test files that reach a use."""
    sources = {(use.file_path, use.definition) for use in uses}
    names = sorted({source.rpartition(".")[2] for _, source in sources} - {""})
    symbols = [
        symbol
        for symbol in (store.symbols(names, exact_case=True) if names else ())
        if (symbol.file_path, symbol.qualified_name) in sources
    ]
    reached = graph.impact(symbols, Limits(depth=IMPACT_DEPTH)).tests if symbols else ()
    return tuple(sorted({*reached, *(use.file_path for use in uses if use.is_test)}))
