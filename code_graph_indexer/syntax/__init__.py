"""Turn the text of one file into records: read, parse, chunk.

Import from the modules of this package, not from here, because loading the grammars is slow.
"""
