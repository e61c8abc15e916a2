"""Let each answer be of one version of the index, while another thread updates it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from code_graph_indexer.storage.damage import each_method
from code_graph_indexer.storage.store import Store

C = TypeVar("C", bound=type)


def reads_one_version(store_of: Callable[[Any], Store]) -> Callable[[C], C]:
    """Decorate a class so that the index stays as it is during each public method. `store_of` is as for `explains_damage`."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(self: object, *args: Any, **kwargs: Any) -> Any:
            with store_of(self).reading():
                return method(self, *args, **kwargs)

        return call

    return each_method(decorate)
