"""Write names that a text or a path stands for by convention: `photos#index` stands for `PhotosController.index`."""

import re
from collections.abc import Iterator

from code_graph_indexer.words import split_identifier

_PLACE = re.compile(r"\{(\w+)\}(s(?![a-z]))?")
_NAMESPACE = re.compile(r"^(?:@\w+/|[\w.-]*::)")
_NAME = re.compile(r"\w+")
_OWN_HOST = re.compile(r"[{$]|localhost\b|127\.0\.0\.1\b|testserver\b")
_UNREAD = re.compile(r"\{\?[^}]*\}")
_VARIABLE = re.compile(r"[:<{*(\[$]")

PART = "%"
"""The mark before the name of a template of which code says that it is a part of others: `render partial: "row"`."""

ANY_PART = "*"
"""A part of a path that is no fixed text."""


def name_by_convention(convention: tuple[str, str], text: str) -> str:
    """Return the dotted name of the definition that a text stands for, or an empty text if the pattern does not match it all.

    A convention is a name with places in braces, and the pattern of the text, whose groups fill them. A group whose name has a
    capital letter is written in camel case, and its slashes as dots. An `s` behind a place makes a plural.

    Example:
        >>> name_by_convention(("{Name}Controller", r"views/(?P<Name>.+)/\\w+"), "views/admin/cart_items/show")
        'Admin.CartItemsController'
    """
    template, pattern = convention
    match = re.fullmatch(pattern, text)
    if match is None:
        return ""
    groups = {name: _camel(value or "") if name[:1].isupper() else value for name, value in match.groupdict().items()}
    return _PLACE.sub(lambda place: (plural if place[2] else str)(groups.get(place[1]) or ""), template)


def class_named_by(name: str) -> str:
    """Return the name of the class that a variable or a symbol is named after: `LineItem` for `@line_item`. Else empty."""
    return name_by_convention(("{Name}", r"[:$@]?(?P<Name>[a-z]\w*)"), name)


def is_unread(path: str) -> bool:
    """Say whether no part of the path of a route can be read: `/{?path}`."""
    rest, count = _UNREAD.subn("", path)
    return count > 0 and not rest.strip("/")


def _camel(text: str) -> str:
    """Write words with underscores or hyphens between in camel case, and parts of a path with dots: `a_b/c-d` is `AB.CD`."""
    words = (re.split(r"[_-]", part) for part in text.split("/"))
    return ".".join("".join(word[:1].upper() + word[1:] for word in part) for part in words)


def view_names(text: str) -> Iterator[str]:
    """Yield the paths of templates that a text may name, without the ends of their names: by slashes, then by dots.

    Example:
        >>> list(view_names("carts/_row.html"))
        ['carts/row']
        >>> list(view_names("shop::carts.show"))
        ['carts', 'carts/show']
    """
    text = _NAMESPACE.sub("", text.removeprefix(PART).replace("\\", "/")).lstrip("./~")
    yield _view(text)
    if "." in text and "/" not in text:
        yield text.replace(".", "/")


def view_namespace(text: str) -> str:
    """Return the namespace before the name of a template, or an empty text.

    Example:
        >>> view_namespace("mail::button")
        'mail'
    """
    match = _NAMESPACE.match(text)
    return match[0].strip("@/:") if match else ""


def view_paths(path: str) -> Iterator[str]:
    """Yield the names that the file of a template answers to, the shortest first: `show`, then `carts/show`.

    Example:
        >>> list(view_paths("app/carts/_row.html.erb"))
        ['row', 'carts/row', 'app/carts/row']
    """
    view = _view(path)
    parts = view.split("/")
    return ("/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))


def _view(path: str) -> str:
    """Return the path of a template without the end of its name, and without the mark of a partial."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.lstrip('_').partition('.')[0]}"


def words_of(path: str) -> frozenset[str]:
    """Return the words in a path, in small letters: `views/CartItem.cs` has `views`, `cart`, `item`, `cs`."""
    return frozenset(word for name in _NAME.findall(path) for word in split_identifier(name))


def singular(name: str) -> str:
    """Return the last part of a path in the singular.

    Example:
        >>> singular("/shop/entries")
        'entry'
    """
    word = name.strip("/").rpartition("/")[2]
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def plural(name: str) -> str:
    """Return a name in the plural, unless it is one.

    Example:
        >>> [plural(name) for name in ("Cart", "Inbox", "Entry", "Day", "Status", "Offers")]
        ['Carts', 'Inboxes', 'Entries', 'Days', 'Statuses', 'Offers']
    """
    if re.search(r"[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    if re.search(r"(?:x|z|ch|sh|ss|us)$", name):
        return f"{name}es"
    return name if name.endswith("s") else f"{name}s"


def route_names(path: str) -> Iterator[str]:
    """Yield the names that a route may have by its path: `/carts/:id` is `cart`, and `/carts/:id/edit` is `edit_cart`.

    Example:
        >>> sorted(route_names("/carts/:cart_id/items"))
        ['cart_items', 'items_cart']
        >>> sorted(route_names("/carts/new"))
        ['carts_new', 'new_cart', 'new_carts']
    """
    parts = [part for part in path.split("/") if part]
    words = [
        singular(part) if parts[place + 1 : place + 2] and parts[place + 1][0] in ":{<" else part
        for place, part in enumerate(parts)
        if part[0] not in ":{<("
    ]
    *outer, last = [word.replace("-", "_").partition("(")[0].partition(".")[0] for word in words] or [""]
    names = ["_".join([*outer, last])]
    if outer and parts[-1][0] not in ":{<(":
        names += ["_".join([last, *outer]), "_".join([last, *outer[:-1], singular(outer[-1])])]
    yield from dict.fromkeys(filter(None, names))


def path_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a URL or of the pattern of a route, with ANY_PART for what is no fixed text.

    The URL of another host has none.

    Example:
        >>> path_parts("/carts/{id}?page=2")
        ('carts', '*')
        >>> path_parts("https://example.com/carts")
        ()
    """
    path = _UNREAD.sub("{}", path)
    _, mark, rest = path.lstrip("/").partition("://")
    if mark:
        place, _, path = rest.partition("/")
        if not _OWN_HOST.match(place):
            return ()
    path = re.split(r"\?(?!P<|:|})|#", path.strip("^$"))[0]
    parts = (part for part in path.split("/") if part)
    return tuple(ANY_PART if _VARIABLE.search(part) else part for part in parts)


def fits_path(route: tuple[str, ...], called: tuple[str, ...]) -> bool:
    """Say whether the end of a path that code calls fits the pattern of a route, which has a fixed part.

    What stands before it may be the prefix of a router, or a first part with the address of a host. No other part of a prefix
    stands for any text.

    Example:
        >>> fits_path(("carts", "*"), ("api", "carts", "7"))
        True
        >>> fits_path(("items",), ("carts", "*", "items"))
        False
    """
    before = len(called) - len(route)
    if before < 0 or ANY_PART in called[1:before]:
        return False
    is_fit = all(own in (ANY_PART, part) for own, part in zip(route, called[before:], strict=True))
    return is_fit and any(part != ANY_PART for part in route)
