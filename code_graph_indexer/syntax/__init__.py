"""The text of one file → records: read, parse, chunk. Import what you need from its modules: the grammars load late."""
