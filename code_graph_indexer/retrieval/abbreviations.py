"""Add to the words of a query the forms that programmers write: `configuration` → `cfg`, `localise` → `localize`."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

_AMERICAN = (
    (re.compile(r"(\w{3,})is(e|ed|es|er|ers|ing|ation|ations)"), r"\1iz\2"),
    (re.compile(r"(\w{3,})our(s|ed|ing|ful|ite|able|al|)"), r"\1or\2"),
    (re.compile(r"(\w+al)ys(e|ed|es|er|ers|ing)"), r"\1yz\2"),
    (re.compile(r"(\w+log)ue(s?)"), r"\1\2"),
    (re.compile(r"((?:cen|fil|me|the)t)re(s?)"), r"\1er\2"),
    (re.compile(r"((?:lic|def|off)en)c(es?)"), r"\1s\2"),
    (re.compile(r"((?:cance|channe|initia|labe|leve|marsha|mode|signa|trave|tunne)l)l(ed|ing|er|ers|ation)"), r"\1\2"),
)
"""Patterns of British spelling, each with its American replacement.

Some patterns also match other words: `raise` becomes `raize`. That does no harm, because no code has such a word."""


def american(word: str) -> str:
    """Return the American spelling of a word: `localise` → `localize`, `behaviour` → `behavior`.

    A word that is not British spelling is returned unchanged.
    """
    return next((match.expand(spelled) for pattern, spelled in _AMERICAN if (match := pattern.fullmatch(word))), word)


@cache
def _forms() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Map long forms to their short form, and short forms to their first long form. Each line begins with the short form."""
    lines = [line.split() for line in files(__package__).joinpath("abbreviations.txt").read_text("utf-8").splitlines()]
    return {long: short for short, *rest in lines for long in rest}, {short: rest[0] for short, *rest in lines}


def with_other_forms(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words, then their American spellings, then their short and long forms, each once.

    `configuration` adds `cfg`, and `cfg` adds `config`.
    """
    # Forms are also looked up for the American spelling: `initialise` brings `initialize`, which brings `init`.
    spelled = list(dict.fromkeys([*words, *map(american, words)]))
    forms = (form for word in spelled for table in _forms() if (form := table.get(word)))
    return tuple(dict.fromkeys([*spelled, *forms]))
