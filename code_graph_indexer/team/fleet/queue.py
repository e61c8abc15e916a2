"""The queue of the fleet, and its workers. Only this module knows which engine runs them: procrastinate, in PostgreSQL.

A job never tries again by itself. Whoever wants a repository looked at defers a job, unless a job of this repository waits
already (its `queueing_lock`). So a job that lost its worker is replaced, not revived: to revive it would fail while a newer
job waits. And should a job get lost altogether, its repository is due in the register, from where it is deferred again.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Event

import procrastinate
import psycopg
from procrastinate import exceptions
from procrastinate.job_context import JobContext
from procrastinate.jobs import Job, Status
from procrastinate.schema import SchemaManager

from code_graph_indexer.errors import CgiError, ServerError
from code_graph_indexer.programs import python_module
from code_graph_indexer.team import has_unsettled_vectors
from code_graph_indexer.team.fleet.records import WorkerOptions
from code_graph_indexer.team.fleet.register import Register, UnavailableError, connection_arguments
from code_graph_indexer.team.fleet.run import Report, run_repository

QUEUE = "cgi"
INDEX_TASK, TICK_TASK, SETTLE_TASK = "cgi.index", "cgi.tick", "cgi.settle"
"""Names that stand in the tables of the queue."""

TICK_PRIORITY = 10
"""Priority of the periodic task over the jobs of repositories, which have 0."""

BATCH = 500
"""The most repositories that are put into the queue at once."""

RECONNECT_SECONDS = 3.0
"""The pause before a worker tries to reach the database again."""

SPARE_THREADS, SPARE_CONNECTIONS = 4, 2
"""Threads and connections of a worker beside one for each run: for the queue itself."""

MINUTE, HOUR = 60, 3_600

STOP_PAUSE = 1.0
"""Seconds between two looks whether to stop, while vectors settle."""

LOGGERS = ("procrastinate", "psycopg.pool", "asyncio")
"""Loggers that tell at length of a database that is down, which the worker says in a sentence."""


def queue_schema() -> str:
    """Return the SQL that makes the tables of the queue."""
    return SchemaManager.get_schema()


def defer(url: str, repo_ids: Sequence[str]) -> int:
    """Put repositories into the queue, and return how many did not wait there already.

    Raises UnavailableError if the database is down.
    """

    async def run() -> int:
        async with _opened(_app(url)) as app:
            return await _defer(app, repo_ids)

    return asyncio.run(run())


def _app(url: str, connections: int = 1) -> procrastinate.App:
    arguments = connection_arguments(url)
    return procrastinate.App(
        connector=procrastinate.PsycopgConnector(
            kwargs=arguments, min_size=1, max_size=connections, timeout=arguments["connect_timeout"]
        )
    )


@asynccontextmanager
async def _opened(app: procrastinate.App) -> AsyncIterator[procrastinate.App]:
    """Connect for the time of the `with` block. An error of the connection becomes UnavailableError."""
    try:
        async with app.open_async():
            yield app
    except (exceptions.ConnectorException, psycopg.OperationalError) as exc:
        # Waiting does not help a role without rights.
        if isinstance(exc.__cause__, psycopg.errors.InsufficientPrivilege):
            raise ServerError(
                f"the fleet's database refuses its queue: {exc.__cause__}; ask with a role that may"
            ) from exc
        raise UnavailableError(str(exc.__cause__ or exc)) from exc


async def _defer(app: procrastinate.App, repo_ids: Sequence[str]) -> int:
    """Put repositories into the queue, and return how many did not wait there already."""
    jobs = [_job(app, repo_id) for repo_id in repo_ids]
    count = 0
    for start in range(0, len(jobs), BATCH):
        batch = jobs[start : start + BATCH]
        if await _enqueued(app, batch):
            count += len(batch)
        else:
            # One of them waits already, for which the whole batch was refused.
            count += sum([await _enqueued(app, [job]) for job in batch])
    return count


def _job(app: procrastinate.App, repo_id: str) -> Job:
    """Return a job that runs alone among those of its repository, and of which a single one waits."""
    return app.configure_task(
        INDEX_TASK, queue=QUEUE, lock=repo_id, queueing_lock=repo_id, task_kwargs={"repo_id": repo_id}
    ).job


async def _enqueued(app: procrastinate.App, jobs: list[Job]) -> bool:
    """Put jobs into the queue, all or none. Return false if one of them waits there already."""
    try:
        await app.job_manager.batch_defer_jobs_async(jobs)
    except exceptions.AlreadyEnqueued:
        return False
    return True


class Worker:
    """A process that takes repositories from the queue until it is told to stop.

    `report` gets each step, and `warn` a sentence when the database is down.
    """

    def __init__(self, url: str, options: WorkerOptions, *, report: Report, warn: Callable[[str], None]) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self._url, self._options, self._report, self._warn = url, options, report, warn
        self._stopping = False
        self._hasty = Event()
        self._serving: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Work until SIGINT or SIGTERM, or, with the option `once`, until the queue is empty.

        After the first signal the runs in progress may end. After a second one, or the time of grace, they are given back.
        """
        for name in LOGGERS:
            logging.getLogger(name).addHandler(logging.NullHandler())
        asyncio.run(self._run())

    async def _run(self) -> None:
        """Work until stopped, or with `once` until the queue is empty. If the database is gone, connect again."""
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(self._options.concurrency + SPARE_THREADS))
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        while not self._stopping:
            self._serving = loop.create_task(self._serve())
            try:
                await self._serving
                if self._options.once:
                    await self._settle_if_quiet()
                    return
            except asyncio.CancelledError:
                return
            except UnavailableError as exc:
                self._warn(f"the database does not answer, trying again: {exc}")
            if not self._stopping:
                await asyncio.sleep(RECONNECT_SECONDS)

    def _stop(self) -> None:
        """Take no more runs, and end those in progress after the grace time. A second signal ends them at once."""
        if self._stopping or self._serving is None:
            self._hasty.set()
            return
        self._stopping = True
        self._serving.cancel()
        asyncio.get_running_loop().call_later(self._options.grace_seconds, self._hasty.set)

    async def _serve(self) -> None:
        """Work until the worker is cancelled, or until the database is gone."""
        app = _app(self._url, self._options.concurrency + SPARE_CONNECTIONS)
        self._register_tasks(app)
        async with _opened(app):
            await app.run_worker_async(
                queues=[QUEUE],
                name=self.name,
                concurrency=self._options.concurrency,
                wait=not self._options.once,
                install_signal_handlers=False,
                # The history is in the table of runs, and a small queue is a fast one.
                delete_jobs="always",
            )

    def _register_tasks(self, app: procrastinate.App) -> None:
        """Tell the queue what its jobs do: index a repository, settle vectors, and queue what is due (`tick`)."""
        loop = asyncio.get_running_loop()

        def defer_from_thread(repo_ids: list[str]) -> None:
            asyncio.run_coroutine_threadsafe(_defer(app, repo_ids), loop).result()

        @app.task(name=INDEX_TASK, queue=QUEUE, pass_context=True)
        def index(context: JobContext, repo_id: str) -> None:
            run_repository(
                repo_id,
                context.job.id or 0,
                self.name,
                url=self._url,
                options=self._options,
                stop=lambda: self._hasty.is_set() or context.should_abort(),
                report=self._report,
                defer=defer_from_thread,
            )

        @app.periodic(cron=_cron(self._options.tick_seconds), periodic_id="tick")
        @app.task(name=TICK_TASK, queue=QUEUE, queueing_lock=TICK_TASK, priority=TICK_PRIORITY)
        async def tick(timestamp: int) -> None:
            with Register(self._url) as register:
                await self._rescue(app, register)
                await _defer(app, await asyncio.to_thread(register.due, BATCH))
                await asyncio.to_thread(register.forget_old_runs)
                # A fleet that is never quiet settles every hour.
                if timestamp % HOUR < self._options.tick_seconds or await asyncio.to_thread(register.is_quiet):
                    settling = app.configure_task(
                        SETTLE_TASK, queue=QUEUE, lock=SETTLE_TASK, queueing_lock=SETTLE_TASK
                    ).job
                    await _enqueued(app, [settling])

        @app.task(name=SETTLE_TASK, queue=QUEUE)
        async def settle() -> None:
            await self._settle()

    async def _settle_if_quiet(self) -> None:
        with Register(self._url) as register:
            if not await asyncio.to_thread(register.is_quiet):
                return
        await self._settle()

    async def _settle(self) -> None:
        """Let a process settle vectors, and kill it if the worker is told to stop."""
        try:
            if not await asyncio.to_thread(has_unsettled_vectors, self._url):
                return
        # Nothing is published yet, or the database is down: the next look is soon.
        except CgiError:
            return
        process = await asyncio.create_subprocess_exec(
            *python_module("code_graph_indexer.team.fleet.settle"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(self._url.encode() + b"\n")
        process.stdin.close()
        try:
            while process.returncode is None and not self._stopping:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(process.wait(), STOP_PAUSE)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _rescue(self, app: procrastinate.App, register: Register) -> None:
        """Replace the jobs that lost their worker. Each step may be done twice, or by two workers at once."""
        seconds = self._options.lost_seconds
        for run_id, _ in await asyncio.to_thread(register.silent_runs, seconds):
            # It makes the repository due, unless it lost too many workers.
            await asyncio.to_thread(register.lose, run_id)
        for job_id, repo_id, is_unused in await asyncio.to_thread(register.idle_jobs, seconds):
            if is_unused and repo_id:
                await asyncio.to_thread(register.make_due, [repo_id])
            # The job ended meanwhile.
            with contextlib.suppress(exceptions.ConnectorException):
                await app.job_manager.finish_job_by_id_async(job_id, Status.FAILED, delete_job=True)


def _cron(seconds: int) -> str:
    """Return cron text for every so many seconds, or minutes if it is a minute or longer."""
    return f"*/{seconds // MINUTE} * * * *" if seconds >= MINUTE else f"* * * * * */{seconds}"
