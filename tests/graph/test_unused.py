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
