"""Read documentation in code by its form, and write it as Markdown: reST, Google, NumPy, JSDoc, Javadoc and XML."""

import re
import textwrap

# A stranger may have written the text: no pattern looks further than a real text needs, or reads it twice.
_FIELD = re.compile(r"^\s*:(?P<tag>[a-z]\w*)(?:\s++(?P<name>[^:]++)?)?:\s*(?P<text>.*)$", re.I)
_TAG = re.compile(r"^\s*[@\\](?P<tag>[a-z]\w*)\b\s*(?P<text>.*)$", re.I)
_ARGUMENT = re.compile(r"(?:\{(?P<type>[^}]*)\}\s*)?(?P<name>[\w.$\[\]=]+)(?:\s*[-:])?\s*(?P<text>.*)")
_SECTION = re.compile(r"^(?P<name>[A-Z][A-Za-z]+(?: [A-Z]?[a-z]+)?):$")
_ENTRY = re.compile(r"^(?P<name>\*{0,2}[\w.\[\]$]+(?:, \*{0,2}\w+)*)(?P<type> \([^)]*\))?: ?(?P<text>.*)$")
_NUMPY = re.compile(r"^(?P<name>[\w*, ]+?) : (?P<type>.+)$")
_ROLE = re.compile(r":\w+(?::\w+)?:`~?(?:[^`<]*<)?([^`>]+)>?`")
_BRACES = re.compile(r"\{@\w{1,40}\s++([^}]{0,1000}+)\}")
_SEE = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/?>")
_NAMED = re.compile(r"<(\w+)\s+(?:name|cref)=\"(?:\w:)?([^\"]*)\"\s*>")
_RETURNED = re.compile(r"<(returns|remarks|value|example)>")
_XML = re.compile(r"</?(?:summary|param|typeparam|returns|remarks|value|example|exception|para|c|code)\b[^>]{0,1000}+>")


def as_markdown(doc: str) -> str:
    """Return the documentation of a definition as Markdown. Entries for parameters and the like become lists.

    Example:
        >>> as_markdown("Add.\\n\\n:param a: A number.\\n:returns: The sum.")
        'Add.\\n\\n- *param* `a`: A number.\\n- *returns* The sum.'
    """
    text = _SEE.sub(r"`\1`", _BRACES.sub(r"`\1`", _ROLE.sub(r"`\1`", textwrap.dedent(doc))))
    text = _XML.sub("", _RETURNED.sub(r"\n@\1 ", _NAMED.sub(r"\n@\1 \2: ", text)))
    lines: list[str] = []
    section = ""
    for line in text.strip().split("\n"):
        stripped = line.strip()
        indented = line[:1] in (" ", "\t")
        if not indented and stripped:
            section = ""
        if field := _FIELD.match(line):
            _begin(lines, _item(field["tag"], field["name"] or "", "", field["text"]))
        elif tag := _TAG.match(line):
            # The first word behind these names an argument, and behind others begins the text.
            argument = _ARGUMENT.match(tag["text"]) if tag["tag"].lower().endswith("param") else None
            parts = (argument["name"], argument["type"] or "", argument["text"]) if argument else ("", "", tag["text"])
            _begin(lines, _item(tag["tag"], *parts))
        elif heading := _SECTION.match(line):
            section = heading["name"]
            lines += ["", f"**{section}**", ""]
        elif section and (entry := _ENTRY.match(stripped)):
            _begin(lines, f"- `{entry['name']}`{entry['type'] or ''}: {entry['text']}")
        elif not indented and (entry := _NUMPY.match(line)):
            _begin(lines, f"- `{entry['name']}` ({entry['type']}):")
        elif section and stripped and not stripped.startswith(">>>"):
            lines.append(f"  {stripped}" if lines and lines[-1].startswith(("-", "  ")) else stripped)
        else:
            lines.append(line[:-1] if line.endswith("::") else line)
    return "\n".join(lines)


def _item(tag: str, name: str, kind: str, text: str) -> str:
    """Return an entry of a list for a field such as `:param count: text` or `@param {int} count text`."""
    *types, last = name.split() or [""]
    kind = kind or " ".join(types)
    return (
        f"- *{tag}*{f' `{last}`' if last else ''}{f' ({kind})' if kind else ''}{': ' if last else ' '}{text}".rstrip()
    )


def _begin(lines: list[str], entry: str) -> None:
    """Add an entry of a list, with a blank line before the first."""
    if lines and lines[-1].strip() and not lines[-1].startswith(("- ", "  ")):
        lines.append("")
    lines.append(entry)
