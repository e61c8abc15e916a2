"""The JSON form of pages: each described address answers what is described."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest
from jsonschema import Draft202012Validator

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.api import ADDRESSES, API, PAGES, openapi
from tests.web.conftest import LocalSite, served_index

pytestmark = pytest.mark.slow

TAX, CART = "name=shop.pricing.add_tax", "name=shop.cart.Cart"
ASKED = {
    "/api/": ["/api/"],
    "/api/folder/{path}": ["/api/folder/shop", "/api/folder/no"],
    "/api/tour": ["/api/tour"],
    "/api/search": [
        "/api/search?q=tax",
        "/api/search?q=zzzqqq",
        "/api/search?q=lang:no",
        "/api/search?q=total&page=2",
        "/api/search?q=tax&expect=add_tax",
    ],
    "/api/code/{path}": [
        "/api/code/shop/cart.py",
        "/api/code/README.md",
        "/api/code/README.md?source=1",
        "/api/code/no",
    ],
    "/api/definition/{path}": [f"/api/definition/shop/pricing.py?{TAX}", f"/api/definition/shop/cart.py?{CART}"],
    "/api/reference/{path}": ["/api/reference/shop/cart.py?at=1-1"],
    "/api/picture": ["/api/picture", "/api/picture?name=add_tax", "/api/picture?folder=shop", "/api/picture?name=no"],
    "/api/way": ["/api/way?name=place_order&to=add_tax", "/api/way?name=no&to=add_tax", "/api/way"],
    "/api/impact": ["/api/impact?target=add_tax", "/api/impact?target=no", "/api/impact?lines=shop/pricing.py:3"],
    "/api/ask": ["q=who calls add_tax?&expect=price", "q= "],
    "/api/ask/{talk}": ["/api/ask/no"],
}


def shape(description: dict[str, Any], path: str, status: int) -> dict[str, Any]:
    """Return the described shape of an answer, with what it refers to."""
    (operation,) = description["paths"][path].values()
    answer = operation["responses"][str(status)]
    schema = answer["content"]["application/json"]["schema"]
    return {"components": description["components"], **schema}


@pytest.mark.parametrize("path", ASKED)
def test_each_described_address_answers_what_is_described(site: LocalSite, path: str) -> None:
    description = site.get("/openapi.json").json()
    statuses = set()
    for address in ASKED[path]:
        reply = site.get(address) if address.startswith(API) else post(site, path, address)
        assert reply.headers["content-type"] == "application/json"
        statuses.add(reply.status_code)
        answer, schema = reply.json(), shape(description, path, reply.status_code)
        Draft202012Validator(schema).validate(answer)
    assert path in ("/api/reference/{path}", "/api/ask/{talk}") or 200 in statuses


def post(site: LocalSite, path: str, form: str) -> httpx.Response:
    """Send a form."""
    return site.client.post(path, data=dict(parse_qsl(form, keep_blank_values=True)), headers={"origin": site.url})


def test_an_answer_of_programs_can_be_read_again_and_asked_on(site: LocalSite) -> None:
    first = post(site, "/api/ask", "q=who calls add_tax?").json()
    assert "Cart.total" in first["replies"][0]["result"]["summary"]
    again = site.get(f"/api/ask/{first['talk']}")
    description = site.get("/openapi.json").json()
    Draft202012Validator(shape(description, "/api/ask/{talk}", 200)).validate(again.json())
    assert again.json() == first
    second = post(site, "/api/ask", f"q=who calls Cart.total?&talk={first['talk']}").json()
    assert [reply["question"] for reply in second["replies"]] == ["who calls add_tax?", "who calls Cart.total?"]


def test_a_question_is_sent_and_not_linked(site: LocalSite) -> None:
    # A link of another site must not make a language model work.
    assert site.get("/api/ask?q=who+calls+add_tax").status_code == 405
    assert "post" in site.get("/openapi.json").json()["paths"]["/api/ask"]


def test_a_wrong_answer_would_be_noticed(site: LocalSite) -> None:
    answer = site.get("/api/tour").json()
    del answer["tour"]["parts"]
    assert not Draft202012Validator(shape(openapi(""), "/api/tour", 200)).is_valid(answer)


def test_every_page_of_programs_is_described_and_tried() -> None:
    assert list(openapi("")["paths"]) == list(ASKED)
    assert {template for address in ADDRESSES.values() for template in address.templates} == PAGES.keys()


def test_a_page_and_its_json_say_the_same(site: LocalSite) -> None:
    answer = site.get(f"{API}/definition/shop/pricing.py?{TAX}").json()
    page = site.text(f"/definition/shop/pricing.py?{TAX}")
    names = [row["name"] for listing in answer["lists"] for group in listing["groups"] for row in group["rows"]]
    assert names
    assert all(f">{name}</a>" in page for name in names)


def test_what_goes_wrong_is_json_too(site: LocalSite) -> None:
    for path, status in (("/api/code/no.py", 404), ("/api/nothing", 404), ("/api/impact?diff=--no", 400)):
        reply = site.get(path)
        assert (reply.status_code, next(iter(reply.json()))) == (status, "error")


def test_the_description_names_the_path_below_which_the_server_stands(shop: Path) -> None:
    with served_index(CodeIndexer(shop), "/code") as site:
        description = site.get("/code/openapi.json").json()
        assert description["servers"] == [{"url": "/code"}]
        assert site.get("/code/api/tour").json()["tour"]["parts"]
