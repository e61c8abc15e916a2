"""A repository in many languages whose files can be exchanged, and the edits that are made to it."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import strategies as st

from tests.indexing.repository import OLD, write_tree

PYTHON = [
    "",
    "def (broken\nclass Base:\n    def save(self): pass\n",
    "class Base:\n    def save(self):\n        self.validate()\n\n    def validate(self):\n        return helper()\n",
    "class Base:\n    name: str = ''\n\n    def save(self, again=False):\n        return self\n",
    "from app.base import Base\n\n\nclass Model(Base):\n    def run(self):\n        self.save()\n        super().save()\n",
    "from .base import *\nfrom . import util as tools\n\n\ndef run(one: Base):\n    one.save()\n    return tools.helper()\n",
    "import app.base as b\n\nVALUE = b.Base()\n\n\ndef use():\n    VALUE.save()\n    b.Base().validate()\n",
    "from app.base import Base\n\n\ndef helper() -> Base:\n    return Base()\n\n\ndef chain():\n    helper().save()\n",
    "def helper():\n    return 1\n\n\ndef helper():\n    return 2\n",
    "from app import Model as M, helper\n\n\ndef test_it():\n    M().run()\n    helper()\n    only_here_defined()\n",
    "from app.model import Model\nfrom app.util import helper\nfrom .base import Base as Base\n",
    "def only_here_defined():\n    def inner():\n        return helper()\n    return inner()\n",
    "class Model:\n    class Base:\n        def save(self): ...\n\n    def run(self):\n        return self.Base()\n",
    "from . import helper, util\nfrom .. import Base\n\n\ndef near():\n    helper()\n    util.helper()\n    Base().save()\n",
    "def helper(then, again=None):\n    return then(again)\n\n\nclass Base:\n    def __init__(self, then):\n"
    "        self.then = then\n\n    def run(self):\n        self.then()\n\n    def save(self): ...\n",
    "from app.util import helper\nfrom .base import Base\n\n\ndef given():\n    return helper(given, again=Base.save)\n\n\n"
    "def made(one):\n    for each in Base(given):\n        one().save()\n    helper(made)(Base(one))\n",
    "from .base import Base as B\n\n\nclass Model(B):\n    def __iter__(self): return self\n    def __next__(self): return B\n"
    "\n\ndef only_here_defined(x):\n    for each in x:\n        each().run()\n\n\n"
    "only_here_defined(Model(only_here_defined))\n",
    "LIMIT = 1\n\n\nclass Base:\n    one: int = LIMIT\n    twice = one\n\n"
    "    def __init__(self):\n        self.work = LIMIT\n",
    "from app.base import LIMIT, Base\nfrom app import util\n\n\ndef main(base: Base) -> Base:\n"
    "    base.work = util.LIMIT + Base.twice\n    return base.one\n",
    "# words only, straße ünïcode 文件\n" + "value = 1\n" * 300,
]
SCRIPT = [
    "export function load(path) {\n  return path;\n}\n",
    'import { load } from "./util";\nexport class Store extends Base {\n  open() { return load("x"); }\n}\n',
    'import * as util from "pkg/src/util";\nexport const run = () => util.load(1);\n',
    'export * from "./util";\nexport class Base { open() {} close() { this.open(); } }\n',
    'import { Base, load as read } from ".";\nclass Child extends Base { go() { this.close(); read(); } }\n',
    'import { load } from "./util";\nexport function each(then) { then(); }\neach(load);\n',
    'const { load } = require("./util");\nfunction main() { load(); loadEverything(); }\n',
    'import { load } from "..";\nimport { load as again } from "pkg";\nload();\nagain();\n',
    "export default function loadEverything() {}\n",
    "export const main = 1;\nexport enum Store { one, twice }\nexport interface Base { work: Store }\n",
    'import { main, Store, Base } from "./util";\nexport function run(it: Base) { it.work = Store.one; return main; }\n',
]
GO = [
    "package main\n\nfunc Helper() int { return other() }\n",
    'package util\n\nimport root "example.com/x"\n\nfunc Down() { root.Helper() }\n',
    "package util\n\ntype Engine struct{ Name string }\n\nfunc New() *Engine { return &Engine{} }\n",
    "package util\n\nfunc (e *Engine) Run() { e.Stop() }\n\nfunc (e *Engine) Stop() {}\n",
    'package main\n\nimport "example.com/x/util"\n\nfunc main() {\n\te := util.New()\n\te.Run()\n\tHelper()\n}\n',
    'package main\n\nimport u "example.com/y/util"\n\nfunc other() int { u.New(); return 1 }\n',
    'package main\n\nimport "example.com/x/more"\n\nfunc third() {\n\tutil.New().Run()\n\tmore.New().Run()\n}\n',
    "package more\n\nfunc (e *Engine) Run() { e.Stop(); Run() }\n\nfunc Run() {}\n\nfunc New() *Engine { return nil }\n",
]
JAVA = [
    "package a.b;\n\npublic class Base {\n  protected void save() { check(); }\n  void check() {}\n}\n",
    "package a.b;\n\npublic class Child extends Base {\n  void go() { save(); new Base().check(); }\n}\n",
    "package a;\n\nimport a.b.Base;\nimport a.b.*;\n\nclass User { Base base; void run(Child c) { base.check(); c.go(); } }\n",
    "package a.c;\n\npublic interface Base { void save(); }\n",
    "package a.b;\n\npublic class Base { static final int one = 1; int work = one; enum Store { main, type } }\n",
    "package a.b;\n\nclass Child extends Base {\n  int run() { return work + Base.one; }\n"
    "  Base.Store go() { return Store.main; }\n}\n",
    "package a.b;\n\npublic class Base {\n  Base(int... of) {}\n  void save(int a) {}\n"
    "  void save() { save(1); check(2); }\n  void check(int a) {}\n}\n",
    "package a.b;\n\nclass Child extends Base {\n"
    "  void save(int a, int b) { save(); save(a); save(a, b); new Base(a, b); }\n  void check() { check(1); }\n}\n",
]
C = [
    '#include "util.h"\n\nint main(void) { return work(1) + twice(2); }\n',
    "int work(int one);\nint twice(int one);\nstruct point { int x; };\n",
    '#include "util.h"\n\nint work(int one) { return twice(one); }\n',
    "int twice(int one) { return one * 2; }\n\nstatic int work(int one) { return one; }\n",
    "int work(int one);\n\nvoid take(int *twice, int *util) { work(twice); work(util); }\n",
    "template <typename T> class Box {\n  using type = T;\n  int work(int one);\n};\n",
    "#include <util.h>\n\nint cast(int one) { return work((type)one); }\n",
]
RUBY = [
    "class Base\n  def save\n    check\n  end\nend\n",
    "class Base\n  def check\n    save_everything\n  end\nend\n",
    'require_relative "base"\n\nclass Child < Base\n  def go\n    save\n    super\n  end\nend\n',
    "def save_everything\n  Base.new.save\nend\n",
]
RUST = [
    "pub mod store;\nuse crate::store::Store;\n\npub fn open() -> Store { Store::new() }\n\nfn go() { open().run_all(); }\n",
    "pub struct Store;\n\nimpl Store {\n    pub fn new() -> Self { Store }\n    pub fn run_all(&self) { self.step() }\n"
    "    fn step(&self) {}\n}\n",
    "use super::*;\nuse crate::open as start;\nuse demo::open as begin;\n\nfn down() { open(); start(); begin(); }\n",
    "use super::open;\nuse demo::store::Store;\n\npub trait Runs { fn run_all(&self); }\n\n"
    "fn other(s: &Store) { s.run_all(); open(); }\n",
]
FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"


def halves(name: str) -> list[str]:
    """Return a language's fixture, and each half of it, cut at a line."""
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines(keepends=True)
    middle = len(lines) // 2
    return ["".join(lines), "".join(lines[:middle]), "".join(lines[middle:])]


