"""The arguments of the tools: what is understood, and what is said of the rest."""

import pytest

from code_graph_indexer.errors import UsageError
from code_graph_indexer.mcp.tools import EXPLORE, IMPACT, INSTRUCTIONS, TOOLS, Tool

WRONG = [
    (IMPACT, {"symbol": "x"}, "impact takes no argument 'symbol'. It takes `target`, `diff`, `repo` and `budget`."),
    (IMPACT, {"targets": "x"}, "Did you mean `target`?"),
    (EXPLORE, {"query": "x", "Repos": "y"}, "Did you mean `repo`?"),
    (EXPLORE, {"query": "x", "k" * 5_000: 1}, "explore takes no argument"),
    (EXPLORE, {}, "explore needs `query`. It takes `query`, `expect`, `repo` and `budget`."),
    (EXPLORE, {"query": None}, "explore needs `query`."),
    (EXPLORE, {"query": ["a", "b"]}, "`query` of explore is a text, not \"['a', 'b']\""),
    (EXPLORE, {"query": "x", "budget": "many"}, "`budget` of explore is a whole number, not 'many'"),
    (EXPLORE, {"query": "x", "budget": True}, "`budget` of explore is a whole number, not 'True'"),
    (EXPLORE, {"query": "x", "budget": 1.5}, "`budget` of explore is a whole number, not '1.5'"),
    (EXPLORE, {"query": "x", "budget": "9" * 5_000}, "`budget` of explore is a whole number"),
]


@pytest.mark.parametrize(("tool", "sent", "message"), WRONG)
def test_what_a_tool_does_not_take_is_refused_by_name(tool: Tool, sent: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        tool.read(sent)
    assert message in str(raised.value)
    assert len(str(raised.value)) < 300


def test_null_is_the_default_and_numbers_may_be_texts() -> None:
    assert IMPACT.read({"target": "x", "budget": None, "repo": None}) == IMPACT.read({"target": "x"})
    assert IMPACT.read({}) == {"target": "", "diff": "", "repo": "", "budget": 0}
    for budget in (4_000, "4000", 4_000.0, " 4000 "):
        assert EXPLORE.read({"query": "x", "budget": budget})["budget"] == 4_000


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_the_schema_names_all_arguments_and_forbids_others(tool: Tool) -> None:
    schema = tool.schema()
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) <= schema["properties"].keys()
    assert all("default" in schema["properties"][name] for name in schema["properties"].keys() - schema["required"])


def test_a_question_is_told_to_bring_the_words_of_its_code() -> None:
    assert "`expect`" in EXPLORE.description and "`expect`" in INSTRUCTIONS
    assert EXPLORE.read({"query": "x"})["expect"] == ""
    assert EXPLORE.read({"query": "x", "expect": "evict lru"})["expect"] == "evict lru"
