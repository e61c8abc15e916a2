"""The errors that a user can meet. Each message says what to do next, and each class has its own exit code.

CgiError                  1   The root of all errors below.
├── UsageError            2   An argument or a setting is wrong.
├── IndexNotFoundError    3   There is no index.
├── IndexFormatError      4   The file is no index, is damaged, or has another version.
├── EmbedderError         5   The embedder is unknown, unavailable, or not that of the index.
├── GrammarError          6   A grammar or its query cannot be loaded.
├── NotInIndexError       7   The index does not hold the symbol, file or chunk.
├── BusyError             8   Another process is writing this index.
├── EmptyIndexError      14   No file of the repository could be parsed.
├── IndexWriteError      15   The index cannot be written at its place.
├── ServerError          16   The database server cannot be reached, or refuses.
└── AnswerError           9   The language model could not answer.
    ├── ApiKeyError      10   The API key was refused.
    ├── OverloadError    11   The model is overloaded, or its rate limit is reached.
    ├── ContextSizeError 12   The question and its sources are too long for the model.
    └── RefusalError     13   The model declined to answer.
"""

import errno

from code_graph_indexer.printable import presentable

MORE_FILES = "too few files may be open at once (ulimit -n); allow more, such as 256"
MORE_PROCESSES = "no further process or thread may be started (ulimit -u); allow more, or use fewer: --workers 1"
MORE_MEMORY = "there is not enough memory; use less: --workers 1"

SHORTAGES = {
    errno.EMFILE: MORE_FILES,
    errno.ENFILE: MORE_FILES,
    errno.EAGAIN: MORE_PROCESSES,
    errno.ENOMEM: MORE_MEMORY,
}
"""What the machine is short of, by the number of the system's error."""


def shortage(error: BaseException | None) -> str:
    """Return what the machine is short of and what to do, if an error or what led to it says so, else an empty text."""
    while error is not None:
        if isinstance(error, MemoryError):
            return MORE_MEMORY
        if isinstance(error, OSError) and error.errno in SHORTAGES:
            return SHORTAGES[error.errno]
        # Python has no type for this error.
        if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
            return MORE_PROCESSES
        error = error.__cause__
    return ""


class CgiError(Exception):
    """The root of all errors that this package raises on purpose. Its message is presentable, whatever text it repeats.

    `exit_code` is the exit code of the command line for the error.

    Example:
        >>> from code_graph_indexer import CgiError
        >>> try:
        ...     indexer.symbol("no_such_name")
        ... except CgiError as error:
        ...     print(type(error).__name__, error.exit_code)
        NotInIndexError 7
    """

    exit_code = 1

    def __init__(self, message: str = "") -> None:
        super().__init__(presentable(message))


class UsageError(CgiError):
    """An error for an argument or a setting that cannot be used.

    Example:
        >>> from code_graph_indexer import UsageError
        >>> try:
        ...     indexer.graph.draw(form="png")
        ... except UsageError as error:
        ...     print(error)
        there is no format 'png'; known: dot, graphml, mermaid, json, svg
    """

    exit_code = 2


class IndexNotFoundError(CgiError):
    """An error for a missing index: there is no index file at the expected path.

    Example:
        >>> from code_graph_indexer import IndexNotFoundError
        >>> try:
        ...     CodeIndexer(shop, db=f"{shop}/missing.db").symbol("Cart")
        ... except IndexNotFoundError as error:
        ...     print(error.exit_code)
        3
    """

    exit_code = 3


class IndexFormatError(CgiError):
    """An error for a file that is not an index, is damaged, or has another version.

    Example:
        >>> from code_graph_indexer import IndexFormatError
        >>> try:
        ...     CodeIndexer(shop, db=f"{shop}/shop/cart.py").symbol("Cart")
        ... except IndexFormatError as error:
        ...     print(error.exit_code)
        4
    """

    exit_code = 4


class EmbedderError(CgiError):
    """An error for an embedder that is unknown, unavailable, or different from the embedder of the index.

    Example:
        >>> from code_graph_indexer import EmbedderError, create_embedder
        >>> try:
        ...     create_embedder("no-such-embedder")
        ... except EmbedderError as error:
        ...     print(error.exit_code)
        5
    """

    exit_code = 5


class GrammarError(CgiError):
    """An error for a grammar or a tags query that cannot be loaded.

    Indexing raises this error. The message names the file and the line.

    Example:
        >>> from code_graph_indexer import GrammarError
        >>> GrammarError("python.scm:3: unknown key").exit_code
        6
    """

    exit_code = 6


class NotInIndexError(CgiError):
    """An error for a symbol, file or chunk that is not in the index. The message suggests similar names.

    `search_for` is a name to search for, if none is similar.

    Example:
        >>> from code_graph_indexer import NotInIndexError
        >>> try:
        ...     indexer.symbol("add_taxx")
        ... except NotInIndexError as error:
        ...     print(error)
        no definition of 'add_taxx' in the index. Did you mean add_tax?
    """

    exit_code = 7

    def __init__(self, message: str, *, search_for: str = "") -> None:
        super().__init__(message)
        self.search_for = search_for


class BusyError(CgiError):
    """An error for an index that another process is writing. You can try again when that process has finished.

    Example:
        >>> from code_graph_indexer import BusyError
        >>> BusyError("another process writes this index").exit_code
        8
    """

    exit_code = 8


class EmptyIndexError(CgiError):
    """An error for a repository of which no file could be parsed. Only the command line raises it, after writing the index.

    Example:
        >>> from code_graph_indexer import EmptyIndexError
        >>> EmptyIndexError("the folder has no files").exit_code
        14
    """

    exit_code = 14


class IndexWriteError(CgiError):
    """An error for an index that cannot be written: the disk is full, or the place is read-only.

    An index that was there is unharmed. The message says how to write the index elsewhere.

    Example:
        >>> from code_graph_indexer import IndexWriteError
        >>> IndexWriteError("there is no room on the disk").exit_code
        15
    """

    exit_code = 15


class ServerError(CgiError):
    """An error for a database server that cannot be reached, refuses, or takes too long. The message never has a password.

    Example:
        >>> from code_graph_indexer import ServerError
        >>> ServerError("no connection").exit_code
        16
    """

    exit_code = 16


class AnswerError(CgiError):
    """An error for a question that the language model could not answer.

    Example:
        >>> from code_graph_indexer import AnswerError, ApiKeyError
        >>> issubclass(ApiKeyError, AnswerError), AnswerError.exit_code
        (True, 9)
    """

    exit_code = 9


class ApiKeyError(AnswerError):
    """An error for an API key that the provider refused, or that may not use this model.

    Example:
        >>> from code_graph_indexer import ApiKeyError
        >>> ApiKeyError("the key was refused").exit_code
        10
    """

    exit_code = 10


class OverloadError(AnswerError):
    """An error for a language model that is overloaded, or whose rate limit is reached. You can try again later.

    Example:
        >>> from code_graph_indexer import OverloadError
        >>> OverloadError("the model is overloaded").exit_code
        11
    """

    exit_code = 11


class ContextSizeError(AnswerError):
    """An error for a question that, together with its sources, is too long for the language model.

    You can lower the setting `token_budget` and ask again.

    Example:
        >>> from code_graph_indexer import ContextSizeError
        >>> ContextSizeError("too many tokens").exit_code
        12
    """

    exit_code = 12


class RefusalError(AnswerError):
    """An error for a question that the language model declined to answer.

    Example:
        >>> from code_graph_indexer import RefusalError
        >>> RefusalError("the model declined").exit_code
        13
    """

    exit_code = 13
