"""Read what a template uses outside of code that a grammar reads: names, helpers, templates, and routes by their names."""

import re
from collections.abc import Iterable, Iterator

from code_graph_indexer.languages import Language
from code_graph_indexer.languages.scan import matches
from code_graph_indexer.syntax.captured import MAX_NAME, Captured, TemplateUse
from code_graph_indexer.syntax.conditionals import blanked
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.records import (
    FUNCTION_KINDS,
    TYPE_KINDS,
    WHOLE,
    WRITTEN_KINDS,
    Binding,
    Definition,
    Reference,
    Registration,
    Syntax,
)
from code_graph_indexer.syntax.registrations import CONTEXT, DECLARES, NAMED_KINDS, TEXT

MAX_TEMPLATE = 500_000
"""Most bytes of a file whose template is read."""

NAMING = frozenset({"calls", "references", "reads", "binds", "apply"})
"""Kinds of uses whose names stand outside of quotes, in a template that has a language of its own."""

OPENS, CLOSES = "opens", "closes"
"""Kinds of the ends of a block."""

ELSE = "else"
"""The name of the end of a block that begins another one, in which names mean what they do around it."""

PATHS = frozenset({"value", "each"})
"""The groups that hold the path of a value."""

DEFINED_KINDS = TYPE_KINDS | WRITTEN_KINDS | FUNCTION_KINDS
"""Kinds of definitions that the groups of a line `defines` may name."""

_PART = re.compile(r"[^.]+")
_NAME = re.compile(rb"[^\W\d][\w$]*")
_QUOTED = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")


def template_uses(source: bytes, scripts: bytes, language: Language) -> Iterator[TemplateUse]:
    """Yield what a template uses. The first line of the language file that matches at a place counts.

    `scripts` is the source with all but the code for a grammar as blanks.
    """
    tags, patterns = language.template_lines
    if len(source) > MAX_TEMPLATE or not patterns:
        return
    # Where there are no helpers, the words of the scripts are the only names that a template can use.
    words = None if language.helpers or tags else {match[0] for match in _NAME.finditer(scripts)}
    template = _code_of(source, tags) if tags else _outside(source, scripts)
    unquoted = _QUOTED.sub(lambda match: blanked(match[0]), template) if tags else template
    for kind, pattern in patterns:
        for match in matches(pattern, unquoted if kind in NAMING else template):
            use = _use(kind, match, is_function=words is None)
            if use is not None and (
                words is None or kind not in NAMING or use.name.partition(".")[0].encode() in words
            ):
                yield use


def _use(kind: str, match: re.Match[bytes], *, is_function: bool) -> TemplateUse | None:
    """Return the use of a match, or None if its name is empty or too long. `is_function` says what a component is."""
    groups = {key: text.decode("utf-8", "replace") for key, text in match.groupdict().items() if text}
    group = _kind_of(groups, "name") if kind == "defines" else "name"
    place = group if group in match.re.groupindex else 1
    name = match[place] or b""
    if b"-" in match[0] and match[0].startswith(b"<") and kind in ("calls", "references"):
        # `<cart-row>` is the component CartRow, and so is `<x-cart-row>` if the pattern leaves out the mark of the tag.
        name = b"".join(part[:1].upper() + part[1:] for part in re.split(rb"-|(?<=\.)", name))
    if not 0 < len(name) <= MAX_NAME:
        return None
    # A component that is a function gets its attributes as one argument.
    arguments = 1 if is_function and match[0].startswith(b"<") else -1
    return TemplateUse(kind, *match.span(), name.decode("utf-8", "replace"), match.start(place), groups, arguments)


def _outside(source: bytes, scripts: bytes) -> bytes:
    """Return a text with its scripts as blanks."""
    return bytes(mark if code in b" \n" else ord(" ") for mark, code in zip(source, scripts, strict=True))


def _code_of(source: bytes, tags: re.Pattern[bytes]) -> bytes:
    """Return a text with all but the groups of a pattern as blanks."""
    text = bytearray(blanked(source))
    for match in matches(tags, source):
        for group in range(1, match.re.groups + 1):
            if match.start(group) >= 0:
                text[slice(*match.span(group))] = match[group]
    return bytes(text)


def read_template(file: Captured, source: bytes, scripts: bytes, language: Language) -> None:
    """Add what a template in a file uses to its captures. What needs the definitions around it is kept in `file.template`.

    `language` is that of the template, which may stand inside of a file of another language.
    """
    uses = template_uses(source, scripts, language) if scripts is not source else ()
    for use in _in_blocks(uses) if any(kind == OPENS for kind, _ in language.template_lines.patterns) else uses:
        if use.kind in ("calls", "references"):
            start = _last_start(use) if language.template_lines.tags else use.name_start
            file.references.setdefault(start, (use.kind, use.name.rpartition(".")[2], use.receiver))
            file.given.setdefault(start, (use.arguments, ()))
        elif use.kind == "imports":
            for name, alias in _imported(use.groups):
                start = file.imports.setdefault((use.name, name, alias), use.name_start)
                if start != use.name_start and "names" not in use.groups:
                    # A file imports each name once, but a template may include another one many times.
                    file.template.append(use._replace(kind="view"))
        elif use.kind == "binds":
            binding = Binding(use.name, "", use.groups.get("type", ""), _bound(use.groups), use.name_start, -1)
            file.bindings.setdefault((use.name_start, "local", 0), binding)
        elif use.kind == "defines":
            _define(file, source, use)
        else:
            file.template.append(use)


