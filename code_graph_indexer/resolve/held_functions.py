"""Find the functions that tables and parameters hold: what a call runs that names no function."""

from code_graph_indexer.resolve.facts import PassedArgument
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.resolution import NOTHING, TABLE, Resolution
from code_graph_indexer.resolve.steps import steps_of
from code_graph_indexer.resolve.values import CALLABLE, Point, Values
from code_graph_indexer.results import CALLED_BACK
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.records import TABLE_ENTRY, Reference

TABLE_LEVELS = 2
"""Most values that are followed to a function that a table holds: a parameter, and what its callers pass on."""


def in_table(inference: Inference, reference: Reference, receivers: Values) -> Resolution:
    """Return the functions that tables hold under the name of a call: `ops->open()` may run what `.open = my_open` names.

    The table must be of the receiver's type, or the receiver itself. Without a receiver, `table[0]()` runs any function
    of the table of that name.
    """
    if "entry" not in inference.language.captures or reference.kind != "calls":
        return NOTHING
    targets: dict[Target, None] = {}
    for path, argument in _entries(inference, reference, receivers):
        if inference.scope.reachable(path):
            point = Point(None, None, None, argument.dotted)
            values = inference.at(path).argument(argument, point, TABLE_LEVELS, MAX_CANDIDATES)
            targets.update(dict.fromkeys(_functions(values)))
    return Resolution(tuple(targets), TABLE, all_meant=True) if len(targets) <= MAX_CANDIDATES else NOTHING


def _entries(inference: Inference, reference: Reference, receivers: Values) -> list[tuple[str, PassedArgument]]:
    """List the entries of tables that a call may mean, each with its file: those of the receiver, then of the file itself."""
    world, here = inference.world, inference.scope.path
    head, *_ = steps_of(reference.receiver or reference.name) or ("",)
    entries = world.arguments_to(TABLE_ENTRY + reference.name) if reference.receiver else []
    if entries:
        types = {value.target.name for value in receivers if value.target is not None}
        # A variable of that name in another file is another one, unless it is imported.
        is_imported = world.import_of(here, head) is not None
        entries = [
            entry
            for entry in entries
            if (holder := entry[1].callee.rpartition(".")[0]) in types
            or (holder in ("", reference.receiver) and (entry[0] == here or (holder and is_imported)))
        ]
    own = (entry for entry in world.arguments_to(TABLE_ENTRY + head) if entry[1].callee == head and entry[0] == here)
    return [*entries, *own]


def callback(inference: Inference, name: str, frame: Frame, limit: int = MAX_CANDIDATES) -> Resolution:
    """Return the functions that a call of a parameter may run, because callers pass them. None if there are too many."""
    return Resolution(_functions(inference.callbacks(name, frame, limit)), CALLED_BACK, all_meant=True)


def _functions(values: Values) -> tuple[Target, ...]:
    """Return the functions among values, each once. What the language's library declares is in no index."""
    targets = (
        value.target
        for value in values
        if value.form == CALLABLE and value.target is not None and not is_library(value.target)
    )
    return tuple(dict.fromkeys(targets))
