"""Draw a part of the graph as a picture (SVG)."""

from code_graph_indexer.picture.layout import Layout, lay_out
from code_graph_indexer.picture.svg import Link, draw_svg, file_link, stylesheet
from code_graph_indexer.picture.text import printable

__all__ = ["Layout", "Link", "draw_svg", "file_link", "lay_out", "printable", "stylesheet"]
