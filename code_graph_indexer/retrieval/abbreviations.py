"""Other forms of a query's words, as code has them: who asks for a configuration also means cfg, and the other way round."""

import re
from collections.abc import Sequence

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
"""Endings of British spelling, and what code has in their place. What is none (`raise`) becomes a word that nothing has."""


def american(word: str) -> str:
    """Write a word as most code spells it: localise is localize, behaviour is behavior."""
    return next((found.expand(spelled) for one, spelled in _AMERICAN if (found := one.fullmatch(word))), word)


def with_other_forms(words: Sequence[str]) -> tuple[str, ...]:
    """Add to words their American spelling, the short form of each, if it has one, and the long form of each that is short."""
    spelled = list(dict.fromkeys([*words, *map(american, words)]))
    others = (found for word in spelled for table in (_SHORT, _LONG) if (found := table.get(word)))
    return tuple(dict.fromkeys([*spelled, *others]))
