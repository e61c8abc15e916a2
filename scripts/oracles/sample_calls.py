"""Draw calls of an index at random, to be judged by hand against the code.

Half are resolved (of confidence 0.5 and more), half are not. Calls in tests, examples, vendored and generated files are left
out. The sheet is tab-separated: state, file, line, receiver, name, target, confidence, and an empty column for the verdict.

usage: sample_calls.py DB [--language NAME] [--count N] [--seed N]
"""

import argparse
import random
from pathlib import Path

import apsw

ROWS = """
select f.path, r.line, r.receiver, r.name, t.qualified_name, tf.path || ':' || t.name_line, r.confidence
from refs as r
join chunks as c on c.id = r.source_id join files as f on f.id = c.file_id
left join chunks as t on t.id = r.target_id left join files as tf on tf.id = t.file_id
where r.kind = 'calls' and f.language = ? and not (f.is_test or f.is_example or f.is_vendored or f.is_generated)
and (r.target_id is not null) = ? order by f.path, r.source_id, r.ordinal
"""


def main() -> int:
    """Print the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("db", type=Path)
    parser.add_argument("--language", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    connection = apsw.Connection(str(args.db), flags=apsw.SQLITE_OPEN_READONLY)
    chance = random.Random(args.seed)
    for state, resolved in (("edge", 1), ("open", 0)):
        rows = connection.execute(ROWS, (args.language, resolved)).fetchall()
        for path, line, receiver, name, target, place, confidence in chance.sample(rows, min(args.count, len(rows))):
            print(
                state, path, line, receiver, name, f"{target} {place}" if target else "", confidence or "", "", sep="\t"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