POOLS: dict[tuple[str, ...], list[str]] = {
    (
        "app/__init__.py",
        "app/base.py",
        "app/model.py",
        "app/util.py",
        "src/app/base.py",
        "base.py",
        "tests/test_app.py",
    ): PYTHON,
    ("web/src/index.ts", "web/src/util.ts", "web/src/store.js", "web/util.ts"): SCRIPT,
    ("main.go", "other.go", "util/engine.go", "util/run.go", "util/run_test.go", "more/engine.go"): GO,
    ("j/a/b/Base.java", "j/a/b/Child.java", "j/a/User.java"): JAVA,
    ("c/main.c", "c/util.h", "c/util.c", "c/one.c", "lib/util.c"): C,
    ("r/base.rb", "r/child.rb", "r/again.rb"): RUBY,
    ("rs/src/lib.rs", "rs/src/store.rs", "rs/src/other/mod.rs"): RUST,
    ("cs/One.cs", "cs/Two.cs"): halves("csharp.cs"),
    ("cc/one.cpp", "cc/two.h", "cc/two.cpp"): halves("cpp.cpp"),
    ("php/One.php", "php/Two.php"): halves("php.php"),
    ("kt/One.kt", "kt/Two.kt"): halves("kotlin.kt"),
    ("sw/One.swift", "sw/Two.swift"): halves("swift.swift"),
    ("sc/One.scala", "sc/Two.scala"): halves("scala.scala"),
    ("lu/one.lua", "lu/one/init.lua"): halves("lua.lua"),
    ("ex/one.ex", "ex/two.ex"): halves("elixir.ex"),
    ("hs/One.hs", "hs/Two.hs"): halves("haskell.hs"),
    ("z/one.zig", "z/two.zig"): halves("zig.zig"),
    ("sh/one.sh", "sh/script", "tool"): [*halves("bash.sh"), "#!/usr/bin/env python3\ndef helper(): pass\nhelper()\n"],
    ("web/package.json", "package.json"): ['{"name": "pkg"}\n', '{"name": "other"}\n', "{"],
    ("go.mod",): ["module example.com/x\n", "module example.com/y\n"],
    ("rs/Cargo.toml",): ['[package]\nname = "demo"\n', '[package]\nname = "other"\n'],
    ("README.md", "docs/use.md"): ["# Use\n\nText.\n\n## More\n\nWords.\n", "# Use\n\n## Again\n\nOther words.\n", ""],
    ("notes.txt", ".env"): ["plain text\n", "KEY=1\n", "binary \0 text", "".join(f"line {i}\n" for i in range(400))],
    (".gitignore", "app/.gitignore", ".cgiignore"): ["", "util.*\n", "app/\n*.go\n", "!util.*\n", "*.md\n!base.py\n"],
}
START = {
    "app/__init__.py": PYTHON[10],
    "app/base.py": PYTHON[2],
    "app/model.py": PYTHON[4],
    "app/util.py": PYTHON[7],
    "tests/test_app.py": PYTHON[9],
    "web/package.json": '{"name": "pkg"}\n',
    "web/src/util.ts": SCRIPT[0],
    "web/src/store.js": SCRIPT[1],
    "web/src/index.ts": SCRIPT[3],
    "go.mod": "module example.com/x\n",
    "main.go": GO[4],
    "util/engine.go": GO[2],
    "util/run.go": GO[3],
    "j/a/b/Base.java": JAVA[0],
    "j/a/b/Child.java": JAVA[1],
    "c/main.c": C[0],
    "c/util.h": C[1],
    "c/util.c": C[2],
    "c/one.c": C[4],
    "r/base.rb": RUBY[0],
    "r/child.rb": RUBY[2],
    "rs/Cargo.toml": '[package]\nname = "demo"\n',
    "rs/src/lib.rs": RUST[0],
    "rs/src/store.rs": RUST[1],
    "README.md": "# Use\n\nText.\n",
}
PLACES = [(path, pool) for paths, pool in POOLS.items() for path in paths]