def _in_blocks(uses: Iterable[TemplateUse]) -> Iterator[TemplateUse]:
    """Yield the uses of a template, with paths that begin with a dot in full: behind the value of the block around.

    The group `base` of a name is what stands before its dot. It is missing if the value of the block is not known.
    """
    values = [WHOLE]
    first: dict[tuple[int, str, str], TemplateUse] = {}
    for use in uses:
        first.setdefault((use.start, use.kind, "" if use.kind == OPENS else use.name), use)
    # The tag that opens a block stands outside of it.
    for use in sorted(first.values(), key=lambda use: use.end if use.kind == OPENS else use.start):
        groups = {name: _in_full(path, values[-1]) if name in PATHS else path for name, path in use.groups.items()}
        if use.kind == OPENS:
            values.append(values[-1] if "keeps" in groups else _bound(groups))
        elif use.kind == CLOSES:
            *_, around = [WHOLE, *values[:-1]]
            values = [*values[:-1], around] if use.name == ELSE else values[:-1] or [WHOLE]
        else:
            base = WHOLE if "root" in groups else values[-1]
            yield use._replace(groups=groups | ({"base": base} if base and use.name.startswith(".") else {}))


def _in_full(path: str, base: str) -> str:
    """Return a path behind a base if it begins with a dot. `$.total` is of the whole value, `$cart.total` of a variable."""
    if path.startswith("$"):
        return f"{WHOLE}{path[1:]}" if path[1:2] in ("", ".") else path[1:]
    return f"{base}{path}".rstrip(".") if base else ""


def _kind_of(groups: dict[str, str], default: str) -> str:
    """Return the kind of what a line defines, which is the name of a group, or a default."""
    return next((key for key in groups if key in DEFINED_KINDS), default)


def _last_start(use: TemplateUse) -> int:
    """Return the first byte of the last part of a dotted name."""
    return use.name_start + len(use.name.encode()) - len(use.name.rpartition(".")[2].encode())


def _imported(groups: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names that a template takes from another one, each with its alias: `field as f, row`."""
    if "names" not in groups:
        yield ("*" if "star" in groups else ""), groups.get("alias", "")
        return
    for part in groups["names"].split(","):
        name, *alias = re.split(r"(?<!\s)\s+as\s+", part.strip())
        if name.isidentifier():
            yield name, alias[0].split()[0] if alias and alias[0] else ""


def _bound(groups: dict[str, str]) -> str:
    """Return the expression path of what a template binds to a name: the value itself, or an element of it."""
    path = groups.get("value") or groups.get("each", "")
    return f"{path}[*]" if path and "value" not in groups else path


def _define(file: Captured, source: bytes, use: TemplateUse) -> None:
    """Add what a template defines, from the start to the end of the match in the source."""
    kind = _kind_of(use.groups, "function")
    signature = " ".join(source[use.start : use.end].decode("utf-8", "replace").partition("\n")[0].split())
    definition = Definition(
        *(kind, use.name, use.name, use.start, use.end, use.start, use.name_start, signature[:MAX_NAME], ""),
        *(-1, "", "", True, 0, 255, (), use.start),
    )
    file.definitions.setdefault((use.start, use.end, kind), (0, definition))


def reads_of(file: Captured, syntax: Syntax) -> Iterator[Reference]:
    """Yield the members that a template shows, each of `cart.owner.name`. A member may be a function, or hold a value."""
    uses = [use for use in file.template if use.kind == "reads"]
    around = Innermost([(definition.start, definition.end) for definition in syntax.definitions] if uses else ())
    for use, scope in zip(uses, around.around(use.start for use in uses), strict=True):
        parts = [match.start() for match in _PART.finditer(use.name)]
        # The first name is a member too where the template is a part of a class.
        for start in parts if use.name.startswith(".") or file.language.implicit_self else parts[1:] or parts:
            place = use.name_start + len(use.name[:start].encode())
            if place not in file.references:
                name = use.name[start:].partition(".")[0]
                receiver = (use.groups.get("base", "") + use.name[:start]).strip(".")
                for kind in ("references", "reads"):
                    yield Reference(kind, name, receiver, place, scope, -1)


def template_registrations(file: Captured, syntax: Syntax) -> Iterator[Registration]:
    """Yield what the templates of a file use by other names than those of definitions: helpers, routes and templates."""
    uses = [use for use in file.template if use.kind != "reads"]
    scopes = Innermost([(definition.start, definition.end) for definition in syntax.definitions] if uses else ())
    for use, scope in zip(uses, scopes.around(use.start for use in uses), strict=True):
        handlers: tuple[str, ...] = tuple(TEXT + text for key, text in use.groups.items() if key == "handler")
        verb = use.groups.get("verb", "")
        name = use.name
        if use.kind == CONTEXT:
            verb, handlers = WHOLE, (use.groups.get("value", ""),)
        if scope >= 0 and use.kind in (DECLARES, *NAMED_KINDS):
            around = syntax.definitions[scope].path_name
            name, handlers = (use.name if use.kind == "named" else around), (around,)
        yield Registration(file.language.name, use.kind, verb, name, "", handlers, (), -1, use.name_start, scope)
