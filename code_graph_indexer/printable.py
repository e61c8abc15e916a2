"""Texts as they may be shown: nothing in them controls a terminal, or looks like another line than the one that it is in."""

import re

TURNING_CODES = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
CONTROL_CODES = (*range(9), *range(11, 32), *range(127, 160), *TURNING_CODES)
"""Control characters, and characters that reverse the direction of text (CVE-2021-42574). No text may control the terminal."""

CONTROL = dict.fromkeys(CONTROL_CODES)

ESCAPED_CONTROL = {code: f"\\u{code:04x}" for code in CONTROL_CODES}

MAX_MESSAGE = 4_000
"""The most characters of a message. A longer one repeats a text from outside, of which the middle is left out."""

NOT_IN_NAME = re.compile(f"[{re.escape(''.join(map(chr, (9, 10, *CONTROL_CODES))))}]")
"""What may not stand in a name: control characters, tabs and line ends."""

_GAP = re.compile(r"[\t\n\r\f\v]+")


def clean(text: str) -> str:
    """Return a text without control characters, so that the terminal can show it safely. Tabs and line ends stay."""
    return text.translate(CONTROL)


def in_line(text: str) -> str:
    """Return a text that is shown inside of a line, such as a path: a line end in it would look like another answer."""
    # Most texts are of this kind, which is seen at once.
    return text if text.isprintable() else clean(text.replace("\n", "\\n").replace("\t", "\\t"))


def as_name(text: str) -> str:
    """Return a name of source code as the index holds it: in one line, without characters that no name has."""
    return text if text.isprintable() else NOT_IN_NAME.sub("\N{REPLACEMENT CHARACTER}", _GAP.sub(" ", text))


def presentable(message: str) -> str:
    """Return a message that any terminal and protocol can carry: without control characters and halves of characters."""
    message = message.encode("utf-8", "backslashreplace").decode("utf-8").translate(ESCAPED_CONTROL)
    half = MAX_MESSAGE // 2
    return message if len(message) <= MAX_MESSAGE else f"{message[:half]} … {message[-half:]}"
