"""Link references to definitions: from the facts of all files to the edges of the graph.

A full build runs in this order:

    for file in files:
        table.put(file, ids)                            # table.py: what linking needs, packed, on disk
    table.seal()
    world = table.world(manifests, memory)              # world.py: facts of files, collected and noted at each lookup
    for linked in link_all(world, table, workers=0):    # parallel.py, link.py: file by file
        writer.put_references(linked)                   # the table `refs` of the index

To link a file is to resolve its references one by one. These are the parts:

* rows.py turns each reference into rows of the index. exact.py lets a SCIP index win, alternatives.py leads from declarations
  to definitions (declarations.py), and structural.py adds what the text does not name.
* `Registrations` (registered.py, registered_names.py) then links what code registers with frameworks.
* external.py names what a reference without a target means outside the repository.
* `FileResolver` (references.py) finds what a reference means, and `FileView` (file_view.py) what it sees from its place
  (frames.py). `Uses` (uses.py) does so for names that are not called, with added_properties.py.
* callees.py says what a call of a value runs. extensions.py, held_functions.py, macros_in_force.py, macro_functions.py,
  and guesses.py find what no value says. overloads.py and overloads_by_type.py choose between overloads.
* `Inference` (infer.py) finds the possible values (values.py) of an expression, step by step (steps.py). Its parts ask each
  other (inference_parts.py): names.py for the head, members.py, calls.py, elements.py, and
  passing.py for what callers pass (labels.py: to which parameter, passing_files.py: from which files).
* `Generics` (generics.py) binds type variables, and substitution.py puts in what they are bound to.
* `TypeReader` (type_values.py) finds the values of a declared type, with annotations.py and containers.py. library.py has
  the declarations of the library.
* `Scope` (scope.py) finds what a name means in a file. Its parts ask each other (scope_parts.py): imports.py, and classes.py
  for members and bases. A `Resolution` (resolution.py) is what a name may mean, and how sure that is.
* `Modules` (modules/) finds the files that an import means.
* `World` (world.py) holds the facts of all files (facts.py), which collect.py reads out of their syntax (link_file.py).
  notes.py remembers answers with the lookups that they depend on.

For example, this is the way of the call `first(carts).total()`, where the file has a parameter `carts: list[Cart]` and a
function `first(xs: list[T]) -> T`:

1. `index_file` (indexing/file.py) parses the file (`parse` in syntax/parse.py): a query finds the call, `read_captures` and
   `read_reference` note it, and `references` makes a `Reference` of the kind `calls` with the name `total`. The receiver
   `first(carts)` is a path (syntax/expressions.py), which trees.py writes from the tree. `link_input` cuts the syntax down to
   what linking reads, and it is packed (syntax/packing.py).
2. `_Run` (indexing/run.py) writes the file, which gives the ids of its chunks, and `LinkTable.put` stores the packed bytes.
   `LinkTable.file` unpacks them to link the file, and `LinkTable.facts` collects its facts when a lookup needs them.
3. `link` → `resolve_file` → `RowMaker.rows` → `FileResolver.resolve` → `_find` → `_on_receiver`: what is `first(carts)`?
4. `Inference.values` splits it into the head `first` and the step `(carts)`. `_head` asks `Names.name`. No function around
   binds the name, so `_outer_name` → `top_name` → `Scope.name` finds the function, a value of the form CALLABLE.
5. The step passes an argument: `_applied`. By `_wanted`, the result depends on T, so the argument counts. `Inference.values` of
   `carts` → `Names.name` → `TypeReader.values_at` gives a `list` of the library with the type argument Cart.
6. `Inference.apply` → `Generics.bind_by_arguments` → `_Unifier.unify` lays the parameter's type `list[T]` over that value:
   `bind_through_bases` finds the type argument that the value gives to the class `list`, which is Cart, so T is Cart.
7. `Calls.call` → `Calls.result` → `TypeReader.values_at` reads the result type `T` with this binding: an object of Cart.
8. `Members.member` finds the method `Cart.total` in the class, and `called` (callees.py) says that a call of it runs it.
9. `_row` makes a `ResolvedReference` with the receiver `first()`. `RowMaker._edges` → `Alternatives.leads_to` → `_filled` gives
   it the target, and `LinkedFile.of` and `put_references` (storage/sqlite_writer.py) bring it into `refs`.

An update compares facts: `changed_keys` (changed.py) lists the lookups that have another answer after a change, and
`StoredLookups` (indexing/lookups.py) finds the files that made them. The update links only these files again.
"""

from code_graph_indexer.resolve.changed import changed_keys, moves_package
from code_graph_indexer.resolve.collect import file_names, is_linked, whole_imports
from code_graph_indexer.resolve.facts import WRITTEN, WRITTEN_VALUE, FileFacts
from code_graph_indexer.resolve.link import link
from code_graph_indexer.resolve.link_file import LinkFile
from code_graph_indexer.resolve.modules import ModuleFile, Modules, is_manifest
from code_graph_indexer.resolve.notes import KEY_BYTES, key_hash, unpack_lookups
from code_graph_indexer.resolve.parallel import link_all, link_safely
from code_graph_indexer.resolve.passing_files import PassingFiles
from code_graph_indexer.resolve.table import LinkTable, packed_names
from code_graph_indexer.resolve.world import World

__all__ = [
    "KEY_BYTES",
    "WRITTEN",
    "WRITTEN_VALUE",
    "FileFacts",
    "LinkFile",
    "LinkTable",
    "ModuleFile",
    "Modules",
    "PassingFiles",
    "World",
    "changed_keys",
    "file_names",
    "is_linked",
    "is_manifest",
    "key_hash",
    "link",
    "link_all",
    "link_safely",
    "moves_package",
    "packed_names",
    "unpack_lookups",
    "whole_imports",
]
