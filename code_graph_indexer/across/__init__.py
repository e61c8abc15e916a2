"""Link the calls that leave a repository into another of the same set, when a question needs them.

`store` is what a question sees. `links` resolves the references of a file again, and is loaded only when that is needed.
"""

from code_graph_indexer.across.store import Crossing, linked_across, unlinked_note

__all__ = ["Crossing", "linked_across", "unlinked_note"]
