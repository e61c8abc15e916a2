"""The uses of names that are no calls lead to the constants, fields, enum members and types that they name."""

from collections.abc import Mapping
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.results import ALTERNATIVE_DEFINITION

pytestmark = pytest.mark.slow

Uses = dict[tuple[str, int, str], tuple[str, str, str, int]]
"""A path, a line and a name, with the kind of the use and what it leads to: a qualified name, a path and a line."""


UseRow = tuple[str, int, str, str, str, str, int]
"""The path and line of a use, the name, the kind, and the target with its path and line."""


def indexed_uses(root: Path, files: Mapping[str, str]) -> list[UseRow]:
    """Index files and list their uses that lead somewhere, in the order of the text."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    db = root / "index.db"
    with CodeIndexer(root, db=db) as indexer:
        indexer.index(full=True)
    connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(
        "select path, line, name, kind, target, target_path, target_line from uses order by 1, 2, column"
    )
    return [row for row in rows if row[4] is not None]


def uses_of(root: Path, files: Mapping[str, str]) -> Uses:
    """Index files and return their uses. Of several at a line, the last one of a name counts."""
    return {(row[0], row[1], row[2]): row[3:] for row in indexed_uses(root, files)}


def test_members_of_an_unscoped_enum_are_seen_around_it(tmp_path: Path) -> None:
    """An enumerator is named alone, except that of an `enum class`."""
    uses = uses_of(
        tmp_path,
        {
            "kinds.hpp": "namespace shop {\nenum Kind { RED, GREEN };\nenum class Size { SMALL };\n}\n",
            "main.cpp": '#include "kinds.hpp"\nint f() { return shop::RED; }\nnamespace shop {\n'
            "int g() { return GREEN; }\nint h() { return SMALL; }\n}\n",
        },
    )
    assert uses["main.cpp", 2, "RED"] == ("reads", "shop.Kind.RED", "kinds.hpp", 2)
    assert uses["main.cpp", 4, "GREEN"] == ("reads", "shop.Kind.GREEN", "kinds.hpp", 2)
    assert ("main.cpp", 5, "SMALL") not in uses


def test_members_of_enums_with_a_typedef_or_without_a_name_are_found(tmp_path: Path) -> None:
    """An included header shows its enumerators."""
    uses = uses_of(
        tmp_path,
        {
            "a.h": "typedef enum { RED } color;\nenum { LIMIT = 3 };\n",
            "b.c": '#include "a.h"\nint f(void) {\n  return RED +\n    LIMIT;\n}\n',
        },
    )
    assert uses["b.c", 3, "RED"] == ("reads", "color.RED", "a.h", 1)
    assert uses["b.c", 4, "LIMIT"] == ("reads", "LIMIT", "a.h", 2)


def test_declared_variables_and_functions_lead_to_their_definitions(tmp_path: Path) -> None:
    """A use of an `extern` variable leads to the file that defines it."""
    uses = uses_of(
        tmp_path,
        {
            "a.h": "extern int flag;\nint run(void);\n",
            "b.c": '#include "a.h"\nint flag = 2;\nint run(void) { return 1; }\n',
            "c.c": '#include "a.h"\nvoid f(void) {\n  flag = 3;\n  if (pointer == run) return;\n}\n',
        },
    )
    assert uses["c.c", 3, "flag"] == ("writes", "flag", "b.c", 2)
    assert uses["c.c", 4, "run"] == ("reads", "run", "b.c", 3)


def test_fields_of_structs_with_a_typedef_are_found(tmp_path: Path) -> None:
    """The name of a typedef leads to the struct, whether its body stands there or not."""
    uses = uses_of(
        tmp_path,
        {
            "a.c": "typedef struct _node node;\nstruct _node { int ip; };\ntypedef struct tag { int port; } host;\n"
            "int f(node *n) { return n->ip; }\nint g(struct tag *h) { return h->port; }\n"
        },
    )
    assert uses["a.c", 4, "ip"] == ("reads", "_node.ip", "a.c", 2)
    assert uses["a.c", 5, "port"] == ("reads", "host.port", "a.c", 3)


def test_fields_of_types_without_a_name_are_found(tmp_path: Path) -> None:
    """A union in a struct holds fields of its own."""
    uses = uses_of(
        tmp_path,
        {
            "a.c": "struct node {\n  union { int t; struct { struct node *up; } s; } u[2];\n  int ip;\n};\n"
            "int f(struct node *n) {\n  return n->u[1].t;\n}\nint g(struct node *n) {\n  return n->u[0].s.up->ip;\n}\n"
        },
    )
    assert uses["a.c", 6, "t"] == ("reads", "node.u.t", "a.c", 2)
    assert uses["a.c", 9, "up"] == ("reads", "node.u.s.up", "a.c", 2)
    assert uses["a.c", 9, "ip"] == ("reads", "node.ip", "a.c", 3)


def test_designators_write_fields(tmp_path: Path) -> None:
    """A designator belongs to the type of the variable, or to the field around it."""
    uses = uses_of(
        tmp_path,
        {
            "a.c": "struct node {\n  int ip;\n  struct { int x; } at;\n};\nstruct node first = {\n  .ip = 3,\n"
            "  .at = { .x = 1 },\n};\nstruct node many[] = {\n  { .ip = 4 },\n};\n"
        },
    )
    assert uses["a.c", 6, "ip"] == ("writes", "node.ip", "a.c", 2)
    assert uses["a.c", 7, "x"] == ("writes", "node.at.x", "a.c", 3)
    assert uses["a.c", 10, "ip"] == ("writes", "node.ip", "a.c", 2)


def test_the_name_of_a_type_leads_to_no_variable_or_constructor(tmp_path: Path) -> None:
    """A tag and a variable may share a name, and so do a class and its constructor."""
    uses = uses_of(
        tmp_path,
        {
            "a.c": "struct server { int port; };\nstruct server server;\n",
            "b.cpp": "class Value {\n  Value();\n  Value& operator=(int x);\n};\n",
        },
    )
    assert uses["a.c", 2, "server"] == ("types", "server", "a.c", 1)
    assert uses["b.cpp", 3, "Value"] == ("types", "Value", "b.cpp", 1)


def test_names_before_a_member_and_initialized_fields_are_uses(tmp_path: Path) -> None:
    """The classes in a qualified name are types, and a constructor's list names fields."""
    uses = uses_of(
        tmp_path,
        {
            "a.hpp": "namespace shop {\nclass Cart {\n public:\n  Cart();\n  static const int LIMIT = 3;\n"
            "  int size_;\n};\n}\n",
            "b.cpp": '#include "a.hpp"\nshop::Cart::Cart()\n  : size_(0) {}\nint f() {\n  return shop::Cart::LIMIT;\n}\n',
        },
    )
    assert uses["b.cpp", 5, "Cart"] == ("types", "shop.Cart", "a.hpp", 2)
    assert uses["b.cpp", 5, "LIMIT"] == ("reads", "shop.Cart.LIMIT", "a.hpp", 5)
    assert uses["b.cpp", 3, "size_"][1] == "shop.Cart.size_"


