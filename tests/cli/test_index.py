"""`cgi index`, `verify`, `doctor` and `stats`: an index made, kept and checked."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cgi, run_process
from tests.indexing.repository import write_tree
from tests.shop import copy_shop

pytestmark = pytest.mark.slow

CART = '"""The cart."""\n\n\ndef total(prices):\n    """Return what the customer pays."""\n    return sum(prices)\n'


def small_repository(to: Path) -> Path:
    (to / "small").mkdir()
    (to / "small" / "cart.py").write_text(CART, encoding="utf-8")
    return to / "small"


def test_an_index_is_made_used_and_kept_up_to_date(cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = copy_shop(tmp_path)
    monkeypatch.chdir(root)
    first = cgi("index")
    assert first.code == 0
    assert first.out.startswith("indexed 14 files, 315 lines in ")
    assert str(root / ".cgi" / "index.db") in first.out
    assert (root / ".cgi" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    assert cgi("index").out.startswith("up to date: 14 files")
    (root / "shop" / "items.py").unlink()
    (root / "shop" / "gifts.py").write_text("def wrap(item):\n    return item\n", encoding="utf-8")
    assert cgi("index").out.startswith("updated: 1 changed, 1 removed")
    assert cgi("symbol", "wrap").code == 0
    assert cgi("symbol", "Catalogue").code == 7
    assert cgi("verify").out == "sound, and equal to a fresh build\n"


def test_an_index_is_found_from_a_folder_below(cgi: Cgi, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop / "web" / "src")
    assert "shop.cart.Cart" in cgi("symbol", "Cart").out


def test_an_index_elsewhere_needs_no_repository(cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, db = small_repository(tmp_path), tmp_path / "indexes" / "small.db"
    assert cgi("index", root, "--db", db).code == 0
    assert not (root / ".cgi").exists()
    root.rename(tmp_path / "away")
    monkeypatch.chdir(tmp_path)
    assert "function cart.total" in cgi("symbol", "total", "--db", db).out
    assert "what the customer pays" in cgi("search", "total", "--db", db).out
    assert cgi("doctor", "--db", db).out == "the index file is sound\n"
    ran = cgi("verify", tmp_path / "away", "--db", db)
    assert (ran.code, ran.out) == (0, "sound, and equal to a fresh build\n")


PRICING = "shop/pricing.py:12-16  function shop.pricing.add_tax"
MARK = "  [changed on disk since]"


def change_tax(root: Path) -> None:
    path = root / "shop" / "pricing.py"
    path.write_text(path.read_text(encoding="utf-8").replace("TAX_PERCENT = 19", "TAX_PERCENT = 20"), encoding="utf-8")


def test_without_an_update_a_change_on_disk_marks_results(
    cgi: Cgi, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_shop)
    change_tax(own_shop)
    assert PRICING + MARK in cgi("search", "add_tax", "--no-update").out
    verified = cgi("verify")
    assert verified.code == 1
    assert "pricing.py" in verified.out
    ran = cgi("search", "add_tax")
    assert PRICING in ran.out
    assert MARK not in ran.out
    assert cgi("verify").code == 0


@pytest.mark.parametrize(
    "command", [["symbol", "add_tax"], ["outline", "pricing.py"], ["callers", "add_tax"], ["tree"]]
)
def test_a_place_that_may_be_wrong_is_marked(
    cgi: Cgi, own_shop: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr("code_graph_indexer.freshness.MAX_UPDATE_FILES", 0)
    monkeypatch.chdir(own_shop)
    assert MARK not in cgi(*command).out
    change_tax(own_shop)
    (own_shop / "shop" / "cart.py").unlink()
    ran = cgi(*command)
    assert ran.code == 0
    assert ran.err.startswith(
        "cgi: 2 files changed on disk since the index was updated, and this answer does not know it:"
    )
    places = [line for line in ran.out.splitlines() if "shop/pricing.py" in line or "shop/cart.py" in line]
    assert all(line.endswith(MARK) for line in places)
    assert bool(places) == (command != ["tree"])
    shown = cgi(*command, "--json")
    assert MARK not in shown.out
    assert shown.err == ran.err


def test_a_name_that_the_index_lacks_comes_with_what_changed(
    cgi: Cgi, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("code_graph_indexer.freshness.MAX_UPDATE_FILES", 0)
    monkeypatch.chdir(own_shop)
    # The index is a copy, and the first question may take longer to bring it up to date.
    assert cgi("symbol", "add_tax").err == ""
    (own_shop / "shop" / "gifts.py").write_text("def wrap_gift():\n    return 1\n", encoding="utf-8")
    ran = cgi("symbol", "wrap_gift")
    assert ran.code == 7
    assert "shop/gifts.py (too many to update first; run: cgi index)" in ran.err


def test_an_empty_repository_is_indexed_and_answers_nothing(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cgi("index").out.startswith("indexed 0 files")
    assert cgi("search", "cart").out.startswith("nothing found")
    assert cgi("tree").out == "no file is indexed\n"
    assert cgi("ask", "what is this?").code == 0
    assert cgi("doctor").code == cgi("verify").code == cgi("stats").code == 0


def test_a_tree_without_a_file_to_parse_says_which_rules_did_it(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cgi("index")
    assert ran.code == 14
    assert ran.err == "cgi: no file could be parsed, so the index has no definitions:\n  the folder has no files\n"
    files = dict.fromkeys(["src/a.py", "build/a.py", ".env", "a.vb", "b.vb", "c.R"], "")
    write_tree(tmp_path, {**files, ".gitignore": "# sources\n/src/\n"})
    reasons = [
        '.gitignore:2 "/src/" leaves out src/',
        "built-in rule /build/ leaves out build/",
        "skipped (secret): .env",
        "no grammar fits, so these files are read only as text: 2 .vb (Visual Basic), 1 .R (R)",
        'to index a path that a rule leaves out, add it to .cgiignore: "!/build/"',
    ]
    ran = cgi("index", "--json")
    assert ran.code == 14
    assert sorted(json.loads(ran.out)["report"]["why_empty"]) == sorted(reasons)
    # A run that changes nothing says it again.
    assert cgi("index").code == 14
    write_tree(tmp_path, {".cgiignore": "!/build/\n"})
    assert (cgi("index").code, cgi("index").err) == (0, "")


def test_stats_name_what_rules_left_out_and_what_is_only_text(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_tree(tmp_path, {"a.py": "x = 1\n", "build/a.py": "", "venv/a.py": "", "a.vb": "", "b.f90": "", "LICENSE": ""})
    cgi("index")
    lines = {line[:16].strip(): line[16:].strip() for line in cgi("stats").out.splitlines()}
    assert lines["skipped"] == "1 built-in rule /build/, 1 built-in rule venv/"
    assert lines[""] == "to index what a rule skips, add its path to .cgiignore: !/build/ or !/.env"
    assert lines["text"] == "1 no ending, 1 .f90 (Fortran), 1 .vb (Visual Basic)"
    assert json.loads(cgi("stats", "--json").out)["text"] == {
        ".f90 (Fortran)": 1,
        ".vb (Visual Basic)": 1,
        "no ending": 1,
    }


def test_skipped_files_are_counted_with_their_reason(cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("PASSWORD=hunter2\n", encoding="utf-8")
    (tmp_path / "picture.bin").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    report = json.loads(cgi("index", "--json").out)["report"]
    assert report["skipped"] == {"secret": 1, "binary": 1}
    assert report["files"] == 1
    assert "hunter2" not in cgi("search", "hunter2").out
    assert "1 secret" in cgi("stats").out


def test_the_name_of_the_repository_is_a_filter(cgi: Cgi, tmp_path: Path) -> None:
    root = small_repository(tmp_path)
    cgi("index", root, "--repo-id", "acme/shop")
    db = root / ".cgi" / "index.db"
    assert "cart.total" in cgi("search", "cart", "--repo-id", "acme/shop", "--db", db).out
    unknown = cgi("search", "cart", "--repo-id", "acme", "--db", db)
    assert unknown.code == 2 and "Did you mean 'acme/shop'?" in unknown.err


def test_progress_goes_nowhere_when_nobody_watches(tmp_path: Path) -> None:
    ran = run_process("index", folder=small_repository(tmp_path))
    assert (ran.code, ran.err) == (0, "")


def test_stats_say_what_is_in_the_index(cgi: Cgi, in_shop: Path) -> None:
    out = cgi("stats").out
    assert "7 python, 3 typescript, 2 go, 1 markdown, 1 text" in out
    assert "embedder         static" in out
