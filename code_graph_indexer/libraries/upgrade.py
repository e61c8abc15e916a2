"""Compare the public definitions of two versions of a package, and say which uses of a repository the newer one breaks."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.languages import languages
from code_graph_indexer.libraries.signatures import CALL_LINES, Parameter, arguments, broken, least_call, parameters
from code_graph_indexer.libraries.surface import CALLABLE, VALUES, Place, Surface
from code_graph_indexer.results import IMPACT_DEPTH, ExternalUse
from code_graph_indexer.storage import Store, StoredDefinition
from code_graph_indexer.storage.records import joined_name, name_inside

CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"
"""How sure it is that a use breaks, the surest first."""

GONE, MOVED, RENAMED, SIGNATURE, DEPRECATED = "gone", "moved", "renamed", "signature", "deprecated"
"""What a version does to a definition."""

OVERRIDES = "overrides"
"""The kind of a use that is a member of a class with a base in the package."""

OVERRIDDEN = 0.85
"""Largest confidence of such a use: nothing says that the package calls the member."""

_DEPRECATED = re.compile(r"^[^\w\n]*deprecated\b", re.IGNORECASE | re.MULTILINE)
_RANKS = (CERTAIN, LIKELY, POSSIBLE)


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
    index tells. `gone` counts the public names that the newer version has no more, used or not. `unchecked` are the versions
    that another repository of this machine has installed: nothing tells that their content is what was released.
    """

    ecosystem: str
    package: str
    old: str
    new: str
    breaks: tuple[Break, ...]
    uses: int
    unknown: int
    gone: int
    unchecked: tuple[str, ...] = ()

    @property
    def is_safe(self) -> bool:
        """Say whether no use breaks for certain or likely."""
        return all(change.certainty == POSSIBLE for change in self.breaks)


class Difference(NamedTuple):
    """How a definition changed: what, how surely a use of it breaks, and the text for people.

    `parameters` are those before and after of each overload, if a call can be held against them.
    """

    change: str
    certainty: str
    detail: str
    parameters: tuple[tuple[Sequence[Parameter], Sequence[Parameter]], ...] = ()


def difference(before: Sequence[StoredDefinition], after: Sequence[StoredDefinition]) -> Difference | None:
    """Compare a definition and its overloads in two versions: the least of the differences. None if a use need not change."""
    changes: list[Difference] = []
    for earlier in before:
        for candidate in after:
            change = _difference(earlier, candidate)
            if change is None:
                return None
            changes.append(change)
    least = max(changes, key=lambda change: _RANKS.index(change.certainty))
    return least._replace(parameters=tuple(pair for change in changes for pair in change.parameters))


def _difference(before: StoredDefinition, after: StoredDefinition) -> Difference | None:
    """Return what differs between two versions of a definition: its parameters, or else that it is deprecated now."""
    pair = (before, after)
    old, new = (parameters(part.signature, part.name) if part.kind in CALLABLE else None for part in pair)
    if old is not None and new is not None and (change := _parameters_differ(old, new)) is not None:
        return change._replace(parameters=((old, new),))
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
    return Difference(SIGNATURE, CERTAIN if added > len(gone) else LIKELY, "; ".join(parts)) if parts else None


def _default(text: str) -> str:
    """Return the default value in the text of a parameter. Empty if it has none."""
    return text.partition("=")[2].strip() if "=>" not in text else ""


def upgrade_of(store: Store, old: Store, new: Store, uses: Sequence[ExternalUse], versions: tuple[str, str]) -> Upgrade:
    """Say what a newer version of a package breaks in a repository.

    `store` is the index of the repository, `old` and `new` those of the package, `uses` all references to it.
    """
    before, after = Surface(old), Surface(new)
    package = uses[0].package if uses else ""
    groups: dict[tuple[str, str], list[ExternalUse]] = defaultdict(list)
    for use in (*uses, *_overrides(store, uses)):
        name = name_inside(use.qualified_name, use.module) if use.qualified_name != use.module else ""
        groups[use.module, name].append(use)
    breaks: list[Break] = []
    unknown = 0
    for (module, name), group in sorted(groups.items()):
        if not name:
            breaks += _of_whole(store, before, after, [use for use in group if use.module == package])
        elif (place := before.find(package, module, name)) is not None:
            there = after.find(package, module, name)
            breaks += _of_name(store, (place, before), (there, after), group)
        else:
            unknown += sum(use.kind != OVERRIDES for use in group)
    breaks.sort(key=lambda change: (_RANKS.index(change.certainty), change.qualified_name))
    graph = CodeGraph(store)
    breaks = [replace(entry, tests=_tests(store, graph, _meeting(entry, uses))) for entry in breaks]
    gone = sum(name not in after.by_name for name, place in before.by_name.items() if _is_public(place))
    ecosystem = uses[0].ecosystem if uses else ""
    return Upgrade(ecosystem, package, *versions, tuple(breaks), len(uses), unknown, gone)


def _is_type(place: Place) -> bool:
    """Say whether a definition is a class or another type."""
    return place.definition.kind not in (*CALLABLE, *VALUES)


def _is_public(place: Place) -> bool:
    """Say whether no part of a name begins with one underscore."""
    return not any(part.startswith("_") and not part.startswith("__") for part in place.definition.dotted.split("."))


