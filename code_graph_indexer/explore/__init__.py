"""Write tours for agents: one text within a budget that shows how the code in question hangs together, and its source."""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names

if TYPE_CHECKING:
    from code_graph_indexer.explore.explorer import Explorer, default_budget
    from code_graph_indexer.explore.scan import has_source
else:
    __getattr__ = late_names(__name__, {"explorer": "Explorer default_budget", "scan": "has_source"})

__all__ = [
    "Explorer",
    "default_budget",
    "has_source",
]
