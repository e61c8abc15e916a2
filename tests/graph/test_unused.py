"""What other repositories, texts or expressions may use is not surely unused."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.indexing.repository import indexed

pytestmark = pytest.mark.slow

CASES = {
    "python": ("a.py", "def _lost():\n    pass\n\n\ndef public():\n    pass\n"),
    "go": ("a.go", "package a\n\nfunc lost() {}\n\nfunc Public() {}\n"),
    "rust": ("src/lib.rs", "fn lost() {}\n\npub fn public() {}\n"),
    "java": ("A.java", "class A {\n  private void lost() {\n  }\n\n  public void shown() {\n  }\n}\n"),
    "csharp": ("A.cs", "class A {\n  void Lost() {\n  }\n\n  public void Shown() {\n  }\n}\n"),
    "kotlin": ("A.kt", "private fun lost() {\n}\n\nfun shown() {\n}\n"),
    "swift": ("A.swift", "func lost() {\n}\n\npublic func shown() {\n}\n"),
    "php": ("A.php", "<?php\nclass A {\n  private function lost() {\n  }\n\n  public function shown() {\n  }\n}\n"),
    "c": ("a.c", "static int lost(void) {\n  return 1;\n}\n\nint shown(void) {\n  return 1;\n}\n"),
    "typescript": ("a.ts", "function lost() {\n}\n\nexport function shown() {\n}\n"),
    "javascript": ("a.js", "function lost() {\n}\n\nexport function shown() {\n}\n"),
    "bash": ("a.sh", "#!/bin/bash\nlost() {\n  :\n}\n"),
}


def confidences(root: Path) -> dict[str, float]:
    """Map the names of unused definitions to their confidence."""
    with CodeIndexer(root, db=root / "index.db", update=False) as indexer:
        return {entry.symbol.name: entry.confidence for entry in indexer.graph.unused(min_confidence=0.0)}


@pytest.mark.parametrize("language", CASES)
def test_only_what_no_other_repository_can_use_is_surely_unused(language: str, tmp_path: Path) -> None:
    verdicts = confidences(indexed(tmp_path, dict([CASES[language]])))
    lost = {name: confidence for name, confidence in verdicts.items() if name.lower().strip("_") == "lost"}
    assert [*lost.values()] == [0.95]
    assert {verdicts[name] for name in verdicts.keys() & {"public", "Public", "shown", "Shown"}} <= {0.7}
    assert language == "bash" or verdicts.keys() & {"public", "Public", "shown", "Shown"}


def test_a_name_that_code_puts_together_is_hardly_unused(tmp_path: Path) -> None:
    files = {
        "a.py": 'class _Runner:\n    def go(self, key):\n        return self.table[f"_run_{key}"]\n\n'
        "    def _run_fast(self):\n        pass\n\n    def _walk(self):\n        pass\n",
        "a.php": '<?php\nclass A {\n  function go($k) { $m = "add_{$k}"; $this->$m(); }\n'
        "  private function add_proxy() {\n  }\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["_run_fast"], verdicts["add_proxy"], verdicts["_walk"]) == (0.3, 0.3, 0.95)


def test_a_static_class_holds_extension_methods_or_is_there_for_the_compiler(tmp_path: Path) -> None:
    files = {
        "A.cs": "namespace System.Runtime.CompilerServices;\ninternal static class IsExternalInit {\n}\n"
        "internal static class Growing {\n  internal static int Grown(this Plant plant) => 1;\n}\n"
        "internal class Lost {\n}\n"
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["IsExternalInit"], verdicts["Growing"], verdicts["Lost"]) == (0.7, 0.7, 0.95)


def test_a_short_start_of_a_name_counts_in_its_own_file(tmp_path: Path) -> None:
    files = {
        "states.py": 'class Machine:\n    def run(self, name):\n        return getattr(self, "_" + name + "_" + self.state)\n\n'
        "    def _start_OPEN(self): ...\n",
        "paths.py": 'def make(name):\n    return globals()["_%s_Function" % name]()\n\n\nclass _not_Function: ...\n',
        "far.py": "class Other:\n    def _stop(self): ...\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["_start_OPEN"], verdicts["_not_Function"], verdicts["_stop"]) == (0.3, 0.3, 0.95)


def test_a_name_that_code_joins_from_two_parts_is_hardly_unused(tmp_path: Path) -> None:
    files = {
        "run.py": 'def run(self, start, value):\n    return getattr(self, "%s_%s" % (start, type(value).__name__))\n',
        "kets.py": "from run import run\n\n\nclass Ket:\n"
        "    def by(self, other):\n        return run(self, '_apply_to', other)\n\n"
        "    def _apply_to_Bra(self): ...\n\n    def _apply_no_Bra(self): ...\n",
    }
    verdicts = confidences(indexed(tmp_path / "joined", files))
    assert (verdicts["_apply_to_Bra"], verdicts["_apply_no_Bra"]) == (0.3, 0.95)
    files["run.py"] = "def run(self, start, value): ...\n"
    assert confidences(indexed(tmp_path / "plain", files))["_apply_to_Bra"] == 0.95


def test_an_operator_may_run_a_function_of_kotlin(tmp_path: Path) -> None:
    files = {
        "a.kt": "private operator fun IntRange.minus(amount: Int): IntRange = this\n\n"
        "private fun lost(amount: Int): Int = amount\n"
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["minus"], verdicts["lost"]) == (0.3, 0.95)


def test_a_runner_makes_objects_of_a_class_with_marked_methods(tmp_path: Path) -> None:
    files = {
        "Demo.cs": "class Demo\n{\n    [Test]\n    public void Runs()\n    {\n    }\n}\n\n"
        "class Lost\n{\n    public void Rests()\n    {\n    }\n}\n",
        "a.py": "class _Row:\n    @property\n    def width(self): ...\n\n\n"
        "class _Hooks:\n    @listen\n    def heard(self): ...\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["Demo"], verdicts["Lost"], verdicts["_Row"], verdicts["_Hooks"]) == (0.3, 0.95, 0.95, 0.3)


def test_a_base_of_a_base_outside_of_the_repository_may_call_a_method(tmp_path: Path) -> None:
    files = {"a.py": "from outside import Base\n\n\nclass A(Base): ...\n\n\nclass B(A):\n    def _hook(self): ...\n"}
    assert confidences(indexed(tmp_path, files))["_hook"] == 0.4


def test_the_library_may_call_what_has_the_methods_of_its_interface(tmp_path: Path) -> None:
    text = (
        'package a\n\ntype role int\n\nfunc (r role) GoString() string { return "" }\n\n'
        'func (r role) MarshalText() string { return "" }\n'
    )
    verdicts = confidences(indexed(tmp_path, {"a.go": text}))
    assert (verdicts["GoString"], verdicts["MarshalText"]) == (0.4, 0.7)


def test_names_that_a_convention_gives_are_hardly_unused(tmp_path: Path) -> None:
    files = {
        "a.py": "class Row:\n    def _repr_html_(self): ...\n\n\ndef _jupyter_labextension_paths(): ...\n",
        "src/lib.rs": "fn _assert_send() {\n}\n",
    }
    assert set(confidences(indexed(tmp_path, files)).values()) == {0.7}


def test_a_private_parameter_of_a_constructor_hides_no_class(tmp_path: Path) -> None:
    files = {
        "A.kt": "class Plan(private val steps: Int)\n\nprivate class Lost(val steps: Int)\n",
        "B.scala": "class Map(private val size: Int) {}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["Plan"], verdicts["Map"], verdicts["Lost"]) == (0.7, 0.7, 0.95)


def test_an_attribute_above_may_register_a_function(tmp_path: Path) -> None:
    files = {"src/lib.rs": "#[bench]\n// fast\nfn ints() {}\n\n#[inline]\nfn lost() {}\n"}
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts.get("ints", 0.3), verdicts["lost"]) == (0.3, 0.95)


def test_a_function_inside_an_expression_may_be_used_by_it(tmp_path: Path) -> None:
    files = {"a.js": "app.on('mount', function onmount(parent) {\n  return parent;\n});\n"}
    assert set(confidences(indexed(tmp_path, files)).values()) <= {0.3}


def test_a_class_is_used_by_its_members(tmp_path: Path) -> None:
    files = {
        "A.cs": "static class Texts {\n  public static string Twice(this string text) {\n    return text + text;\n  }\n}\n",
        "B.cs": 'class Program {\n  static void Main() {\n    "a".Twice();\n    Texts.Twice("b");\n  }\n}\n',
        "a.py": "class _Lost:\n    def run(self):\n        self._step()\n\n    def _step(self):\n        pass\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert "Texts" not in verdicts
    # Its members are used by itself alone.
    assert verdicts["_Lost"] == 0.95


def test_what_a_loader_calls_is_hardly_unused(tmp_path: Path) -> None:
    head = "static void\n"
    files = {"a.c": f"ATTR(constructor)\n{head}start(void) {{\n}}\n\n{head}lost(void) {{\n}}\n"}
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["start"], verdicts["lost"]) == (0.3, 0.95)


def test_a_macro_with_a_comment_inside_pastes_names(tmp_path: Path) -> None:
    macro = "#define COUNT(suf) do { \\\n  int x = 1; \\\n  /* a note */ \\\n  count_##suf(x); \\\n} while (0)\n\n"
    functions = "static int count_u(int x) {\n  return x;\n}\n\nstatic int lost(int x) {\n  return x;\n}\n\n"
    verdicts = confidences(
        indexed(tmp_path, {"a.c": f"{macro}{functions}int main(void) {{\n  COUNT(u);\n  return 0;\n}}\n"})
    )
    assert verdicts.get("count_u", 0.3) == 0.3
    assert verdicts["lost"] == 0.95


def test_what_a_header_holds_may_be_included(tmp_path: Path) -> None:
    verdicts = confidences(indexed(tmp_path, {"a.h": "static inline int twice(int x) {\n  return x * 2;\n}\n"}))
    assert verdicts["twice"] == 0.7


def test_what_a_file_of_declarations_adds_to_is_hardly_unused(tmp_path: Path) -> None:
    added = "declare module 'router' {\n  interface Meta {\n    title: string\n  }\n}\n"
    verdicts = confidences(indexed(tmp_path, {"router.d.ts": added}))
    assert verdicts["Meta"] == 0.3


def test_what_adds_to_a_module_or_a_generated_part_is_hardly_unused(tmp_path: Path) -> None:
    files = {
        "a.ts": "export {}\ndeclare global {\n  interface Near {\n    a: string\n\n    b: string\n\n    c: string\n  }\n\n"
        "  namespace Inner {\n    interface Deep {\n    }\n  }\n\n  type Short = string\n}\n"
        "declare module 'router' {\n  interface Meta {\n  }\n}\ndeclare namespace Shapes {\n  interface Row {\n  }\n}\n"
        "interface Lost {\n}\n",
        "A.cs": "class Form {\n  int size;\n  partial void Heard();\n  void Missed() {\n  }\n}\npartial class Halves {\n}\n",
        "a.kt": 'internal actual fun here(): String = ""\n\ninternal fun gone(): String = ""\n',
    }
    verdicts = confidences(indexed(tmp_path, files))
    surely = {name for name, confidence in verdicts.items() if confidence > 0.7}
    assert {"Lost", "Missed", "gone"} <= surely
    assert not {"Near", "Deep", "Short", "Meta", "Row", "Heard", "Halves", "here"} & surely


def test_functions_of_a_shell_library_are_for_people(tmp_path: Path) -> None:
    files = {"a.sh": "lost() {\n  :\n}\n", "b.sh": "#!/bin/sh\nrun_all() {\n  :\n}\n\ndo_it() {\n  :\n}\n\nrun_$1\n"}
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["lost"], verdicts["run_all"], verdicts["do_it"]) == (0.7, 0.3, 0.95)


def test_the_titles_of_tests_are_no_answer(tmp_path: Path) -> None:
    verdicts = confidences(
        indexed(tmp_path, {"a.zig": 'fn lost() void {}\n\ntest "a long title" {}\n\ntest "short" {}\n'})
    )
    assert verdicts["lost"] == 0.95
    assert "a long title" not in verdicts
    assert verdicts.get("short", 0.3) == 0.3


def test_an_example_that_a_runner_runs_is_a_use(tmp_path: Path) -> None:
    python = '"""Show.\n\n>>> _area(3)\n9\n"""\n\n\ndef _area(x):\n    return x * x\n\n\ndef _lost(x):\n    return x\n'
    elixir = 'defmodule Shop do\n  @doc """\n      iex> Shop.turn(1)\n  """\n  defp turn(x), do: x\nend\n'
    verdicts = confidences(indexed(tmp_path, {"show.py": python, "shop.ex": elixir}))
    assert (verdicts["_area"], verdicts["turn"], verdicts["_lost"]) == (0.3, 0.3, 0.95)


def test_functions_under_conditions_are_all_used(tmp_path: Path) -> None:
    python = "import os\nif os.name == 'nt':\n    def _home(): ...\nelse:\n    def _home(): ...\n\nprint(_home())\n"
    rust = "#[cfg(unix)]\nfn home() {}\n#[cfg(windows)]\nfn home() {}\nfn main() { home(); }\n"
    assert not {"_home", "home"} & confidences(indexed(tmp_path, {"home.py": python, "src/main.rs": rust})).keys()


def test_a_clause_of_a_used_function_is_used(tmp_path: Path) -> None:
    code = "defmodule A do\n  def run(x), do: step(x)\n\n  defp step(0), do: 0\n\n  defp step(x), do: x + 1\nend\n"
    assert "step" not in confidences(indexed(tmp_path, {"lib/a.ex": code}))


def test_what_runtimes_bases_and_libraries_call_is_hardly_unused(tmp_path: Path) -> None:
    files = {
        "App.java": "class App {\n  public static void main(String[] args) {}\n}\nclass Dead {}\n",
        "shop.py": "from django.db import models\n\n\nclass Cart(models.Model):\n    class Meta:\n        ordering = ['id']\n",
        "query.ts": "import { query } from 'lib'\n\nfunction carts() {\n  query({ queryFn() {} })\n}\ncarts()\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Dead"}
    assert verdicts.keys() >= {"Meta", "queryFn"}


def test_where_names_are_whole_what_nobody_reads_is_unused_and_a_block_is_not(tmp_path: Path) -> None:
    text = """variable "lost" {}