def _of_name(
    store: Store, earlier: tuple[Place, Surface], later: tuple[Place | None, Surface], group: Sequence[ExternalUse]
) -> Iterator[Break]:
    """Yield the changes of a name for each certainty of its uses. `earlier` and `later` are its places in both versions."""
    (place, before), (there, after) = earlier, later
    pair = before.run_by(place), [] if there is None else after.run_by(there)
    if there is not None and _is_type(place) and there.definition.kind in CALLABLE:
        # Its calls may go on, and no annotation does.
        files = {use.file_path for use in group if use.kind not in ("calls", "imports")}
        types = [use for use in group if use.kind != "calls" and use.file_path in files]
        yield from _breaks(store, Difference(GONE, CERTAIN, f"now a {there.definition.kind}"), pair, types)
    change = difference(*pair) if there is not None else _missing(place, after)
    yield from _breaks(store, change, pair, group) if change is not None else ()


def _of_whole(store: Store, before: Surface, after: Surface, group: Sequence[ExternalUse]) -> Iterator[Break]:
    """Yield the change of what a package is as a whole (`export default`, `module.exports`), for each certainty of its uses."""
    files = {use.file_path for use in group if use.kind == "calls"}
    # An import may be of the names inside. Where the whole is called, it is of the whole.
    group = [use for use in group if use.file_path in files]
    places = before.whole() if group else None
    if places is not None:
        there = after.whole()
        old, new = (surface.run_by(ends[0]) if ends else [] for surface, ends in ((before, places), (after, there)))
        change = Difference(GONE, CERTAIN, "no default export") if there is None else None
        change = difference(old, new) if old and new else change
        yield from _breaks(store, change, (old, new), group) if change is not None else ()


def _overrides(store: Store, uses: Iterable[ExternalUse]) -> Iterator[ExternalUse]:
    """Yield the members of classes whose base is in the package, as uses of the members that they may override."""
    for use in uses:
        definitions = store.file_definitions(use.file_path) if use.kind == "inherits" else ()
        classes = {definition.dotted for definition in definitions if definition.chunk_id == use.chunk_id}
        for definition in definitions:
            is_member = definition.kind in CALLABLE and definition.dotted.rpartition(".")[0] in classes
            # A constructor replaces nothing that others call.
            if is_member and definition.name not in languages()[definition.language].constructors:
                yield replace(
                    use,
                    qualified_name=f"{use.qualified_name}.{definition.name}",
                    kind=OVERRIDES,
                    line=definition.line,
                    confidence=min(use.confidence, OVERRIDDEN),
                    definition=f"{use.definition}.{definition.name}",
                    chunk_id=definition.chunk_id,
                )


def _breaks(
    store: Store,
    change: Difference,
    versions: tuple[Sequence[StoredDefinition], Sequence[StoredDefinition]],
    group: Sequence[ExternalUse],
) -> Iterator[Break]:
    """Yield a change of one name for each certainty of its uses, if a use meets it."""
    by_certainty: dict[str, list[ExternalUse]] = defaultdict(list)
    importing = {use.file_path for use in group if use.kind == "imports"}
    for use in group:
        # A signature breaks calls and overrides only. Where an import names what moved, the rest of the file stays as it is.
        is_moved = change.change == MOVED and use.kind != "imports" and use.file_path in importing
        is_met = not is_moved and (change.change != SIGNATURE or use.kind in ("calls", OVERRIDES))
        if is_met and (certainty := _certainty(store, change, use)) is not None:
            by_certainty[certainty].append(use)
    before, after = (part[-1].signature if part else "" for part in versions)
    for certainty, uses in by_certainty.items():
        yield Break(group[0].qualified_name, change.change, certainty, before, after, change.detail, tuple(uses))


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


def _takes_less(store: Store, change: Difference, use: ExternalUse) -> bool:
    """Say whether a member that overrides another one does not take what a call of that passes now."""
    definitions = (part for part in store.file_definitions(use.file_path) if part.chunk_id == use.chunk_id)
    own = next((parameters(part.signature, part.name) for part in definitions), None)
    calls = [(least_call(after), after) for _, after in change.parameters]
    return bool(calls) and own is not None and all(broken(call, after, own) for call, after in calls)


def _certainty(store: Store, change: Difference, use: ExternalUse) -> str | None:
    """Say how sure it is that a use breaks: by the change, the arguments of the call, and how sure its name is. None if not."""
    certainty = change.certainty
    if change.change == SIGNATURE and use.kind == OVERRIDES:
        return LIKELY if _takes_less(store, change, use) else None
    if change.parameters and use.kind == "calls":
        lines = (store.file_text(use.file_path) or b"").split(b"\n")[use.line - 1 : use.line - 1 + CALL_LINES]
        call = arguments(b"\n".join(lines)[use.column :].decode("utf-8", "replace"))
        if call is None or call.is_open:
            certainty = POSSIBLE if certainty == LIKELY else certainty
        elif all(broken(call, *pair) for pair in change.parameters):
            certainty = CERTAIN
        elif certainty != POSSIBLE:
            return None
    if use.confidence < 0.7:
        return POSSIBLE
    return LIKELY if use.confidence < 0.9 and certainty == CERTAIN else certainty


def _meeting(entry: Break, uses: Sequence[ExternalUse]) -> Iterator[ExternalUse]:
    """Yield the uses of a break. What an import lacks because it moved is missing wherever the name is used."""
    yield from entry.uses
    if entry.change == MOVED:
        yield from (use for use in uses if use.qualified_name == entry.qualified_name)


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
