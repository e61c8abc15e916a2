"""The smallest application of each template language: code leads to its template, and the template to its code."""

from pathlib import Path

import pytest

from code_graph_indexer.storage.sqlite import connect
from tests.indexing.repository import indexed

EDGES = """
select distinct f.path, r.line, g.path, iif(t.kind = 'module', '', t.name) from refs as r
join chunks as s on s.id = r.source_id join files as f on f.id = s.file_id
join chunks as t on t.id = r.target_id join files as g on g.id = t.file_id where r.kind in ('calls', 'imports', 'reads')
"""

CART = {
    "java": "package shop;\n\npublic class Cart {\n    public int total() {\n        return 1;\n    }\n}\n",
    "ruby": "class Cart\n  def total\n    1\n  end\nend\n",
}
RAILS = {
    "app/models/cart.rb": CART["ruby"],
    "app/helpers/carts_helper.rb": "module CartsHelper\n  def price_tag(cart)\n    cart\n  end\nend\n",
    "app/controllers/carts_controller.rb": "class CartsController < ApplicationController\n"
    "  def show\n    @cart = Cart.new\n  end\nend\n",
}
SPRING = (
    "package shop;\n\nimport org.springframework.ui.Model;\n\npublic class Carts {\n"
    '    @GetMapping("/carts")\n    public String show(Model model) {\n'
    '        model.addAttribute("cart", new Cart());\n        return "show";\n    }\n}\n'
)
APPLICATIONS = {
    "jinja": (
        {
            "app.py": "from flask import Flask, render_template\n\napp = Flask(__name__)\n\n\n"
            "class Cart:\n    def total(self):\n        return 1\n\n\n@app.route('/carts')\ndef show():\n    cart = Cart()\n"
            "    return render_template('show.html', cart=cart)\n",
            "templates/show.html": "{% include 'row.html' %}\n{{ cart.total() }}\n",
            "templates/row.html": "{% if row %}{% endif %}\n",
        },
        {
            ("app.py", 14, "templates/show.html", ""),
            ("templates/show.html", 1, "templates/row.html", ""),
            ("templates/show.html", 2, "app.py", "total"),
        },
    ),
    "haml": (
        RAILS
        | {
            "app/views/carts/show.html.haml": '%p= price_tag(@cart)\n%p= @cart.total\n= render "row"\n',
            "app/views/carts/_row.html.haml": "%p row\n",
        },
        {
            ("app/controllers/carts_controller.rb", 2, "app/views/carts/show.html.haml", ""),
            ("app/views/carts/show.html.haml", 1, "app/helpers/carts_helper.rb", "price_tag"),
            ("app/views/carts/show.html.haml", 2, "app/models/cart.rb", "total"),
            ("app/views/carts/show.html.haml", 3, "app/views/carts/_row.html.haml", ""),
        },
    ),
    "slim": (
        RAILS
        | {
            "app/views/carts/show.html.slim": 'p = price_tag(@cart)\np = @cart.total\n= render "row"\n',
            "app/views/carts/_row.html.slim": "p row\n",
        },
        {
            ("app/controllers/carts_controller.rb", 2, "app/views/carts/show.html.slim", ""),
            ("app/views/carts/show.html.slim", 1, "app/helpers/carts_helper.rb", "price_tag"),
            ("app/views/carts/show.html.slim", 2, "app/models/cart.rb", "total"),
            ("app/views/carts/show.html.slim", 3, "app/views/carts/_row.html.slim", ""),
        },
    ),
    "thymeleaf": (
        {
            "src/main/java/shop/Cart.java": CART["java"],
            "src/main/java/shop/Carts.java": SPRING,
            "src/main/resources/templates/show.html": '<p th:text="${cart.total()}">1</p>\n',
        },
        {
            ("src/main/java/shop/Carts.java", 9, "src/main/resources/templates/show.html", ""),
            ("src/main/resources/templates/show.html", 1, "src/main/java/shop/Cart.java", "total"),
        },
    ),
    "jsp": (
        {
            "src/main/java/shop/Cart.java": CART["java"],
            "src/main/java/shop/Carts.java": "package shop;\n\npublic class Carts extends HttpServlet {\n"
            "    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n"
            '        request.setAttribute("cart", new Cart());\n'
            '        request.getRequestDispatcher("/WEB-INF/show.jsp").forward(request, response);\n    }\n}\n',
            "src/main/webapp/WEB-INF/show.jsp": "<p>${cart.total()}</p>\n",
        },
        {
            ("src/main/java/shop/Carts.java", 6, "src/main/webapp/WEB-INF/show.jsp", ""),
            ("src/main/webapp/WEB-INF/show.jsp", 1, "src/main/java/shop/Cart.java", "total"),
        },
    ),
    "properties of beans": (
        {
            "src/main/java/shop/Cart.java": CART["java"].replace("total", "getTotal"),
            "src/main/java/shop/Carts.java": SPRING,
            "src/main/resources/templates/show.html": '<p th:text="${cart.total}">1</p>\n',
        },
        {
            ("src/main/java/shop/Carts.java", 9, "src/main/resources/templates/show.html", ""),
            ("src/main/resources/templates/show.html", 1, "src/main/java/shop/Cart.java", "getTotal"),
        },
    ),
    "templ": (
        {
            "go.mod": "module example.com/shop\n",
            "cart.go": "package shop\n\ntype Cart struct{}\n\nfunc (c Cart) Total() int { return 1 }\n\n"
            "func write() {\n\tshow(1, Cart{})\n}\n",
            "show.templ": "package shop\n\ntempl show(count int, cart Cart) {\n\t<p>{ cart.Total() }</p>\n}\n",
        },
        {("cart.go", 8, "show.templ", "show"), ("show.templ", 4, "cart.go", "Total")},
    ),
    "razor": (
        {
            "Shop/Clock.cs": "namespace Shop;\n\npublic interface IClock\n{\n    int Now();\n}\n",
            "Shop/Counter.razor": '@page "/counter"\n@using Shop\n@inject IClock Clock\n<p>@Label()</p>\n<Price />\n'
            '<b @onclick="() => Add(1)">@Clock.Now()</b>\n'
            "@code {\n    private string Label() => string.Empty;\n\n    private void Add(int count)\n    {\n    }\n}\n",
            "Shop/Price.razor": "<b>1</b>\n",
        },
        {
            ("Shop/Counter.razor", 4, "Shop/Counter.razor", "Label"),
            ("Shop/Counter.razor", 5, "Shop/Price.razor", ""),
            ("Shop/Counter.razor", 6, "Shop/Counter.razor", "Add"),
            ("Shop/Counter.razor", 6, "Shop/Clock.cs", "Now"),
        },
    ),
    "go": (
        {
            "go.mod": "module example.com/shop\n",
            "main.go": 'package main\n\nimport "html/template"\n\nfunc money(value int) int { return value }\n\n'
            'var helpers = template.FuncMap{"money": money}\n'
            'var pages = template.Must(template.New("").Funcs(helpers).ParseGlob("templates/*.html"))\n\n'
            'func show(w Writer) {\n\tpages.ExecuteTemplate(w, "show.html", 1)\n}\n',
            "templates/show.html": '{{ template "row.html" . }}\n{{ money . }}\n',
            "templates/row.html": "<p>{{ . }}</p>\n",
        },
        {
            ("main.go", 11, "templates/show.html", ""),
            ("templates/show.html", 1, "templates/row.html", ""),
            ("templates/show.html", 2, "main.go", "money"),
        },
    ),
}


@pytest.mark.parametrize("name", APPLICATIONS)
def test_code_leads_to_its_template_and_the_template_to_its_code(name: str, tmp_path: Path) -> None:
    files, edges = APPLICATIONS[name]
    root = indexed(tmp_path, files)
    assert edges - set(connect(root / "index.db").execute(EDGES)) == set()
