"""The address of a database server, as users type it: `postgresql://user@host/database#repository,repository`."""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from code_graph_indexer.errors import UsageError

SCHEMES = frozenset({"postgresql", "postgres"})
"""What an address begins with, before `://`."""

SECRET = "***"
"""What is shown in place of a password."""

MAX_NAME = 200
"""The longest name of a repository in characters."""

MAX_MESSAGE = 500
"""The most characters of a message of the driver that are shown. It may quote a value of any length."""

SHOWN = 10
"""How many of the chosen repositories an error names."""

_PASSWORD_WORD = re.compile(r"(?P<key>\b(?:ssl)?password\s*=\s*)(?:'(?:[^'\\]|\\.)*'|\S+)", re.IGNORECASE)


def check_name(name: str) -> None:
    """Raise UsageError if a text cannot be the name of a repository: it is a part of addresses and of paths."""
    refused = any(character.isspace() or not character.isprintable() or character in '#,\\"' for character in name)
    if refused or len(name) > MAX_NAME or any(part in ("", ".", "..") for part in name.split("/")):
        raise UsageError(
            f"{name[:MAX_NAME]!r} cannot be the name of a repository; "
            "give one without blanks, `#`, `,` and `..`, such as team/service"
        )


def is_address(location: object) -> bool:
    """Say whether a text names a database server rather than a file."""
    return isinstance(location, str) and location.partition("://")[0].lower() in SCHEMES and "://" in location


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database server.

    `url` is for the driver, and may hold a password. `repositories` are the chosen repositories, or empty for all.
    """

    url: str
    repositories: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: "str | Address") -> "Address":
        """Read an address, unless it is read already. Raises UsageError if it is none."""
        if isinstance(text, Address):
            return text
        if not is_address(text):
            raise UsageError(f"{masked(text)!r} is no address; give one like postgresql://user@host/database")
        url, _, chosen = text.partition("#")
        if not _is_encodable(url):
            raise UsageError(f"{masked(url)!r} is no address; give one like postgresql://user@host/database")
        names = tuple(dict.fromkeys(filter(None, (unquote(name).strip() for name in chosen.split(",")))))
        return cls(url, names)

    @property
    def has_password(self) -> bool:
        """Whether a password stands in the address."""
        return bool(_secrets(self.url))

    def __str__(self) -> str:
        # After a # in a password, the rest of it would stand for repositories.
        names = self.repositories if _split(self.url) else ()
        rest = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return masked(self.url) + (f"#{','.join(names[:SHOWN])}{rest}" if names else "")

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    def hide(self, message: str) -> str:
        """Return a message of the driver without the password of this address, and in one line."""
        for secret in _secrets(self.url):
            message = message.replace(secret, SECRET)
        return shortened(" ".join(message.split()))


def shortened(message: str) -> str:
    """Return a message of the driver without its end, if it quotes a long value."""
    return message if len(message) <= MAX_MESSAGE else f"{message[:MAX_MESSAGE]} …"


def masked(url: str) -> str:
    """Return an address with *** in place of its password.

    Example:
        >>> from code_graph_indexer.storage.address import masked
        >>> masked("postgresql://me:secret@db.example/code?sslmode=require")
        'postgresql://me:***@db.example/code?sslmode=require'
    """
    parts = _split(url)
    if "://" not in url:
        # The driver's way to write an address, which users may type too.
        return _PASSWORD_WORD.sub(rf"\g<key>{SECRET}", url)
    if parts is None:
        return f"{url.partition('://')[0]}://{SECRET}"
    netloc = parts.netloc
    if parts.password is not None:
        user = netloc.rpartition("@")[0].partition(":")[0]
        netloc = f"{user}:{SECRET}@{netloc.rpartition('@')[2]}"
    pairs = [
        f"{key}={SECRET}" if key.lower() in ("password", "sslpassword") else pair
        for pair in parts.query.split("&")
        for key in [pair.partition("=")[0]]
    ]
    return urlunsplit(parts._replace(netloc=netloc, query="&".join(pairs)))


def _is_encodable(url: str) -> bool:
    """Say whether the driver can send an address, and look up its hosts."""
    parts = _split(url)
    try:
        url.encode()
        for host in ((parts.hostname if parts else "") or "").split(","):
            host.encode("idna")
    except UnicodeError:
        return False
    return True


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, or None if it is none, as with a wrong port."""
    try:
        parts = urlsplit(url)
        # Reading it raises an error for a wrong port.
        _ = parts.port
    except ValueError:
        return None
    return parts


def _secrets(url: str) -> list[str]:
    """Return the passwords of an address, as they stand in it and decoded. If it cannot be split, all of it is secret."""
    parts = _split(url)
    if parts is None:
        return [url.partition("://")[2]]
    texts = [parts.password or ""]
    pairs = (pair.partition("=") for pair in parts.query.split("&"))
    texts += [value for key, _, value in pairs if key.lower() in ("password", "sslpassword")]
    return [secret for text in texts if text for secret in {text, unquote(text)}]
