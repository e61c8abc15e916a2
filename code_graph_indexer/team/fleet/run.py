"""Run a task of the fleet: look at a repository, and if it has a new commit, have a child index and publish it."""

import json
import multiprocessing
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread
from typing import IO

from code_graph_indexer.programs import kill_group, shut_module_path
from code_graph_indexer.team.fleet import child
from code_graph_indexer.team.fleet.cache import folder_of, is_full, make_room
from code_graph_indexer.team.fleet.checkout import (
    HangingError,
    References,
    UnreachableError,
    plain_end,
    references,
)
from code_graph_indexer.team.fleet.records import Outcome, Repository, Result, RunReport, Task, WorkerOptions
from code_graph_indexer.team.fleet.register import Register, UnavailableError, remove_published
from code_graph_indexer.team.fleet.schedule import after_failure, next_time
from code_graph_indexer.team.fleet.watch import Watch
from code_graph_indexer.version import VERSION

WATCH_SECONDS = 0.25
"""Seconds between two looks at what a run uses."""

RECORD_SECONDS, RECORD_PAUSE = 600.0, 2.0
"""How long a worker tries to record the end of a run while the database is down, and the pause between two tries.

After that the run counts as lost and is done again.
"""

POSTPONE = timedelta(minutes=1)
"""When to try again what failed because of the machine."""

ROOM_PARTS = 10
"""On a small disk, the part that is free before a run: a tenth."""

MAX_BRANCHES = 500
"""The most branches of a repository that patterns may find."""

WORDS = 500
"""The most characters of a child's last words that are recorded."""

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(list(child.MODULES))

Report = Callable[[RunReport], None]
Stop = Callable[[], bool]
Defer = Callable[[list[str]], None]


class Heart(Thread):
    """A thread that gives signs of life for a run. `stopped` is set once others took the run for lost."""

    def __init__(self, url: str, run_id: int, seconds: float) -> None:
        super().__init__(daemon=True)
        self.step = RunReport("", "look")
        self.stopped = Event()
        self._url, self._run_id, self._seconds = url, run_id, seconds
        self._end = Event()

    def run(self) -> None:
        """Beat until the end. A database that is down is no reason to stop."""
        with Register(self._url) as register:
            while not self._end.wait(self._seconds):
                try:
                    alive = register.beat(self._run_id, self.step.stage, self.step.done, self.step.total)
                except UnavailableError:
                    continue
                if not alive:
                    self.stopped.set()
                    return

    def end(self) -> None:
        """Stop beating."""
        self._end.set()
        self.join()


def run_repository(
    repo_id: str,
    job_id: int,
    worker: str,
    *,
    url: str,
    options: WorkerOptions,
    stop: Stop,
    report: Report,
    defer: Defer,
) -> Result | None:
    """Bring what is published of a repository up to date. Return None if there was nothing to do for this worker.

    `stop` says whether to give the run back. `defer` puts repositories into the queue. Raises UnavailableError if the
    database is down at the start.
    """
    started = time.monotonic()
    with Register(url) as register:
        run_id = register.begin(repo_id, job_id, worker)
        repository = register.repository(repo_id) if run_id is not None else None
        if run_id is None or repository is None:
            return None
        heart = Heart(url, run_id, options.beat_seconds)
        heart.start()
        try:
            result = _look(register, repository, heart, url=url, options=options, stop=stop, report=report, defer=defer)
        except UnavailableError as exc:
            result = Result(Outcome.POSTPONED, f"the database does not answer: {exc}")
        except HangingError as exc:
            result = Result(Outcome.FAILED, str(exc))
        except UnreachableError as exc:
            result = Result(Outcome.UNREACHABLE, str(exc))
        try:
            _record(register, run_id, repository, result, options, stop)
        finally:
            heart.end()
        report(RunReport(repo_id, "end", seconds=time.monotonic() - started, result=result))
        return result


def _record(
    register: Register, run_id: int, repository: Repository, result: Result, options: WorkerOptions, stop: Stop
) -> None:
    """Record the end of a run, again and again while the database is down, until `stop` or RECORD_SECONDS raise its error."""
    deadline = time.monotonic() + RECORD_SECONDS
    due = _due(repository, result)
    while True:
        try:
            register.end(run_id, result, max_failures=options.max_failures, due=due, stamp=stamp_of(options))
            return
        except UnavailableError:
            # Without a record the run counts as lost, and is done again.
            if stop() or time.monotonic() > deadline:
                raise
        time.sleep(RECORD_PAUSE)


def _due(repository: Repository, result: Result) -> datetime | None:
    """Return when a repository is looked at again after a run."""
    now = datetime.now().astimezone()
    if result.outcome is Outcome.GIVEN_BACK:
        return now
    if result.outcome is Outcome.POSTPONED:
        return now + POSTPONE
    if result.outcome in (Outcome.FAILED, Outcome.UNREACHABLE):
        return after_failure(repository.failures + 1, now)
    return next_time(repository.schedule, now)


def stamp_of(options: WorkerOptions) -> str:
    """Return what an index depends on beside the commit. If it changes, every repository is indexed anew."""
    return f"{VERSION} depth {options.depth}"


