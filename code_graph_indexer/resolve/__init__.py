"""Link references to definitions: from the facts of all files to the edges of the graph.

A full build runs in this order:

    facts = {file.path: file.file_facts() for file in files}    # facts.py: what one file tells the others
    world = world_of(files, facts, manifests)                   # world.py: the facts of all files, each lookup noted
    for linked in link_all(world, files, workers=0):            # parallel.py, link.py: file by file
        store(linked.references, linked.lookups)

Linking one file resolves its references one by one (references.py). Below that stands, each on the ones after it:

* `FileResolver`: what a reference means, as rows of the index.
* overloads, argument_types, extensions, structural: which of several definitions is meant, and what the text does not name.
* `Inference` (infer.py): what an expression means. It goes step by step (steps.py) to values (values.py).
* `TypeReader` (declared.py): what a value of a declared type is. It stands on annotations and containers.
* `Scope`: what a name means in a file, and the members of classes.
* `Modules`: which files an import means, with aliases.
* `World`: the facts.

An update looks into the notes: `changed_keys` lists what a changed file answers differently, and `Lookups` finds the files
that asked for it. Only these are linked again.
"""

from code_graph_indexer.resolve.exact import ExactUse
from code_graph_indexer.resolve.facts import FileFacts, Target, changed_keys, is_linked, moves_package
from code_graph_indexer.resolve.link import LinkedFile, LinkFile, Lookups, PassingFiles, link, world_of
from code_graph_indexer.resolve.modules import ModuleFile, Modules, is_manifest
from code_graph_indexer.resolve.parallel import link_all
from code_graph_indexer.resolve.world import World

__all__ = [
    "ExactUse",
    "FileFacts",
    "LinkFile",
    "LinkedFile",
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
