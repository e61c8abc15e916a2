"""Work out where the variables of a file hold: in a scope, in a block, or in a part that runs under a condition."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from code_graph_indexer.syntax.captured import Captured
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.records import (
    CLASS_LIKE_KINDS,
    FUNCTION_KINDS,
    Arm,
    Binding,
    Definition,
    as_records,
    function_around,
)


def bindings_and_arms(
    file: Captured, scopes: Innermost, definitions: Sequence[Definition]
) -> tuple[tuple[Binding, ...], tuple[Arm, ...]]:
    """Give each captured binding the definition around it, its block if it ends with one, and its arm. Return the arms too."""
    bindings = file.bindings.values()
    scope_of = scopes.around(binding.start for binding in bindings)
    # Plain rows: the names of the fields would cost a third of the time.
    rows = [(*binding[:5], scope, *binding[6:]) for binding, scope in zip(bindings, scope_of, strict=True)]
    if file.assigned and file.language.implicit_self:
        for position in _own_fields(file, rows, definitions):
            rows[position] = (rows[position][0], min(file.language.self_names), *rows[position][2:])
    blocks = _blocks_of_variables(file, bindings, scope_of, definitions) if file.marked["block"] else ()
    for position, start, end in blocks:
        rows[position] = (*rows[position][:6], start, end, False, -1)
    arms = _arms(file, rows)
    return tuple(as_records(Binding, rows)), arms


def _own_fields(file: Captured, rows: Sequence[tuple[Any, ...]], definitions: Sequence[Definition]) -> Iterator[int]:
    """Yield the positions in `rows` of assigned names that no function around declares: fields of the object around."""
    declared = {(row[5], row[0]) for row in rows if row[4] not in file.assigned}
    for position, row in enumerate(rows):
        scope = row[5] if row[4] in file.assigned else -1
        while scope >= 0 and definitions[scope].kind in FUNCTION_KINDS and (scope, row[0]) not in declared:
            scope = definitions[scope].parent
        if scope >= 0 and definitions[scope].kind in CLASS_LIKE_KINDS:
            yield position


def _arms(file: Captured, rows: list[tuple[Any, ...]]) -> tuple[Arm, ...]:
    """Put the innermost arm into the row of each local variable that its function binds again. Return those arms."""
    matches = {match.nodes[0].start_byte: match for match in file.marked["arm"]}
    again = _bound_again(rows) if matches else []
    captured = [matches[start] for start in sorted(matches)] if again else []
    innermost = Innermost([match.nodes[0].byte_range for match in captured])
    arms: dict[int, int] = {}
    for (_, position), place in zip(again, innermost.around(start for start, _ in again), strict=True):
        if place >= 0:
            rows[position] = (*rows[position][:9], arms.setdefault(place, len(arms)))
    return tuple(
        Arm(
            *match.nodes[0].byte_range,
            *match.captures["choice"][0].byte_range,
            is_rest=match.kind == "rest",
            leaves=any(file.expressions.leaves(node) for node in (match.nodes[0], *match.nodes[0].named_children[-1:])),
        )
        for match in (captured[place] for place in arms)
    )


def _bound_again(rows: Iterable[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """List the start and position of the local variables that their function binds several times, in the order of the text."""
    groups: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for position, (name, owner, _, _, start, scope, *_) in enumerate(rows):
        if scope >= 0 and name and not owner:
            groups[scope, name].append((start, position))
    return sorted(place for group in groups.values() if len(group) > 1 for place in group)


def _blocks_of_variables(
    file: Captured, bindings: Iterable[Binding], scope_of: Sequence[int], definitions: Sequence[Definition]
) -> Iterator[tuple[int, int, int]]:
    """Yield the position of each variable that ends before its function does, and from where to where it holds.

    At the top of a file, a variable that is assigned holds in the block that declares it.
    """
    matches = sorted(file.marked["block"], key=lambda match: (match.nodes[0].start_byte, -match.nodes[0].end_byte))
    blocks = [match.nodes[0].byte_range for match in matches]
    variables = sorted(
        (binding.start, position, binding.name)
        for position, binding in enumerate(bindings)
        if binding.name and not (binding.owner or binding.to_byte or binding.is_param)
    )
    # The blocks at the top of the file that declare a name.
    declaring: dict[str, list[tuple[int, int]]] = defaultdict(list)
    innermost = Innermost(blocks).around(start for start, _, _ in variables)
    for (start, position, name), place in zip(variables, innermost, strict=True):
        scope = scope_of[position]
        at_top = function_around(definitions, scope) < 0
        if start in file.assigned:
            declared_in = [span for span in declaring.get(name, ()) if at_top and span[1] > start]
            if declared_in:
                yield position, *declared_in[-1]
        elif place >= 0:
            first, end = blocks[place]
            # The body of a function ends with it, but that of a field is no function.
            if at_top or (definitions[scope].inner < first and end < definitions[scope].end):
                yield position, first if matches[place].kind == "whole" else start, end
                if at_top:
                    declaring[name].append((first, end))
