"""The write path, from the files of a repository to the rows of its index. In order:

| step | file | what it does |
|---|---|---|
| 1 | discover.py | list the files, and say which must not be read |
| 2 | workers.py | send the files to worker processes, with a time limit for each file |
| 3 | file.py | read, parse, chunk and embed one file |
| 4 | vectors.py | embed the chunks that no worker has embedded |
| 5 | update.py | find what changed, write it, and resolve the references that may have changed |
| 6 | history.py | read from git when each file was last changed |
| | run.py | run the steps, as a full build or as an update |
| | empty.py | say why no file could be parsed |
| | verify.py | compare an index with a fresh build |
| | watch.py | say whether anything changed since the last call (needs the package watchfiles, so nothing here imports it) |
"""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names

if TYPE_CHECKING:
    from code_graph_indexer.indexing.run import (
        Bound,
        NotUpdatableError,
        TooMuchError,
        index_repository,
        pending_changes,
        update_repository,
    )
    from code_graph_indexer.indexing.verify import differences, index_differences, verify_index
else:
    __getattr__ = late_names(
        __name__,
        {
            "run": "Bound NotUpdatableError TooMuchError index_repository pending_changes update_repository",
            "verify": "differences index_differences verify_index",
        },
    )

__all__ = [
    "Bound",
    "NotUpdatableError",
    "TooMuchError",
    "differences",
    "index_differences",
    "index_repository",
    "pending_changes",
    "update_repository",
    "verify_index",
]
