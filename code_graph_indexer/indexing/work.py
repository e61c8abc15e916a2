"""What a worker does with one file, from bytes to all that the store keeps of it."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from code_graph_indexer.embedders import Embedder, Vectors, create_embedder
from code_graph_indexer.syntax.chunk import Chunks, chunk_code, chunk_text, newlines
from code_graph_indexer.syntax.packing import pack
from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.read import content_hash, read_source
from code_graph_indexer.syntax.records import Chunk, Definition, IndexedFile, LinkInput, SourceFile, Syntax, as_records
from code_graph_indexer.words import chunk_tokens, index_words, words_and_grams

COMPRESSION = 3
"""Half the time of zlib's default, 6, for a text seven percent larger: an index file grows by half a percent."""

INT8_MAX = 127
"""The largest component of a vector becomes this."""


class WorkOptions(NamedTuple):
    """What a worker has to know; `embedder` is empty when it is not to embed."""

    root: Path
    max_chunk_size: int
    embedder: str


@cache
def _embedder(spec: str) -> Embedder:
    return create_embedder(spec)


def load_embedder(spec: str) -> None:
    """Have an embedder load what it needs; none for an empty name."""
    if spec:
        _embedder(spec).embed("")


def index_file(source: SourceFile, options: WorkOptions) -> IndexedFile:
    """Read, parse and chunk one file. Raises GrammarError when its grammar cannot be loaded."""
    source, text = read_source(options.root, source)
    if source.error is not None:
        return IndexedFile(source)
    syntax, cut = _cut(source, text, options.max_chunk_size)
    bodies = [words_and_grams(text[one.start : one.end].decode("utf-8", "replace")) for one in cut.chunks]
    words = _word_fields(source.path, cut, [body for body, _ in bodies])
    return IndexedFile(
        source=source,
        text=text,
        compressed=zlib.compress(text, COMPRESSION),
        lines=text.count(b"\n") + (bool(text) and not text.endswith(b"\n")),
        module=syntax.module,
        broken=syntax.broken,
        chunks=cut.chunks,
        members=cut.members,
        hashes=tuple(_chunk_hash(source.path, *one, text) for one in zip(cut.chunks, words, strict=True)),
        words=tuple(words),
        grams=tuple(grams for _, grams in bodies),
        facts=pack(link_input(syntax, cut, text)) if source.language else b"",
    )


def embedded(files: Sequence[IndexedFile], options: WorkOptions) -> list[IndexedFile]:
    """Embed the chunks of a few files together, as most files have few; as they are where workers do not embed."""
    texts = [embedding_text(one.source.path, chunk, one.text) for one in files for chunk in one.chunks]
    vectors = quantise(_embedder(options.embedder).embed_batch(texts)) if options.embedder and texts else ()
    # Their tokens have served: room that is used again is still in the core's cache.
    chunk_tokens.cache_clear()
    if not vectors:
        return list(files)
    each = iter(vectors)
    # What is not sent back need not be packed: a text that is embedded has served.
    return [replace(one, text=b"", vectors=tuple(islice(each, len(one.chunks)))) for one in files]


def link_facts(source: SourceFile, text: bytes, max_chunk_size: int) -> tuple[str, bytes]:
    """Read again what the resolver needs of a stored text: its module, and its packed LinkInput."""
    syntax, cut = _cut(source, text, max_chunk_size)
    return syntax.module, pack(link_input(syntax, cut, text))


def _cut(source: SourceFile, text: bytes, max_size: int) -> tuple[Syntax, Chunks]:
    name = source.path.rpartition("/")[2]
    if source.language is None:
        return Syntax(), chunk_text(text, name=name, max_size=max_size)
    syntax = parse(source.path, text, source.language)
    return syntax, chunk_code(text, syntax, module=syntax.module or name, max_size=max_size)


def link_input(syntax: Syntax, cut: Chunks, text: bytes) -> LinkInput:
    """Strip a syntax to what the resolver needs, and translate places to lines and columns."""
    used = [one.start for one in syntax.references] + [one.start for one in syntax.imports]
    starts = np.array(used + [one.name_start for one in syntax.definitions], dtype=np.int64)
    ends = newlines(text)
    lines = np.searchsorted(ends, starts)
    columns = starts - np.concatenate(([0], ends + 1))[lines]
    places = tuple(zip((lines + 1).tolist(), columns.tolist(), strict=True))
    light = tuple(as_records(Definition, ((*one[:7], "", "", *one[9:]) for one in syntax.definitions)))
    return LinkInput(replace(syntax, definitions=light, module_doc=""), cut.chunk_of, places)


def _chunk_hash(path: str, chunk: Chunk, words: Sequence[str], text: bytes) -> bytes:
    """Hash all that a chunk is found by: what is embedded of it, and its words, of which those of the body are in its text."""
    fields = "\0".join([path, chunk.qualified_name, *words[:-1]])
    return content_hash(b"\0".join([fields.encode("utf-8", "replace"), text[chunk.start : chunk.end]]))


def embedding_text(path: str, chunk: Chunk, text: bytes) -> str:
    """Write what is embedded of a chunk: where it stands, its name, its text."""
    own = text[chunk.start : chunk.end].decode("utf-8", "replace")
    return f"{path} {chunk.qualified_name}\n{own}"


def quantise(vectors: Vectors) -> tuple[bytes, ...]:
    """Turn vectors into int8, each by its own scale: a cosine does not depend on it."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    packed = np.rint(vectors / np.where(largest == 0, 1, largest) * INT8_MAX).astype(np.int8)
    return tuple(row.tobytes() for row in packed)


def _word_fields(path: str, cut: Chunks, bodies: Sequence[str]) -> Sequence[tuple[str, ...]]:
    """For each chunk, the words of its name (and its members'), path, signature, doc and body."""
    path_words = index_words(path)
    named: dict[int, list[str]] = {}
    for member in cut.members:
        named.setdefault(member.chunk, []).append(member.name)
    return [
        (
            index_words(" ".join([chunk.name, *named.get(position, ())])),
            f"{path_words} {index_words(chunk.qualified_name)}",
            index_words(chunk.signature),
            index_words(chunk.doc),
            body,
        )
        for position, (chunk, body) in enumerate(zip(cut.chunks, bodies, strict=True))
    ]
