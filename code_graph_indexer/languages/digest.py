"""The digest of all language files. An index says which it was made with."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

FRAMEWORKS = "frameworks"
"""The folder of the framework files, beside the language files."""

PACKED, LIBRARY = ".lib.pack", ".lib."
"""The end of the name of a packed library, and what stands in the name of any library."""


def _is_source(name: str) -> bool:
    """Say whether people write a file of this name in the folder: a query, patterns or a library, but not a packed one."""
    return name.endswith((".scm", ".toml")) or (LIBRARY in name and not name.endswith(PACKED))


@cache
def fingerprint() -> str:
    """Return a digest of the language files. An index made with another digest is out of date."""
    # Folders list their files in an order that differs from machine to machine.
    folder = files(__package__)
    entries = [
        *sorted(folder.iterdir(), key=lambda entry: entry.name),
        *sorted((folder / FRAMEWORKS).iterdir(), key=lambda entry: entry.name),
    ]
    texts = (entry.read_bytes() for entry in entries if _is_source(entry.name))
    return sha256(b"\0".join(texts)).hexdigest()[:16]
