"""The version of the package, as the index records it."""

from importlib.metadata import version

VERSION = version("code-graph-indexer")
