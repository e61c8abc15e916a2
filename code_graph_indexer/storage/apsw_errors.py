"""The errors of the SQLite driver that mean a damaged file."""

import apsw

DAMAGE_ERRORS = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.FormatError,
    apsw.TooBigError,
    apsw.MismatchError,
    apsw.ConstraintError,
    apsw.InternalError,
    apsw.RangeError,
    apsw.NoMemError,
    UnicodeDecodeError,
)
"""What SQLite and its driver raise when a file is damaged."""
