"""Synthesis: sources into a written answer whose citations are checked."""

from code_graph_indexer.synthesis.anthropic import AnthropicModel
from code_graph_indexer.synthesis.citations import CheckedText, check_citations
from code_graph_indexer.synthesis.context import estimate_tokens, pack
from code_graph_indexer.synthesis.extract import extract
from code_graph_indexer.synthesis.llm import LanguageModel, Prompt, Reply
from code_graph_indexer.synthesis.pipeline import answer
from code_graph_indexer.synthesis.prompt import build_prompt

__all__ = [
    "AnthropicModel",
    "CheckedText",
    "LanguageModel",
    "Prompt",
    "Reply",
    "answer",
    "build_prompt",
    "check_citations",
    "estimate_tokens",
    "extract",
    "pack",
]
