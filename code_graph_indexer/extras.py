"""Say how to install what an extra of this package needs, so that the command works where this package came from."""

import json
import shlex
import sys
from collections.abc import Mapping
from typing import Any

PACKAGE = "code-graph-indexer"


def install_command(extra: str) -> str:
    """Return the command that installs an extra into the Python that runs.

    It names the folder, git address or file that this package was installed from, or else the package by its name.

    Example:
        >>> from code_graph_indexer.extras import install_command
        >>> "pip install" in install_command("web")
        True
    """
    # Here, because it loads slowly and only a missing package asks.
    from importlib.metadata import PackageNotFoundError, distribution
    from importlib.util import find_spec

    try:
        origin = json.loads(distribution(PACKAGE).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    python = shlex.quote(sys.executable)
    # Environments of uv have no pip.
    program = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    return " ".join([program, *(shlex.quote(word) for word in requirement(extra, origin))])


def requirement(extra: str, origin: Mapping[str, Any]) -> list[str]:
    """Return what pip installs for an extra, where `origin` says what this package was installed from (PEP 610).

    Example:
        >>> from code_graph_indexer.extras import requirement
        >>> requirement("web", {})
        ['code-graph-indexer[web]']
        >>> requirement("web", {"url": "https://git.example/cgi", "vcs_info": {"vcs": "git"}})
        ['code-graph-indexer[web] @ git+https://git.example/cgi']
        >>> requirement("web", {"url": "file:///src/cgi", "dir_info": {"editable": True}})
        ['-e', '/src/cgi[web]']
    """
    from urllib.parse import unquote, urlsplit

    package, address = f"{PACKAGE}[{extra}]", str(origin.get("url", ""))
    if not address:
        return [package]
    if (folder := origin.get("dir_info")) is not None:
        path = f"{unquote(urlsplit(address).path)}[{extra}]"
        return ["-e", path] if folder.get("editable") else [path]
    vcs = origin.get("vcs_info", {}).get("vcs", "")
    return [f"{package} @ {vcs}+{address}" if vcs else f"{package} @ {address}"]
