"""What a class inherits in one of its parts is followed anew when that part changes."""

from pathlib import Path

import pytest

from tests.indexing.repository import calls, index, indexed, opened, write_tree

pytestmark = pytest.mark.slow

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


def test_a_base_in_another_part_of_a_class_is_asked_again_when_it_changes(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", PARTIAL)
    write_tree(root, {"Writer.cs": PARTIAL["Writer.cs"].replace(" : Base", "")})
    index(root, root / "index.db")
    later = [(call.name, call.target) for call in calls(root / "index.db") if call.caller.endswith(".Later")]
    assert later == [
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
