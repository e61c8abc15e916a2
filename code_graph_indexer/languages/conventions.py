"""Write names that a text or a path stands for by convention: `photos#index` stands for `PhotosController.index`."""

import re

_PLACE = re.compile(r"\{(\w+)\}")


def name_by_convention(convention: tuple[str, str], text: str) -> str:
    """Return the dotted name of the definition that a text stands for, or an empty text if the pattern does not match it all.

    A convention is a name with places in braces, and the pattern of the text, whose groups fill them. A group whose name has a
    capital letter is written in camel case, and its slashes as dots.

    Example:
        >>> name_by_convention(("{Name}Controller", r"views/(?P<Name>.+)/\\w+"), "views/admin/cart_items/show")
        'Admin.CartItemsController'
    """
    template, pattern = convention
    match = re.fullmatch(pattern, text)
    if match is None:
        return ""
    groups = {name: _camel(value or "") if name[:1].isupper() else value for name, value in match.groupdict().items()}
    return _PLACE.sub(lambda place: groups.get(place[1]) or "", template)


def _camel(text: str) -> str:
    """Write words with underscores between in camel case, and parts of a path with dots between: `a_b/c` is `AB.C`."""
    return ".".join("".join(word[:1].upper() + word[1:] for word in part.split("_")) for part in text.split("/"))
