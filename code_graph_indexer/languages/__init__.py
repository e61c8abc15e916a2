"""Language knowledge, kept as data: one .scm file per language.

Import the patterns of files.toml from `languages.patterns`. Only indexing needs them, and loading them slows a start.
"""

from code_graph_indexer.languages.header import OWN_CLASS, Framework, Language, default_text, header_keys
from code_graph_indexer.languages.registry import (
    Mend,
    blank_patterns,
    detect_language,
    fingerprint,
    frameworks,
    frameworks_of,
    languages,
    libraries,
    libraries_of,
    load_definition_query,
    load_framework_query,
    load_outer_query,
    load_parser,
    load_query,
    mends,
    packed_library,
    parsing_language,
)

__all__ = [
    "OWN_CLASS",
    "Framework",
    "Language",
    "Mend",
    "blank_patterns",
    "default_text",
    "detect_language",
    "fingerprint",
    "frameworks",
    "frameworks_of",
    "header_keys",
    "languages",
    "libraries",
    "libraries_of",
    "load_definition_query",
    "load_framework_query",
    "load_outer_query",
    "load_parser",
    "load_query",
    "mends",
    "packed_library",
    "parsing_language",
]
