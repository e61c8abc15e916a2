"""Protocols of language models, with the records that they use: a prompt and a reply."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

Shape = TypeVar("Shape", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class Prompt:
    """The input of a language model: the rules, the user's text, and the earlier turns as (question, answer)."""

    system: str
    user: str
    history: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a language model. `stop_reason` is a value of the Messages API: `end_turn`, `max_tokens`, `refusal`, …"""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    stop_reason: str = "end_turn"
    warnings: tuple[str, ...] = ()


class LanguageModel(Protocol):
    """A language model that writes a reply to a prompt, piece by piece."""

    def stream(self, prompt: Prompt, on_text: Callable[[str], None]) -> Reply:
        """Return the whole reply. Raises AnswerError if the reply does not arrive whole.

        `on_text` is called with each piece of the reply as it arrives.
        """


class StructuredModel(Protocol):
    """A language model that answers a prompt with a record of a given type."""

    def structured(self, prompt: Prompt, shape: type[Shape]) -> Shape:
        """Return the reply as a `shape`, a pydantic model. Raises AnswerError if the model gives no valid reply."""
