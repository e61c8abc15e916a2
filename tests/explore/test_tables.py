"""Paths over a table of functions: a call that is stored, and the place that takes it out."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.explore.test_tour import numbers
from tests.indexing.repository import write_tree

TABLES = {
    "a map that a function fills": {
        "delivery.ts": "const actions = new Map<string, Handler>();\n\n"
        "export function registerAction(name: string, handler: Handler) {\n  actions.set(name, handler);\n}\n\n"
        "export async function deliver(message: Message) {\n  const chosen = actions.get(message.action);\n"
        "  if (chosen) await chosen(message);\n}\n",
        "tasks.ts": 'import { registerAction } from "./delivery";\n\n'
        "export async function scheduleTask(message: Message) {\n  return message;\n}\n\n"
        'registerAction("schedule_task", scheduleTask);\n',
    },
    "a method reference": {
        "Depot.java": "class Depot {\n  private final Map<String, Consumer<String>> actions = new HashMap<>();\n\n"
        "  void register(String name, Consumer<String> action) {\n    actions.put(name, action);\n  }\n\n"
        "  void deliver(String name) {\n    actions.get(name).accept(name);\n  }\n}\n\nclass Tasks {\n"
        "  static void schedule(String name) {\n  }\n\n  void start(Depot depot) {\n"
        '    depot.register("schedule", Tasks::schedule);\n  }\n}\n',
    },
    "a map of functions without a name": {
        "delivery.go": "package depot\n\nvar actions = map[string]func(m Message) error{\n"
        '\t"schedule": func(m Message) error {\n\t\treturn scheduleTask(m)\n\t},\n}\n\n'
        "func Deliver(m Message) error {\n\tchosen, ok := actions[m.Action]\n\tif !ok {\n\t\treturn nil\n\t}\n"
        "\treturn chosen(m)\n}\n",
        "tasks.go": "package depot\n\ntype Message struct{ Action string }\n\n"
        "func scheduleTask(m Message) error {\n\treturn nil\n}\n",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tree", "query", "path", "line"),
    [
        (TABLES["a map that a function fills"], "deliver -> scheduleTask", "delivery.ts", 8),
        (TABLES["a method reference"], "deliver -> schedule", "Depot.java", 9),
        (TABLES["a map of functions without a name"], "Deliver -> scheduleTask", "delivery.go", 10),
    ],
    ids=list(TABLES),
)
def test_a_path_leads_over_a_table_with_the_line_that_takes_from_it(
    tmp_path: Path, tree: dict[str, str], query: str, path: str, line: int
) -> None:
    write_tree(tmp_path, tree)
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore(query).text
    assert "There may be one over a table of functions:" in text
    assert f"called at {path}:{line}" in text
    assert line in numbers(text, path)
    if path == "delivery.ts":
        assert 4 in numbers(text, path)
        assert 7 in numbers(text, "tasks.ts")


@pytest.mark.slow
def test_a_step_that_stands_behind_the_end_of_the_file_before_is_quoted_where_it_is(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "bus.py": "import queue\n\n\nclass Bus:\n    def __init__(self):\n        self.waiting = queue.Queue()\n\n"
            "    def put(self, order):\n        self.waiting.put(order)\n\n"
            "    def take(self):\n        return self.waiting.get()\n",
            "shop.py": "from bus import Bus\n\n\nclass Shop:\n    def __init__(self, bus: Bus):\n        self.bus = bus\n\n"
            "    def order(self, cart):\n        self.bus.put(cart)\n",
            "depot.py": "from bus import Bus\n" + "\n" * 30 + "class Depot:\n    def __init__(self, bus: Bus):\n"
            "        self.bus = bus\n\n    def run(self):\n        order = self.bus.take()\n        self.pack(order)\n\n"
            "    def pack(self, order):\n        print(order)\n",
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("Shop.order -> Depot.pack").text
    assert "because a value is handed over on the way" in text
    assert {37, 38} <= set(numbers(text, "depot.py"))
