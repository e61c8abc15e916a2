"""Run slow functions without blocking an event loop."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a function on another thread, and return its result."""
    import asyncio  # a search from the command line would wait for it, and has no use for it

    return await asyncio.to_thread(function, *args, **kwargs)
