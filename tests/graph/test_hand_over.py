"""Paths over a function without a name that is handed over, to be called later."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

SERVICE = (
    "package jobs\n\ntype Service struct {\n\tonJob func(id int)\n\tstop  func(id int)\n}\n\n"
    "func (s *Service) SetOnJob(handler func(id int)) {\n\ts.onJob = handler\n}\n\n"
    "func (s *Service) SetStop(handler func(id int)) {\n\ts.stop = handler\n}\n\n"
    "func (s *Service) Check() {\n\ts.onJob(1)\n}\n\nfunc (s *Service) End() {\n\ts.stop(1)\n}\n"
)
SETUP = (
    "package jobs\n\nfunc Deliver(id int) {\n}\n\nfunc Park(id int) {\n}\n\nfunc Setup(s *Service) {\n"
    "\ts.SetOnJob(func(id int) {\n\t\tDeliver(id)\n\t})\n\ts.SetStop(func(id int) {\n\t\tPark(id)\n\t})\n}\n"
)


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("Service.Check -> Deliver", "possible: handed over at setup.go:10, called as s.onJob"),
        ("Service.End -> Park", "possible: handed over at setup.go:13, called as s.stop"),
    ],
)
def test_a_path_leads_over_a_function_without_a_name(tmp_path: Path, query: str, step: str) -> None:
    write_tree(tmp_path, {"go.mod": "module jobs\n", "service.go": SERVICE, "setup.go": SETUP})
    with CodeIndexer(tmp_path, workers=1) as opened:
        opened.index()
        text = opened.explore(query).text
        assert step in text
        assert "There may be one" not in opened.explore("Service.Check -> Park").text
