"""Count the calls on results of a repository's own generic functions that lead nowhere.

DB is an index of the repository, made by any revision. A function is generic if its signature has type parameters. A call
is counted if it stands behind the call of a generic function on the same line (`first(carts).total()`), that call is
resolved, and its own target is not known. *Defined here* counts those whose name the repository defines: the rest can
only be members of a library. A name that both have is counted, so read the list (`--list`) before you judge.

usage: bench_generics.py DB [DB …] [--list]
"""

import argparse
import re
from collections import Counter

import apsw

FUNCTIONS = "select id, name, signature from chunks where kind in ('function', 'method')"

CALLS = (
    "select f.path, r.line, r.name, r.target_id from refs as r join chunks as c on c.id = r.source_id "
    "join files as f on f.id = c.file_id where r.target_id is not null and r.kind = 'calls'"
)

UNRESOLVED = "select path, line, name, receiver from unresolved where kind = 'calls' and receiver like '%)'"

ARGUMENTS = re.compile(r"\([^()]*\)$")


def is_generic(name: str, signature: str) -> bool:
    """Tell whether a signature has type parameters: `fun <T> name(…)` or `name<T>(…)`."""
    return bool(name) and bool(re.search(rf"\bfun\s*<|(?<!\w){re.escape(name)}\s*<\w", signature))


def main() -> None:
    """Print a row for each index."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("db", nargs="+", help="the index")
    parser.add_argument("--list", action="store_true", help="list the calls whose name the repository defines")
    options = parser.parse_args()
    print(
        "| index | generic functions | calls without a target on their results | name defined here |\n|---|---|---|---|"
    )
    for path in options.db:
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        generic = {chunk for chunk, name, signature in db.execute(FUNCTIONS) if is_generic(name, signature)}
        heads = {(place, line, name) for place, line, name, target in db.execute(CALLS) if target in generic}
        names = {name for (name,) in db.execute("select name from chunks where name != ''")}
        calls = [
            (head, name)
            for place, line, name, receiver in db.execute(UNRESOLVED)
            if (place, line, head := re.split(r"[.?!:]", ARGUMENTS.sub("", receiver))[-1]) in heads
        ]
        defined = [(head, name) for head, name in calls if name in names]
        print(f"| {path} | {len(generic)} | {len(calls)} | {len(defined)} |")
        if options.list:
            for (head, name), count in Counter(defined).most_common():
                print(f"    {head}().{name}: {count}")


if __name__ == "__main__":
    main()
