"""A process that moves fresh vectors into the index of nearest vectors. It may take minutes, and may be killed at any time."""

import sys

from code_graph_indexer.errors import CgiError
from code_graph_indexer.team import settle_vectors


def main() -> None:
    """Settle the vectors of the database whose address stands on standard input."""
    try:
        settle_vectors(sys.stdin.readline().strip())
    # Nothing is published yet, or the database is down: the next look is soon.
    except CgiError as exc:
        sys.exit(str(exc))


if __name__ == "__main__":
    main()
