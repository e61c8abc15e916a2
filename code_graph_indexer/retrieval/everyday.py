"""Add to the everyday words of a question the words that programmers write: `throw out` → `evict`, `cores` → `thread`."""

from collections.abc import Iterable, Sequence

MAX_RELATED = 24
"""The most words that are added to a question. A longer question says enough by itself."""

# Each line has everyday words, and after the colon the words of code for the same matter. It is about software of any kind,
# and names no product.
_WORDS = """
abort stop cancel interrupt: abort cancel shutdown terminate kill interrupt stop halt
accept allow permit permitted allowed: allow permit accept grant permission authorize whitelist allowlist
account member person people user visitor: user account principal identity
add put insert append attach: add insert append push put attach register
address url web link: url uri address route endpoint href
answer reply respond responds result: response reply result answer
ask asks asked asking: request query ask prompt
attack malicious hostile evil hacker: csrf xss injection sanitize escape security
background later delayed postpone afterwards: background async defer deferred task queue worker schedule
backend server servers machine host upstream: server backend upstream host peer node
backup copy copies replica duplicate: copy clone replica replication duplicate backup snapshot
balance spread distribute share evenly: balance balancer distribute round robin parallel partition shard
before pre: before pre prepare hook
after post: after post finalize hook
big huge large long: large big max limit size
blank empty missing nothing absent: empty null none blank missing nil
block forbid forbidden refuse reject deny prohibit: deny reject forbidden block refuse disallow
branch: branch ref
break broken crash crashes fail fails failure failing wrong: error fail failure exception crash panic broken
browser page site website: html page site browser template view
build compile compiled generate generated: build compile generate emit codegen
bytes binary raw: binary bytes buffer raw
cache cached remember remembers remembered keep keeps kept: cache memoize store keep retain
call calls called invoke invoked: call invoke dispatch execute handler
change changes changed edit edits edited modify: change modify update edit mutate diff
check checked checks checking: check verify validate validation assert valid
verify verified sure validate valid: check verify validate validation assert valid
choose chooses chosen pick picks: choose select selector selection pick strategy policy resolve
picked decide decides select which: choose select selector selection pick strategy policy resolve
clean cleanup tidy: clean cleanup purge prune gc sweep
close closed closes shut: close shutdown dispose finish
color colors colour colours: color style ansi
combine combined join joined merge merged together: merge join combine concat compose union
command commands terminal shell: command cli cmd args shell
compare compared difference differences same equal: compare diff equal equals delta cmp
compress compressed smaller shrink: compress gzip deflate encode zip
configure configured configuration settings: config configuration settings options option conf
setting options option preference preferences: config configuration settings options option conf
connect connected connection connections: connect connection conn dial socket
convert converted turned: convert transform translate adapt adapter parse encode cast
turn transform translate translated: convert transform translate adapt adapter parse encode cast
cores cpus parallel simultaneously concurrently once: parallel concurrent thread threads worker pool
count counted number many: count counter total size num
create created make makes making: create make new build init construct factory
crop cut shorten truncate shortened: truncate trim slice cut clip
damaged corrupt corrupted: corrupt corrupted checksum damaged
database databases: database db sql
date dates day days: date datetime calendar
delete deleted deletes remove removed removes drop erase erased: delete remove drop erase unlink purge
disappear expire expires: expire expired expiration ttl stale evict timeout freshness age
expired outlive over old: expire expired expiration ttl stale evict timeout freshness age
discard throw thrown dropped: evict eviction discard drop purge free
disk file saved save: save persist write disk flush fsync dump store storage
saves persist persisted durable written: save persist write disk flush fsync dump store storage
document documents doc docs: document doc documentation
download downloads fetch fetched load loads loading: fetch download load get retrieve
draw drawn draws paint show shown shows display displayed: render draw paint display show print
early lazy lazily delayed: lazy defer eager
encrypt encrypted secret secrets secure safe safely: encrypt cipher crypto secret hash secure
error errors message messages: error exception message warning
event events happens happened: event emit signal notify trigger listener
every each all: all each iterate
exclude excluded ignore ignored ignores skip skipped leave: ignore exclude skip filter gitignore
extend extended extension extensions plugin plugins addon: plugin extension extend addon hook
fast faster fastest quick quickly speed: fast optimize optimized accelerate performance prefilter
field fields column columns: field column attribute property
filter filtered narrow: filter where predicate
find finds found search searched look looks looking lookup: find search lookup match resolve locate
first initial beginning start starts started begin begins: start init begin bootstrap launch setup run
follow follows followed: follow redirect traverse walk
folder folders directory directories: directory dir folder path walk
format formatted formats: format formatter layout style
forward forwarded forwards redirect redirected elsewhere somewhere: redirect forward location proxy
function functions: function func callback handler method
grow grows growing bigger expand: grow resize expand extend rehash realloc capacity
group groups grouped: group bucket aggregate partition
guess guesses guessed detect: detect guess infer sniff recognize
detects recognise recognize recognises recognizes: detect guess infer sniff recognize
hang hangs stuck freeze frozen pause: timeout block deadlock stall wait
hidden hide hides: hidden hide visibility private
history past earlier previous: history log previous version
identity name names called: name identifier label alias
image images picture pictures: image picture bitmap
input typed entered: input prompt read
install installed: install setup
inform told tell tells notify notified alert: notify notification signal report inform event
language languages locale: language locale i18n translation
layer layers middle between: middleware layer interceptor filter
leak leaks leaking: leak release free
length long: length size
limit limits limited throttle slow: limit limiter throttle rate quota max
list lists listed: list enumerate
live reload restart restarts refresh: reload reloader restart refresh watch
lock locked locks exclusive: lock mutex semaphore guard
log logs logged record recorded: log logger logging record trace
login log sign signed session sessions: login session auth authenticate sign signature cookie token
loop repeated repeatedly: loop iterate cycle
lose lost loses: lost missing disconnect
memory ram: memory mem alloc heap
migrate migrated upgrade: migrate migration upgrade
mistake mistakes typo: error typo suggest
move moved: move rename shift
nested inside within: nested inner child
network wire: network socket net transport
new newest latest: new latest create
notice notices noticed watch watches: watch watcher observe detect monitor
obtain obtained gets get receive received receives: get obtain acquire receive fetch issue
open opened opens opening: open connect acquire
order ordered sort sorted: sort order compare rank
output printed print prints: print output write writer printer
override overridden replace replaced replaces substitute: replace override substitute swap
pages paging: paginate pagination page cursor
parse parsed understand understands understood read reads reading: parse parser read reader decode scan
part parts piece pieces chunk chunks: chunk part segment slice block piece
password passwords: password hash hasher
path paths route routes: path route router pattern
pattern patterns: pattern regex regexp glob match
permission permissions rights: permission acl role auth
place position located location: position location offset
plain literal text texts: text literal string plain
pool reuse reused again: pool reuse idle cache acquire
port ports listen listens: listen port bind
prevent prevented protect protected protection guard: protect guard prevent csrf lock sanitize
process processes: process worker
program programs app application: app application program main
promise promises wait waits waiting: wait await future promise block
publish publishes subscribe broadcast: publish subscribe broadcast pubsub channel
quit exit exits ends end: exit quit shutdown stop close
random randomly: random rand shuffle
recover recovered restore restored resume catch: recover restore resume retry sync resync
refer refers reference pointing: reference ref pointer link
report reports reported: report reporter
retry retries again: retry backoff attempt
rights: permission
row rows: row record
rule rules: rule policy constraint
safe thread: safe lock atomic sync
send sends sent transmit: send write emit transmit post
serialize serialized stored: serialize marshal encode dump store
size sizes: size length
split splits separated apart: split tokenize partition separate
spell spelling: spell suggest distance
step steps stage stages: step stage phase pipeline
stop stopped stopping: stop shutdown halt cancel
stream streams streaming: stream pipe flow
time timed timer: time timer timeout clock
tree trees: tree node
trust trusted certificate certificates tls https: certificate cert tls ssl x509 acme pin verifier
try tries attempt attempts: try attempt retry
type types typed: type types infer
undo revert reverted rollback: rollback undo revert restore
unique once: unique distinct dedupe
unknown unrecognised unrecognized: unknown fallback default
update updated updates: update patch upsert sync
upload uploads uploaded: upload multipart file
used use uses: use apply
variable variables environment: env environment variable
warn warns warned warning: warn warning deprecate
word words: token word
work works job jobs task tasks: work worker job task
wrap wrapped around: wrap wrapper decorate decorator middleware compose
wrong incorrect invalid: invalid error
zip archive: zip tar archive
"""


def _read(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Map each everyday word to the words of code of all lines that have it, without the word itself."""
    related: dict[str, dict[str, None]] = {}
    for line in lines:
        everyday, _, code = line.partition(":")
        for word in everyday.split():
            related.setdefault(word, {}).update(dict.fromkeys(code.split()))
    return {word: tuple(name for name in names if name != word) for word, names in related.items()}


_RELATED = _read(_WORDS.strip().split("\n"))


def related_words(words: Sequence[str]) -> tuple[str, ...]:
    """List the words of code for the everyday words of a question, each once, at most MAX_RELATED, without these words."""
    rows = [_RELATED.get(word, ()) for word in words]
    # By turns, so that one word with many relatives does not take the place of the others.
    turns = (row[turn] for turn in range(max(map(len, rows), default=0)) for row in rows if turn < len(row))
    related = dict.fromkeys(word for word in turns if word not in words)
    return tuple(related)[:MAX_RELATED]
