"""Add to the words of a query the forms that programmers write: `configuration` → `cfg`, `localise` → `localize`."""

import re
from collections.abc import Sequence

# Each line is a short form and its long forms. A short word brings only the first long form.
_FORMS = """
addr address
alloc allocate allocation
arg argument
args arguments
async asynchronous
attr attribute
auth authentication authorization
buf buffer
calc calculate
cert certificate
cfg config configuration
char character
cmd command
conn connection
ctx context
db database
dest destination
dir directory folder
doc document
env environment
err error
expr expression
fn function
idx index
impl implementation
info information
init initialize initialization
int integer
iter iterator
len length
lib library
max maximum
mgr manager
min minimum
msg message
num number
obj object
op operation
param parameter
params parameters
pkg package
prev previous
proc process
ptr pointer
ref reference
repo repository
req request
resp response
spec specification
src source
stmt statement
str string
sync synchronous
tbl table
tmp temporary
tx transaction
util utility
val value
var variable
ver version
win window
"""

_SHORT = {long: forms[0] for line in _FORMS.split("\n") if (forms := line.split()) for long in forms[1:]}
_LONG = {forms[0]: forms[1] for line in _FORMS.split("\n") if (forms := line.split())}


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


def with_other_forms(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words, then their American spellings, then their short and long forms, each once.

    `configuration` adds `cfg`, and `cfg` adds `config`.
    """
    # Forms are also looked up for the American spelling: `initialise` brings `initialize`, which brings `init`.
    spelled = list(dict.fromkeys([*words, *map(american, words)]))
    forms = (form for word in spelled for table in (_SHORT, _LONG) if (form := table.get(word)))
    return tuple(dict.fromkeys([*spelled, *forms]))
