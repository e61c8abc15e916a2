"""The packages behind the imports of a repository: find them on this machine, index each once, and compare two versions.

`installed` finds packages in virtual environments, `node_modules`, `vendor` folders and module caches. `sources` reads the
files of a package, also of an archive. `cache` keeps an index of each package and version. `listing` puts them beside what the
repository declares and uses, `upgrade` compares two versions, and `door` opens packages beside the repository.
"""

from code_graph_indexer.libraries.cache import Libraries, cache_of
from code_graph_indexer.libraries.door import Door, folder_of
from code_graph_indexer.libraries.installed import Installed, installed
from code_graph_indexer.libraries.listing import Library, Repository
from code_graph_indexer.libraries.upgrade import Break, Upgrade, upgrade_of

__all__ = [
    "Break",
    "Door",
    "Installed",
    "Libraries",
    "Library",
    "Repository",
    "Upgrade",
    "cache_of",
    "folder_of",
    "installed",
    "upgrade_of",
]
