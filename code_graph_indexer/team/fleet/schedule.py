"""Say when a repository is looked at again: by an interval such as `6h`, or by cron text."""

import re
from datetime import datetime, timedelta

from croniter import croniter

from code_graph_indexer.errors import UsageError

NEVER = "never"
"""The schedule of a repository that is looked at only after a push or by hand."""

BACKOFF_SECONDS, BACKOFF_FACTOR = 60, 4
"""Seconds until a repository that failed is tried again, and the factor by which each further failure lengthens them."""

MAX_BACKOFF = timedelta(days=1)
"""The longest wait after a failure."""

_INTERVAL = re.compile(r"(\d{1,6})([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def check_schedule(text: str) -> str:
    """Return a schedule as it is stored. Raises UsageError if it is none."""
    schedule = " ".join(text.split())
    next_time(schedule, datetime.now().astimezone())
    return schedule


def next_time(schedule: str, now: datetime) -> datetime | None:
    """Return the first moment after `now` at which a schedule wants a look. None for `never`."""
    if schedule == NEVER:
        return None
    if match := _INTERVAL.fullmatch(schedule):
        return now + timedelta(**{_UNITS[match[2]]: max(1, int(match[1]))})
    try:
        moment = croniter(schedule, now).get_next(datetime)
    # Its errors are ValueErrors, and some texts make it fail with others.
    except (ValueError, KeyError, AttributeError, TypeError) as exc:
        raise UsageError(
            f"{schedule!r} is no schedule; give an interval (30m, 6h, 1d), cron text ('0 3 * * *') or {NEVER!r}"
        ) from exc
    return moment if isinstance(moment, datetime) else None


def after_failure(failures: int, now: datetime) -> datetime:
    """Return when to try again after a number of failures in a row."""
    return now + min(timedelta(seconds=BACKOFF_SECONDS * BACKOFF_FACTOR ** min(failures - 1, 10)), MAX_BACKOFF)
