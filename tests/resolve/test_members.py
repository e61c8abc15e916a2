"""Members that stand elsewhere than in the body of their class: in other parts of it, in extensions, in unnamed classes."""

import re
from pathlib import Path

import pytest

from tests.indexing.repository import callees, index, indexed, opened, write_tree

PARTIAL = {
    "Writer.cs": """\
namespace Boxes {
public partial class Writer : Base {
  private Lid lid;
  public void Own() { Later(); }
}
}
""",
    "Writer.Later.cs": """\
namespace Boxes {
public partial class Writer {
  public void Later() {
    base.Write();
    Own();
    lid.Open();
    Write();
  }
}
}
""",
    "Base.cs": """\
namespace Boxes {
public class Base {
  public string Lids() { return null; }
  public void Write() {
  }
}
public class Lid {
  public void Open() {
  }
}
public class Box : Base {
  public Lid Lids { get; set; }
  public void Hidden() { Lids.Open(); }
}
public class Use {
  public void Made() {
    var writer = new Writer();
    writer.Write();
    writer.Later();
  }
}
}
""",
}

OPENED = {
    "lib/utils.rb": """\
module Boxes
  module Utils
    module_function

    def best(one)
      one
    end
  end

  class Request < Base
    def ip
      @ip ||= super
    end
  end
end
""",
    "lib/base.rb": """\
module Boxes
  class Base
    def whole
      1
    end

    def ip
      2
    end
  end
end
""",
    "lib/use.rb": """\
module Boxes
  class Logger
    def initialize(env)
      @request = Boxes::Request.new(env)
      @kept ||= Boxes::Base.new
    end

    def log(env)
      request = Boxes::Request.new(env)
      request.ip
      request.whole
      Boxes::Utils.best(1)
    end

    def again
      @request.ip
      @kept.whole
    end
  end
end
""",
}

EXTENSIONS = {
    "boxes/Path.kt": """\
package boxes

class Path {
  fun resolve(child: String): Path = this
  fun write(text: String): Path = this
  companion object {
    fun String.toPath(normalize: Boolean = false): Path = Path()
  }
}
""",
    "boxes/internal/Buffer.kt": """\
package boxes.internal

fun Buffer.toPath(normalize: Boolean): Path = Path()
""",
    "boxes/Use.kt": """\
package other

import boxes.Path
import boxes.Path.Companion.toPath

open class Base {
  fun near(): Int = 1
}

class Derived : Base()

fun Base.extended(): Int = near()

fun environment(name: String): String? = null

fun imported() = environment("A")!!.toPath()

fun sameFile(flags: Any?) {
  val read = flags.hashCode()
  read.bit(1)
}

private fun Int.bit(place: Int) = this shr place and 1 == 1

fun byBase(one: Derived) = one.extended()

fun Project.configure() {
  each {
    add(dependency(this))
    write("a")
  }
}

private fun Project.dependency(target: Target): String = ""

private fun Project.write(text: String): String = ""

private fun Long.both(): Int = this.shr(1) + this.whole()

private fun Long.whole(): Int = 1

private fun Int.shr(count: Int): Int = 1

private fun Int.shifted(): Int = outside().shifted()

class Wrapping {
  fun listed(file: Path) = file.resolve()
  private fun Path.resolve(): Path = this
}
""",
}


@pytest.mark.parametrize(
    ("files", "caller", "expected"),
    [
        (
            PARTIAL,
            "Later",
            [("Write", "Base.Write"), ("Own", "Writer.Own"), ("Open", "Lid.Open"), ("Write", "Base.Write")],
        ),
        (PARTIAL, "Own", [("Later", "Writer.Later")]),
        (PARTIAL, "Made", [("Writer", "Writer"), ("Write", "Base.Write"), ("Later", "Writer.Later")]),
        (PARTIAL, "Hidden", [("Open", "Lid.Open")]),
        (
            OPENED,
            "log",
            [("new", "Request"), ("ip", "Request.ip"), ("whole", "Base.whole"), ("best", "Utils.best")],
        ),
        (OPENED, "again", [("ip", "Request.ip"), ("whole", "Base.whole")]),
        (EXTENSIONS, "imported", [("environment", "other.environment"), ("toPath", "Path.String.toPath")]),
        (EXTENSIONS, "sameFile", [("hashCode", None), ("bit", "other.Int.bit")]),
        (EXTENSIONS, "both", [("shr", None), ("whole", "other.Long.whole")]),
        (EXTENSIONS, "byBase", [("extended", "other.Base.extended")]),
        # `write` may be a method of what the lambda runs on.
        (
            EXTENSIONS,
            "configure",
            [("each", None), ("add", None), ("dependency", "other.Project.dependency"), ("write", None)],
        ),
        # A function rather calls what it is named after than itself.
        (EXTENSIONS, "shifted", [("outside", None), ("shifted", None)]),
        (EXTENSIONS, "listed", [("resolve", "other.Wrapping.Path.resolve")]),
    ],
)
def test_a_member_is_found_where_it_stands(
    tmp_path: Path, files: dict[str, str], caller: str, expected: list[tuple[str, str | None]]
) -> None:
    called = callees(indexed(tmp_path / "repo", files), caller)
    assert [
        (name, target and re.sub("^boxes[.]", "", target, flags=re.IGNORECASE)) for name, target in called
    ] == expected


def test_a_base_in_another_part_of_a_class_is_asked_again_when_it_changes(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", PARTIAL)
    write_tree(root, {"Writer.cs": PARTIAL["Writer.cs"].replace(" : Base", "")})
    index(root, root / "index.db")
    assert callees(root, "Later") == [
        ("Write", None),
        ("Own", "Boxes.Writer.Own"),
        ("Open", "Boxes.Lid.Open"),
        ("Write", None),
    ]
    with opened(root / "index.db") as store:
        updated = store.contents()
    index(root, root / "index.db", full=True)
    with opened(root / "index.db") as store:
        assert updated == store.contents()


ANONYMOUS = """\
package boxes

class Throttler : Base() {
  val buffer = Buffer()
  fun sink(one: Sink): Sink {
    return object : Forwarding(one) {
      override fun write(count: Int) {
        super.write(count)
        buffer.read()
      }
    }
  }
}

open class Base {
  open fun write(count: Int) {}
}

class Buffer {
  fun read() {}
}

open class Forwarding(one: Sink) {
  open fun write(count: Int) {}
}

fun Forwarding.buffer(): Int = 1
"""


def test_a_class_without_a_name_has_its_own_base(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", {"boxes/Throttler.kt": ANONYMOUS})
    calls = callees(root, "write")
    # A variable of the class around goes before a function that extends the base.
    assert calls == [("write", "boxes.Forwarding.write"), ("read", "boxes.Buffer.read")]
    assert callees(root, "<anon>") == [("Forwarding", "boxes.Forwarding")]


def test_a_namespace_is_seen_behind_a_variable_of_its_name(tmp_path: Path) -> None:
    text = """\
namespace fmt {
struct view { int size; };
int print(view fmt) { return 1; }
int format(view fmt) { return fmt::print(fmt); }
}
"""
    root = indexed(tmp_path / "repo", {"fmt.cpp": text})
    assert callees(root, "format") == [("print", "fmt.print")]
