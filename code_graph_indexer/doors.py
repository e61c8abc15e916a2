"""Doors of packages that load a module when the first of its names is asked for. So a command loads only what it uses."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def late_names(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the function `__getattr__` of a package: it finds a name in the module that `modules` says."""

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        # The next use finds the name without a call of this function.
        setattr(sys.modules[package], name, value)
        return value

    return find
