"""Calls that leave a repository into another of the set are linked, and nothing else is."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, Index, open_index
from code_graph_indexer.across import linked_across, links
from code_graph_indexer.across import store as across_store
from code_graph_indexer.storage import open_many
from code_graph_indexer.team import publish_index
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

SHAPES = {
    "pyproject.toml": '[project]\nname = "shapes"\n',
    "src/shapes/__init__.py": "from .circle import Circle, area_of\n",
    "src/shapes/circle.py": (
        "class Circle:\n    def __init__(self, radius):\n        self.radius = radius\n\n"
        "    def area(self):\n        return 3 * self.radius**2\n\n\n"
        "def area_of(radius):\n    return Circle(radius).area()\n"
    ),
    "conf.py": "def configure():\n    return 1\n",
    "http/client.py": "def fetch():\n    return 1\n",
    "tests/test_circle.py": "from shapes import area_of\n\n\ndef test_area():\n    assert area_of(1) == 3\n",
}
APP = {
    "app.py": (
        "import shapes\nfrom shapes.circle import Circle as Round, area_of as measure\n\n\n"
        "class Disc(Round):\n    def area(self):\n        return super().area() + 1\n\n\n"
        "def draw(radius):\n    disc = Round(radius)\n    return disc.area()\n\n\n"
        "def total(radii):\n    return sum(measure(radius) for radius in radii)\n\n\n"
        "def whole():\n    return shapes.area_of(2)\n"
    ),
    "setup_page.py": "from conf import configure\n\n\ndef page():\n    return configure()\n",
    "fetcher.py": "import http.client\n\n\ndef get():\n    return http.client.fetch()\n",
    "guess.py": "def guess(thing):\n    return thing.area_of_everything()\n",
}


@contextmanager
def opened(folder: Path, trees: Mapping[str, Mapping[str, str]]) -> Iterator[Index]:
    """Index trees below a folder, each as a repository, and open all of them."""
    for name, files in trees.items():
        write_tree(folder / name, files)
        with CodeIndexer(folder / name, workers=1) as indexer:
            indexer.index()
    with open_index(folder) as indexer:
        yield indexer


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Index a package and a program that uses it. Return their folder, which no test changes."""
    folder = tmp_path_factory.mktemp("across")
    with opened(folder, {"shapes": SHAPES, "app": APP}):
        return folder


