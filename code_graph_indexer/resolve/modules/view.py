"""Find templates by the names under which code and other templates show them."""

from code_graph_indexer.resolve.modules.base import Way

MARK = "view:"
"""The start of a text that names a template, in a file of any language."""


class ByView(Way):
    """Templates, which have the end of their path as a name."""

    def find(self, importer: str, text: str) -> tuple[str, ...]:
        """Return the template that a text names, beside the importer or else anywhere, as a tuple."""
        return self.files.views(importer, text.removeprefix(MARK))
