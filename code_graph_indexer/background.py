"""Run slow functions without blocking an event loop."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a function on another thread, and return its result."""
    import asyncio  # a search from the command line would wait for it, and has no use for it

    return await asyncio.to_thread(function, *args, **kwargs)


def twin(method: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the asynchronous twin of a method, whose name has an `a` in front. It runs that of the object's own class."""

    @wraps(method)
    async def on_another_thread(*args: P.args, **kwargs: P.kwargs) -> R:
        owner, *rest = args
        return await in_thread(getattr(owner, method.__name__), *rest, **kwargs)

    on_another_thread.__doc__ = f"Do what `{method.__name__}` does on another thread, so that an event loop goes on."
    on_another_thread.__name__ = f"a{method.__name__}"
    # A class that defines an abstract method has its twin already.
    on_another_thread.__dict__.pop("__isabstractmethod__", None)
    return on_another_thread
