"""Language knowledge, kept as data: one .scm file per language.

Import the patterns of files.toml from `languages.patterns`. Only indexing needs them, and loading them slows a start.
"""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names

# At run time, a module is imported when the first of its names is asked for: an update that finds nothing changed needs one.

if TYPE_CHECKING:
    from code_graph_indexer.languages.digest import fingerprint
    from code_graph_indexer.languages.ecosystems import ecosystem_of, is_package_file
    from code_graph_indexer.languages.header import OWN_CLASS, Framework, Language, default_text, header_keys
    from code_graph_indexer.languages.registry import (
        Mend,
        blank_patterns,
        detect_language,
        framework_queries,
        frameworks,
        frameworks_of,
        languages,
        libraries,
        libraries_of,
        load_framework_query,
        load_outer_query,
        load_parser,
        load_query,
        loaded_frameworks,
        mends,
        packed_library,
        parsing_language,
        query_for,
    )
else:
    __getattr__ = late_names(
        __name__,
        {
            "digest": "fingerprint",
            "ecosystems": "ecosystem_of is_package_file",
            "header": "OWN_CLASS Framework Language default_text header_keys",
            "registry": (
                "Mend blank_patterns detect_language framework_queries frameworks frameworks_of languages libraries "
                "libraries_of load_framework_query load_outer_query load_parser "
                "load_query loaded_frameworks mends packed_library parsing_language query_for"
            ),
        },
    )

__all__ = [
    "OWN_CLASS",
    "Framework",
    "Language",
    "Mend",
    "blank_patterns",
    "default_text",
    "detect_language",
    "ecosystem_of",
    "fingerprint",
    "framework_queries",
    "frameworks",
    "frameworks_of",
    "header_keys",
    "is_package_file",
    "languages",
    "libraries",
    "libraries_of",
    "load_framework_query",
    "load_outer_query",
    "load_parser",
    "load_query",
    "loaded_frameworks",
    "mends",
    "packed_library",
    "parsing_language",
    "query_for",
]
