"""The errors a user can meet; each says what to do next and owns its exit code.

CgiError                  1   anything below, caught by the command line
├── UsageError            2   a wrong argument or setting
├── IndexNotFoundError    3   no index where one was looked for
├── IndexFormatError      4   the file is not an index, is damaged, or is of another version
├── EmbedderError         5   the embedder is unknown, unavailable, or not the one of the index
├── GrammarError          6   a grammar or its query cannot be loaded
├── NotInIndexError       7   the symbol, file or chunk asked for is not there
├── BusyError             8   another process is writing this index
└── AnswerError           9   the language model could not be asked
    ├── ApiKeyError      10   its key was refused
    ├── OverloadError    11   it is overloaded, or its rate limit is reached
    ├── ContextSizeError 12   the question and its sources are too long for it
    └── RefusalError     13   it declined to answer
"""


class CgiError(Exception):
    """Be the root of every error this package raises on purpose."""

    exit_code = 1


class UsageError(CgiError):
    """Report an argument or a setting that cannot be used."""

    exit_code = 2


class IndexNotFoundError(CgiError):
    """Report that there is no index where one was looked for."""

    exit_code = 3


class IndexFormatError(CgiError):
    """Report a file that is no index, is damaged, or is of another version."""

    exit_code = 4


class EmbedderError(CgiError):
    """Report an embedder that is unknown, unavailable or not the index's own."""

    exit_code = 5


class GrammarError(CgiError):
    """Report a grammar or a tags query that cannot be loaded."""

    exit_code = 6


class NotInIndexError(CgiError):
    """Report a symbol, file or chunk that the index does not hold."""

    exit_code = 7


class BusyError(CgiError):
    """Report that another process is writing the same index."""

    exit_code = 8


class AnswerError(CgiError):
    """Report that the language model could not be asked."""

    exit_code = 9


class ApiKeyError(AnswerError):
    """Report a key that was refused, or may not be used for this."""

    exit_code = 10


class OverloadError(AnswerError):
    """Report a language model that is overloaded, or whose rate limit is reached."""

    exit_code = 11


class ContextSizeError(AnswerError):
    """Report a question with sources that are too long for the language model."""

    exit_code = 12


class RefusalError(AnswerError):
    """Report a language model that declined to answer."""

    exit_code = 13
