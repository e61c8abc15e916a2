"""Link files, which is to resolve their references: all files in a full build, the affected files in an update."""

from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.resolve.link_file import LinkFile
from code_graph_indexer.resolve.notes import Note, pack_lookups
from code_graph_indexer.resolve.references import FileResolver
from code_graph_indexer.resolve.registered import Registrations
from code_graph_indexer.resolve.rows import resolve_file
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage import LinkedFile


def link(world: World, file: LinkFile) -> LinkedFile:
    """Resolve the references of one file. Return them with the hashes of all keys that were looked up for them."""
    # By these keys an update finds the files again that pass an argument to a name.
    note = world.note = Note(world.passing_keys(file.path))
    resolver = FileResolver(FileView(world, file))
    references = resolve_file(resolver, file.exact)
    registrations = Registrations(resolver)
    registrations.link()
    note.close()
    world.settle()
    references += registrations.edges
    return LinkedFile.of(file.file_id, pack_lookups(note.all_hashes()), references, registrations.rows)
