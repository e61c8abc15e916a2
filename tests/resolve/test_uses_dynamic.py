"""The uses of names in Ruby and PHP, whose variables of objects and members bear marks of their own."""

from pathlib import Path

import pytest

from tests.resolve.test_uses import uses_of

pytestmark = pytest.mark.slow


def test_variables_of_a_ruby_object_are_written_and_read_where_they_are_assigned(tmp_path: Path) -> None:
    """The first assignment is the definition. Neither it nor another hides what follows in the method."""
    job = "class Job\n  def initialize(name)\n    @name = name\n    @done = false\n    @@all = 1\n  end\n  def stop\n"
    job += "    @done = true\n    puts @done\n    @done ||= 1\n    @@all += 1\n    return @name if @done\n  end\n"
    job += "  def pair\n    @name, @done = 1, 2\n  end\nend\n"
    uses = uses_of(tmp_path, {"job.rb": job})
    done, name = ("Job.@done", "job.rb", 4), ("Job.@name", "job.rb", 3)
    assert ("job.rb", 4, "@done") not in uses
    assert uses["job.rb", 8, "@done"] == uses["job.rb", 10, "@done"] == ("writes", *done)
    assert uses["job.rb", 9, "@done"] == uses["job.rb", 12, "@done"] == ("reads", *done)
    assert uses["job.rb", 12, "@name"] == ("reads", *name)
    assert uses["job.rb", 11, "@@all"] == ("writes", "Job.@@all", "job.rb", 5)
    assert uses["job.rb", 15, "@name"] == ("writes", *name)
    assert uses["job.rb", 15, "@done"] == ("writes", *done)


def test_attributes_of_ruby_are_written_through_a_receiver(tmp_path: Path) -> None:
    """An assignment to an attribute calls no reader."""
    cart = "class Cart\n  attr_accessor :name\n  def go\n    self.name = 1\n    self.name\n  end\nend\n"
    cart += 'def f\n  cart = Cart.new\n  cart.name += "b"\n  cart.name, x = 1, 2\nend\n'
    uses = uses_of(tmp_path, {"cart.rb": cart})
    name = ("Cart.name", "cart.rb", 2)
    assert uses["cart.rb", 4, "name"] == uses["cart.rb", 10, "name"] == uses["cart.rb", 11, "name"] == ("writes", *name)
    assert uses["cart.rb", 5, "name"] == ("reads", *name)


def test_members_of_a_ruby_struct_are_found(tmp_path: Path) -> None:
    """`Struct.new` and `Data.define` define them, for a constant or as a base."""
    unit = "Unit = Struct.new(:queue, :job) do\n  def size\n    queue\n  end\nend\n"
    unit += "class Place < Struct.new(:x)\n  def twice = x + 1\nend\n"
    unit += "def f\n  unit = Unit.new(1, 2)\n  unit.job\n  unit.queue = 3\nend\n"
    uses = uses_of(tmp_path, {"unit.rb": unit})
    assert uses["unit.rb", 3, "queue"] == ("reads", "Unit.queue", "unit.rb", 1)
    assert uses["unit.rb", 7, "x"] == ("reads", "Place.x", "unit.rb", 6)
    assert uses["unit.rb", 11, "job"] == ("reads", "Unit.job", "unit.rb", 1)
    assert uses["unit.rb", 12, "queue"] == ("writes", "Unit.queue", "unit.rb", 1)


def test_a_ruby_constant_is_one_of_what_is_around_it(tmp_path: Path) -> None:
    """A module that does not enclose the name keeps its constants to itself."""
    files = {
        "fmt.rb": "module App\n  module Fmt\n    class JSON; end\n  end\n  class Job\n    def go\n      JSON.parse(1)\n"
        "      Fmt::JSON\n    end\n  end\nend\nJSON.parse(2)\n"
    }
    uses = uses_of(tmp_path, files)
    assert ("fmt.rb", 7, "JSON") not in uses
    assert ("fmt.rb", 12, "JSON") not in uses
    assert uses["fmt.rb", 8, "JSON"] == ("types", "App.Fmt.JSON", "fmt.rb", 3)