def _look(
    register: Register,
    repository: Repository,
    heart: Heart,
    *,
    url: str,
    options: WorkerOptions,
    stop: Stop,
    report: Report,
    defer: Defer,
) -> Result:
    """Ask for the repository's commit, and index it in a child if it, or the stamp, is not that of what is published.

    If a failed run filled the disk, the cache is emptied and the run postponed.
    """
    report(RunReport(repository.repo_id, "look"))
    answer = references(repository.source, repository.branch, repository.patterns, seconds=options.look_seconds)
    if repository.patterns:
        _follow_branches(register, repository, answer, url=url, defer=defer)
    commit = answer.commit_of(repository.branch)
    if commit == repository.commit_id and repository.stamp == stamp_of(options):
        return Result(Outcome.UNCHANGED, commit_id=commit)
    folder = folder_of(options.cache, repository.repo_id)
    room = min(options.limits.disk, shutil.disk_usage(options.cache).total // ROOM_PARTS)
    make_room(options.cache, room, spare=folder)
    task = Task(
        repo_id=repository.repo_id,
        source=repository.source,
        branch=repository.branch,
        commit_id=commit,
        url=url,
        folder=str(folder),
        parsers=options.parsers,
        depth=options.depth,
        memory=options.limits.memory,
        disk=options.limits.disk,
    )
    result = _run_child(task, heart, options, stop, report)
    if result.outcome in (Outcome.FAILED, Outcome.UNREACHABLE) and is_full(options.cache):
        # Whatever failed here failed for want of room. The next try begins with an empty folder.
        make_room(options.cache, sys.maxsize, spare=Path())
        return replace(result, outcome=Outcome.POSTPONED, error=f"the disk of {options.cache} is full ({result.error})")
    return result


def _follow_branches(register: Register, repository: Repository, answer: References, *, url: str, defer: Defer) -> None:
    """Add and queue the branches that match the repository's patterns, and remove those that are gone."""
    names = {branch: f"{repository.repo_id}@{branch}" for branch in answer.matching(repository.patterns)[:MAX_BRANCHES]}
    present = register.branches(repository.repo_id)
    fresh = [branch for branch in names if branch not in present]
    register.add(
        [
            replace(repository, repo_id=names[branch], branch=branch, patterns=(), parent=repository.repo_id)
            for branch in fresh
        ]
    )
    defer([names[branch] for branch in fresh])
    for branch, repo_id in present.items():
        if branch not in names:
            remove_published(url, repo_id)
            register.remove(repo_id)


def _run_child(task: Task, heart: Heart, options: WorkerOptions, stop: Stop, report: Report) -> Result:
    """Run the child, and end it if it breaks a limit, if the worker stops, or if the run was given to somebody else."""
    # What a child says when it crashes is in a file, because a full pipe would stop it.
    with tempfile.NamedTemporaryFile() as last_words:
        messages, far_end = _CONTEXT.Pipe()
        # In the connection, the password of the database is seen by nobody.
        process = _CONTEXT.Process(target=child.run_task, args=(task, far_end, last_words.name))
        with shut_module_path():
            process.start()
        far_end.close()
        group = process.pid or 0
        watch = Watch(group, Path(task.folder), options.limits)
        try:
            result = _follow(messages, watch, heart, task.repo_id, stop, report)
        finally:
            kill_group(group)
            # It may not lead its group yet.
            process.kill()
            process.join()
            messages.close()
        if result is None:
            result = Result(Outcome.FAILED, _crash(process.exitcode or 0, last_words))
    return replace(result, peak_bytes=watch.peak or None)


def _follow(
    messages: Connection, watch: Watch, heart: Heart, repo_id: str, stop: Stop, report: Report
) -> Result | None:
    """Follow the steps of a child. Return its result, or None if it ended without any.

    The result is ours if the worker stops, the run was given to somebody else, or `watch` sees that a limit is broken.
    """
    next_look = 0.0
    while True:
        try:
            message = json.loads(messages.recv_bytes() if messages.poll(WATCH_SECONDS) else b"{}")
        except (EOFError, OSError):
            return None
        if "result" in message:
            return Result(**{**message["result"], "outcome": Outcome(message["result"]["outcome"])})
        if message:
            heart.step = RunReport(repo_id, **message)
            report(heart.step)
        if stop():
            return Result(Outcome.GIVEN_BACK, "the worker was told to stop")
        if heart.stopped.is_set():
            return Result(Outcome.LOST, "the run was taken for lost")
        if (now := time.monotonic()) >= next_look:
            next_look = now + WATCH_SECONDS
            if reason := watch.breach():
                return Result(Outcome.FAILED, f"{reason}, at the stage {heart.step.stage}")


def _crash(code: int, last_words: IO[bytes]) -> str:
    """Say how a child ended that had no time to tell."""
    last_words.seek(0)
    lines = last_words.read()[-WORDS:].decode("utf-8", "replace").split("\n")
    words = plain_end(next((line for line in reversed(lines) if line.strip()), "it said nothing"))
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"its process ended with {how}: {words}"
