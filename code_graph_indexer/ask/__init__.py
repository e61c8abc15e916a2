"""Answer a question in words, and check the citations in the answer.

Import from the modules of this package, not from here, because a search needs few of them.
"""
