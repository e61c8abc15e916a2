"""Measure the fleet: many repositories, indexed into one PostgreSQL by 1, 2 and 4 workers, and what survives harm.

    python scripts/prepare/prepare_fleet.py FOLDER
    python scripts/bench/bench_fleet.py FOLDER [--count N] [--workers 1 2 4] [--hurt] [--scratch DIR]

* Alone: `git clone --depth 1` and `cgi index` for one repository after another, each in a process of its own.
* For each number of workers, in a new database: the wall time until all is published, the overhead over the time of `cgi index`
  alone (with one parse process, as in a worker's run), chunks a second, the peak memory of the workers and of PostgreSQL
  (proportional, sampled), and where the time went.
* Second run: nothing has changed, and every repository is looked at. Its share of the first run.
* With --hurt: 20 times a worker is killed, 3 times PostgreSQL is stopped at once, and one disk fills up. Then the published
  index of every repository is compared with the index of `cgi index` alone.

The bars: overhead at most 15 %, second run at most 2 %, and no difference.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from run_team import Server, fleet_command, fleet_environment, running_server, start_worker, stop_workers

from code_graph_indexer.indexing import differences
from code_graph_indexer.storage import open_store
from code_graph_indexer.storage.address import Address
from code_graph_indexer.team import published_repositories
from code_graph_indexer.team.fleet.watch import group_memory
from code_graph_indexer.team.postgresql import PostgresqlStore

KILLS, STOPS = 20, 3
"""How often a worker is killed, and how often PostgreSQL is stopped."""

SAMPLE_SECONDS = 1.0
"""Between two looks at the memory."""

SMALL_DISK = 8
"""Size of the disk that fills up, in MiB: too small for the index of most repositories."""

HEAD = (
    "| workers | s | over `cgi index` | chunks/s | repositories/h | MiB workers | MiB PostgreSQL "
    "| fetch / index / publish s | second run s |\n|---|---|---|---|---|---|---|---|---|"
)

MIB = 1024 * 1024

LOST_SECONDS = "30"
"""After how long a killed worker is missed."""


@dataclass(frozen=True, slots=True)
class Alone:
    """Times of `git clone` and `cgi index` alone, summed over all repositories, in seconds."""

    clone_seconds: float
    index_seconds: float


@dataclass(frozen=True, slots=True)
class Fleet:
    """A run of all repositories by some workers."""

    workers: int
    seconds: float
    second_seconds: float
    chunks: int
    worker_bytes: int
    server_bytes: int
    parts: tuple[float, float, float]


def index_alone(origins: Sequence[Path], scratch: Path) -> Alone:
    """Index every repository alone, and leave the index files in the scratch folder."""
    clone_seconds = index_seconds = 0.0
    for origin in origins:
        db, tree = index_file(scratch, origin.name), scratch / "tree"
        started = time.perf_counter()
        subprocess.run(["git", "clone", "--quiet", "--depth=1", origin.as_uri(), str(tree)], check=True)
        cloned = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "code_graph_indexer",
            "index",
            str(tree),
            "--db",
            str(db),
            "--repo-id",
            origin.name,
        ]
        # A run of the fleet has one parse process, too.
        subprocess.run(
            [*command, "--json", "--workers", "1"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        clone_seconds += cloned - started
        index_seconds += time.perf_counter() - cloned
        shutil.rmtree(tree)
    return Alone(clone_seconds, index_seconds)


def index_file(scratch: Path, name: str) -> Path:
    """Return where the index of a repository alone is."""
    return scratch / f"{name}.db"


def add(url: str, cache: Path, origins: Sequence[Path]) -> None:
    """Add the repositories to a fleet."""
    subprocess.run(
        fleet_command("add", "--schedule", "never", *map(str, origins)),
        env=fleet_environment(url, cache),
        check=True,
        stdout=subprocess.DEVNULL,
    )


def look_again(url: str, cache: Path, origins: Sequence[Path]) -> None:
    """Put all repositories into the queue again."""
    subprocess.run(
        fleet_command("retry", *(origin.name for origin in origins)),
        env=fleet_environment(url, cache),
        check=True,
        stdout=subprocess.DEVNULL,
    )


def query(url: str, sql: str) -> list[tuple[object, ...]]:
    """Return the rows of a query."""
    with psycopg.connect(url, connect_timeout=10) as connection:
        return connection.execute(sql.encode()).fetchall()


def all_indexed(url: str) -> bool:
    """Say whether every repository of the fleet is indexed and the queue is empty."""
    try:
        ((waiting,),) = query(
            url,
            "select (select count(*) from cgi_fleet.repositories where state <> 'indexed')"
            " + (select count(*) from cgi_fleet.procrastinate_jobs where task_name = 'cgi.index')",
        )
    except psycopg.OperationalError:
        return False
    return waiting == 0


@contextmanager
def memory_sampled(workers: Sequence[subprocess.Popen[bytes]], peaks: list[int]) -> Iterator[None]:
    """Sample the memory of all processes of this program, and of those of PostgreSQL, until the `with` block ends."""
    end = threading.Event()

    def sample() -> None:
        while not end.wait(SAMPLE_SECONDS):
            mine, server = memory_now([worker.pid for worker in workers])
            peaks[:] = [max(peaks[0], mine), max(peaks[1], server)]

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def memory_now(worker_ids: Sequence[int]) -> tuple[int, int]:
    """Return the memory of workers with their children, and that of PostgreSQL's processes, in bytes."""
    groups: dict[int, bool] = {}
    server = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            name = (entry / "comm").read_text(encoding="utf-8", errors="replace").strip()
            if name == "postgres":
                rollup = (entry / "smaps_rollup").read_text(encoding="ascii").splitlines()
                server += sum(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))
            elif int(fields[1]) in worker_ids:
                # A child leads a group of its own, with its parse processes in it.
                groups[int(fields[2])] = True
        except (OSError, IndexError, ValueError):
            continue
    workers = sum(proportional(pid) for pid in worker_ids)
    return workers + sum(map(group_memory, groups)), server


