"""Link references to definitions, file by file."""

from code_graph_indexer.resolve.exact import ExactUse
from code_graph_indexer.resolve.facts import FileFacts, Target, changed_keys, is_linked, moves_package
from code_graph_indexer.resolve.link import Linked, LinkFile, Lookups, PassingFiles, link, world_of
from code_graph_indexer.resolve.modules import ModuleFile, Modules, is_manifest
from code_graph_indexer.resolve.parallel import link_all
from code_graph_indexer.resolve.world import World

__all__ = [
    "ExactUse",
    "FileFacts",
    "LinkFile",
    "Linked",
    "Lookups",
    "ModuleFile",
    "Modules",
    "PassingFiles",
    "Target",
    "World",
    "changed_keys",
    "is_linked",
    "is_manifest",
    "link",
    "link_all",
    "moves_package",
    "world_of",
]
