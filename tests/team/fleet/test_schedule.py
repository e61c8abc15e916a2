"""A schedule is an interval, cron text or never, and failures make the next look wait longer."""

from datetime import UTC, datetime, timedelta

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.team.fleet.schedule import MAX_BACKOFF, after_failure, check_schedule, next_time

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def test_the_next_time_is_after_now() -> None:
    assert next_time("30m", NOON) == NOON + timedelta(minutes=30)
    assert next_time("2d", NOON) == NOON + timedelta(days=2)
    assert next_time("0 3 * * *", NOON) == NOON + timedelta(hours=15)
    assert next_time("never", NOON) is None


@pytest.mark.parametrize("text", ["", "soon", "5", "61 * * * *", "* * *", "-5m", "1y", "x" * 500])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no schedule"):
        check_schedule(text)


def test_each_failure_makes_the_wait_longer_up_to_a_day() -> None:
    waits = [after_failure(failures, NOON) - NOON for failures in range(1, 12)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (timedelta(minutes=1), MAX_BACKOFF)
