"""Refuse requests that come from other sites, and forbid pages to load or run anything but what the server sends."""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of every answer. Nothing inside of a page runs, and nothing is loaded from elsewhere."""

IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of an image of the repository, which has styles of its own, and may be opened as a page."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}

METHODS = ("GET", "HEAD", "POST")
OWN_SITES = ("", "same-origin", "none")


class Guard:
    """The outermost layer of the server.

    `names` are the hosts that a request may name besides addresses and localhost. A name that an attacker's DNS leads here is
    none of them.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        reason = self._refusal(str(scope["method"]), Headers(scope=scope))
        if reason:
            await PlainTextResponse(f"{reason}\n", 403)(scope, receive, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)

    def _refusal(self, method: str, headers: Headers) -> str:
        """Return why a request is refused, or an empty text."""
        host = headers.get("host", "")
        if method not in METHODS:
            return f"{method} is not allowed; this server only reads"
        if not self._is_known(host):
            return f"the host {host!r} is not this server; open it by its address, or start it with --name"
        origin = headers.get("origin")
        # A proxy before the server may speak TLS.
        if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return f"a page of {origin!r} may not ask this server"
        # A link from elsewhere may lead here. Anything that another page loads by itself may not.
        is_link = method != "POST" and headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site", "") not in OWN_SITES and not is_link:
            return "another site may not load pages of this server"
        return ""

    def _is_known(self, host: str) -> bool:
        """Say whether a Host header names this server: by one of its names, or by any IP address."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True
