"""Traces whose files are not those of the repository: compiled, bundled, installed, or of another program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.explore.test_tour import numbers
from tests.indexing.repository import write_tree

SHIP = """export function shipParcel(parcel: Parcel): string {
  return weighParcel(parcel);
}

export function weighParcel(parcel: Parcel): string {
  throw new Error("a parcel weighs nothing");
}
"""


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = tmp_path_factory.mktemp("depot")
    write_tree(
        root,
        {
            "src/delivery.ts": "// filler\n" * 30 + SHIP,
            "test/delivery.ts": SHIP,
            "src/main.ts": 'import { shipParcel } from "./delivery";\n\nexport function runDepot(parcel: Parcel) {\n'
            "  return shipParcel(parcel);\n}\n",
            "models.py": "def parcel_model():\n    return 1\n\n\ndef save_parcel():\n    return 2\n",
        },
    )
    with CodeIndexer(root) as opened:
        opened.index()
        yield opened


@pytest.mark.parametrize("path", ["/opt/depot/dist/delivery.js", "webpack://depot/./lib/delivery.mjs"])
def test_a_compiled_file_leads_to_the_functions_of_its_source(depot: CodeIndexer, path: str) -> None:
    text = depot.explore(
        f"Error: a parcel weighs nothing\n    at weighParcel ({path}:3:9)\n    at shipParcel ({path}:9:2)"
    ).text
    assert {31, 32, 35, 36} <= set(numbers(text, "src/delivery.ts"))
    assert "is made of src/delivery.ts, so its functions count, and not its lines" in text
    assert not numbers(text, "test/delivery.ts")


def test_a_bundle_leads_to_the_only_functions_of_their_names(depot: CodeIndexer) -> None:
    trace = "Error: x\n    at runDepot (https://example.com/assets/app.3f2a.js:1:8843)\n    at t (https://example.com/assets/app.3f2a.js:1:20)"
    text = depot.explore(trace).text
    assert {3, 4, 5} <= set(numbers(text, "src/main.ts"))
    assert "app.3f2a.js is made of src/main.ts" in text


def test_a_file_of_a_library_is_not_the_file_that_shares_its_name_alone(depot: CodeIndexer) -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/srv/depot/models.py", line 6, in save_parcel\n'
        '  File "/usr/lib/python3/site-packages/carrier/models.py", line 2, in carry\n'
    )
    text = depot.explore(trace).text
    assert "1 of the files named are not in the index" in text
    assert {5, 6} <= set(numbers(text, "models.py"))


def test_a_trace_quotes_the_call_that_led_to_the_next_frame(tmp_path: Path) -> None:
    steps = "".join(f"    parcel.step_{number}()\n" for number in range(120))
    body = f"def pack(parcel):\n{steps}    if parcel.heavy:\n        lift(parcel)\n{steps}"
    write_tree(tmp_path, {"depot.py": f'{body}\n\ndef lift(parcel):\n    raise ValueError("too heavy")\n'})
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore(
            'Traceback (most recent call last):\n  File "/srv/depot.py", line 9999, in pack\n'
            '  File "/srv/depot.py", line 9999, in lift\nValueError: too heavy\n'
        ).text
    assert {122, 123} <= set(numbers(text, "depot.py"))
