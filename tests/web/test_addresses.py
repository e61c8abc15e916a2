"""Every address that a page writes leads somewhere, whatever signs the names of files and definitions have."""

import re
from html import unescape
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.web.conftest import served

pytestmark = pytest.mark.slow

ZIG = """
pub fn @"textDocument/hover"(x: u8) void { _ = x; }
pub fn @"a#b?c%d&e+f=<g>"(x: u8) void { _ = x; }
pub fn @"x:y.z::w"() void {}
test "a: b/c.d" { @"textDocument/hover"(3); }
pub fn run() void { @"textDocument/hover"(3); @"a#b?c%d&e+f=<g>"(4); @"x:y.z::w"(); }
"""

CPP = """
struct Money {
  int cents;
  Money operator/(int by) const { return *this; }
  Money operator%(int by) const { return *this; }
  int operator()(int a) { return a; }
};
Money half(Money m) { return m.operator/(2); }
"""

PYTHON = "def price(x):\n    return x\n\n\ndef total():\n    return price(1)\n"

JAVASCRIPT = """
class Box { "my/method?"() { return 1; } #mark() { return this.#mark(); } }
module.exports = { Box, "/a/b?c": function (x) { return x; } };
"""

ADDRESS = re.compile(r'(?:href|src|data-src|data-part)="(/[^"]*)"')


def test_names_with_any_signs_have_addresses(tmp_path: Path) -> None:
    files = {"api.zig": ZIG, "money.cpp": CPP, "sub dir/od#d %20?+&.py": PYTHON, "keys.js": JAVASCRIPT}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    failures = []
    with served(tmp_path) as running:
        addresses = ["/", "/tour", "/search?q=run"]
        for address in addresses:
            reply = running.client.get(address, follow_redirects=True)
            if reply.status_code != 200 or 'role="alert"' in reply.text:
                failures.append((address, reply.status_code, re.findall(r'role="alert">(.*?)</p>', reply.text)))
            texts = (unescape(match).partition("#")[0] for match in ADDRESS.findall(reply.text))
            addresses += sorted(
                {text for text in texts if not text.startswith(("/static", "/impact?diff="))} - set(addresses)
            )
    for part in ("/impact?target=api.zig", "/part/impact/sub", "/picture?name=money.cpp", "/way?name=keys.js"):
        assert any(address.startswith(part) for address in addresses), part
    assert not failures
