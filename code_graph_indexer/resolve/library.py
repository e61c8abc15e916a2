"""Read what the library of a language declares: `languages/<name>.lib.<extension>`, in the language itself.

The declarations are facts like those of any file, looked up last. They say what a call or a member gives. No reference leads
to them, and no lookup of them is noted, because they change with the version of the package alone.
"""

from collections.abc import Mapping
from functools import cache

from code_graph_indexer.languages import libraries, libraries_of, packed_library
from code_graph_indexer.resolve.collect import file_facts
from code_graph_indexer.resolve.facts import FileFacts
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.packing import unpack

MARK = "\0library/"
"""The start of the path of a library. No file has such a path."""


EVERYTHING = "Everything"
"""The class of a library that declares what every value has. Its only type variable stands for the type of the value."""


def is_library(target: Target) -> bool:
    """Say whether a definition is a declaration of a library."""
    return target.path.startswith(MARK)


@cache
def library_paths(language: str) -> tuple[str, ...]:
    """List the paths of the libraries that code of a language uses: its own one, then those of its family."""
    return tuple(MARK + name for name in libraries_of(language))


def library_files() -> Mapping[str, str]:
    """Map the path of each library to its language."""
    return {MARK + name: name for name in libraries()}


@cache
def library_facts(path: str) -> FileFacts:
    """Return what a library declares."""
    name = path.removeprefix(MARK)
    syntax = unpack(packed_library(name))
    # No chunk of a repository has such an id.
    ids = range(-1, -2 - max(syntax.chunk_of, default=0), -1)
    # No definition of a library is the target of a reference, so that members need no ids of their own.
    facts = file_facts(path, name, False, syntax, ids, [ids[0]] * len(syntax.member_of))
    for table in facts.tables():
        table.start = 0
    return facts


@cache
def declarations(language: str) -> Mapping[str, Target]:
    """Map the simple names that the libraries of a language declare, at the top or in a namespace, to the declarations."""
    names: dict[str, Target] = {}
    for path in library_paths(language):
        table = library_facts(path).definitions
        for dotted, target in table.items():
            around, _, name = dotted.rpartition(".")
            if not around or table[around].kind in ("namespace", "module"):
                names.setdefault(name, target)
    return names


@cache
def everything_of(language: str) -> Target | None:
    """Return the class with the members that every value has, as the own library of a language declares it. Or None."""
    path = next(iter(library_paths(language)), "")
    return library_facts(path).definitions.get(EVERYTHING) if path else None
