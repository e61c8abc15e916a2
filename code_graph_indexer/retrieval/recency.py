"""Weigh files by the time of their last commit, for questions about new or recent changes."""

import re
from collections.abc import Iterable, Mapping

from code_graph_indexer.storage import Store

_RECENT = re.compile(
    r"\b(?:recent(?:ly)?|latest|newest|just (?:added|changed|fixed)|newly|lately|last (?:change|commit|week|month|release)s?"
    r"|what(?:'s| is| was| has been) new|new in)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:since|after) (?:version |release |tag )?(v?\d[\w.]*)", re.IGNORECASE)


def recency(store: Store, text: str, paths: Iterable[str]) -> Mapping[str, float]:
    """Map each path to a weight by its last commit, from 1 for the newest down towards 0 for the oldest.

    If the question says "since v2" and the tag v2 exists, files with a later commit have 1, and all other files 0. The
    mapping is empty if the question is not about time.
    """
    since = _SINCE.search(text)
    if not since and not _RECENT.search(text):
        return {}
    times = store.last_commits(list(paths))
    if not times:
        return {}
    # Without such a tag, "since" only says that the question is about time.
    if since and (tag := store.tag_time(since[1])):
        return {path: float(when > tag) for path, when in times.items()}
    # The order of commits counts, not the time between them. Files of one commit share a weight.
    order = sorted(set(times.values()))
    return {path: (order.index(when) + 1) / len(order) for path, when in times.items()}