def proportional(pid: int) -> int:
    """Return the memory of a process, in bytes, or 0 if it is gone."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))


def run_fleet(server: Server, origins: Sequence[Path], number: int, scratch: Path) -> Fleet:
    """Index all repositories with a number of workers, and look at all of them once more."""
    url, cache = server.address(f"fleet_{number}"), scratch / f"cache-{number}"
    add(url, cache, origins)
    peaks = [0, 0]
    first = timed(url, cache, number, peaks)
    look_again(url, cache, origins)
    second = timed(url, cache, number, [0, 0])
    ((chunks, fetch, index, publish),) = query(
        url,
        "select sum(chunks), sum(fetch_seconds), sum(index_seconds), sum(publish_seconds)"
        " from cgi_fleet.runs where outcome = 'indexed'",
    )
    names = {repository.repo_id for repository in published_repositories(url)}
    assert names == {origin.name for origin in origins}, names
    shutil.rmtree(cache)
    server.drop(f"fleet_{number}")
    parts = (float(str(fetch)), float(str(index)), float(str(publish)))
    return Fleet(number, first, second, int(str(chunks)), peaks[0], peaks[1], parts)


def timed(url: str, cache: Path, number: int, peaks: list[int]) -> float:
    """Return the seconds that some workers take to empty the queue."""
    started = time.perf_counter()
    workers = [start_worker(url, cache, "--once") for _ in range(number)]
    with memory_sampled(workers, peaks):
        for worker in workers:
            worker.wait()
    return time.perf_counter() - started


def hurt(server: Server, origins: Sequence[Path], scratch: Path, seed: int) -> dict[str, object]:
    """Index all repositories while workers are killed and the database is stopped. Return what became of them."""
    chance = random.Random(seed)
    url, cache = server.address("hurt"), scratch / "cache-hurt"
    add(url, cache, origins)
    settings = {"CGI_FLEET_LOST": LOST_SECONDS, "CGI_FLEET_FAILURES": "5"}
    full = fill_disk(url, scratch, settings)
    workers = [start_worker(url, cache, settings=settings) for _ in range(2)]
    kills = stops = 0
    while not all_indexed(url) or kills < KILLS:
        time.sleep(chance.uniform(1, 6))
        if kills < KILLS:
            place = chance.randrange(len(workers))
            workers[place].kill()
            workers[place].wait()
            workers[place] = start_worker(url, cache, settings=settings)
            kills += 1
        if stops < STOPS and kills >= (stops + 1) * KILLS // (STOPS + 1):
            server.stop()
            time.sleep(chance.uniform(1, 4))
            server.start()
            stops += 1
        if all_indexed(url) and kills < KILLS:
            # Work for the kills that are left: everything is fetched and indexed anew.
            shutil.rmtree(cache, ignore_errors=True)
            query_write(url, "update cgi_fleet.repositories set stamp = ''")
            look_again(url, cache, origins)
    stop_workers(workers)
    outcomes = query(url, "select outcome, count(*) from cgi_fleet.runs group by outcome order by outcome")
    return {
        "killed workers": kills,
        "immediate stops of PostgreSQL": stops,
        "runs postponed by a full disk": full,
        "runs by outcome": {str(outcome): count for outcome, count in outcomes},
        "published": len(published_repositories(url)),
        "differences from a fresh index": compare(url, origins, scratch),
    }


def query_write(url: str, sql: str) -> None:
    """Run a statement."""
    with psycopg.connect(url) as connection:
        connection.execute(sql.encode())


def fill_disk(url: str, scratch: Path, settings: dict[str, str]) -> object:
    """Run a worker whose cache is on a disk that is too small. Return how many of its runs were postponed."""
    disk = scratch / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}m", "none", str(disk)], capture_output=True
    )
    if mounted.returncode:
        return "not tried: a small disk can only be mounted by root"
    try:
        worker = start_worker(url, disk, settings=settings)
        wait_until(lambda: bool(query(url, "select from cgi_fleet.runs where outcome = 'postponed'")), 300)
        stop_workers([worker])
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    ((postponed,),) = query(url, "select count(*) from cgi_fleet.runs where outcome = 'postponed'")
    return postponed


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait for a condition, at most some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(SAMPLE_SECONDS)


def compare(url: str, origins: Sequence[Path], scratch: Path) -> list[str]:
    """Return the repositories whose published index differs from that of `cgi index` alone."""
    unequal = []
    for origin in origins:
        with (
            closing(PostgresqlStore(Address(url, (origin.name,)))) as store,
            closing(open_store(index_file(scratch, origin.name))) as fresh,
        ):
            if parts := differences(store, fresh):
                unequal.append(f"{origin.name}: {parts[0]}")
    return unequal


def show(alone: Alone, fleet: Fleet, count: int) -> str:
    """Return a row of the table."""
    fetch, index, publish = fleet.parts
    return (
        "| "
        + " | ".join(
            [
                str(fleet.workers),
                f"{fleet.seconds:.0f}",
                f"{100 * (fleet.seconds / alone.index_seconds - 1):+.0f} %",
                f"{fleet.chunks / fleet.seconds:,.0f}",
                f"{3600 * count / fleet.seconds:,.0f}",
                f"{fleet.worker_bytes / MIB:,.0f}",
                f"{fleet.server_bytes / MIB:,.0f}",
                f"{fetch:.0f} / {index:.0f} / {publish:.0f}",
                f"{fleet.second_seconds:.1f} ({100 * fleet.second_seconds / fleet.seconds:.1f} %)",
            ]
        )
        + " |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, help="how many repositories, drawn at random (default: all)")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4], help="numbers of workers")
    parser.add_argument("--hurt", action="store_true", help="kill workers, stop PostgreSQL, fill a disk, and compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scratch", type=Path, help="folder for what is made (default: a temporary folder)")
    options = parser.parse_args()
    origins = sorted(path for path in options.folder.absolute().iterdir() if (path / ".git").is_dir())
    if options.count:
        origins = sorted(random.Random(options.seed).sample(origins, min(options.count, len(origins))))
    with tempfile.TemporaryDirectory(prefix="bench-fleet-", dir=options.scratch) as name:
        scratch = Path(name)
        # The server runs as another user.
        scratch.chmod(0o755)
        alone = index_alone(origins, scratch)
        print(
            f"{len(origins)} repositories; alone: clone {alone.clone_seconds:.0f} s, index {alone.index_seconds:.0f} s"
        )
        with running_server(scratch / "database") as server:
            if options.workers:
                print(HEAD, flush=True)
            for number in options.workers:
                print(show(alone, run_fleet(server, origins, number, scratch), len(origins)), flush=True)
            if options.hurt:
                print(json.dumps(hurt(server, origins, scratch, options.seed), indent=2))


if __name__ == "__main__":
    main()
