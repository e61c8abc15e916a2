"""The wheel holds all that the package needs and nothing else, and works where nothing of the repository is."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from pkgutil import resolve_name

import pytest

from code_graph_indexer.languages import languages
from tests.shop import copy_shop

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(REPOSITORY)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel alone into an environment that borrows its dependencies, and return its folder of commands."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=False)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    scripts = Path(paths["scripts"])
    install = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--no-index", str(wheel)], check=True, capture_output=True)
    # Behind the environment's own packages, and without following the path files there: not the package itself.
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(paths["purelib"], "borrowed.pth").write_text("\n".join(sorted(borrowed)), encoding="utf-8")
    return scripts


def run(*command: str | Path, folder: Path) -> str:
    surroundings = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_project_names_its_licence_and_its_command() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [name for name in project["license-files"] if not (REPOSITORY / name).is_file()] == []
    assert callable(resolve_name(project["scripts"]["cgi"]))


@pytest.mark.slow
def test_the_wheel_holds_code_queries_schema_and_types(wheel: Path) -> None:
    package = REPOSITORY / "code_graph_indexer"
    files = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    source = {path.relative_to(REPOSITORY).as_posix() for path in files}
    with zipfile.ZipFile(wheel) as archive:
        packed = {member for member in archive.namelist() if ".dist-info/" not in member}
    assert packed == source
    assert {f"code_graph_indexer/languages/{name}.scm" for name in languages()} <= packed
    assert {
        f"code_graph_indexer/{name}" for name in ("py.typed", "languages/files.toml", "storage/sqlite.sql")
    } <= packed


@pytest.mark.slow
def test_the_wheel_carries_licence_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = {member.partition(".dist-info/")[2]: member for member in archive.namelist() if ".dist-info/" in member}
        assert "licenses/LICENSE" in about
        assert "cgi = code_graph_indexer.__main__:main" in archive.read(about["entry_points.txt"]).decode()
        assert "Requires-Python: >=3.11" in archive.read(about["METADATA"]).decode()


@pytest.mark.slow
def test_an_installed_wheel_indexes_and_searches(scripts: Path, tmp_path: Path) -> None:
    where = run(scripts / "python", "-c", "import code_graph_indexer as c; print(c.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(scripts.parent)
    root = copy_shop(tmp_path)
    assert run(scripts / "cgi", "index", folder=root).startswith("indexed 14 files")
    assert "shop.orders.place_order" in run(scripts / "cgi", "search", "place order", folder=root)
    assert "shop.orders.place_order" in run(scripts / "cgi", "callers", "OrderStore.save", folder=root)
