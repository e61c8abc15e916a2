"""Draw a part of the graph as a picture (SVG)."""

from code_graph_indexer.picture.layout import Layout, lay_out
from code_graph_indexer.picture.svg import Link, draw_svg, file_link, stylesheet

__all__ = ["Layout", "Link", "draw_svg", "file_link", "lay_out", "stylesheet"]
