"""The tree of files beside the code: what each folder holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MAX_LEVEL = 300
"""Most folders and most files of one folder that the tree shows. The page of the folder has them all."""


@dataclass(slots=True)
class Level:
    """What is directly in a folder: the names of its folders and of its files, in order."""

    folders: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def levels(paths: Iterable[str]) -> Mapping[str, Level]:
    """Map each folder to what it holds. The root is the empty path.

    Example:
        >>> levels(["a/b.py", "c.py"])[""]
        Level(folders=['a'], files=['c.py'])
    """
    level_of: dict[str, Level] = {"": Level()}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        _open(level_of, folder).files.append(name)
    return level_of


def _open(level_of: dict[str, Level], folder: str) -> Level:
    """Return the level of a folder, and note it in the folders around it when it is first met."""
    if folder not in level_of:
        around, _, name = folder.rpartition("/")
        level_of[folder] = Level()
        _open(level_of, around).folders.append(name)
    return level_of[folder]
