"""Add to the words of a query the forms that programmers write: `configuration` → `cfg`."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files


@cache
def _forms() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Map long forms to their short form, and short forms to their first long form. Each line begins with the short form."""
    lines = [line.split() for line in files(__package__).joinpath("abbreviations.txt").read_text("utf-8").splitlines()]
    return {long: short for short, *rest in lines for long in rest}, {short: rest[0] for short, *rest in lines}


def with_other_forms(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words, then their short and long forms, each once: `configuration` adds `cfg`, and `cfg` adds `config`."""
    forms = (form for word in words for table in _forms() if (form := table.get(word)))
    return tuple(dict.fromkeys([*words, *forms]))
