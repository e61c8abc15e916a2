"""Branches of a preprocessor are read for conditions on a single name."""

import pytest

from code_graph_indexer.syntax.branches import MAX_CONDITIONS, branches, names_at


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("#ifdef A\nX\n#endif\n", ("A",)),
        ("#ifdef A\n#else\nX\n#endif\n", ("!A",)),
        ("#ifndef A\nX\n#endif\n", ("!A",)),
        ("#ifndef A\n#else\nX\n#endif\n", ("A",)),
        ("  #  if defined ( A ) /* why */\nX\n#endif\n", ("A",)),
        ("#if !defined(A)\nX\n#endif\n", ("!A",)),
        ("#if defined(A)\n#elif B\nX\n#endif\n", ("!A",)),
        ("#if defined(A)\n#elif B\n#else\nX\n#endif\n", ("!A",)),
        ("#if defined(A) && defined(B)\nX\n#endif\n", ("?",)),
        ("#if A > 1\n#else\nX\n#endif\n", ("?",)),
        ("#ifdef A\n#if B\n#endif\nX\n#endif\n", ("A",)),
        ("#ifdef A\n#ifndef B\nX\n#endif\n#endif\n", ("A", "!B")),
        ("#ifdef A\n#endif\nX\n", ()),
        ("call(); #ifdef A\nX\n", ()),
        ("#endif\n#else\nX\n", ()),
        # Names that the file defines itself: a guard, and a switch.
        ("#ifndef A\n#define A\nX\n#endif\n", ()),
        ("#ifdef A\nX\n#endif\n#undef A\n", ("?",)),
    ],
)
def test_the_names_around_a_place_are_those_of_its_branch(source: str, names: tuple[str, ...]) -> None:
    assert names_at(branches(source.encode(), "c"), source.index("X")) == names


def test_a_language_without_a_preprocessor_has_no_branches() -> None:
    assert branches(b"#ifdef A\n#endif\n", "python") == ()


def test_deep_nesting_lists_few_conditions() -> None:
    source = b"".join(b"#ifdef A%d\n" % number for number in range(1000))
    assert {len(branch.names) for branch in branches(source, "c")} == set(range(1, MAX_CONDITIONS + 1))
