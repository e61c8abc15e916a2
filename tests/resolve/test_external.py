"""References that lead out of the repository have a name: the module of an import, and the path of names behind it."""

import json
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.scip.messages import parsed
from tests.indexing.repository import age, index, write_tree

PYTHON = """\
import os.path
from urllib import parse as p
import requests
from .compat import dumps
from nobody import Base, unused


class Client(Base):
    def __init__(self):
        self.session = requests.Session()

    def load(self, url, other: requests.Session):
        with requests.Session() as session:
            session.get(url)
        self.session.post(url)
        other.put(url)
        self.refresh()
        os.path.join(url, "x")
        p.urlsplit(url)
        dumps({})
        answer = requests.get(url)
        answer.json()
        print(len(url))
        url.nothing_known()


def requests_of(requests):
    requests.get()
"""

FILES = {
    "app/__init__.py": "",
    "app/compat.py": "from json import dumps\n",
    "app/client.py": PYTHON,
    "requirements.txt": "requests==2.33.0\nnobody-base\n",
    "web/view.ts": """\
import React, { useState as state } from "react";
import * as dom from "@my/dom/client";
import { local } from "./local";

export function View() {
    const [a, set] = state(1);
    React.memo(View);
    dom.mount(a);
    local();
    console.log(a);
}
""",
    "web/local.ts": "export function local() {}\n",
    "package.json": json.dumps({"dependencies": {"react": "^18", "@my/dom": "1"}}),
    "package-lock.json": json.dumps({"packages": {"node_modules/react": {"version": "18.3.1"}}}),
    "go.mod": "module example.com/me\n\nrequire (\n\tgithub.com/spf13/cobra v1.9.1\n)\n",
    "main.go": """\
package main

import (
\t"fmt"
\t"github.com/spf13/cobra"
\tmine "example.com/me/inner"
)

func run(cmd *cobra.Command) {
\tcmd.Execute()
\tfmt.Println("x")
\tmine.Do()
}
""",
    "inner/inner.go": "package inner\n\nfunc Do() {}\n",
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index of a repository in three languages. Do not change it."""
    root = write_tree(tmp_path_factory.mktemp("external"), FILES)
    index(root, root / "index.db")
    return root / "index.db"


def rows(db: Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
    return list(connection.execute(sql))


def names(db: Path, path: str, kind: str) -> dict[object, tuple[object, ...]]:
    """Map each name outside of a file, by one kind of reference, to its package, version and confidence."""
    sql = f"select qualified_name, package, version, confidence from external where path = '{path}' and kind = '{kind}'"
    return {name: tuple(rest) for name, *rest in rows(db, sql)}


@pytest.mark.slow
def test_calls_of_python_lead_to_what_imports_variables_and_types_say(db: Path) -> None:
    assert names(db, "app/client.py", "calls") == {
        "requests.Session": ("requests", "2.33.0", 0.95),
        "requests.Session.get": ("requests", "2.33.0", 0.9),
        "requests.Session.post": ("requests", "2.33.0", 0.9),
        "requests.Session.put": ("requests", "2.33.0", 0.9),
        "requests.get": ("requests", "2.33.0", 0.95),
        "requests.get().json": ("requests", "2.33.0", 0.5),
        "nobody.Base.refresh": ("nobody", "", 0.75),
        "os.path.join": ("python", "", 0.95),
        "urllib.parse.urlsplit": ("python", "", 0.95),
        "json.dumps": ("python", "", 0.95),
        "print": ("python", "", 0.7),
        "len": ("python", "", 0.7),
    }
    assert names(db, "app/client.py", "inherits") == {"nobody.Base": ("nobody", "", 0.9)}


def test_calls_of_typescript_lead_to_modules_of_packages(db: Path) -> None:
    assert names(db, "web/view.ts", "calls") == {
        "react.useState": ("react", "18.3.1", 0.95),
        "react.memo": ("react", "18.3.1", 0.95),
        "@my/dom/client.mount": ("@my/dom", "", 0.95),
        "console.log": ("javascript", "", 0.7),
    }


def test_calls_of_go_lead_to_types_of_packages(db: Path) -> None:
    assert names(db, "main.go", "calls") == {
        "github.com/spf13/cobra.Command.Execute": ("github.com/spf13/cobra", "v1.9.1", 0.9),
        "fmt.Println": ("go", "", 0.95),
    }


@pytest.mark.slow
def test_reads_and_types_lead_to_what_imports_bind(tmp_path: Path) -> None:
    files = {
        "a.py": """\
import socket
from http import HTTPStatus
import requests


def load(url: requests.Session, kind=socket.AF_INET):
    map(requests.put, [1])
    socket.getaddrinfo(url)
    return HTTPStatus.OK


def mine(requests):
    return requests.thing
""",
        "b.ts": 'import * as dom from "dom";\nexport const view = (node: dom.Node) => dom.Kind.TEXT;\n',
        "c.go": 'package c\n\nimport "net/http"\n\nfunc Run(w http.ResponseWriter) int { return http.StatusOK }\n',
    }
    root = write_tree(tmp_path, files)
    index(root, root / "index.db")
    sql = "select path, line, qualified_name from external where kind in ('reads', 'types') order by path, line, column"
    assert rows(root / "index.db", sql) == [
        ("a.py", 6, "requests.Session"),
        ("a.py", 6, "socket.AF_INET"),
        ("a.py", 7, "requests.put"),
        ("a.py", 9, "http.HTTPStatus.OK"),
        ("b.ts", 2, "dom.Node"),
        ("b.ts", 2, "dom.Kind.TEXT"),
        ("c.go", 5, "net/http.ResponseWriter"),
        ("c.go", 5, "net/http.StatusOK"),
    ]


@pytest.mark.slow
def test_what_stands_before_a_name_leads_outside_by_bases_types_results_and_literals(tmp_path: Path) -> None:
    files = {
        "log.py": "import logging\n\n\ndef plain(name):\n    return logging.getLogger(name)\n\n\n"
        "def typed() -> logging.Logger: ...\n",
        "a.py": """\
from django.test import TestCase
from sqlalchemy.orm import Session
from shop import get

from log import plain, typed


class Order:
    timeout = None

    def to_dict(self): ...


class Base(TestCase):
    log = typed()

    def mine(self):
        return 1


class Test(Base):
    def test(self, session: Session):
        self.client.get("x")
        self.log.error("x")
        plain("x").debug("x")
        session.execute("x").scalars()
        row = session.get(1)
        row.save_all()
        for row in session.rows():
            row.save_all()
        super().setUp()
        super().mine().bit_length()
        ", ".join([])
        names = []
        names.append("x")
        get("x").to_dict()
        get("x").timeout.total_seconds()
""",
        "b.ts": """\
import request from "supertest";
import { useRouter } from "next";

function useNavigation() {
    const router = useRouter();
    const open = () => router.push("/");
    return { router, open };
}

export function view(names: string[]) {
    const { router, open } = useNavigation();
    router.back();
    open();
    request(1).post("/").send({});
    names.map((name) => name.trim());
}
""",
        "c.go": """\
package c

import "example.org/manifest"

func run() {
\tdigest, err := manifest.Digest()
\tdigest.String()
\terr.Error()
}
""",
    }
    root = write_tree(tmp_path, files)
    index(root, root / "index.db")
    sql = "select qualified_name, confidence from external where kind = 'calls' and path = '%s' order by line, column"
    assert rows(root / "index.db", sql % "a.py") == [
        ("django.test.TestCase.client.get", 0.75),
        ("logging.Logger.error", 0.9),
        ("logging.getLogger().debug", 0.5),
        ("sqlalchemy.orm.Session.execute", 0.9),
        ("sqlalchemy.orm.Session.execute().scalars", 0.5),
        ("sqlalchemy.orm.Session.get", 0.9),
        ("sqlalchemy.orm.Session.get().save_all", 0.5),
        ("sqlalchemy.orm.Session.rows", 0.9),
        ("sqlalchemy.orm.Session.rows()[].save_all", 0.5),
        ("super", 0.7),
        ("django.test.TestCase.setUp", 0.75),
        ("super", 0.7),
        ("str.join", 0.9),
        ("list.append", 0.9),
        ("shop.get", 0.95),
        ("shop.get", 0.95),
    ]
    assert rows(root / "index.db", sql % "b.ts") == [
        ("next.useRouter", 0.95),
        ("next.useRouter().push", 0.5),
        ("next.useRouter().back", 0.5),
        ("supertest", 0.95),
        ("supertest.default().post", 0.5),
        ("supertest.default().post().send", 0.5),
        ("Array.map", 0.9),
        ("string.trim", 0.7),
    ]
    assert rows(root / "index.db", sql % "c.go") == [
        ("example.org/manifest.Digest", 0.95),
        ("example.org/manifest.Digest()[0].String", 0.5),
        ("example.org/manifest.Digest()[1].Error", 0.5),
    ]
    sql = "select callee from callers where path = 'b.ts' and callee like '%open'"
    assert rows(root / "index.db", sql) == [("b.useNavigation.open",)]


def test_what_is_not_known_to_be_outside_stays_unresolved(db: Path) -> None:
    assert rows(db, "select name, path from unresolved where kind = 'calls' order by path, line") == [
        ("nothing_known", "app/client.py"),
        ("get", "app/client.py"),
    ]


def test_answers_name_what_is_outside(db: Path) -> None:
    with CodeIndexer(db=db) as indexer:
        reach = indexer.callees("Client.load")[0]
        assert ("requests.Session.get", "2.33.0", 14) in [
            (use.qualified_name, use.version, use.line) for use in reach.external
        ]
        assert reach.certainty.unresolved == 1
        assert {use.qualified_name for use in indexer.graph.external("requests.Session")} == {
            *(f"requests.Session{name}" for name in ("", ".get", ".post", ".put")),
        }
        assert indexer.store.counts()["references"]["outside"] == 19
        assert indexer.graph.external("requests.Sess") == []


def test_an_export_has_external_symbols_with_their_version(db: Path, tmp_path: Path) -> None:
    with CodeIndexer(db=db) as indexer:
        indexer.graph.export_scip(tmp_path / "index.scip")
    exported = parsed("Index", (tmp_path / "index.scip").read_bytes())
    symbols = {information.symbol for information in exported.external_symbols}
    assert "cgi pypi requests 2.33.0 requests/Session#get()." in symbols
    assert "cgi go github.com/spf13/cobra v1.9.1 `github.com/spf13/cobra`/Command#Execute#" in symbols
    document = next(document for document in exported.documents if document.relative_path == "app/client.py")
    places = [occurrence.range for occurrence in document.occurrences if occurrence.symbol.endswith("Session#get().")]
    assert [list(place) for place in places] == [[13, 20, 23]]


@pytest.mark.slow
def test_an_update_of_a_lock_file_changes_the_version(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tree", FILES)
    age(root)
    index(root, tmp_path / "index.db")
    lock = root / "package-lock.json"
    lock.write_text(lock.read_text().replace("18.3.1", "18.3.2"))
    index(root, tmp_path / "index.db")
    assert names(tmp_path / "index.db", "web/view.ts", "calls")["react.memo"] == ("react", "18.3.2", 0.95)


@pytest.mark.slow
def test_a_function_of_the_language_that_callers_pass_is_no_target(tmp_path: Path) -> None:
    text = """\
from collections.abc import Callable


def best(func: Callable, values):
    return func(values)


def low(values):
    return best(min, values)


def high(values):
    return best(max, values)
"""
    write_tree(tmp_path, {"app.py": text})
    with CodeIndexer(tmp_path, embedder="hashing") as indexer:
        indexer.index()
        assert indexer.doctor() == []


@pytest.mark.slow
def test_a_name_that_nothing_defines_is_not_called_the_language_s_own(tmp_path: Path) -> None:
    write_tree(tmp_path, {
        "app.py": "def f(x):\n    g(x)\n    isinstance(x, int)\n    h.run(x)\n",
        "app.ts": "describe(1);\nparseInt('1');\nwindow.open();\n",
        "app.php": "<?php\nstrlen('x');\nnobody_knows('x');\nnew RuntimeException();\n",
        "app.ex": "defmodule A do\n  def f(x), do: Map.get(x, Nobody.key(x))\nend\n",
    })  # fmt: skip
    index(tmp_path, tmp_path / "index.db")
    outside = {
        name
        for path in ("app.py", "app.ts", "app.php", "app.ex")
        for name in names(tmp_path / "index.db", path, "calls")
    }
    assert outside == {"isinstance", "parseInt", "window.open", "strlen", "RuntimeException", "Map.get"}


WHOLE = {
    "web/icons.ts": 'export * from "@my/icons";\nexport function Mine() {}\n',
    "web/all.ts": 'export * from "./icons";\nexport * from "./local";\n',
    "web/local.ts": "export function local() {}\n",
    "web/two.ts": 'export * from "@my/icons";\nexport * from "@my/dom";\n',
    "web/view.ts": """\
import { Plus, Mine } from "./icons";
import { Minus, local } from "./all";
import { Any } from "./two";
Plus();
Mine();
Minus();
local();
Any();
""",
    "app/base.py": "from kit import *\n\n\ndef mine(): ...\n",
    "app/run.py": "from app.base import load, mine\nfrom kit import *\n\nload()\nmine()\nsave()\nprint()\n",
    "src/lib.rs": "mod prelude;\nmod run;\n",
    "src/prelude.rs": "pub use kit::*;\npub fn mine() {}\n",
    "src/run.rs": "use crate::prelude::load;\n\npub fn run() {\n    load();\n}\n",
    "package.json": json.dumps({"dependencies": {"@my/icons": "1", "@my/dom": "1"}}),
    "Cargo.toml": '[package]\nname = "me"\nversion = "1.0.0"\n\n[dependencies]\nkit = "1"\n',
}


@pytest.mark.slow
def test_what_a_file_passes_on_whole_leads_to_its_module(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "whole", WHOLE)
    index(root, db := tmp_path / "index.db")
    ends = {
        path: {(name, confidence) for name, (_, _, confidence) in names(db, path, "calls").items()}
        for path in ("web/view.ts", "app/run.py", "src/run.rs")
    }
    assert ends == {
        "web/view.ts": {("@my/icons.Plus", 0.8), ("@my/icons.Minus", 0.8)},
        "app/run.py": {("kit.load", 0.8), ("kit.save", 0.8)},
        "src/run.rs": {("kit.load", 0.8)},
    }


BASES = {
    "app/store.py": """\
from kit import Base


class Store(Base):
    @property
    def data(self):
        return load()
""",
    "app/run.py": """\
from app.store import Store


def run(store: Store):
    store.data.keys()
    store.data["a"].keys()
    store.session.get()
    store.close()
""",
    "web/store.ts": 'import { Base } from "kit";\nexport class Store extends Base {\n  data() { return load(); }\n}\n',
    "web/run.ts": """\
import { Store } from "./store";
export function run(store: Store) {
  store.data().keys();
  store.session.get();
  store.close();
}
""",
    "src/me/Store.java": """\
package me;
import kit.Base;
class Store extends Base {
    Object data() { return load(); }
}
""",
    "src/me/Run.java": """\
package me;
class Run {
    void run(Store store) {
        store.data().keys();
        store.session.get();
        store.close();
    }
}
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("path", ["app/run.py", "web/run.ts", "src/me/Run.java"])
def test_a_member_of_a_class_here_is_none_of_its_base_outside(tmp_path: Path, path: str) -> None:
    root = write_tree(tmp_path / "bases", BASES)
    index(root, db := tmp_path / "index.db")
    assert {name for name in names(db, path, "calls") if "kit" in str(name)} == {
        "kit.Base.session.get",
        "kit.Base.close",
    }


GIVEN = {
    "web/view.ts": """\
import { useText, load } from "kit";
interface Props { t: (key: string) => string }
export async function view() {
  const { t: say, own } = useText();
  say("a");
  own();
  (await load()).json();
}
""",
    "web/own.ts": "export class Own { own() {} }\n",
    "web/view.test.ts": "export const response = { json() {} };\n",
    "app/run.py": """\
from kit import load, state


class Own:
    def own(self): ...


def run():
    load().post()
    load().own()
    load().json()
""",
    "app/test_run.py": "class Client:\n    def post(self): ...\n",
    "app/page.js": "export class Page { json() {} }\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("web/view.ts", {"kit.useText", "kit.load", "kit.useText().t"}),
        ("app/run.py", {"kit.load", "kit.load().post", "kit.load().json"}),
    ],
)
def test_what_a_call_outside_gives_has_a_member_that_no_code_here_could_be(
    tmp_path: Path, path: str, expected: set[str]
) -> None:
    root = write_tree(tmp_path / "given", GIVEN)
    index(root, db := tmp_path / "index.db")
    assert {name for name in names(db, path, "calls") if "kit" in str(name)} == expected
