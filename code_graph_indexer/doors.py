"""Doors of packages, and modules, that are loaded when the first of their names is asked for: a command loads what it uses."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


def late_names(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return the function `__getattr__` of a package. `names` maps its modules to the names in them, with blanks between."""
    modules = {name: module for module, texts in names.items() for name in texts.split()}

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        # The next use finds the name without a call of this function.
        setattr(sys.modules[package], name, value)
        return value

    return find


class _LateModule(ModuleType):
    """A module that is imported when one of its names is first asked for."""

    def __getattr__(self, name: str) -> object:
        # Whoever only looks what this object is, as doctest does, must not import the module.
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} is not loaded, and has no attribute {name!r} until then")
        value = getattr(import_module(self.__name__), name)
        # The next use finds the name without a call of this method.
        setattr(self, name, value)
        return value


def late_module(name: str) -> ModuleType:
    """Return a module that few calls need and that loads slowly, such as NumPy. The first use of a name in it imports it."""
    return _LateModule(name)
