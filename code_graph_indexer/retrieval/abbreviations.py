"""Short forms that programmers write: who asks for a configuration also means cfg, and the other way round."""

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


def with_short_forms(words: Sequence[str]) -> tuple[str, ...]:
    """Add to words the short form of each that has one, and the usual long form of each that is one."""
    others = (found for word in words for table in (_SHORT, _LONG) if (found := table.get(word)))
    return tuple(dict.fromkeys([*words, *others]))
