"""What a language model is to this package: a prompt goes in, its reply comes out while it is written."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a language model is given: its standing orders, the turns before (question, answer), and the user's text."""

    system: str
    user: str
    history: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a language model. `stop_reason` is the Messages API's: `end_turn`, `max_tokens`, `refusal`, …"""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    stop_reason: str = "end_turn"
    warnings: tuple[str, ...] = ()


class LanguageModel(Protocol):
    """Write a reply to a prompt."""

    def stream(self, prompt: Prompt, on_text: Callable[[str], None]) -> Reply:
        """Return the whole reply, calling `on_text` with each piece of it as it arrives.

        Raises AnswerError when the reply cannot be had to its end.
        """
