"""Draw a part of the graph as a picture (SVG).

Import from the modules of this package, not from here, because most questions need its records alone.
"""
