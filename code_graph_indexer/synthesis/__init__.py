"""Synthesis: sources into a written answer whose citations are checked."""

from code_graph_indexer.synthesis.anthropic import AnthropicModel
from code_graph_indexer.synthesis.citations import CheckedText, check_citations
from code_graph_indexer.synthesis.context import pack
from code_graph_indexer.synthesis.conversation import Turn, standalone, turn_of
from code_graph_indexer.synthesis.evaluate import Decision, Evaluation, evaluate
from code_graph_indexer.synthesis.extract import extract
from code_graph_indexer.synthesis.llm import LanguageModel, Prompt, Reply
from code_graph_indexer.synthesis.pipeline import answer
from code_graph_indexer.synthesis.prompt import build_prompt
from code_graph_indexer.synthesis.rag import RAGPipeline
from code_graph_indexer.synthesis.tree import generate_codebase_tree

__all__ = [
    "AnthropicModel",
    "CheckedText",
    "Decision",
    "Evaluation",
    "LanguageModel",
    "Prompt",
    "RAGPipeline",
    "Reply",
    "Turn",
    "answer",
    "build_prompt",
    "check_citations",
    "evaluate",
    "extract",
    "generate_codebase_tree",
    "pack",
    "standalone",
    "turn_of",
]
