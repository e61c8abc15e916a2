"""Uses lead from names to definitions through objects, patterns, imports and members of types."""

from pathlib import Path

import pytest

from tests.resolve.test_uses import indexed_uses

pytestmark = pytest.mark.slow

Uses = dict[tuple[int, str], tuple[str, str]]
"""The kind and target of the use at a line and name."""

TYPES = "export interface Item { sku: string }\nexport interface Order { id: number; item: Item; items: Item[] }\n"


def uses(root: Path, files: dict[str, str], path: str) -> Uses:
    """Return the uses in one of the files, with the qualified names of their targets."""
    rows = indexed_uses(root, files)
    return {(line, name): (kind, target) for file_path, line, name, kind, target, *_ in rows if file_path == path}


@pytest.mark.parametrize(
    "code",
    [
        "const order: Order = {\nid: 1, item: {\nsku: 'a' } };",
        "const order = {\nid: 1, item: {\nsku: 'a' } } as Order;",
        "let order: Order; order = {\nid: 1, item: {\nsku: 'a' } };",
        "function order(): Order { if (true) { return {\nid: 1, item: {\nsku: 'a' } } } }",
        "const order = (): Order => ({\nid: 1, item: {\nsku: 'a' } });",
        "function take(order: Order) {} take({\nid: 1, item: {\nsku: 'a' } });",
        "class Cart { constructor(order: Order) {} } new Cart({\nid: 1, item: {\nsku: 'a' } });",
        "class Cart { order: Order = {\nid: 1, item: {\nsku: 'a' } } }",
        "const orders: Order[] = [{\nid: 1, item: {\nsku: 'a' } }];",
    ],
)
def test_the_keys_of_an_object_write_the_members_of_its_type(tmp_path: Path, code: str) -> None:
    places = uses(tmp_path, {"a.ts": f"{TYPES}{code}\n"}, "a.ts")
    assert places[4, "id"] == ("writes", "a.Order.id")
    assert places[4, "item"] == ("writes", "a.Order.item")
    assert places[5, "sku"] == ("writes", "a.Item.sku")


@pytest.mark.parametrize(
    "code",
    [
        "declare const order: Order; const {\nid, item: {\nsku } } = order;",
        "function take({\nid, item: {\nsku } }: Order) {}",
        "declare function each(run: (order: Order) => void); each(({\nid, item: {\nsku } }) => id);",
        "function take(order: Order) { let id, sku; ({\nid, item: {\nsku } } = order); }",
    ],
)
def test_a_pattern_reads_the_members_of_what_it_takes_apart(tmp_path: Path, code: str) -> None:
    places = uses(tmp_path, {"a.ts": f"{TYPES}{code}\n"}, "a.ts")
    assert places[4, "id"] == ("reads", "a.Order.id")
    assert places[4, "item"] == ("reads", "a.Order.item")
    assert places[5, "sku"] == ("reads", "a.Item.sku")


def test_a_name_that_stands_for_key_and_value_is_a_use_of_both(tmp_path: Path) -> None:
    code = "const id = 1;\nexport const order: Order = {\nid };\n"
    places = uses(tmp_path, {"a.ts": TYPES + code}, "a.ts")
    assert places[5, "id"] in {("writes", "a.Order.id"), ("reads", "a.id")}


def test_what_is_spread_is_read(tmp_path: Path) -> None:
    places = uses(tmp_path, {"a.ts": "const LIMITS = [1];\nexport const ALL = [\n...LIMITS];\n"}, "a.ts")
    assert places[3, "LIMITS"] == ("reads", "a.LIMITS")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("b.py", "from a import (\n    LIMIT,\n    load,\n)\n"),
        ("b.ts", "import {\n  LIMIT,\n  load,\n} from './a';\n"),
        ("c.ts", "export {\n  LIMIT,\n  load,\n} from './a';\n"),
    ],
)
def test_the_names_of_an_import_have_their_own_lines(tmp_path: Path, path: str, code: str) -> None:
    files = {
        "a.py": "LIMIT = 3\n\n\ndef load():\n    pass\n",
        "a.ts": "export const LIMIT = 3;\nexport function load() {}\n",
        path: code,
    }
    places = uses(tmp_path, files, path)
    targets = {line: target for (line, _), (kind, target) in places.items() if kind == "imports"}
    assert targets == {2: "a.LIMIT", 3: "a.load"}


def test_the_name_of_a_class_means_no_constructor_inside_of_the_class(tmp_path: Path) -> None:
    code = (
        "class Cart {\nCart() {}\nCart copy(Cart cart) { return cart; }\n}\nclass Big extends Cart {\nCart cart;\n}\n"
    )
    places = uses(tmp_path, {"Cart.java": code}, "Cart.java")
    assert places[3, "Cart"] == places[6, "Cart"] == ("types", "Cart")


def test_a_member_of_an_enum_with_a_body_of_its_own_is_read(tmp_path: Path) -> None:
    body = "{\n/** Turn. */\n@Override\npublic State turn() {\nreturn SHUT;\n}\n}"
    code = f"enum State {{\nOPEN {body},\nSHUT {body};\npublic abstract State turn();\nState first() {{ return OPEN; }}\n}}\n"
    places = uses(tmp_path, {"State.java": code}, "State.java")
    assert places[6, "SHUT"] == ("reads", "State.SHUT")
    assert places[17, "OPEN"] == ("reads", "State.OPEN")


@pytest.mark.parametrize(
    ("code", "owner"),
    [
        ("function load(options: {\nlimit: number }) {\nreturn options.limit; }", "load"),
        ("class Cart { constructor(options: {\nlimit: number }) {\noptions.limit; } }", "Cart.constructor"),
        ("function load(options: {\nlimit: number }) {} load({\nlimit: 1 });", "load"),
        (
            "interface Cart { options: {\nlimit: number } } function load(cart: Cart) {\ncart.options.limit; }",
            "Cart.options",
        ),
        ("const options: {\nlimit: number } = {\nlimit: 1 };", "options"),
        ("type Cart = Partial<{\nlimit: number }>; function load(cart: Cart) {\ncart.limit; }", "Cart"),
    ],
)
def test_a_type_without_a_name_has_members(tmp_path: Path, code: str, owner: str) -> None:
    assert uses(tmp_path, {"a.ts": f"{code}\n"}, "a.ts")[3, "limit"][1] == f"a.{owner}.limit"


def test_a_type_without_a_name_and_fields_stops_no_file(tmp_path: Path) -> None:
    code = "package a\n\ntype Cart struct{ Sum int }\n\nfunc (c *Cart) Copy() any {\n\ttype Alias Cart\n"
    code += "\treturn send(&struct {\n\t\t*Alias\n\t}{\n\t\tAlias: (*Alias)(c),\n\t})\n}\n\nfunc send(x any) any { return x }\n"
    assert uses(tmp_path, {"a.go": code}, "a.go")[5, "Cart"] == ("types", "a.Cart")


@pytest.mark.parametrize("value", ["{ INIT: 'a' }", "{ INIT: 'a' } as const", "{ INIT: 'a' } satisfies object"])
def test_the_keys_of_a_constant_object_are_read(tmp_path: Path, value: str) -> None:
    files = {"a.ts": f"export const Types = {value};\n", "b.ts": "import { Types } from './a';\nTypes.INIT;\n"}
    assert uses(tmp_path, files, "b.ts")[2, "INIT"] == ("reads", "a.Types.INIT")
