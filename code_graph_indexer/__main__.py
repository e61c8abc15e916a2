"""Run `cgi` as `python -m code_graph_indexer`."""

from code_graph_indexer.cli import main

if __name__ == "__main__":
    main()