WORDS = ["Base", "Engine", "LIMIT", "Store", "helper", "load", "main", "one", "run", "save", "twice", "type", "work"]
"""Names in the files above: of classes, functions, parameters and members."""

Edit = Callable[[Path], object]


class _Change:
    """One named edit, so that a failing script can be read."""

    def __init__(self, text: str, apply: Edit) -> None:
        self._text = text
        self._apply = apply

    def __call__(self, root: Path) -> None:
        self._apply(root)

    def __repr__(self) -> str:
        return self._text


@st.composite
def edits(draw: st.DrawFn) -> _Change:
    """Draw an edit: write, delete, rename or touch a file, exchange a word, or put everything back as it was at the start.

    A file may become a test. A word is exchanged in one file or in all of them. So a variable may get the name of a
    function in another file.
    """
    kinds = ["write"] * 6 + ["delete"] * 2 + ["word"] * 3 + ["rename", "test", "touch", "revert"]
    kind = draw(st.sampled_from(kinds))
    path, pool = draw(st.sampled_from(PLACES))
    if kind == "word":
        word, new_word = draw(st.permutations(WORDS))[:2]
        paths = [path] if draw(st.booleans()) else [place for place, _ in PLACES]
        where = path if len(paths) == 1 else "all files"
        return _Change(f"{word} becomes {new_word} in {where}", lambda root: _exchange(root, paths, word, new_word))
    if kind == "test":
        return _Change(f"{path} becomes a test", lambda root: _rename(root / path, root / "tests" / path))
    if kind == "write":
        text = draw(st.sampled_from(pool))
        return _Change(f"write {path}: {text!r}", lambda root: write_tree(root, {path: text}))
    if kind == "delete":
        return _Change(f"delete {path}", lambda root: (root / path).unlink(missing_ok=True))
    if kind == "rename":
        to, _ = draw(st.sampled_from(PLACES))
        return _Change(f"rename {path} to {to}", lambda root: _rename(root / path, root / to))
    if kind == "touch":
        return _Change(f"touch {path}", lambda root: _touch(root / path))
    return _Change("revert", _revert)


def _touch(place: Path) -> None:
    if place.exists():
        os.utime(place, (OLD, OLD))


def _rename(place: Path, to: Path) -> None:
    if place.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        place.replace(to)


def _exchange(root: Path, paths: Sequence[str], word: str, new_word: str) -> None:
    for place in (root / path for path in paths):
        if place.is_file():
            place.write_bytes(re.sub(rb"\b%b\b" % word.encode(), new_word.encode(), place.read_bytes()))


def _revert(root: Path) -> None:
    for place in root.rglob("*"):
        if place.is_file():
            place.unlink()
    write_tree(root, START)
