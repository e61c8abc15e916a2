"""Compare the facts of two versions of a file: which lookups have another answer now."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.facts import (
    ARGUMENTS,
    MODULE,
    MODULE_TAIL,
    NAME,
    PREFIXES,
    WRITTEN,
    WRITTEN_VALUE,
    FileFacts,
)


def changed_keys(old: FileFacts | None, new: FileFacts | None) -> set[str]:
    """Return the keys whose lookups may have another answer after a change of one file.

    `old` is None for an added file, `new` is None for a deleted file.
    """
    versions = [facts for facts in (old, new) if facts is not None]
    if not versions:
        return set()
    path = versions[0].path
    before, after = old or FileFacts(path, versions[0].language), new or FileFacts(path, versions[0].language)
    if before.language != after.language:
        return changed_keys(old, None) | changed_keys(None, new)
    keys = {
        f"{path}\0{prefix}{name}"
        for prefix, *versions_of in zip(PREFIXES.values(), before.tables(), after.tables(), strict=True)
        for name in _differing(*versions_of)
    }
    # `World.members_named` asks a file for all values of a simple name.
    keys |= {
        f"{path}\0{PREFIXES['values']}.{name.rpartition('.')[2]}" for name in _differing(before.values, after.values)
    }
    # `World.arguments_to` asks all files at once, by the key without a path.
    keys |= {ARGUMENTS + name for name in _differing(before.arguments, after.arguments)}
    # Whoever looked for the name anywhere may find more or fewer definitions now.
    keys |= {NAME + name for name in _differing(before.by_name, after.by_name)}
    for prefix, *names in (
        (WRITTEN, before.names(), after.names()),
        (WRITTEN_VALUE, before.value_names(), after.value_names()),
    ):
        keys |= {prefix + name for name in set.symmetric_difference(*names)}
    if before.module != after.module or len(versions) == 1:
        keys.add(f"{path}\0{MODULE}")
        keys |= {MODULE_TAIL + name for facts in versions for name in module_tails(path, facts.module)}
    return keys


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    """Return the names under which two tables have different facts."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def moves_package(old: FileFacts | None, new: FileFacts | None) -> bool:
    """Say whether a package's module index file (`__init__.py`) was added or deleted, which renames the modules below it."""
    facts = old or new
    if facts is None or (old is None) == (new is None):
        return False
    language = languages()[facts.language]
    return language.modules == "path" and PurePosixPath(facts.path).stem in language.index


def module_tails(path: str, module: str) -> set[str]:
    """Return the words that an import of a file may end with: its stem, its folder, the last word of its module name."""
    folder, _, name = path.rpartition("/")
    return {name.partition(".")[0], folder.rpartition("/")[2], module.rpartition(".")[2]}
