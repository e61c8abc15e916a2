"""Index one file: read it, parse it, cut it into chunks, and prepare its rows for the store.

`embed_files` adds the vectors afterwards, for a batch of files at once. run.py stores the rows, and puts what linking needs
into the `LinkTable` of resolve/, which links the files when all are there.
"""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.languages import Language, languages
from code_graph_indexer.printable import as_name
from code_graph_indexer.resolve import packed_names
from code_graph_indexer.storage.vectors import quantise
from code_graph_indexer.syntax.chunk import Chunks, chunk_code, chunk_text, newlines
from code_graph_indexer.syntax.disk import content_hash
from code_graph_indexer.syntax.limits import HardTextError
from code_graph_indexer.syntax.packing import pack
from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.read import read_source
from code_graph_indexer.syntax.records import (
    CLASS_KINDS,
    Chunk,
    Definition,
    IndexedFile,
    SourceFile,
    Syntax,
    as_records,
)
from code_graph_indexer.syntax.search_words import word_fields
from code_graph_indexer.syntax.sections import read_sections
from code_graph_indexer.words import chunk_tokens, words_and_grams

COMPRESSION = 3
"""The zlib level for stored texts. It takes half the time of the default level 6, and an index file is 0.5 % larger."""


HASH_BYTES = 8
"""Bytes of the hash of a chunk. Of two million chunks, two have the same with a chance of one to ten million."""


class WorkOptions(NamedTuple):
    """The settings of a worker process. An empty `embedder` means that workers do not embed."""

    root: Path
    max_chunk_size: int
    embedder: str


@cache
def _embedder(spec: str) -> Embedder:
    return create_embedder(spec)


def load_embedder(spec: str) -> None:
    """Load the model of an embedder into this process. An empty spec loads none."""
    if spec:
        # Some embedders load their model only at the first text.
        packed_vectors(_embedder(spec), [""])


def index_file(source: SourceFile, options: WorkOptions) -> IndexedFile:
    """Read, parse and chunk one file, without embedding it. If it cannot be read, the result has only its source and error.

    Raises GrammarError if the grammar of its language cannot be loaded.
    """
    source, text = read_source(options.root, source)
    if source.error is not None:
        return IndexedFile(source)
    try:
        syntax, chunks = _chunks_of(source, text, options.max_chunk_size)
    except HardTextError as exc:
        return IndexedFile(replace(source, error=f"too hard to parse ({exc})"))
    bodies, grams = words_and_grams(text[chunk.start : chunk.end].decode("utf-8", "replace") for chunk in chunks.chunks)
    members = [(member.parent, member.name) for member in chunks.members]
    packed, names = _linked_parts(source, syntax, chunks, text)
    words = word_fields(source.path, chunks.chunks, members, bodies)
    return IndexedFile(
        source=source,
        text=text,
        compressed=zlib.compress(text, COMPRESSION),
        lines=text.count(b"\n") + (bool(text) and not text.endswith(b"\n")),
        module=syntax.module,
        broken=syntax.broken,
        chunks=chunks.chunks,
        members=chunks.members,
        hashes=_chunk_hashes(source.path, chunks.chunks, words, text),
        words=tuple(words),
        grams=grams,
        link_input=packed,
        names=names,
    )


def _linked_parts(source: SourceFile, syntax: Syntax, chunks: Chunks, text: bytes) -> tuple[bytes, bytes]:
    """Return the packed syntax of a file, which the resolver reads, and its packed names. Both are empty without a language."""
    if not source.language:
        return b"", b""
    linked = link_input(syntax, chunks, text, source.language)
    return pack(linked), packed_names(source.path, source.language, linked)


def embed_files(files: Sequence[IndexedFile], options: WorkOptions) -> list[IndexedFile]:
    """Embed the chunks of several files in one batch, and return the files with their vectors, but without their texts.

    The files are returned unchanged if workers do not embed, or if there is no chunk.
    """
    texts = [embedding_text(file.source.path, chunk, file.text) for file in files for chunk in file.chunks]
    vectors = packed_vectors(_embedder(options.embedder), texts) if options.embedder and texts else ()
    # The tokens of these files are not needed again, and memory that is reused stays in the core's cache.
    chunk_tokens.cache_clear()
    if not vectors:
        return list(files)
    remaining = iter(vectors)
    # The text is embedded now. Sending it back to the parent would only cost time.
    return [replace(file, text=b"", vectors=tuple(islice(remaining, len(file.chunks)))) for file in files]


