"""Language knowledge, kept as data: one .scm file a language, and the patterns of files.toml."""

from code_graph_indexer.languages.patterns import FilePatterns, PathPatterns, file_patterns
from code_graph_indexer.languages.registry import (
    Language,
    blank_patterns,
    detect_language,
    fingerprint,
    languages,
    load_definition_query,
    load_parser,
    load_query,
)

__all__ = [
    "FilePatterns",
    "Language",
    "PathPatterns",
    "blank_patterns",
    "detect_language",
    "file_patterns",
    "fingerprint",
    "languages",
    "load_definition_query",
    "load_parser",
    "load_query",
]
