"""Answer questions to the graph of an index, such as who calls a function.

Import from the modules of this package, not from here, because a search needs few of them.
"""
