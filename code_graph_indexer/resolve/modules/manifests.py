"""Read manifests (such as `Cargo.toml`) and compiler configurations (such as `tsconfig.json`), which give names to folders."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase, translate
from functools import cache
from itertools import islice

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.modules.path_aliases import Aliases


class Manifests:
    """The names that the manifests and compiler configurations of a repository give to folders.

    `texts` maps their paths to their texts.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(sorted(texts.items()))
        self.packages = {language.name: self._packages(language) for language in languages().values()}
        """By language, the packages: the name in the manifest → the folder of the manifest."""
        self.aliases = self._read_aliases()
        """By language, the import aliases of its compiler configurations."""

    def _matches(self, language: Language, group: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield what the pattern with a group finds in the manifests of a language, with the folder of the manifest."""
        for path, text in self._texts.items():
            for pattern in _patterns(posixpath.basename(path), language.name):
                if group in pattern.groupindex:
                    # A package and its library may have different names.
                    most = 1 if group == "name" and not language.root_files else None
                    for match in islice(pattern.finditer(text), most):
                        yield posixpath.dirname(path), match

    def _packages(self, language: Language) -> dict[str, str]:
        """Map each package that manifests of a language name, and each alias of a package, to the folder of its manifest."""
        packages: dict[str, str] = {}
        for folder, match in self._matches(language, "name"):
            packages.setdefault(match["name"], folder)
        for _, match in self._matches(language, "alias"):
            if match["package"] in packages:
                packages.setdefault(match["alias"], packages[match["package"]])
        return packages

    def tree_files(self, language: Language) -> set[str]:
        """Return the paths of the files at which a tree of modules begins, as the manifests name them."""
        return {
            posixpath.normpath(posixpath.join(folder, match["root"]))
            for folder, match in self._matches(language, "root")
        }

    def folders(self, language: Language) -> set[str]:
        """Return the folders that have a manifest of the language."""
        return {posixpath.dirname(path) for path in self._texts if _patterns(posixpath.basename(path), language.name)}

    def _read_aliases(self) -> dict[str, Aliases]:
        """Map each language whose configurations are there to the aliases in them."""
        by_patterns: dict[tuple[str, ...], Aliases] = {}
        # Languages with the same configuration files share one `Aliases`.
        for patterns in {language.aliases for language in languages().values() if language.aliases}:
            texts = {
                path: text for path, text in self._texts.items() if _gives_aliases(posixpath.basename(path), patterns)
            }
            if texts:
                by_patterns[patterns] = Aliases(texts)
        return {
            language.name: by_patterns[language.aliases]
            for language in languages().values()
            if language.aliases in by_patterns
        }


def is_manifest(file_name: str) -> bool:
    """Say whether a file of this name may be a manifest or a compiler configuration, which give names to folders."""
    return bool(_manifest_files().match(file_name) or _alias_files().match(file_name))


@cache
def _manifest_files() -> re.Pattern[str]:
    """Return a pattern that matches the names of the manifests of all languages."""
    names = {name for language in languages().values() for name, _ in language.manifest}
    return re.compile("|".join(map(translate, sorted(names))))


@cache
def _patterns(file_name: str, language: str) -> tuple[re.Pattern[str], ...]:
    """Return what a language finds in its manifests of this name, as patterns."""
    return tuple(
        re.compile(pattern, re.MULTILINE)
        for name, pattern in languages()[language].manifest
        if fnmatchcase(file_name, name)
    )


@cache
def _alias_files() -> re.Pattern[str]:
    """Return a pattern that matches the names of compiler configurations with import aliases, in any language."""
    patterns = {pattern for language in languages().values() for pattern in language.aliases}
    return re.compile("|".join(map(translate, sorted(patterns))))


def _gives_aliases(file_name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(file_name, pattern) for pattern in patterns)