@pytest.fixture
def indexer(built: Path, tmp_path: Path) -> Iterator[Index]:
    """Open copies of them."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    with open_index(tmp_path) as many:
        yield many


def callers(indexer: Index, name: str) -> set[str]:
    """Return the callers of a definition, by qualified name."""
    return {step.symbol.qualified_name for reach in indexer.callers(name) for step in reach.steps}


def callees(indexer: Index, name: str) -> set[str]:
    """Return the callees of a definition, by qualified name."""
    return {step.symbol.qualified_name for reach in indexer.callees(name) for step in reach.steps}


def without_ids(answer: object) -> str:
    """Return an answer as text without ids, which a server numbers otherwise."""
    return re.sub(r"chunk_id=\d+", "", repr(answer))


def test_callers_come_from_other_repositories_by_any_name(indexer: Index) -> None:
    # `measure` is an alias, and `shapes.area_of` passes on what `shapes.circle` defines.
    assert callers(indexer, "shapes.circle.area_of") == {"app.total", "app.whole", "tests.test_circle.test_area"}
    assert "app.draw" in callers(indexer, "Circle.area")
    assert "app.draw" in callers(indexer, "Circle.__init__")


def test_callees_may_be_in_other_repositories(indexer: Index) -> None:
    assert "shapes.circle.area_of" in callees(indexer, "app.total")
    assert {"shapes.circle.Circle.__init__", "shapes.circle.Circle.area"} <= callees(indexer, "app.draw")
    reach = indexer.callees("app.whole")[0]
    assert (reach.steps[0].symbol.file_path, reach.steps[0].confidence) == ("shapes/src/shapes/circle.py", 0.9)
    assert reach.certainty.unresolved == 0


def test_paths_impact_and_hierarchy_cross_repositories(indexer: Index) -> None:
    path = indexer.graph.paths("app.whole", "Circle.area").paths[0]
    assert [step.symbol.name for step in path] == ["area_of", "area"]
    affected = {step.symbol.qualified_name for step in indexer.graph.impact("Circle.area").affected}
    assert {"app.draw", "app.total", "app.whole", "app.Disc.area"} <= affected
    hierarchy = indexer.graph.hierarchy("Disc")
    assert [step.symbol.qualified_name for step in hierarchy.bases] == ["shapes.circle.Circle"]
    assert hierarchy.outside == ()
    assert [step.symbol.name for step in indexer.graph.implementations("Circle").steps] == ["Disc"]
    assert [step.symbol.qualified_name for step in indexer.graph.implementations("Circle.area").steps] == [
        "app.Disc.area"
    ]


def test_files_import_files_of_other_repositories(indexer: Index) -> None:
    imports = indexer.graph.imports("app/app.py")
    assert [link.path for link in imports.files] == ["shapes/src/shapes/__init__.py", "shapes/src/shapes/circle.py"]
    assert imports.outside == ()
    assert "app/app.py" in [link.path for link in indexer.graph.dependents("circle.py").files]


def test_an_edge_has_its_own_origin_and_is_in_no_file(indexer: Index, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in tmp_path.glob("*/.cgi/index.db")}
    target = indexer.symbol("shapes.circle.area_of")[0].chunk_id
    origins = {caller.symbol.name: caller.origin for caller in indexer.store.callers([target])}
    assert origins == {"total": "across", "whole": "across", "test_area": "resolver"}
    source = indexer.symbol("app.whole")[0].chunk_id
    assert [callee.origin for callee in indexer.store.callees([source])] == ["across"]
    assert {path: path.read_bytes() for path in before} == before


def test_scripts_guesses_and_names_alone_are_no_package(indexer: Index) -> None:
    # `conf.py` lies beside the package, and nothing names it as a package.
    assert callers(indexer, "conf.configure") == set()
    # `http` is a folder of scripts, and a package of Python's own library.
    assert callees(indexer, "fetcher.get") == set()
    assert callees(indexer, "guess.guess") == set()


def test_the_index_of_a_package_alone_does_not_offer_its_modules_as_packages(tmp_path: Path) -> None:
    shapes = {"__init__.py": "", "json.py": "def dumps():\n    return 1\n", "circle.py": SHAPES["src/shapes/circle.py"]}
    app = {
        "app.py": "import json\n\nfrom shapes.circle import area_of\n\n\n"
        "def whole():\n    return json.dumps(area_of(2))\n"
    }
    with opened(tmp_path, {"shapes": shapes, "app": app}) as indexer:
        assert callees(indexer, "app.whole") == {"circle.area_of"}


def test_edges_follow_the_files(indexer: Index, tmp_path: Path) -> None:
    assert "app.late" not in callers(indexer, "shapes.circle.area_of")
    (tmp_path / "app/late.py").write_text("from shapes import area_of\n\n\ndef late():\n    return area_of(1)\n")
    assert "late.late" in callers(indexer, "shapes.circle.area_of")


def test_a_diff_of_a_package_affects_its_users(indexer: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "shapes"
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)
    place = root / "src/shapes/circle.py"
    place.write_text(place.read_text().replace("return 3 *", "return 3.14 *"))
    monkeypatch.chdir(root / "src")
    impact = indexer.graph.impact(diff="HEAD")
    assert [symbol.qualified_name for symbol in impact.changed] == ["shapes.circle.Circle.area"]
    assert "app.draw" in {step.symbol.qualified_name for step in impact.affected}


def test_a_package_that_two_repositories_offer_is_not_linked(tmp_path: Path) -> None:
    with opened(tmp_path, {"shapes": SHAPES, "fork": SHAPES, "app": APP}) as indexer:
        assert callees(indexer, "app.whole") == set()


def test_packages_with_manifests_are_linked_if_the_importer_requires_them(tmp_path: Path) -> None:
    package = {
        "package.json": '{"name": "@acme/text"}',
        "index.js": "function upper(text) {\n  return text.toUpperCase()\n}\nmodule.exports = { upper }\n",
    }
    use = "const { upper } = require('@acme/text')\n\nfunction shout(text) {\n  return upper(text) + '!'\n}\n"
    trees = {
        "text": package,
        "site": {"package.json": '{"name": "site", "dependencies": {"@acme/text": "1"}}', "site.js": use},
        "copy": {"package.json": '{"name": "copy"}', "copy.js": use.replace("shout", "cry")},
        "log": {
            "go.mod": "module acme.org/log\n",
            "log.go": "package log\n\nfunc Write(text string) int { return len(text) }\n",
        },
        "tool": {
            "go.mod": "module acme.org/tool\n\nrequire acme.org/log v1.0.0\n",
            "main.go": 'package main\n\nimport "acme.org/log"\n\nfunc main() {\n\tlog.Write("a")\n}\n',
        },
    }
    with opened(tmp_path, trees) as indexer:
        assert callers(indexer, "upper") == {"site.shout"}
        assert callers(indexer, "log.Write") == {"main.main"}


def test_a_single_repository_is_asked_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree(tmp_path, APP)
    # Nothing is resolved again for it.
    monkeypatch.delattr(links, "Links")
    with CodeIndexer(tmp_path, workers=1) as alone:
        alone.index()
        store = open_many({"app": alone.store})
        chunk_ids = [symbol.chunk_id for symbol in store.symbols(["draw", "total"])]
        assert linked_across(store).callees(chunk_ids) == store.callees(chunk_ids)


def test_a_set_that_is_too_large_says_so(indexer: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across_store, "MAX_LINKED", 1)
    assert callers(indexer, "shapes.circle.area_of") == {"tests.test_circle.test_area"}
    assert indexer.freshness.note.startswith("calls from one repository into another are followed between 1 at most")
    indexer.callers("area_of")
    assert indexer.freshness.note == ""


def test_published_repositories_are_linked_too(server: Callable[[str], str], tmp_path: Path, indexer: Index) -> None:
    url = server("linked")
    for name in ("shapes", "app"):
        publish_index(tmp_path / name / ".cgi" / "index.db", url, repo_id=name)
    with open_index(url) as published:
        assert callers(published, "shapes.circle.area_of") == callers(indexer, "shapes.circle.area_of")
        assert callees(published, "app.draw") == callees(indexer, "app.draw")
        assert published.graph.impact("shapes.circle.area_of").affected
        for name in (
            "shapes.circle.area_of",
            "Circle.area",
            "app.draw",
            "app.total",
            "conf.configure",
            "fetch",
            "guess",
        ):
            for question in (Index.callers, Index.callees):
                assert without_ids(question(published, name)) == without_ids(question(indexer, name))
            assert without_ids(published.graph.impact(name)) == without_ids(indexer.graph.impact(name))
    with open_index(f"{url}#shapes") as single:
        assert callers(single, "shapes.circle.area_of") == {"tests.test_circle.test_area"}
