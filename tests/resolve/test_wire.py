"""Calls over a network lead to the route that their whole path fits."""

from pathlib import Path

from code_graph_indexer.storage.sqlite import connect
from tests.indexing.repository import indexed

EDGES = """
select f.path, r.line, t.qualified_name from refs as r join text_chunks as s on s.id = r.source_id
join files as f on f.id = s.file_id join chunks as t on t.id = r.target_id where r.origin = 'framework' and r.confidence = 0.6
"""

SHOP = {
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :carts, only: [:show]\n"
    "  resources :items, only: [:create]\n  namespace :api do\n    resources :carts, only: [:show]\n  end\nend\n",
    "app/controllers/carts_controller.rb": "class CartsController < Base\n  def show\n  end\nend\n",
    "app/controllers/items_controller.rb": "class ItemsController < Base\n  def create\n  end\nend\n",
    "app/controllers/api/carts_controller.rb": "class Api::CartsController < Base\n  def show\n  end\nend\n",
}


def test_a_described_operation_stands_behind_the_address_of_its_server(tmp_path: Path) -> None:
    described = (
        "openapi: 3.0.0\npaths:\n  /carts/{id}:\n    get:\n      responses: {}\n"
        "servers:\n  - url: 'https://example.com/api'\n  - url: 'http://example.com/api'\n"
    )
    root = indexed(tmp_path, SHOP | {"api.yml": described})
    assert list(connect(root / "index.db").execute(EDGES)) == [("api.yml", 5, "Api.CartsController.show")]


def test_what_belongs_to_an_element_is_no_route_of_the_top(tmp_path: Path) -> None:
    code = 'fetch("/api/carts/" + cart.id);\nfetch(`/api/carts/${cart.id}/items`, { method: "POST" });\n'
    root = indexed(tmp_path, SHOP | {"shop.js": code})
    assert list(connect(root / "index.db").execute(EDGES)) == [("shop.js", 1, "Api.CartsController.show")]


def test_a_route_of_a_test_and_a_page_of_a_browser_answer_no_call(tmp_path: Path) -> None:
    page = (
        "import { createBrowserRouter } from 'react-router-dom';\nimport { Carts } from './Carts';\n"
        "export const router = createBrowserRouter([{ path: '/carts', element: <Carts /> }]);\n"
    )
    files = {
        "tests/router.test.tsx": page.replace("./", "../"),
        "router.tsx": page.replace("/carts", "/login"),
        "Carts.tsx": "export function Carts() {\n  return null;\n}\n",
        "shop.js": 'fetch("/api/carts");\nfetch("/api/login", { method: "POST" });\n',
    }
    root = indexed(tmp_path, files)
    assert list(connect(root / "index.db").execute(EDGES)) == []