def test_elements_without_their_type_name_fields_in_go(tmp_path: Path) -> None:
    """The elements of a list or map of structs leave out their type."""
    uses = uses_of(
        tmp_path,
        {
            "go.mod": "module m\n\ngo 1.22\n",
            "a.go": "package m\n\ntype T struct{ F int }\n\nvar a = []*T{\n\t{F: 1},\n}\n"
            'var b = map[string]T{\n\t"x": {F: 2},\n}\n',
        },
    )
    assert uses["a.go", 6, "F"] == ("writes", "m.T.F", "a.go", 3)
    assert uses["a.go", 9, "F"] == ("writes", "m.T.F", "a.go", 3)


def test_an_assignment_declares_no_variable_in_go(tmp_path: Path) -> None:
    """A plain assignment writes the variable of the package, and `:=` makes one of the function."""
    uses = uses_of(
        tmp_path,
        {
            "go.mod": "module m\n\ngo 1.22\n",
            "a.go": "package m\n\nvar level = 1\n\nfunc f() int {\n\tlevel = 2\n\treturn level\n}\n\n"
            "func g() int {\n\tlevel := 3\n\treturn level\n}\n",
        },
    )
    assert uses["a.go", 6, "level"] == ("writes", "m.level", "a.go", 3)
    assert uses["a.go", 7, "level"] == ("reads", "m.level", "a.go", 3)
    assert ("a.go", 12, "level") not in uses


def test_no_use_leads_to_what_a_library_declares(tmp_path: Path) -> None:
    """A page that shows the uses of a file refuses an index with a target that is no definition of it."""
    use = "import copy\n\n\ndef copies(boxes):\n    return map(copy.copy, boxes)\n"
    code = f"{use}\n\nclass Box:\n    def copy(self):\n        return self\n"
    assert uses_of(tmp_path, {"a.py": code}) == {}
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        fates = [(use.kind, use.name, use.target_id) for use in indexer.store.reference_fates("a.py")]
    assert ("imports", "copy", None) in fates


def test_members_of_a_specialization_are_its_own(tmp_path: Path) -> None:
    """A template and its specialization have members of one name. A name means that of the class around it."""
    header = (
        "template <typename T> class Buffer {\n  enum { size = 100 };\n  T data[size];\n};\n"
        "template <typename T> class Buffer<T*> {\n  enum { size = 256 };\n  T data[size];\n};\n"
    )
    uses = uses_of(tmp_path, {"buffer.hpp": header})
    assert uses["buffer.hpp", 3, "size"] == ("reads", "Buffer.size", "buffer.hpp", 2)
    assert uses["buffer.hpp", 7, "size"] == ("reads", "Buffer.size", "buffer.hpp", 6)


def test_a_specialization_is_not_proven(tmp_path: Path) -> None:
    """A template of the library may have a specialization here. A use of its name may mean it."""
    files = {"hash.hpp": "namespace std {\ntemplate <> struct hash<Cart> { };\n}\nstd::hash<int> plain;\n"}
    uses_of(tmp_path, files)
    connection = apsw.Connection(str(tmp_path / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute("select line, target_line, confidence from uses where name = 'hash'")
    assert list(rows) == [(4, 2, ALTERNATIVE_DEFINITION)]


def test_in_an_expression_a_name_means_the_companion_of_a_class(tmp_path: Path) -> None:
    uses = uses_of(
        tmp_path,
        {
            "Shard.scala": "package p\nobject Shard { val LIMIT = 3 }\nclass Shard(val size: Int)\n",
            "Use.scala": "package p\nclass Use {\n  def run(shard: Shard) = 1\n  def limit() = Shard.LIMIT\n}\n",
        },
    )
    assert uses["Use.scala", 3, "Shard"] == ("types", "p.Shard", "Shard.scala", 3)
    assert uses["Use.scala", 4, "Shard"] == ("types", "p.Shard", "Shard.scala", 2)
