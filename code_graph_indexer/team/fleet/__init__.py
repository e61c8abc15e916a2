"""The fleet: many repositories, each indexed and published by workers that take it from a queue in PostgreSQL."""

from code_graph_indexer.team.fleet.fleet import Fleet
from code_graph_indexer.team.fleet.queue import Worker
from code_graph_indexer.team.fleet.records import (
    FleetStatus,
    Limits,
    Outcome,
    RepositoryStatus,
    Result,
    RunReport,
    WorkerOptions,
)
from code_graph_indexer.team.fleet.register import UnavailableError
from code_graph_indexer.team.fleet.webhook import Webhook

__all__ = [
    "Fleet",
    "FleetStatus",
    "Limits",
    "Outcome",
    "RepositoryStatus",
    "Result",
    "RunReport",
    "UnavailableError",
    "Webhook",
    "Worker",
    "WorkerOptions",
]
