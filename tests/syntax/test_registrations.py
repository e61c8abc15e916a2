"""What a file gives to templates: values in a call, in a dictionary, and in that of a view's class."""

from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.registrations import CONTEXT

CODE = """\
class Detail(View):
    template_name = "carts/detail.html"

    def get_context_data(self):
        context = super().get_context_data()
        context["owner"] = self.owner
        return context

def show(request):
    unused = {"lost": lost}
    if request.user:
        data = {"cart": cart, "size": size}
        data["tax"] = tax
        return render(request, "carts/show.html", data)
    data = {"name": name}
    return render(request, "carts/empty.html", data)

def page(request):
    return render(request, "carts/page.html", {"page": number})
"""


def contexts(code: str) -> set[tuple[str, ...]]:
    """Return the values that templates get: template, variable and value."""
    rows = parse("shop/views.py", code.encode(), "python").registrations
    return {(row.name, row.verb, *row.handlers) for row in rows if row.kind == CONTEXT}


def test_a_value_in_a_dictionary_is_for_the_templates_that_get_it() -> None:
    assert contexts(CODE) == {
        ("carts/detail.html", "owner", "self.owner"),
        *{("carts/show.html", *value) for value in (("cart", "cart"), ("size", "size"), ("tax", "tax"))},
        # The dictionary of another branch may be the same one.
        *{
            ("carts/empty.html", *value)
            for value in (("cart", "cart"), ("size", "size"), ("tax", "tax"), ("name", "name"))
        },
        ("carts/page.html", "page", "number"),
    }
