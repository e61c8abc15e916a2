"""Explain an unexpected error by the damage of the index, if the index is damaged."""

from collections.abc import Callable
from functools import wraps
from inspect import isfunction
from typing import Any, TypeVar

from code_graph_indexer.errors import CgiError
from code_graph_indexer.storage.limits import single_question
from code_graph_indexer.storage.store import Store

C = TypeVar("C", bound=type)

WRONG_VALUE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What Python raises when a number is a text, a value is missing, or bytes are not what they should be."""


def explains_damage(store_of: Callable[[Any], Store]) -> Callable[[C], C]:
    """Decorate a class so that each public method is one question, and raises IndexFormatError for a damaged index.

    Every value is checked as it is read, but not how values fit each other: to check that would cost each question. Therefore
    the index is checked after an error that values explain. `store_of` returns the store of an object of the class.
    """
    return each_method(lambda method: _explaining(method, store_of))


def each_method(decorate: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[[C], C]:
    """Decorate a class so that each of its public methods is decorated."""

    def decorated(cls: C) -> C:
        for name, method in list(vars(cls).items()):
            if isfunction(method) and not name.startswith("_"):
                setattr(cls, name, decorate(method))
        return cls

    return decorated


def _explaining(method: Callable[..., Any], store_of: Callable[[Any], Store]) -> Callable[..., Any]:
    """Wrap a method as one question, after whose unexpected error the index is checked."""

    @wraps(method)
    def call(self: object, *args: Any, **kwargs: Any) -> Any:
        try:
            with single_question():
                return method(self, *args, **kwargs)
        except WRONG_VALUE_ERRORS as exc:
            _raise_if_damaged(self, store_of, exc)
            raise

    return call


def _raise_if_damaged(owner: object, store_of: Callable[[Any], Store], exc: Exception) -> None:
    """Raise IndexFormatError from an error if the index of `owner` is damaged."""
    try:
        problems = store_of(owner).check()
    except CgiError:
        # There is no index that could be the cause.
        return
    if problems:
        raise store_of(owner).damaged(problems[0]) from exc
