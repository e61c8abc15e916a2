"""The address of a database, as it may be shown."""

import re

_PASSWORD_IN_URL = re.compile(r"(?P<before>://[^:/@\s]*:)[^\s/]*(?P<after>@)")
_PASSWORD_PART = re.compile(
    r"(?P<before>\b(?:password|sslpassword|passwd)\s*=\s*)(?:'(?:[^'\\]|\\.)*'|[^\s&]+)", re.IGNORECASE
)


def masked(text: str) -> str:
    """Return an address, or a message with addresses in it, without its passwords."""
    return _PASSWORD_PART.sub(r"\g<before>***", _PASSWORD_IN_URL.sub(r"\g<before>***\g<after>", text))