variable "region" {
  default = "eu"
}

locals {
  alone = 1
}

data "aws_ami" "spare" {}

resource "aws_vpc" "main" {
  region = var.region
}

output "id" {
  value = aws_vpc.main.id
}
"""
    assert confidences(indexed(tmp_path, {"main.tf": text})) == {"alone": 0.95, "lost": 0.95, "spare": 0.95}


def test_a_companion_is_used_with_its_class_and_what_a_compiler_takes_is_hardly_unused(tmp_path: Path) -> None:
    text = """package shop
class Cart(val total: Int)
object Cart { implicit def ordering: Ordering[Cart] = null; def of(total: Int) = new Cart(total) }
object Even { def unapply(n: Int): Option[Int] = Some(n) }
class Lost
object Main { def main(args: Array[String]): Unit = Cart.of(2).total match { case Even(n) => println(n) } }
"""
    verdicts = confidences(indexed(tmp_path, {"Shop.scala": text}))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Lost"}


def test_a_constructor_and_a_method_of_an_object_run_without_their_names(tmp_path: Path) -> None:
    files = {
        "A.cs": "class Base {\n  internal Base(int size) {\n  }\n\n  internal void Lost() {\n  }\n}\n\n"
        "class Sub : Base {\n  internal Sub() : base(1) {\n  }\n}\n\n"
        "class Program {\n  private static async Task<int> Main(string[] args) {\n    Base sub = new Sub();\n"
        "    return 1;\n  }\n}\n",
        "Texts.java": "class Texts {\n  private Texts() {\n  }\n\n  static int size() {\n    return 1;\n  }\n}\n"
        "class App {\n  public static void main(String[] args) {\n    Texts.size();\n  }\n}\n",
        "page.js": "window.Page = class Page {\n  constructor() {\n    on(this.clear);\n  }\n\n  clear() {\n  }\n};\n",
        "modes.js": "const modes = {\n  sql: () => load('sql'),\n  pick() {\n  },\n};\n\n"
        "export function shown(name) {\n  return modes[name]();\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Lost", "shown"}


def test_whoever_gets_a_class_may_call_members_that_nothing_here_calls(tmp_path: Path) -> None:
    filters = "module Shop\n  module Filters\n    def shout(text)\n      text\n    end\n  end\n\n  module Helpers\n"
    filters += "    def lost(text)\n      text\n    end\n  end\nend\n\n"
    files = {"shop.rb": f"{filters}Engine.register_filter(Shop::Filters)\n", "a.txt": "shout lost\n"}
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["shout"], verdicts["lost"]) == (0.3, 0.6)


def test_what_the_language_calls_by_its_name_is_hardly_unused(tmp_path: Path) -> None:
    files = {
        "a.rb": "class Row\n  def method_missing(name)\n  end\n\n  def lost\n  end\nend\n",
        "a.php": "<?php\nclass Line {\n  private function __call($name, $values) {\n  }\n}\n",
        "a.kt": "class Grid(val size: Int) {\n  internal constructor(text: String) : this(text.length)\n}\n",
        "a.swift": "struct Grid {\n  subscript(_ row: Int) -> Int { row }\n}\n",
        "A.cs": "static class Numbers {\n  extension(int number) {\n    public bool IsEven() => true;\n  }\n}\n",
    }
    files["a.rb"] += "\nclass Reopened\n  def lost=(value)\n  end\n\n  def size=(value)\n  end\nend\n\nrows.size = 1\n"
    verdicts = confidences(indexed(tmp_path, files))
    called = {"method_missing", "__call", "subscript", "extension", "constructor"}
    assert not called & {name for name, confidence in verdicts.items() if confidence >= 0.6}
    assert (verdicts["lost"], verdicts["lost="], verdicts["size="]) == (0.6, 0.7, 0.6)


def test_code_may_change_the_case_of_a_name_that_it_joins(tmp_path: Path) -> None:
    text = "<?php\nclass Runner {\n  function go($key) { $name = Str::camel('filter_' . $key); $this->$name(); }\n"
    text += "  private function filterTitle() {\n  }\n\n  private function lostTitle() {\n  }\n}\n"
    verdicts = confidences(indexed(tmp_path, {"a.php": text}))
    assert (verdicts["filterTitle"], verdicts["lostTitle"]) == (0.3, 0.95)


def test_an_interface_may_call_what_a_trait_gives_to_its_class(tmp_path: Path) -> None:
    text = "<?php\ninterface Page {\n  function file();\n}\n\ntrait Paged {\n  function file() {\n  }\n\n"
    text += "  function lost() {\n  }\n}\n\nclass Post implements Page {\n  use Paged;\n}\n\n$lost = new Post();\n"
    with CodeIndexer(indexed(tmp_path, {"a.php": text}), db=tmp_path / "index.db", update=False) as indexer:
        verdicts = {entry.symbol.qualified_name: entry.confidence for entry in indexer.graph.unused(min_confidence=0.0)}
    assert (verdicts["Paged.file"], verdicts["Paged.lost"]) == (0.4, 0.6)


def test_a_shell_runs_what_its_own_commands_keep(tmp_path: Path) -> None:
    names = ("tidy", "hurry", "offer", "widget", "hooked", "total", "cell", "lost")
    text = "#!/bin/bash\n" + "".join(f"{name}() {{\n  :\n}}\n" for name in names)
    text += "trap 'tidy; exit' EXIT\ntrap \"hurry $1\" INT\ncomplete -o nospace -F offer cart\nzle -N widget\n"
    text += "add-zsh-hook precmd hooked\nexport -f total\nbash -c 'cell 1'\necho lost\n"
    verdicts = confidences(indexed(tmp_path, {"a.sh": text}))
    assert verdicts == {"lost": 0.6}


def test_a_concern_gives_its_class_methods_to_the_class(tmp_path: Path) -> None:
    text = "module Findable\n  extend ActiveSupport::Concern\n\n  module ClassMethods\n    def by_slug(slug)\n"
    text += "      slug\n    end\n\n"
    text += "    def lost(slug)\n      slug\n    end\n  end\nend\n\nclass Page\n  include Findable\nend\n\nPage.by_slug('a')\n"
    verdicts = confidences(indexed(tmp_path, {"a.rb": text}))
    assert verdicts == {"lost": 0.7}


def test_a_module_outside_may_call_what_is_added_to_its_class(tmp_path: Path) -> None:
    files = {
        "a.rb": "class Mail::Message\n  def subject\n  end\nend\n\nclass Shop\nend\n\n"
        "class Shop::Cart\n  def lost\n  end\nend\n",
        "a.cpp": "struct Cart {};\ntemplate <> struct std::hash<Cart> {\n  int mixed() {\n    return 1;\n  }\n};\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["subject"], verdicts["lost"], verdicts["mixed"]) == (0.3, 0.7, 0.3)


def test_what_a_page_calls_is_hardly_unused(tmp_path: Path) -> None:
    files = {
        "a.js": "function started() {\n}\n\nfunction clicked() {\n}\n\nfunction sent() {\n}\n\nfunction lost() {\n}\n",
        "index.html": '<body onload="started()">\n<script>\n  clicked(1);\n  const a = { lost() { } };\n</script>\n',
        "show.html.erb": "<%= form_for cart, onsubmit: 1 do %>\n<form onsubmit='return sent(this)'>\n<% end %>\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert verdicts == {"started": 0.3, "clicked": 0.3, "sent": 0.3, "lost": 0.6}


def test_what_a_file_of_declarations_describes_is_in_another_place(tmp_path: Path) -> None:
    files = {
        "vendor.d.ts": "interface Options {\n  size: number\n}\ndeclare class Chart {\n  draw(): void\n}\n",
        "a.pyi": "def drawn() -> int: ...\n",
        "a.ts": "interface Lost {\n  size: number\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Lost"}


def test_a_field_may_stand_for_a_method_of_a_base(tmp_path: Path) -> None:
    files = {
        "A.scala": "trait Sized {\n  def size: Int\n\n  def lost: Int\n}\n\nclass Box extends Sized {\n  val size = 1\n}\n\n"
        "object Main {\n  def main(args: Array[String]): Unit = println(new Box().size)\n}\n",
        "a.ts": "interface Runner {\n  run(): void\n\n  gone(): void\n}\n\nexport class Car implements Runner {\n"
        "  run = () => {\n  }\n}\n\nnew Car().run()\n",
        "A.java": "interface Named {\n  String name();\n\n  String missed();\n}\n\n"
        "record Cart(String name) implements Named {\n}\n\n"
        'class App {\n  public static void main(String[] args) {\n    new Cart("a").name();\n  }\n}\n',
    }
    verdicts = confidences(indexed(tmp_path, files))
    names = {name for name, confidence in verdicts.items() if confidence >= 0.6}
    assert names == {"lost", "gone", "missed"}


def test_code_may_add_the_end_of_a_name(tmp_path: Path) -> None:
    files = {
        "a.php": "<?php\nclass Carts {\n  function go($name) { $name = $name . 'Action'; $this->$name(); }\n"
        "  private function showAction() {\n  }\n\n  private function lostAct() {\n  }\n}\n",
        "a.py": 'class _Carts:\n    def go(self, name):\n        return getattr(self, name + "_step")()\n\n'
        "    def _first_step(self):\n        pass\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["showAction"], verdicts["_first_step"], verdicts["lostAct"]) == (0.3, 0.3, 0.95)


def test_a_text_may_load_a_definition_by_its_full_name(tmp_path: Path) -> None:
    files = {
        "A.cs": "namespace Shop;\npublic class Cart {\n}\npublic class Till {\n}\n",
        "carts.json": '{"type": "Shop.Cart", "other": "Bank.Till"}\n',
        "cart.rb": "class Share::Mail\nend\n\nclass Share::Lost\nend\n",
        "list.rb": 'SHARES = [{ klass: "Share::Mail" }].map { |row| row[:klass].constantize }\n',
        "tasks.py": "def clean():\n    pass\n\n\ndef dusty():\n    pass\n",
        "setup.cfg": "[tool]\nentry = shop.tasks:clean\nbare = dusty\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Till", "Lost", "dusty"}


def test_a_text_or_symbol_may_name_a_definition(tmp_path: Path) -> None:
    files = {
        "a.py": "def go(cart):\n    return getattr(cart, 'total')\n\n\nclass Cart:\n    def total(self):\n        pass\n\n"
        "    def lost(self):  # lost\n        pass\n",
        "a.rb": "class Page\n  def shown\n  end\nend\n\nPage.new.then { |page| hook page, :shown }\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["total"], verdicts["shown"], verdicts["lost"]) == (0.3, 0.3, 0.6)


def test_documented_code_may_use_a_definition(tmp_path: Path) -> None:
    files = {
        "a.scala": "object Checker {\n  def verify(text: String): Unit = ()\n\n  def lost(text: String): Unit = ()\n}\n",
        "README.md": "Nothing is lost.\n\n```scala\nval lost = 1\nChecker.verify[Int](text)\n```\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"lost"}


def test_a_tool_calls_what_stands_in_its_file(tmp_path: Path) -> None:
    files = {"PKGBUILD": "package() {\n  :\n}\n", "a.sh": "#!/bin/bash\nlost() {\n  :\n}\n"}
    files["Fastfile"] = "def released\nend\n"
    verdicts = confidences(indexed(tmp_path, files))
    assert verdicts == {"package": 0.3, "lost": 0.95, "released": 0.3}


def test_a_macro_may_paste_the_middle_of_a_name(tmp_path: Path) -> None:
    text = "#define OPTION(owner, name) { #name, owner ## _set_ ## name }\n\n"
    text += "static int cart_set_size(void) {\n  return 1;\n}\n\n"
    text += "static int cart_set_lost(void) {\n  return 1;\n}\n\nstruct option options[] = { OPTION(cart, size) };\n"
    verdicts = confidences(indexed(tmp_path, {"a.c": text}))
    assert (verdicts["cart_set_size"], verdicts["cart_set_lost"]) == (0.3, 0.95)


def test_an_overload_may_be_used_where_another_is(tmp_path: Path) -> None:
    text = "class Cart {\n  static int sized(String... names) {\n"
    text += "    return Arrays.stream(names).map(Cart::sized).max();\n  }\n\n"
    text += "  static int sized(String name) {\n    return 1;\n  }\n\n  private int lost() {\n    return 1;\n  }\n}\n\n"
    text += "class App {\n  public static void main(String[] names) {\n    Cart.sized(names);\n  }\n}\n"
    verdicts = confidences(indexed(tmp_path, {"App.java": text}))
    assert verdicts == {"sized": 0.4, "lost": 0.95}


def test_code_may_use_a_name_where_nothing_is_linked(tmp_path: Path) -> None:
    files = {
        "a.py": "class Cart:\n    def total(self):\n        return 1\n\n    def lost(self):\n        return 1\n",
        "b.py": "def shown(carts):\n    # Nothing is.lost() here.\n    return [*map(pick, carts)].pop().total\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["total"], verdicts["lost"]) == (0.4, 0.6)


def test_an_interface_outside_may_want_what_several_types_have(tmp_path: Path) -> None:
    heads = "".join(f"type {name} struct{{}}\n\nfunc (row {name}) Used() {{}}\n\n" for name in "ABC")
    filters = "".join(f"func (row {name}) Filter() int {{ return 1 }}\n\n" for name in "ABC")
    text = f"package shop\n\n{heads}{filters}// Height implements list.Sized.\n"
    text += "func (row A) Height() int { return 1 }\n\nfunc (row A) Width() int { return 1 }\n\n"
    text += (
        "func (row B) Width() int { return 1 }\n\nfunc Shown(a A, b B, c C) {\n\ta.Used()\n\tb.Used()\n\tc.Used()\n}\n"
    )
    verdicts = confidences(indexed(tmp_path, {"shop.go": text}))
    assert (verdicts["Filter"], verdicts["Height"], verdicts["Width"]) == (0.4, 0.3, 0.6)


def test_whoever_gets_an_object_may_call_its_entries(tmp_path: Path) -> None:
    files = {
        "Cart.vue": "<script>\nexport default {\n  mounted() {\n  },\n\n  beforeMount: function () {\n  },\n};\n</script>\n",
        "focus.ts": "export const focus: Directive = {\n  updated: (row) => row.focus(),\n}\n\nfunction lost() {\n}\n",
        "more.js": "_.compose = function () {\n};\n\nexports.gone = function () {\n};\n",
        "filter.lua": "local function walk(doc)\n  local filter = {\n    Para = function(el)\n      return el\n    end,\n  }\n"
        "  return doc:walk(filter)\nend\n\nlocal function missed()\nend\n\nwalk(1)\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"lost", "gone", "missed"}


def test_a_base_outside_may_call_what_is_written_apart_or_in_a_mixin(tmp_path: Path) -> None:
    files = {
        "row.h": "class Row : public QDelegate {\n public:\n  void paint(int size) const;\n};\n\n"
        "class Cell {\n public:\n  void lost(int size) const;\n};\n",
        "row.cpp": '#include "row.h"\n\nvoid Row::paint(int size) const {\n}\n\nvoid Cell::lost(int size) const {\n}\n',
        "a.php": "<?php\nuse Outer\\Model;\n\ntrait Priced {\n  protected function price() {\n  }\n}\n\n"
        "trait Alone {\n  protected function gone() {\n  }\n}\n\n$rows = [new Item()];\n"
        "class Item extends Model {\n  use Priced;\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    names = {name for name, confidence in verdicts.items() if confidence >= 0.6}
    assert {"lost", "gone"} <= names
    assert not names & {"paint", "price"}


def test_a_test_does_not_call_what_a_library_gets(tmp_path: Path) -> None:
    files = {
        "shop.php": "<?php\nclass Watcher {\n  public function updating() {\n  }\n}\n\n"
        "#[Watched(Watcher::class)]\nclass Item {\n}\n\n$item = new Item();\n",
        "tests/WatcherTest.php": "<?php\nclass WatcherTest {\n  public function made() {\n    return new Watcher();\n  }\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert verdicts["updating"] == 0.3


def test_a_loader_may_gather_classes_that_end_in_one_word(tmp_path: Path) -> None:
    classes = {f"{name}.py": f"class {name}Plugin:\n    pass\n" for name in ("Cart", "Till", "ABC")}
    files = {**classes, "other.py": "class Lost:\n    pass\n\n\ndef fast_plugin():\n    pass\n"}
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Lost", "fast_plugin"}


def test_a_macro_of_a_library_may_add_to_its_arguments(tmp_path: Path) -> None:
    text = "struct _Cart {\n  int size;\n};\n\nG_DEFINE_TYPE(Cart, cart_row, BASE)\n\n"
    text += "static void cart_row_init(int size) {\n}\n\nstatic void till_row_init(int size) {\n}\n"
    verdicts = confidences(indexed(tmp_path, {"a.c": text}))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"till_row_init"}


def test_code_that_no_grammar_reads_may_call(tmp_path: Path) -> None:
    files = {
        "a.c": "int parsed(int size) {\n  return 1;\n}\n\nint lost(int size) {\n  return 1;\n}\n",
        "a.h": "int parsed(int size);\nint lost(int size);\n",
        "a.y": "rule: NAME { $$ = parsed ( $1 ); /* lost */ }\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"lost"}


def test_a_copied_library_is_hardly_unused(tmp_path: Path) -> None:
    head = "//     Rows.js 1.2.2\n//     (c) 2011 Somebody\n//     Rows is freely distributable.\n\n"
    files = {"rows.js": f"{head}function packed() {{\n}}\n", "a.js": "// Version 1.2 of it\nfunction lost() {\n}\n"}
    assert confidences(indexed(tmp_path, files)) == {"packed": 0.3, "lost": 0.95}


def test_a_loader_may_take_what_a_file_exports_as_a_whole(tmp_path: Path) -> None:
    files = {
        "app/page.tsx": "export default function CartPage() {\n  return 1\n}\n",
        "app/late.tsx": "function LatePage() {\n}\n\nexport default memo(LatePage)\n",
        "app/lost.ts": "export function Lost() {\n  return 1\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"Lost"}


def test_a_name_of_its_file_may_pass_on_what_a_link_leads_to(tmp_path: Path) -> None:
    files = {
        "page.tsx": "const Cart = () => 1\n\nexport default Cart\n",
        "router.tsx": "const Cart = lazy(() => import('./page'))\nconst Till = lazy(() => import('./till'))\n"
        "export const rows = [<Cart />]\n",
        "till.tsx": "const Till = () => 1\n\nexport default Till\n",
    }
    with CodeIndexer(indexed(tmp_path, files), db=tmp_path / "index.db", update=False) as indexer:
        answers = {entry.symbol.qualified_name for entry in indexer.graph.unused(min_confidence=0.6)}
    assert "router.Cart" not in answers


def test_a_list_of_extensions_may_name_a_module(tmp_path: Path) -> None:
    files = {
        "ext/rows.py": "def setup(app):\n    # setup\n    pass\n",
        "ext/gone.py": "def setup(app):\n    pass\n\n\ndef lost(app):\n    pass\n",
        "ext/near.py": "def reached(app):\n    # reached\n    pass\n",
        "conf.py": 'from ext import near\n\nextensions = ["rows", "near"]\n',
    }
    with CodeIndexer(indexed(tmp_path, files), db=tmp_path / "index.db", update=False) as indexer:
        answers = {entry.symbol.qualified_name for entry in indexer.graph.unused(min_confidence=0.6)}
    assert "ext.rows.setup" not in answers
    assert {"ext.gone.lost", "ext.near.reached"} <= answers


def test_an_interface_here_may_want_a_method_that_a_type_has(tmp_path: Path) -> None:
    text = "package shop\n\ntype Driver interface {\n\tSave(row int) error\n}\n\ntype DB struct{}\n\n"
    text += (
        "func (db *DB) Save(row string) error { return nil }\n\nfunc (db *DB) Lost(row int) error { return nil }\n\n"
    )
    text += "func (db *DB) Used() {}\n\nfunc Shown(db *DB, driver Driver) {\n\tdb.Used()\n\tdriver.Save(1)\n}\n"
    verdicts = confidences(indexed(tmp_path, {"shop.go": text}))
    assert (verdicts["Save"], verdicts["Lost"]) == (0.4, 0.7)


def test_a_build_or_a_type_may_choose_what_has_the_same_head(tmp_path: Path) -> None:
    files = {
        "disks/linux.py": "def usage(path: str) -> int:\n    return 1\n",
        "disks/other.py": "def usage(path: str) -> str:\n    return 1\n\n\ndef lost(path: str) -> int:\n    return 1\n",
        "disks/run.py": "from disks.linux import usage\n\n\ndef main():\n    return usage(lost)\n",
        "far/deep/own.py": "def usage(path: str) -> int:\n    return 1\n",
    }
    with CodeIndexer(indexed(tmp_path, files), db=tmp_path / "index.db", update=False) as indexer:
        verdicts = {entry.symbol.qualified_name: entry.confidence for entry in indexer.graph.unused(min_confidence=0.0)}
    assert (verdicts["disks.other.usage"], verdicts["disks.other.lost"], verdicts["far.deep.own.usage"]) == (
        0.4,
        0.6,
        0.6,
    )


def test_perl_calls_what_has_capital_letters(tmp_path: Path) -> None:
    text = "package Handle;\n\nsub READ {\n  return 1;\n}\n\nsub read_lost {\n  return 1;\n}\n\n1;\n"
    verdicts = confidences(indexed(tmp_path, {"Handle.pm": text}))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"read_lost"}


def test_the_code_of_another_holder_is_a_copy(tmp_path: Path) -> None:
    head = "// Copyright (c) 20{} {}. All rights reserved.\n\nint {}(int size) {{\n  return 1;\n}}\n"
    names = ["add", "cut", "mul", "div", "mod", "raise", "flip", "least", "most", "sum", "mean", "own"]
    files = {f"{name}.c": head.format(11, "Shop", name) for name in names}
    files["rows.c"] = head.format(12, "The Rows Authors", "packed")
    files["named.c"] = head.format(12, "The Till Authors", "named")
    files["LICENSE"] = "Copyright (c) Shop\nCopyright (c) The Till Authors\n"
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["packed"], verdicts["named"], verdicts["own"]) == (0.3, 0.7, 0.7)


def test_a_local_function_may_be_used_by_the_function_around_it(tmp_path: Path) -> None:
    text = "export function watch(signal) {\n  const stop = () => 1;\n  signal.hooks = { stop };\n}\n\n"
    text += "const guard = (rows) =>\n  function guarded(row) {\n    return row;\n  };\n\nwatch(guard(1));\n"
    verdicts = confidences(indexed(tmp_path, {"a.js": text}))
    names = {name for name, confidence in verdicts.items() if confidence >= 0.6}
    assert not names & {"stop", "guarded"}


def test_a_convention_may_call_what_most_names_of_a_sort_show(tmp_path: Path) -> None:
    steps = "".join(f"function version_{number}($row)\n{{\n}}\n\n" for number in range(1, 6))
    starts = "".join(f"func start{name}() {{\n}}\n\n" for name in ("Cart", "Till", "Shop", "Door", "Bank"))
    files = {
        "steps.php": f"<?php\n{steps}function lost_step()\n{{\n}}\n",
        "a.go": f"package shop\n\n{starts}func Shown() {{\n\tstartCart()\n\tstartTill()\n\tstartShop()\n\tstartDoor()\n}}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} == {"lost_step", "startBank", "Shown"}


def test_a_method_that_calls_its_base_is_called_through_it(tmp_path: Path) -> None:
    files = {
        "a.rb": "module Rows\n  def assign(row)\n    super\n  end\n\n  def lost(row)\n    superb\n  end\nend\n",
        "a.py": "class Row:\n    def save(self):\n        super().save()\n\n"
        "    def gone(self):\n        super().kept()\n\n\nRow()\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    names = {name for name, confidence in verdicts.items() if confidence >= 0.6}
    assert {"lost", "gone"} <= names
    assert not names & {"assign", "save"}


def test_what_the_grammar_or_a_release_shows_is_no_answer(tmp_path: Path) -> None:
    files = {
        "A.cs": "class Rate {\n  public static implicit operator int(Rate rate) => 1;\n\n"
        "  public static implicit operator Rate(int size) => new Rate();\n}\n",
        "libs/rows_2.14.1/rows.c": "int packed(int size) {\n  return 1;\n}\n",
        "api.lua": "local M = {}\nM.handlers = {}\n\nM.handlers['open-help'] = function(row)\nend\n\nreturn M\n",
        "a.sh": "#!/bin/bash\nnull_line() {\n  :\n}\nhooks=( null_line )\n",
        "lost.c": "int lost(int size) {\n  return 1;\n}\n",
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert {name for name, confidence in verdicts.items() if confidence >= 0.6} - {"Rate"} == {"lost"}


def test_a_decorated_interface_is_for_what_reads_the_decorator(tmp_path: Path) -> None:
    files = {
        "A.cs": '[ComImport, Guid("1")]\npublic interface ILink {\n  void SetKey(short key);\n}\n\n'
        "public interface IRow {\n  void Lost(short key);\n}\n"
    }
    verdicts = confidences(indexed(tmp_path, files))
    assert (verdicts["SetKey"], verdicts["Lost"]) == (0.3, 0.7)


def test_a_build_may_choose_a_class_of_the_same_name(tmp_path: Path) -> None:
    files = {
        "timer/unix.py": "class Timer:\n    def stop(self) -> int:\n        return 1\n\n"
        "    def lost(self) -> int:\n        return 1\n",
        "timer/windows.py": "class Timer:\n    def stop(self) -> int:\n        return 1\n",
        "run.py": "from timer.windows import Timer\n\n\ndef main():\n    Timer().stop()\n    # lost\n",
    }
    with CodeIndexer(indexed(tmp_path, files), db=tmp_path / "index.db", update=False) as indexer:
        answers = {entry.symbol.qualified_name for entry in indexer.graph.unused(min_confidence=0.6)}
    assert "timer.unix.Timer.stop" not in answers
    assert "timer.unix.Timer.lost" in answers


def test_what_a_manifest_names_as_an_entry_is_used(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "shop"\n\n[project.scripts]\nshop = "shop.cli:main"\n'
        'admin = "shop.cli:Admin.run"\n\n'
        '[project.entry-points."shop.plugins"]\ntax = "shop.tax:Tax"\nvouchers = "shop.vouchers"\n',
        "shop/__init__.py": "",
        "shop/cli.py": "def main():\n    return 0\n\n\ndef forgotten():\n    return 1\n\n\n"
        "class Admin:\n    @staticmethod\n    def run():\n        return 2\n",
        "shop/tax.py": "class Tax:\n    def apply(self, cart):\n        return cart\n",
        "shop/vouchers.py": "def register(manager):\n    return manager\n",
        "web/package.json": '{"name": "web", "main": "lib/index.js", "exports": {"./cart": {"import": "./lib/cart.js"}}}\n',
        "web/lib/index.js": "export function open() {\n  return 1;\n}\n",
        "web/lib/cart.js": "export function total(cart) {\n  return cart.length;\n}\n",
        "web/lib/old.js": "export function old() {\n  return 1;\n}\n",
    }
    root = indexed(tmp_path, files)
    with CodeIndexer(root, db=root / "index.db", update=False) as indexer:
        assert [entry.symbol.name for entry in indexer.graph.unused()] == ["forgotten", "old"]
        (main,), (run,) = indexer.graph.callers("main"), indexer.graph.callers("Admin.run")
    assert [(step.symbol.file_path, step.line) for step in (*main.steps, *run.steps)] == [
        ("pyproject.toml", 5),
        ("pyproject.toml", 6),
    ]
