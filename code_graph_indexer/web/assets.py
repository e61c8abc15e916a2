"""Serve scripts and styles at addresses that change with their content, so that a browser may keep them."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from code_graph_indexer.picture.svg import stylesheet

STATIC = Path(__file__).parent / "static"

KEPT = "public, max-age=31536000, immutable"
"""The cache header of what never changes at its address."""


@cache
def assets_digest() -> str:
    """Return a text that changes with any script or style."""
    texts = [stylesheet().encode(), *(entry.read_bytes() for entry in sorted(STATIC.iterdir()))]
    return sha256(b"\0".join(texts)).hexdigest()[:12]


def asset_routes() -> list[BaseRoute]:
    """Return the routes of scripts and styles."""
    folder = f"/static/{assets_digest()}"
    return [Route(f"{folder}/picture.css", _picture_style), Mount(folder, _Assets(directory=STATIC))]


def _picture_style(request: Request) -> Response:
    return Response(stylesheet(), media_type="text/css", headers={"cache-control": KEPT})


class _Assets(StaticFiles):
    """Files that a browser may keep."""

    def file_response(self, *arguments: object, **settings: object) -> Response:
        """Return a file."""
        response = super().file_response(*arguments, **settings)  # type: ignore[arg-type]
        response.headers["cache-control"] = KEPT
        return response