def test_a_ruby_module_in_many_files_is_one_module(tmp_path: Path) -> None:
    """Its name leads to the file that bears the name, and its constants are seen from each of its openings."""
    files = {
        "lib/app/chain.rb": "module App\n  class Chain\n    def v\n      App::VERSION\n    end\n  end\nend\n",
        "lib/app.rb": "module App\n  VERSION = 3\n  def self.logger; end\nend\n",
        "job.rb": "class J\n  def run\n    App.logger\n    App::VERSION\n  end\nend\n",
    }
    uses = uses_of(tmp_path, files)
    assert uses["job.rb", 3, "App"] == ("types", "App", "lib/app.rb", 1)
    assert uses["lib/app/chain.rb", 4, "VERSION"] == uses["job.rb", 4, "VERSION"]
    assert uses["job.rb", 4, "VERSION"] == ("reads", "App.VERSION", "lib/app.rb", 2)


def test_a_variable_of_a_ruby_block_hides_a_method(tmp_path: Path) -> None:
    """RSpec's `let` names such a variable too."""
    spec = 'describe "x" do\n  def work(a); end\n  describe "y" do\n    let(:work) { 1 }\n    it("z") { foo(work) }\n  end\n'
    uses = uses_of(tmp_path, {"x_spec.rb": f'{spec}  it("w") {{ work = 1; foo(work) }}\nend\n'})
    assert not [place for place in uses if place[2] == "work"]


def test_static_properties_of_php_are_read_and_written(tmp_path: Path) -> None:
    """An array is a value, so that a new element writes the property that holds it."""
    text = "<?php\nclass P {\n  public static $tokens = []; private $list = [];\n  function go() {\n    self::$tokens = [1];\n"
    text += "    echo P::$tokens[0];\n    static::$tokens['x'] = 2;\n    $this->list[] = 3;\n    $this->list['a']['b'] = 4;\n"
    text += "    unset($this->list['x']);\n    ++$this->list;\n    echo $this->list['x'];\n  }\n}\n"
    uses = uses_of(tmp_path, {"p.php": text})
    kinds = {line: kind for (_, line, name), (kind, *_) in uses.items() if name in ("tokens", "list")}
    assert kinds == {
        **dict.fromkeys((5, 7, 8, 9, 10, 11), "writes"),
        **dict.fromkeys((6, 12), "reads"),
    }
    assert uses["p.php", 5, "tokens"] == ("writes", "P.tokens", "p.php", 3)


def test_members_are_written_without_a_mark_behind_them(tmp_path: Path) -> None:
    """Code takes values apart, removes members, and counts up by a mark before the name."""
    files = {
        "a.py": "class P:\n    def __init__(self):\n        self.a = 1\n        self.b = 2\n\n    def go(self):\n"
        "        self.a, self.b = 3, 4\n        del self.a\n",
        "b.go": "package p\n\ntype T struct{ a, b int }\n\nfunc f(t *T) {\n\tt.a, t.b = 1, 2\n}\n",
        "c.js": "class Q {\n  constructor() { this.a = 1; }\n  go() {\n    [this.a, x] = [1, 2];\n    ++this.a;\n  }\n}\n",
        "D.java": "class D {\n  int n; D d;\n  void f() {\n    ++d.n;\n    g(-n);\n  }\n}\n",
    }
    kinds = {place: kind for place, (kind, *_) in uses_of(tmp_path, files).items()}
    written = [("a.py", 7, "a"), ("a.py", 7, "b"), ("a.py", 8, "a"), ("b.go", 6, "a"), ("b.go", 6, "b")]
    written += [("c.js", 4, "a"), ("c.js", 5, "a"), ("D.java", 4, "n")]
    assert {kinds[place] for place in written} == {"writes"}
    assert kinds["D.java", 4, "d"] == kinds["D.java", 5, "n"] == "reads"
