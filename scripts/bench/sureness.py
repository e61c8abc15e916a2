"""Count how often the answers that are called sure are right, for the benchmarks of search."""

from collections.abc import Sequence

HEAD = "| verdict | questions | right first | right in five |\n|---|---|---|---|"


class Sureness:
    """A count of answers by verdict, sure or not sure, and of how many are right by the first result, or by one of five."""

    def __init__(self) -> None:
        self._ranks: dict[bool, list[int]] = {True: [], False: []}

    def add(self, sure: bool, rank: int) -> None:
        """Count an answer. `rank` is that of its first right result, from 1, or 0 if there is none."""
        self._ranks[sure].append(rank)

    def table(self) -> str:
        """Return the counts as a Markdown table."""
        rows = [
            f"| {'sure' if verdict else 'not sure'} | {len(ranks)} | {_share(ranks, 1)} | {_share(ranks, 5)} |"
            for verdict, ranks in self._ranks.items()
        ]
        return "\n".join([HEAD, *rows])


def _share(ranks: Sequence[int], depth: int) -> str:
    return f"{sum(0 < rank <= depth for rank in ranks) / len(ranks):.2f}" if ranks else "–"
