"""The facade of the fleet: add, remove, retry and look, for the command line and the webhook."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from code_graph_indexer.errors import UsageError
from code_graph_indexer.team.fleet import queue
from code_graph_indexer.team.fleet.records import FleetStatus, Repository
from code_graph_indexer.team.fleet.register import Register, remove_published
from code_graph_indexer.team.fleet.schedule import check_schedule
from code_graph_indexer.team.fleet.sources import check_pattern, read_source

DEFAULT_SCHEDULE = "1h"
"""How often a repository is looked at. A look at one without a new commit takes a few hundredths of a second."""


class Fleet:
    """The fleet whose state is in the PostgreSQL database at `url`."""

    def __init__(self, url: str) -> None:
        self._url = url

    def init(self) -> None:
        """Create what the fleet needs in the database. What is there stays."""
        with Register(self._url) as register:
            register.prepare(queue.queue_schema())

    def add(
        self, sources: Sequence[str], *, name: str = "", branches: Sequence[str] = (), schedule: str = DEFAULT_SCHEDULE
    ) -> list[str]:
        """Add repositories by URL or path, or change those that are there. Return their names.

        `branches` are patterns of further branches, each of which is indexed as `name@branch`. Raises UsageError.
        """
        if name and len(sources) > 1:
            raise UsageError("a name fits a single repository; add the repositories one by one, or without --name")
        when = check_schedule(schedule)
        for pattern in branches:
            check_pattern(pattern)
        places = [read_source(text, name) for text in sources]
        repositories = [
            Repository(place.name, place.address, place.location, schedule=when, patterns=tuple(branches))
            for place in places
        ]
        self.init()
        with Register(self._url) as register:
            register.add(repositories)
        names = list(dict.fromkeys(repository.repo_id for repository in repositories))
        queue.defer(self._url, names)
        return names

    def remove(self, names: Sequence[str]) -> list[str]:
        """Remove repositories with their branches, and what is published of them. Return the names of all.

        Raises UsageError, and removes nothing, if the fleet lacks one of them.
        """
        with Register(self._url) as register:
            _check_known(names, register)
            removed = [repo_id for name in names for repo_id in register.remove(name)]
        for repo_id in removed:
            remove_published(self._url, repo_id)
        return removed

    def retry(self, names: Sequence[str] = ()) -> list[str]:
        """Look at repositories now, also at those in quarantine. Without names, at all of them. Return their names."""
        with Register(self._url) as register:
            _check_known(names, register)
            chosen = list(names) or register.names()
            register.release(chosen)
            register.make_due(chosen)
        queue.defer(self._url, chosen)
        return chosen

    def push(self, locations: Collection[str]) -> list[str]:
        """Look at the repositories that come from some locations, because somebody pushed there. Return their names."""
        with Register(self._url) as register:
            names = [name for location in sorted(locations) for name in register.at_location(location)]
            register.make_due(names)
        queue.defer(self._url, names)
        return names

    def status(self) -> FleetStatus:
        """Return the state of all repositories, of the queue and of the workers."""
        with Register(self._url) as register:
            return register.status()


def _check_known(names: Sequence[str], register: Register) -> None:
    """Raise UsageError if the fleet lacks one of these repositories."""
    present = register.names()
    if missing := [name for name in names if name not in present]:
        similar = get_close_matches(missing[0], present, 1)
        hint = f"did you mean {similar[0]}?" if similar else "cgi fleet status lists the names"
        raise UsageError(f"the fleet has no repository {missing[0]!r}; {hint}")
