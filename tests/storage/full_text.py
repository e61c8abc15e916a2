"""The rows of SQLite's full-text tables, which no store shows: an index that holds too many of them answers all the same."""

from pathlib import Path

from tests.indexing.repository import raw

TABLES = ("words", "trigrams")
_PLACE = "(select f.path || ':' || c.position from chunks as c join files as f on f.id = c.file_id where c.id = {})"


def full_text_terms(db: Path) -> dict[str, list[tuple[object, ...]]]:
    """List each full-text table's terms with `path:position` of the chunk, column and offset, sorted."""
    terms: dict[str, list[tuple[object, ...]]] = {}
    with raw(db) as connection:
        for table in TABLES:
            connection.execute(f"create virtual table temp.terms_{table} using fts5vocab(main, {table}, instance)")
            sql = f"select term, {_PLACE.format('doc')}, col, offset from temp.terms_{table}"
            terms[table] = sorted(connection.execute(sql), key=repr)
    return terms


def full_text_rows(db: Path) -> dict[str, int]:
    """Count the rows of each full-text table."""
    with raw(db) as connection:
        rows = {table: connection.execute(f"select id from {table}_docsize").fetchall() for table in TABLES}
    return {table: len(ids) for table, ids in rows.items()}
