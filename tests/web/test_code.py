"""Lines of code look alike, whether a page shows them alone or with their file."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.code import CodeFile, code_lines, load_code
from tests.indexing.repository import index, write_tree

pytestmark = pytest.mark.slow

FILES = {
    "reply.php": "<?php\nclass Reply\n{\n    public function __construct(\n        private array $body = [],\n    ) {}\n\n"
    "    public static function ok(array $body): self\n    {\n        return new self(body: $body);\n    }\n}\n",
    "shop.py": "import functools\n\n@functools.cache\ndef pay(total):\n    return total\n\n\nclass Shop:\n    price = pay(1)\n",
}


@pytest.mark.parametrize("path", FILES)
def test_a_line_has_the_links_that_it_has_in_its_file(tmp_path: Path, path: str) -> None:
    root = write_tree(tmp_path / "root", FILES)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        (language,) = [file.language for file in indexer.store.files() if file.path == path]

        def load(lines: tuple[int, int] | None) -> CodeFile:
            file = load_code(indexer.store, path, language, lambda name: False, lines)
            assert file is not None
            return file

        whole = load(None)
        count = FILES[path].count("\n")
        apart = [code_lines(load((number, number)), number, number) for number in range(1, count + 1)]
        assert apart == [code_lines(whole, number, number) for number in range(1, count + 1)]
        assert any("def" in html for (html,) in apart)


def test_a_field_of_a_constructor_is_defined_at_its_own_line_alone(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", FILES)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        file = load_code(indexer.store, "reply.php", "php", lambda name: False)
        assert file is not None
        fates = {number: "".join(code_lines(file, number, number)) for number in (5, 10)}
        assert 'class="def' in fates[5]
        assert 'class="def' not in fates[10]
