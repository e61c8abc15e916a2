"""The JSON of every command has the keys that docs/reference/json.md promises, and nothing else."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cgi

SYMBOL = "chunk_id member_id kind name qualified_name signature doc file_path start_line end_line language is_test"
USE = "kind file_path line column name source confidence is_test candidate text"
STEP = {"symbol": SYMBOL, "kind file_path line confidence depth may via alternative": None}
CERTAINTY = "proven guessed may unresolved truncated unread alternative"
REACH = {"symbol": SYMBOL, "steps": STEP, "certainty": CERTAINTY, "declarations alternatives references external": None}
LINKS = {"path outside": None, "files": "path lines"}
RESULT = {
    "node_id file_path content score type start_line end_line context_header name qualified_name signature language "
    "source_type repo_id stale reasoning": None,
    "related_definitions": "relation node_id qualified_name kind file_path start_line end_line line confidence",
    "signals": "signal rank score contribution",
}
ITEM = "type content reasoning file_path start_line qualified_name chunk_kind node_id language source_type repo_id"
REQUEST = "query reasoning found source_types folders file_patterns steps expect"
HOW = "route retriever reason summary decision confidence missing rounds doubt expected timings cost"
ANSWER = {
    "question text generated model input_tokens output_tokens warnings": None,
    "sources": RESULT,
    "citations": "path start_line end_line problem",
}
REPORT = "files changed removed lines chunks edges references skipped full seconds warnings why_empty"

LISTING: dict[str, None] = {"left_out": None}
"""The key of every command that lists: how many entries are left out."""

Shape = str | Mapping[str, Any] | None

COMMANDS: dict[str, tuple[list[str], Mapping[str, Shape]]] = {
    "index": ([], {"db": None, "report": REPORT}),
    "search": (["cart total"], {"query doubt expected": None, "results": RESULT}),
    "ask": (["how is an order placed?"], {"answer": ANSWER, "requests": REQUEST, "items": ITEM, HOW: None}),
    "references": (
        ["Cart.total"],
        {
            "name": None,
            "definitions": {"symbol": SYMBOL, "uses": USE, "unlinked_lines unlinked_files": None},
            **LISTING,
        },
    ),
    "callers": (["save"], {"name": None, "definitions": REACH, **LISTING}),
    "callees": (["place_order"], {"name": None, "definitions": REACH, **LISTING}),
    "path": (
        ["place_order", "OrderStore.save"],
        {
            "answer": {"source": SYMBOL, "target": SYMBOL, "paths": None, "certainty": CERTAINTY, "ends": None},
            **LISTING,
        },
    ),
    "impact": (
        ["OrderStore.save"],
        {
            "answer": {
                "changed": SYMBOL,
                "affected": STEP,
                "tests unmapped removed open_sites test_steps silent distances": None,
                "certainty": CERTAINTY,
            },
            **LISTING,
        },
    ),
    "hierarchy": (["Cart"], {"answer": {"symbol": SYMBOL, "bases derived outside": None}, **LISTING}),
    "implementations": (
        ["Cart"],
        {
            "answer": {
                "symbol": SYMBOL,
                "steps declarations alternatives references external": None,
                "certainty": CERTAINTY,
            },
            **LISTING,
        },
    ),
    "imports": (["orders.py"], {"answer": LINKS, **LISTING}),
    "dependents": (["cart.py"], {"answer": LINKS, **LISTING}),
    "unused": ([], {"definitions": {"symbol": SYMBOL, "confidence reason": None}, **LISTING}),
    "cycles": ([], {"cycles": None, **LISTING}),
    "hubs": ([], {"hubs": {"symbol": SYMBOL, "callers callees rank alternatives": None}, **LISTING}),
    "graph": (
        [],
        {
            "graph": {
                "nodes": "id label kind path line name count group layer is_test cyclic",
                "edges": "source target kind weight confidence path line certainty cyclic",
                "truncated": None,
                "groups": None,
                "center": None,
                "certainty": None,
                "implied": None,
                "title": None,
                "layers": None,
            }
        },
    ),
    "communities": ([], {"communities": "folder files hubs inside outside", **LISTING}),
    "symbol": (["Cart"], {"name": None, "symbols": SYMBOL, **LISTING}),
    "outline": (["cart.py"], {"path complete": None, "symbols": SYMBOL, **LISTING}),
    "tree": (["web"], {"directory": None, "files": None, **LISTING}),
    "stats": (
        [],
        {
            "version embedder dimensions max_chunk_size repo_id size languages lines text skipped masked chunks edges "
            "references": None
        },
    ),
    "export": (["--scip", "../out.scip"], {"path documents definitions references": None}),
    "doctor": ([], {"problems": None}),
    "verify": ([], {"problems": None}),
}


def keys(shape: Shape) -> dict[str, Shape]:
    """Write a shape as its keys, each with the shape of what it holds. None is not looked into."""
    parts = {shape: None} if isinstance(shape, str) else dict(shape or {})
    return {name: part for names, part in parts.items() for name in names.split()}


def check(value: object, shape: Shape, at: str) -> None:
    """Check that a value, or every entry of a list, has just the keys of a shape."""
    if shape is None:
        return
    expected = keys(shape)
    entries = _entries(value)
    assert entries, f"{at} is empty, which checks nothing"
    assert [entry for entry in entries if entry.keys() != expected.keys()] == [], at
    for name, part in expected.items():
        if part is not None:
            check([inner for entry in entries for inner in _entries(entry[name])], part, f"{at}.{name}")


def _entries(value: object) -> list[dict[str, object]]:
    entries: list[object] = value if isinstance(value, list) else [value]
    records = [entry for entry in entries if isinstance(entry, dict)]
    assert len(records) == len(entries)
    return records


def all_keys(shape: Shape) -> Iterator[str]:
    for name, part in keys(shape).items():
        yield name
        yield from all_keys(part)


@pytest.mark.parametrize(
    "command", [pytest.param(command, marks=pytest.mark.slow if command == "verify" else ()) for command in COMMANDS]
)
def test_the_keys_are_those_promised(cgi: Cgi, in_shop: Path, command: str) -> None:
    arguments, shape = COMMANDS[command]
    ran = cgi(command, *arguments, "--json")
    # The fixture has none of these, and a question without an answer ends as `grep` does.
    assert (ran.code, ran.err) == (int(command in ("hierarchy", "implementations", "cycles")), "")
    printed = json.loads(ran.out)
    assert next(iter(printed)) == "command"
    assert printed.pop("command") == command
    check(printed, shape, command)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_key_is_documented(command: str) -> None:
    documented = (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    assert [key for key in all_keys(COMMANDS[command][1]) if f"`{key}`" not in documented] == []


def test_text_in_json_is_as_it_stands_in_the_file(cgi: Cgi, in_shop: Path) -> None:
    printed = json.loads(cgi("search", "formatPrice", "--json", "-n", "1").out)
    lines = (in_shop / printed["results"][0]["file_path"]).read_text(encoding="utf-8").splitlines(keepends=True)
    first, last = printed["results"][0]["start_line"], printed["results"][0]["end_line"]
    assert printed["results"][0]["content"] == "".join(lines[first - 1 : last])
    assert "€" in printed["results"][0]["content"]


def test_an_error_prints_no_json(cgi: Cgi, in_shop: Path) -> None:
    ran = cgi("symbol", "nothing_is_named_so", "--json")
    assert (ran.code, ran.out) == (7, "")
