"""The state of the fleet in PostgreSQL: which repositories there are, what was run, and what is due."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from importlib import resources
from types import TracebackType
from typing import Any, LiteralString, Self

import psycopg
from psycopg import conninfo
from psycopg.rows import class_row, scalar_row

from code_graph_indexer.errors import IndexNotFoundError, ServerError, UsageError
from code_graph_indexer.storage.address import Address, masked
from code_graph_indexer.team.fleet.records import FleetStatus, Outcome, Repository, RepositoryStatus, Result
from code_graph_indexer.team.postgresql import explained
from code_graph_indexer.team.postgresql_writer import remove_repository

SCHEMA = "cgi_fleet"
"""The schema of PostgreSQL that holds the state of the fleet and the queue."""

CREATION_LOCK = 5_417_203_921
"""Key of the lock under which the schema is made, so that two that start at once do not collide. An arbitrary number."""

CONNECT_SECONDS = 10
"""Time limit of a connection, in seconds."""

ALIVE_SECONDS = 35
"""Seconds since the last sign of a worker within which it counts as alive. It gives three while that long."""

MAX_LOSSES = 5
"""Times that the worker of a repository may vanish in a row. After that the repository is suspected."""

KEPT_RUNS = "30 days"
KEPT_LOOKS = "1 day"
"""How long the history is kept: that of runs, and that of looks that found nothing new."""

_COLUMNS: LiteralString = (
    "repo_id, source, location, schedule, branch, patterns, parent, state, reason, failures, commit_id, stamp"
)


class UnavailableError(Exception):
    """A signal that the database does not answer, has no room, or broke off."""


def connection_arguments(url: str) -> dict[str, Any]:
    """Return the arguments with which to connect to the database, so that names are looked up in the fleet's schema.

    Raises UsageError if the URL is none.
    """
    try:
        arguments = conninfo.conninfo_to_dict(Address.of(url).url)
    except psycopg.Error as exc:
        raise UsageError(f"{masked(url)!r} is no address of a PostgreSQL database") from exc
    options = f"{arguments.get('options') or ''} -c search_path={SCHEMA}".strip()
    # The server notices by itself that a machine is gone, and gives its locks back.
    alive = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
    return {
        "connect_timeout": CONNECT_SECONDS,
        **alive,
        **arguments,
        "options": options,
        "application_name": "cgi fleet",
    }


@contextmanager
def availability(url: str) -> Iterator[None]:
    """Turn the errors of a database that is down or full into UnavailableError, and the rest into ServerError."""
    address = Address.of(url)
    with explained(address, "cannot be used"):
        try:
            yield
        except psycopg.OperationalError as exc:
            # Its subclasses are the errors of a server without room, memory or connections.
            raise UnavailableError(address.hide(str(exc))) from exc


def remove_published(url: str, repo_id: str) -> None:
    """Remove what is published of a repository, if there is anything. Raises UnavailableError."""
    try:
        remove_repository(url, repo_id)
    except IndexNotFoundError:
        # Nothing was published in this database yet.
        return
    except ServerError as exc:
        raise UnavailableError(str(exc)) from exc


class Register:
    """A connection to the state of the fleet, for one thread at a time.

    It connects when it is first used, and again after a broken connection.
    """

    def __init__(self, url: str) -> None:
        self._url, self._arguments = url, connection_arguments(url)
        self._connection: psycopg.Connection[Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, if there is any."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _cursor(self, row_factory: Any = None) -> Iterator[psycopg.Cursor[Any]]:
        """Open a cursor. Each statement is a transaction of its own."""
        with availability(self._url):
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(**self._arguments, autocommit=True)
            try:
                with self._connection.cursor(row_factory=row_factory) as cursor:
                    yield cursor
            except psycopg.errors.UndefinedTable as exc:
                # To a role that may not look into the schema, its tables do not exist.
                if self._connection.execute("select to_regnamespace(%s)", (SCHEMA,)).fetchone() == (None,):
                    raise UsageError("this database has no fleet yet; run: cgi fleet init") from exc
                sentence = "cannot be used: permission denied for its fleet; ask with a role that may"
                raise ServerError(f"{Address.of(self._url)} {sentence}") from exc
            except psycopg.OperationalError:
                self.close()
                raise

    def prepare(self, queue_schema: str) -> None:
        """Create the schema and its tables, if they are missing. `queue_schema` is the SQL that makes the queue's tables."""
        fleet_schema = resources.files(__package__ or "").joinpath("fleet.sql").read_text(encoding="utf-8")
        with availability(self._url), psycopg.connect(**self._arguments) as connection:
            connection.execute("select pg_advisory_xact_lock(%s)", (CREATION_LOCK,))
            connection.execute(f"create schema if not exists {SCHEMA}")
            ((queue,),) = connection.execute("select to_regclass(%s)", (f"{SCHEMA}.procrastinate_jobs",)).fetchall()
            if queue is None:
                connection.execute(queue_schema)
            connection.execute(fleet_schema)

    def add(self, repositories: Sequence[Repository]) -> None:
        """Add repositories, or change the source, patterns and schedule of those that are there, in one transaction.

        Raises UsageError if a name belongs to another source.
        """
        with self._cursor() as cursor, cursor.connection.transaction():
            for repository in repositories:
                cursor.execute(
                    """
                    insert into repositories (repo_id, source, location, schedule, branch, patterns, parent)
                    values (%s, %s, %s, %s, %s, %s, %s)
                    on conflict (repo_id) do update
                    set source = excluded.source, schedule = excluded.schedule, patterns = excluded.patterns, due = now()
                    where repositories.location = excluded.location and repositories.branch = excluded.branch
                    """,
                    (
                        *(repository.repo_id, repository.source, repository.location, repository.schedule),
                        *(repository.branch, list(repository.patterns), repository.parent),
                    ),
                )
                if not cursor.rowcount:
                    raise UsageError(
                        f"the fleet has a repository {repository.repo_id!r} from another place; "
                        f"give {repository.source} another name: --name team/service"
                    )

    def remove(self, repo_id: str) -> list[str]:
        """Forget a repository and its branches. Return their names."""
        with self._cursor(scalar_row) as cursor, cursor.connection.transaction():
            cursor.execute(
                "select repo_id from repositories where repo_id = %(name)s or parent = %(name)s order by repo_id",
                {"name": repo_id},
            )
            names = cursor.fetchall()
            cursor.execute("delete from repositories where repo_id = any(%s)", (names,))
        return names

    def names(self) -> list[str]:
        """List the names of all repositories."""
        with self._cursor(scalar_row) as cursor:
            return cursor.execute("select repo_id from repositories order by repo_id").fetchall()

    def repository(self, repo_id: str) -> Repository | None:
        """Return a repository, or None if the fleet has none of this name."""
        with self._cursor(class_row(Repository)) as cursor:
            return cursor.execute(f"select {_COLUMNS} from repositories where repo_id = %s", (repo_id,)).fetchone()

    def branches(self, repo_id: str) -> dict[str, str]:
        """Map the branches that patterns found in a repository to their names in the fleet."""
        with self._cursor() as cursor:
            return dict(
                cursor.execute("select branch, repo_id from repositories where parent = %s", (repo_id,)).fetchall()
            )

    def at_location(self, location: str) -> list[str]:
        """List the repositories, branches included, that come from a location."""
        with self._cursor(scalar_row) as cursor:
            return cursor.execute(
                "select repo_id from repositories where location = %s and state <> 'quarantined' order by repo_id",
                (location,),
            ).fetchall()

    def due(self, limit: int) -> list[str]:
        """List repositories whose time has come and that neither wait in the queue nor run."""
        with self._cursor(scalar_row) as cursor:
            return cursor.execute(
                """
                select repo_id from repositories
                where due <= now() and state <> 'quarantined' and not exists (
                    select from procrastinate_jobs where queueing_lock = repo_id and status in ('todo', 'doing')
                )
                order by due limit %s
                """,
                (limit,),
            ).fetchall()

    def is_quiet(self) -> bool:
        """Say whether no repository waits or runs."""
        with self._cursor(scalar_row) as cursor:
            return not cursor.execute("select exists (select from queue)").fetchone()

    def begin(self, repo_id: str, job_id: int, worker: str) -> int | None:
        """Claim a repository for a run, and return the run's number.

        None if another run has it, if it is in quarantine, or if the fleet has it no longer.
        """
        with self._cursor(scalar_row) as cursor:
            return cursor.execute(
                """
                insert into runs (repo_id, job_id, worker)
                select repo_id, %s, %s from repositories where repo_id = %s and state <> 'quarantined'
                on conflict (repo_id) where ended is null do nothing returning run_id
                """,
                (job_id, worker, repo_id),
            ).fetchone()

    def beat(self, run_id: int, stage: str, done: int, total: int) -> bool:
        """Give a sign of life. False if the run was ended by others, because they missed it for too long."""
        with self._cursor() as cursor:
            cursor.execute(
                "update runs set beat = now(), stage = %s, done = %s, total = %s where run_id = %s and ended is null",
                (stage, done, total, run_id),
            )
            return bool(cursor.rowcount)

    def end(self, run_id: int, result: Result, *, max_failures: int, due: Any, stamp: str) -> str:
        """Record the end of a run, and return the new state of its repository, or "" if the run had ended before.

        `due` is when the repository is looked at again.
        """
        failed = result.outcome is Outcome.FAILED
        succeeded = result.outcome in (Outcome.INDEXED, Outcome.UNCHANGED)
        values = {field.name: value for field, value in zip(fields(result), astuple(result), strict=True)}
        values |= {"run_id": run_id, "failed": failed, "succeeded": succeeded, "stamp": stamp, "due": due}
        values |= {"most": max_failures, "outcome": result.outcome.value}
        values["counted"] = failed or result.outcome is Outcome.UNREACHABLE
        values["state"] = {Outcome.UNREACHABLE: "unreachable", Outcome.FAILED: "failing"}.get(result.outcome, "indexed")
        with self._cursor(scalar_row) as cursor, cursor.connection.transaction():
            cursor.execute(
                """
                update runs set ended = now(), beat = now(), outcome = %(outcome)s, error = %(error)s,
                    commit_id = %(commit_id)s, files = %(files)s, chunks = %(chunks)s,
                    fetch_seconds = %(fetch_seconds)s, index_seconds = %(index_seconds)s,
                    publish_seconds = %(publish_seconds)s, peak_bytes = %(peak_bytes)s
                where run_id = %(run_id)s and ended is null returning repo_id
                """,
                values,
            )
            values["repo_id"] = cursor.fetchone()
            if values["repo_id"] is None:
                return ""
            if succeeded or values["counted"]:
                cursor.execute(
                    """
                    update repositories set
                        failures = case when %(counted)s then failures + 1 else 0 end,
                        losses = 0,
                        state = case when %(failed)s and failures + 1 >= %(most)s then 'quarantined' else %(state)s end,
                        reason = %(error)s,
                        commit_id = case when %(succeeded)s then %(commit_id)s else commit_id end,
                        stamp = case when %(succeeded)s then %(stamp)s else stamp end,
                        indexed = case when %(outcome)s = 'indexed' then now() else indexed end,
                        checked = now(),
                        due = case when %(failed)s and failures + 1 >= %(most)s then null else %(due)s::timestamptz end
                    where repo_id = %(repo_id)s returning state
                    """,
                    values,
                )
            else:
                # The repository is not at fault, so nothing is counted.
                cursor.execute(
                    """
                    update repositories set due = %(due)s, reason = %(error)s where repo_id = %(repo_id)s returning state
                    """,
                    values,
                )
            return cursor.fetchone() or ""

    def silent_runs(self, seconds: float) -> list[tuple[int, str]]:
        """List runs without a sign of life for so long: the number of the run, and its repository."""
        with self._cursor() as cursor:
            return cursor.execute(
                "select run_id, repo_id from runs where ended is null and beat < now() - make_interval(secs => %s)",
                (seconds,),
            ).fetchall()

    def lose(self, run_id: int) -> None:
        """Record that the worker of a run is gone. A repository that loses too many workers is quarantined."""
        with self._cursor(scalar_row) as cursor, cursor.connection.transaction():
            repo_id = cursor.execute(
                """
                update runs set ended = now(), outcome = 'lost', error = 'its worker is gone, at the stage ' || stage
                where run_id = %s and ended is null returning repo_id
                """,
                (run_id,),
            ).fetchone()
            cursor.execute(
                """
                update repositories set losses = losses + 1,
                    state = case when losses + 1 >= %(most)s then 'quarantined' else state end,
                    reason = case when losses + 1 >= %(most)s
                        then 'its worker vanished ' || %(most)s || ' times in a row' else reason end,
                    due = case when losses + 1 >= %(most)s then null else now() end
                where repo_id = %(repo_id)s
                """,
                {"repo_id": repo_id, "most": MAX_LOSSES},
            )

    def idle_jobs(self, seconds: float) -> list[tuple[int, str, bool]]:
        """List jobs that the queue holds for running, while no run of theirs is open: job, repository, whether it never ran.

        The worker died before its run began, or could not tell the queue that the run ended. `seconds` is how long ago the
        job must have been started.
        """
        with self._cursor() as cursor:
            return cursor.execute(
                """
                select id, coalesce(args ->> 'repo_id', ''), not exists (select from runs where job_id = jobs.id)
                from procrastinate_jobs as jobs
                where status = 'doing'
                    and not exists (select from runs where job_id = jobs.id and ended is null)
                    and not exists (
                        select from runs
                        where job_id = jobs.id and outcome <> 'lost' and ended > now() - make_interval(secs => %(seconds)s)
                    )
                    and (select max(at) from procrastinate_events where job_id = jobs.id and type = 'started')
                        < now() - make_interval(secs => %(seconds)s)
                """,
                {"seconds": seconds},
            ).fetchall()

    def make_due(self, repo_ids: Sequence[str]) -> None:
        """Say that repositories want a look now. Should their jobs get lost, they are put into the queue again."""
        with self._cursor() as cursor:
            cursor.execute("update repositories set due = now() where repo_id = any(%s)", (list(repo_ids),))

    def release(self, repo_ids: Sequence[str]) -> list[str]:
        """Take repositories out of quarantine and make them due. Return those that were in it, or were failing."""
        with self._cursor(scalar_row) as cursor:
            return cursor.execute(
                """
                update repositories set state = case when commit_id = '' then 'waiting' else 'indexed' end,
                    failures = 0, losses = 0, reason = '', due = now()
                where repo_id = any(%s) and state in ('quarantined', 'failing', 'unreachable') returning repo_id
                """,
                (list(repo_ids),),
            ).fetchall()

    def forget_old_runs(self) -> None:
        """Delete history that is too old."""
        with self._cursor() as cursor:
            cursor.execute(
                """
                delete from runs
                where ended < now() - %s::interval or (outcome = 'unchanged' and ended < now() - %s::interval)
                """,
                (KEPT_RUNS, KEPT_LOOKS),
            )

    def status(self) -> FleetStatus:
        """Return the state of the whole fleet."""
        names = ", ".join(field.name for field in fields(RepositoryStatus))
        with self._cursor(class_row(RepositoryStatus)) as cursor:
            repositories = cursor.execute(f"select {names} from status").fetchall()
        with self._cursor() as cursor:
            queue = cursor.execute("select state, jobs from queue").fetchall()
            ((workers,),) = cursor.execute(
                "select count(*) from procrastinate_workers where last_heartbeat > now() - make_interval(secs => %s)",
                (ALIVE_SECONDS,),
            ).fetchall()
            last_hour = cursor.execute(
                """
                select outcome, count(*) from runs where ended > now() - interval '1 hour'
                group by outcome order by outcome
                """
            ).fetchall()
        return FleetStatus(repositories, dict(queue), workers, dict(last_hour))


def is_unavailable(error: BaseException | None) -> bool:
    """Say whether a database that is down or full is at the root of an error."""
    while error is not None:
        if isinstance(error, psycopg.OperationalError):
            return True
        error = error.__cause__
    return False
