"""What git knows of a repository. Its lists are read as data, and git itself runs over a git folder of our own.

| file | does |
|---|---|
| layout.py | find git's folders, read the list of tracked files, say where a file of a checkout is |
| refs.py | read which commits HEAD, branches and tags name |
| private.py | make a git folder in which nothing can be run, and ask git there; the only file that runs git |
| worktree.py | compare revisions, and the files on disk, by content |
"""

from code_graph_indexer.git.layout import (
    GIT_ENTRY,
    checkout_file,
    checkouts,
    common_folder,
    git_folder,
    git_index,
    in_repository,
    is_git_folder,
    is_linked_worktree,
    is_real,
    repository_of,
    tracked_contents,
    tracked_entries,
    tracked_files,
)
from code_graph_indexer.git.private import (
    GitError,
    GitLimitError,
    PrivateRepository,
    clean_environment,
    private_repository,
    run_git,
    without_configuration,
)
from code_graph_indexer.git.refs import head_commit, head_of, references, shallow_commits
from code_graph_indexer.git.worktree import FileChange, changed_files

__all__ = [
    "GIT_ENTRY",
    "FileChange",
    "GitError",
    "GitLimitError",
    "PrivateRepository",
    "changed_files",
    "checkout_file",
    "checkouts",
    "clean_environment",
    "common_folder",
    "git_folder",
    "git_index",
    "head_commit",
    "head_of",
    "in_repository",
    "is_git_folder",
    "is_linked_worktree",
    "is_real",
    "private_repository",
    "references",
    "repository_of",
    "run_git",
    "shallow_commits",
    "tracked_contents",
    "tracked_entries",
    "tracked_files",
    "without_configuration",
]
