"""Compile only those patterns of a query that the files of a language need, if they are few.

To compile a whole query takes up to a second, and few files need a third of it. To list what they need, they are parsed. That
is left to a forked process, because a file may crash the parser.
"""

import multiprocessing
import signal
from collections.abc import Iterable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import tree_sitter

from code_graph_indexer.errors import CgiError
from code_graph_indexer.languages import languages, load_parser, parsing_language
from code_graph_indexer.languages.registry import load_patterns, needed_patterns
from code_graph_indexer.programs import end_with_parent
from code_graph_indexer.syntax.embedded import scripts_of
from code_graph_indexer.syntax.limits import HardTextError, parse_text
from code_graph_indexer.syntax.read import read_source
from code_graph_indexer.syntax.records import SourceFile

Sources = Mapping[str, Sequence[SourceFile]]
"""The files of each language."""


def load_needed(sources: Sources, root: Path, timeout: float) -> frozenset[str]:
    """Compile what the files of each language need of its query, and return the languages for which that is done.

    None is done if a file crashes the parser, or all together take longer than `timeout` seconds.
    """
    if not sources:
        return frozenset()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, sources, root), daemon=True)
    process.start()
    sender.close()
    try:
        needed: dict[str, tuple[int, ...]] = receiver.recv() if receiver.poll(timeout) else {}
    except (EOFError, OSError):
        needed = {}
    finally:
        process.kill()
        process.join()
        receiver.close()
    for name, positions in needed.items():
        load_patterns(name, positions)
    return frozenset(needed)


def _send(sender: Connection, sources: Sources, root: Path) -> None:
    """Send the positions of the patterns that the files of each language need."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        sender.send({name: needed_patterns(name, _trees(files, root)) for name, files in sources.items()})
    except CgiError:
        # The caller compiles the whole query then, and reports it.
        return


def _trees(sources: Iterable[SourceFile], root: Path) -> Iterable[tree_sitter.Tree]:
    """Yield the tree of each file that can be read and parsed."""
    for source in sources:
        source, text = read_source(root, source)
        if source.error is None and source.language is not None:
            language = languages()[parsing_language(source.path, source.language)]
            try:
                yield parse_text(load_parser(language.name), scripts_of(text, language))
            except HardTextError:
                continue
