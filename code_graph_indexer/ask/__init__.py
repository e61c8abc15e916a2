"""Answer a question in words, and check the citations in the answer."""

from code_graph_indexer.ask.answer import answer
from code_graph_indexer.ask.anthropic import AnthropicModel
from code_graph_indexer.ask.citations import CheckedText, check_citations
from code_graph_indexer.ask.context import pack
from code_graph_indexer.ask.conversation import Turn, standalone, turn_of
from code_graph_indexer.ask.extract import extract
from code_graph_indexer.ask.gather import Gathered, Gatherer, merge
from code_graph_indexer.ask.graph_finder import Finding, GraphFinder
from code_graph_indexer.ask.graph_retriever import GraphRetriever
from code_graph_indexer.ask.judge import Decision, Evaluation, evaluate
from code_graph_indexer.ask.llm import LanguageModel, Prompt, Reply
from code_graph_indexer.ask.pipeline import RAGPipeline
from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput, decompose
from code_graph_indexer.ask.prompt import build_prompt
from code_graph_indexer.ask.relations import Relation
from code_graph_indexer.ask.route import FastPath, FastPathRouter, Route
from code_graph_indexer.ask.router import RAGRouter, RouteDecision
from code_graph_indexer.ask.trace import read_frames
from code_graph_indexer.ask.tree import generate_codebase_tree

__all__ = [
    "AnthropicModel",
    "CheckedText",
    "Decision",
    "Evaluation",
    "FastPath",
    "FastPathRouter",
    "Finding",
    "Gathered",
    "Gatherer",
    "GraphFinder",
    "GraphRetriever",
    "LanguageModel",
    "Prompt",
    "RAGPipeline",
    "RAGRouter",
    "Relation",
    "Reply",
    "RetrievalRequest",
    "Route",
    "RouteDecision",
    "RouterOutput",
    "Turn",
    "answer",
    "build_prompt",
    "check_citations",
    "decompose",
    "evaluate",
    "extract",
    "generate_codebase_tree",
    "merge",
    "pack",
    "read_frames",
    "standalone",
    "turn_of",
]
