"""Write tours for agents: one text within a budget that shows how the code in question hangs together, and its source."""

from code_graph_indexer.explore.explorer import Explorer, default_budget
from code_graph_indexer.explore.scan import has_source, scan

__all__ = ["Explorer", "default_budget", "has_source", "scan"]