def read_link_input(source: SourceFile, text: bytes, max_chunk_size: int) -> tuple[str, bytes]:
    """Parse a stored text again, and return its module name and what the resolver reads of it, packed."""
    syntax, chunks = _chunks_of(source, text, max_chunk_size)
    return syntax.module, pack(link_input(syntax, chunks, text, source.language))


def _chunks_of(source: SourceFile, text: bytes, max_size: int) -> tuple[Syntax, Chunks]:
    """Parse a text, and return its syntax and its chunks.

    A file without a language has no syntax but its headings. Without headings, it is chunked by lines.
    """
    name = as_name(source.path.rpartition("/")[2])
    if source.language is None:
        sections = read_sections(source.path, text)
        if sections is None:
            return Syntax(), chunk_text(text, name=name, max_size=max_size)
        return sections, chunk_code(text, sections, module=name, max_size=max_size)
    syntax = parse(source.path, text, source.language)
    return syntax, chunk_code(text, syntax, module=syntax.module or name, max_size=max_size)


def _is_read(language: Language, definition: Definition) -> bool:
    """Say whether linking reads the signature of a definition."""
    if language.structural or (language.members_outside and definition.kind in CLASS_KINDS):
        return True
    return bool(language.getter and language.getter.search(definition.signature))


def link_input(syntax: Syntax, chunks: Chunks, text: bytes, language: str | None) -> Syntax:
    """Return the part of a file's syntax that the resolver needs, without docs, with lines and columns for byte offsets."""
    # The resolver pairs places with entries by this order.
    used = [entry.start for entry in syntax.references] + [entry.start for entry in syntax.imports]
    used += [entry.name_start for entry in syntax.definitions]
    starts = np.array(used + [entry.start for entry in syntax.registrations], dtype=np.int64)
    ends = newlines(text)
    lines = np.searchsorted(ends, starts)
    columns = starts - np.concatenate(([0], ends + 1))[lines]
    places = tuple(zip((lines + 1).tolist(), columns.tolist(), strict=True))
    # The doc of a definition is left empty, because linking does not read it. It reads few signatures.
    rules = languages()[language] if language else None
    rows = (
        (*entry[:7], entry.signature if rules is not None and _is_read(rules, entry) else "", "", *entry[9:])
        for entry in syntax.definitions
    )
    light = tuple(as_records(Definition, rows))
    return replace(
        syntax, definitions=light, module_doc="", chunk_of=chunks.chunk_of, member_of=chunks.member_of, places=places
    )


def _chunk_hashes(path: str, chunks: Sequence[Chunk], words: Sequence[Sequence[str]], text: bytes) -> tuple[bytes, ...]:
    """Return the hash of each chunk. That of a definition that goes on in blocks also covers these."""
    hashes = [_chunk_hash(path, chunk, fields, text) for chunk, fields in zip(chunks, words, strict=True)]
    blocks: dict[int, list[bytes]] = {}
    for chunk, digest in zip(chunks, hashes, strict=True):
        if chunk.kind == "block":
            blocks.setdefault(chunk.parent, []).append(digest)
    for place, digests in blocks.items():
        hashes[place] = content_hash(b"".join([hashes[place], *digests]))[:HASH_BYTES]
    return tuple(hashes)


def _chunk_hash(path: str, chunk: Chunk, words: Sequence[str], text: bytes) -> bytes:
    """Return a hash of everything that a search uses to find a chunk: its text, name, path and words."""
    # The last words are those of the body, whose text is hashed itself.
    fields = "\0".join([path, chunk.qualified_name, *words[:-1]])
    return content_hash(b"\0".join([fields.encode("utf-8", "replace"), text[chunk.start : chunk.end]]))[:HASH_BYTES]


def embedding_text(path: str, chunk: Chunk, text: bytes) -> str:
    """Return the text that is embedded for a chunk: a first line with its path and name, then its text."""
    body = text[chunk.start : chunk.end].decode("utf-8", "replace")
    return f"{path} {chunk.qualified_name}\n{body}"


def packed_vectors(embedder: Embedder, texts: Sequence[str]) -> tuple[bytes, ...]:
    """Embed texts, and return the vector of each as the index stores it: int8 bytes."""
    return tuple(row.tobytes() for row in quantise(embedder.embed_batch(texts)))
