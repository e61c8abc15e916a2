"""Imports by the names that a tsconfig.json gives to folders."""

from pathlib import Path

import pytest

from code_graph_indexer.resolve.modules.path_aliases import Aliases
from tests.indexing.repository import calls, index, write_tree

PATHS = """\
{
  // what "strict" is, /* others */ know
  "extends": "../tsconfig.base.json",
  "compilerOptions": {
    "strict": true, /* "paths": {} */
    "paths": {
      "@/*": ["./src/*", "./generated/*",],
      "~config": ["config.ts"],
      "a/*/z": ["src/*/of"],
      "a/*": ["elsewhere/*"],
    },
  },
}
"""


def meant(configurations: dict[str, str], text: str, importer: str = "web/src/app.ts") -> list[str]:
    return list(Aliases(configurations).paths_of(importer, text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@/ui/box", ["web/src/ui/box", "web/generated/ui/box"]),
        ("~config", ["web/config.ts"]),
        ("~config/x", []),
        ("a/b/z", ["web/src/b/of", "web/elsewhere/b/z"]),
        ("a/b", ["web/elsewhere/b"]),
        ("react", []),
    ],
)
def test_a_pattern_is_another_name_of_paths(text: str, expected: list[str]) -> None:
    assert meant({"web/tsconfig.json": PATHS}, text) == expected


@pytest.mark.parametrize(
    ("configurations", "expected"),
    [
        ({"web/tsconfig.json": '{"compilerOptions": {"baseUrl": "."}}'}, ["web/@/x"]),
        (
            {"tsconfig.json": '{"compilerOptions": {"baseUrl": "./web", "paths": {"@/*": ["lib/*"]}}}'},
            ["web/lib/x", "web/@/x"],
        ),
        (
            {
                "web/tsconfig.json": '{"extends": "../tsconfig.base", "compilerOptions": {"paths": {"@/*": ["lib/*"]}}}',
                "tsconfig.base.json": '{"compilerOptions": {"baseUrl": "all", "paths": {"@/*": ["never/*"]}}}',
            },
            ["all/lib/x", "all/@/x", "all/never/x", "all/@/x"],
        ),
        (
            {
                "web/tsconfig.json": '{"extends": ["./tsconfig.none.json", "../tsconfig.base.json", "@some/package"]}',
                "tsconfig.base.json": '{"compilerOptions": {"paths": {"@/*": ["${configDir}/own/*", "base/*"]}}}',
            },
            ["web/own/x", "base/x", "own/x", "base/x"],
        ),
        (
            {
                "web/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
                "web/tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["app/*"]}}}',
                "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["root/*"]}}}',
            },
            ["web/app/x", "root/x"],
        ),
        ({"other/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["lib/*"]}}}'}, []),
    ],
)
def test_configurations_are_found_and_extended(configurations: dict[str, str], expected: list[str]) -> None:
    assert meant(configurations, "@/x") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[1, 2]",
        '{"compilerOptions": 3}',
        '{"compilerOptions": {"baseUrl": 3, "paths": {"@/*": "lib/*"}}}',
        '{"compilerOptions": {"paths": {"@/*": [3, null]}}, "extends": 4}',
        '{"extends": "./tsconfig.json"}',
        "[" * 100_000,
        '{"compilerOptions": {"paths": {"@/*": ["x/*"}}',
    ],
)
def test_what_is_no_configuration_says_nothing(text: str) -> None:
    assert meant({"web/tsconfig.json": text}, "@/x") == []


@pytest.mark.slow
def test_calls_follow_aliases_and_a_changed_configuration_links_anew(tmp_path: Path) -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
        "src/lib/box.ts": "export function open() {}\n",
        "old/lib/box.ts": "export function open() {}\n",
        "src/pages/home.tsx": 'import { open } from "@/lib/box";\nexport function Home() { open(); }\n',
    }
    root = write_tree(tmp_path / "repo", files)

    def targets() -> list[str | None]:
        index(root, tmp_path / "index.db")
        return [call.target_path for call in calls(tmp_path / "index.db") if call.name == "open"]

    assert targets() == ["src/lib/box.ts"]
    (root / "tsconfig.json").write_text('{"compilerOptions": {"paths": {"@/*": ["./old/*"]}}}')
    assert targets() == ["old/lib/box.ts"]
    (root / "tsconfig.json").unlink()
    assert targets() == [None]
