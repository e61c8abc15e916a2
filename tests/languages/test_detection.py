"""The language of a file is told by its name, its first line, and for some endings by its content."""

import pytest

from code_graph_indexer.languages import detect_language, languages, parsing_language

CONTENTS = [
    ("a.yaml", "apiVersion: v1\nkind: Service\n", "yaml"),
    ("a.yml", "# Shop\nservices:\n  web:\n    image: ${{ tag }}\n", "yaml"),
    ("a.yml", "on: push\njobs:\n  build: {}\n", "yaml"),
    ("a.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.name }}\n", None),
    ("a.yaml", "openapi: 3.0.0\npaths: {}\n", "yaml"),
    ("a.yaml", "title: 3.0.0\npaths: {}\n", None),
    ("a.ts", "const a = 1;\n", "typescript"),
    ("a.ts", "const id = <T>(value: T) => value;\n", "typescript"),
    ("a.ts", "<T>value;\n", "typescript"),
    ("a.ts", '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1">\n', None),
    ("a.ts", "\n<!DOCTYPE TS>\n<TS></TS>\n", None),
    ("a.m", '#import "A.h"\n@implementation A\n@end\n', "objectivec"),
    ("a.m", "// Area.\nint area(int side) {\n  return side * side;\n}\n", "objectivec"),
    ("a.m", "function a = area(r)\n  % Area of a circle.\n  a = pi * r ^ 2;\nend\n", None),
    ("a.m", "clear all;\nx = 1;\ndisp(x)\n", None),
    ("a.m", "(* A package. *)\nArea[r_] := Pi r^2\n", None),
    ("a.mm", "#import <A/A.h>\n", "objectivec"),
    ("a.mm", '<map version="1.0.1">\n<node TEXT="a"/>\n</map>\n', None),
    ("a.pl", "#!/usr/bin/perl\nuse strict;\nprint 1;\n", "perl"),
    ("a.pl", "sub area { my ($r) = @_; return 3 * $r; }\n1;\n", "perl"),
    ("a.pl", "parent(tom, bob).\ngrand(X, Y) :- parent(X, Z), parent(Z, Y).\n", None),
    ("a.pl", ":- module(family, [grand/2]).\n:- use_module(library(lists)).\n", None),
    ("a.pl", "% Facts.\nparent(tom, bob).\n", None),
    ("a.h", "struct shape { int class; int new; };\nint area(const struct shape *s);\n", "c"),
    ("a.h", "/* A class of shapes,\n   public: to all. */\n#include <stddef.h>\n#define BOTH(a, b) (a & b)\n", "c"),
    ("a.h", '#ifdef __cplusplus\nextern "C" {\n#endif\nint area(void);\n#ifdef __cplusplus\n}\n#endif\n', "c"),
    ("a.h", "class Shape { public: int area(); };\n", "cpp"),
    ("a.h", "#pragma once\nclass API_EXPORT Shape final : Base {\n};\n", "cpp"),
    ("a.h", "#pragma once\nnamespace shapes {\nint area(int side);\n}\n", "cpp"),
    ("a.h", "#include <vector>\nint area(int side);\n", "cpp"),
    ("a.h", "struct Shape {\n  int area() const { return 1; }\n};\n", "cpp"),
    ("a.h", "template <class T>\nT twice(T value);\n", "cpp"),
    ("a.h", "int area(std::string name);\n", "cpp"),
    ("a.h", "#import <Foundation/Foundation.h>\n", "objectivec"),
    ("a.h", "@class Shape;\n@interface Area : NSObject\n- (int)area;\n@end\n", "objectivec"),
    ("a.h", "/**\n@class Shape\n@interface of shapes\n*/\nint area(void);\n", "c"),
    ("a.def", "/* Shapes. */\n#define SIDES 4\n", "c"),
    ("a.def", 'SHAPE(square, "four sides (equal)")\nSHAPE(circle, "none")\n', "c"),
    ("a.def", "EXPORTS\narea\n", None),
    ("a.inc", "static int area(int side) { return side; }\n", "c"),
    ("a.inc", "namespace shapes {\n}\n", "cpp"),
    ("a.inc", "SOURCES = area.c\n# include it\n", None),
    ("a.hpp", "int area(int side);\n", "cpp"),
    ("tool", "#!/usr/bin/env python3\nx = 1\n", "python"),
    ("tool", "x = 1\n", None),
    ("tool.txt", "#!/usr/bin/env python3\n", None),
]


@pytest.mark.parametrize(("path", "text", "language"), CONTENTS)
def test_the_content_tells_the_language_where_the_ending_does_not(path: str, text: str, language: str | None) -> None:
    assert detect_language(path, text.encode()) == language


@pytest.mark.parametrize("path", ["a.ts", "a.m", "a.mm", "a.pl", "a.h"])
def test_without_a_text_an_ending_has_its_likeliest_language(path: str) -> None:
    assert detect_language(path) in {
        language.name for language in languages().values() if path[1:] in language.extensions
    }


def test_only_the_top_of_a_file_counts() -> None:
    comment = "/* long */\n" * 10_000
    assert detect_language("a.h", f"{comment}class Shape {{}};\n".encode()) == "c"


def test_a_header_of_c_is_parsed_with_the_richer_grammar() -> None:
    assert parsing_language("a.h", "c") == "cpp"
    assert parsing_language("a.c", "c") == "c"
    assert parsing_language("a.h", "objectivec") == "objectivec"


def test_every_language_to_parse_as_exists() -> None:
    for language in languages().values():
        for extension in language.extensions:
            assert parsing_language(f"a{extension}", language.name) in languages()
