"""Files that import each other in circles end, and in reasonable time."""

from pathlib import Path

import pytest

from tests.indexing.repository import calls, index, indexed, opened, write_tree
from tests.resolve.cases import CASES, read_case

pytestmark = pytest.mark.slow


def test_includes_that_include_each_other_end(tmp_path: Path) -> None:
    files = {
        f"h{i}.h": "".join(f'#include "h{(i * 7 + j * j + 1) % 60}.h"\n' for j in range(10)) + f"int f{i}(int);\n"
        for i in range(60)
    }
    files["main.c"] = '#include "h0.h"\nint main(void) { f3(1); return unknown(); }\n'
    stars = {f"s{i}.py": "".join(f"from s{j} import *\n" for j in range(12)) + "missing()\n" for i in range(12)}
    index(write_tree(tmp_path / "repository", {**files, **stars}), tmp_path / "index.db")
    targets = {(call.name, call.target) for call in calls(tmp_path / "index.db")}
    assert targets == {
        ("f3", "f3"),
        ("unknown", None),
        ("missing", None),
    }


def test_a_name_that_no_file_of_packages_has_that_import_each_other_is_sought_in_reasonable_time(
    tmp_path: Path,
) -> None:
    count = 30
    text = (
        "package {own};\n\nimport {other}.*;\nimport {other}.Missing;\n\n"
        "class {own}{i} {{\n    void go() {{\n        Missing.run();\n    }}\n}}\n"
    )
    packages = [("p", "q"), ("q", "p")]
    files = {
        f"{package}/{package}{i}.java": text.format(own=package, other=imported, i=i)
        for package, imported in packages
        for i in range(count)
    }
    index(write_tree(tmp_path / "repository", files), tmp_path / "index.db")
    targets = [call.target for call in calls(tmp_path / "index.db") if call.name == "run"]
    assert targets == [None] * (2 * count)


def test_every_edge_has_a_confidence_between_zero_and_one(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repository", read_case((CASES / "resolve.txt").read_text(encoding="utf-8")).files)
    with opened(root / "index.db") as store:
        fates = [reference for file in store.files() for reference in store.reference_fates(file.path)]
    confidences = [reference.confidence for reference in fates if reference.target_id is not None]
    assert len(confidences) > 50
    assert all(confidence is not None and 0 < confidence <= 1 for confidence in confidences)
