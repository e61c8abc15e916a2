; languages: python
; fixture-files: conftest.py
; mark: \bdef test\w*\((?!\s*(?:self|cls)?\s*,?\s*\))|\bfixture\b|usefixtures|getfixturevalue|^def pytest_

((decorated_definition
  (decorator [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)
    (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)])]) @registers.fixture
  definition: (function_definition name: (identifier) @handler @name))
  (#any-of? @_fixture "fixture" "async_fixture" "yield_fixture"))
((decorated_definition
  (decorator (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)]
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (string) @name)))) @registers.fixture
  definition: (function_definition name: (identifier) @handler))
  (#any-of? @_fixture "fixture" "async_fixture") (#eq? @_key "name"))
((function_definition name: (identifier) @_test
  parameters: (parameters [(identifier) @handler @registers.use
    (typed_parameter . (identifier) @handler @registers.use)]))
  (#match? @_test "^test") (#not-match? @handler "^(self|cls|request|tmp_path|monkeypatch|capsys|tmpdir|caplog)$"))
((decorated_definition
  (decorator [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)
    (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)])])
  definition: (function_definition
    parameters: (parameters [(identifier) @handler @registers.use
      (typed_parameter . (identifier) @handler @registers.use)])))
  (#any-of? @_fixture "fixture" "async_fixture")
  (#not-match? @handler "^(self|cls|request|tmp_path|monkeypatch|capsys|tmpdir|caplog)$"))
((decorated_definition
  (decorator (call function: (attribute attribute: (identifier) @_use) arguments: (argument_list (string) @handler))) @registers.use)
  (#eq? @_use "usefixtures"))
((assignment left: (identifier) @_mark right: [
    (call function: (attribute attribute: (identifier) @_use) arguments: (argument_list (string) @handler @registers.use))
    (list (call function: (attribute attribute: (identifier) @_use) arguments: (argument_list (string) @handler @registers.use)))])
  (#eq? @_mark "pytestmark") (#eq? @_use "usefixtures"))
((call function: (attribute attribute: (identifier) @_use) arguments: (argument_list . (string) @handler)) @registers.use
  (#eq? @_use "getfixturevalue"))
((module (function_definition name: (identifier) @handler @name) @registers.entry) (#match? @handler "^pytest_"))
