"""Settings: what overrides what, what is refused, and what is never shown."""

from dataclasses import fields
from pathlib import Path

import pytest

from code_graph_indexer.errors import UsageError
from code_graph_indexer.settings import CONFIG_FILE, ENVIRONMENT_PREFIX, Settings, load_settings

FOREIGN = {
    "api_key": "ANTHROPIC_API_KEY",
    "base_url": "ANTHROPIC_BASE_URL",
    "openai_api_key": "OPENAI_API_KEY",
    "openai_base_url": "OPENAI_BASE_URL",
    "model_cache": "FASTEMBED_CACHE_PATH",
}


def configured(folder: Path, text: str) -> Path:
    (folder / CONFIG_FILE).write_text(text, encoding="utf-8")
    return folder


def test_without_anything_said_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path, {}) == Settings()


def test_arguments_go_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    root = configured(tmp_path, "limit = 3\nrrf_k = 4\nworkers = 5\n")
    loaded = load_settings(root, {"CGI_RRF_K": "40", "CGI_WORKERS": "50"}, workers=500)
    assert (loaded.limit, loaded.rrf_k, loaded.workers, loaded.pool_size) == (3, 40, 500, Settings().pool_size)


def test_an_argument_of_none_is_not_given() -> None:
    assert load_settings(None, {"CGI_LIMIT": "7"}, limit=None).limit == 7


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_has_its_variable(name: str) -> None:
    default = getattr(Settings(), name)
    text = "off" if isinstance(default, bool) else "700"
    value = False if isinstance(default, bool) else type(default)("700")
    assert getattr(load_settings(None, {ENVIRONMENT_PREFIX + name.upper(): text}), name) == value


def test_a_truth_that_is_none_is_an_error() -> None:
    with pytest.raises(UsageError, match="CGI_EXPANSION must be true or false, not 'perhaps'"):
        load_settings(None, {"CGI_EXPANSION": "perhaps"})


@pytest.mark.parametrize(("name", "variable"), FOREIGN.items())
def test_customary_variables_are_read_too_but_our_own_goes_first(name: str, variable: str) -> None:
    environment_name = ENVIRONMENT_PREFIX + name.upper()
    assert getattr(load_settings(None, {variable: "theirs"}), name) == "theirs"
    assert getattr(load_settings(None, {variable: "theirs", environment_name: "ours"}), name) == "ours"


@pytest.mark.parametrize(
    "name", ["api_key", "base_url", "openai_api_key", "openai_base_url", "embedder", "model_cache"]
)
def test_a_repository_cannot_choose_keys_endpoints_or_models(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} belongs in the environment"):
        load_settings(configured(tmp_path, f'{name} = "x"\n'), {})


def test_an_unknown_setting_is_named_with_those_known(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cgi.toml: limits: there is no setting 'limits'; known are .*\blimit\b"):
        load_settings(configured(tmp_path, "limits = 3\n"), {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit = 'many'", "limit must be int, not 'many'"),
        ("limit = true", "limit must be int, not True"),
        ("limit = [1]", r"limit must be int, not \[1\]"),
        ("limit = 0", "limit must be positive, not 0"),
        ("limit = -1", "limit must be positive, not -1"),
        ("workers = -1", "workers must be positive, not -1"),
        ("max_chunk_size = 99", "max_chunk_size must be at least 100, not 99"),
        ("limit = nan", "limit must be int"),
        ("limit = inf", "limit must be int"),
        ("parse_timeout = inf", "parse_timeout must be positive"),
        ("limit = 2.5", "limit must be int"),
        ("parse_timeout = nan", "parse_timeout must be positive"),
        ("limit =", "cannot be read"),
        ("repo_id = 7", "repo_id must be str"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_the_way_out(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_settings(configured(tmp_path, text + "\n"), {})


def test_a_file_in_no_readable_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_bytes(b"limit = \xff\n")
    with pytest.raises(UsageError, match="cannot be read"):
        load_settings(tmp_path, {})


def test_workers_may_be_zero() -> None:
    assert load_settings(None, {"CGI_WORKERS": "0"}).workers == 0


def test_keys_are_not_shown() -> None:
    text = repr(Settings(api_key="sk-secret", openai_api_key="sk-other", model="m"))
    assert "sk-" not in text
    assert "api_key='***'" in text.replace("***", "'***'") and "model='m'" in text


def test_every_setting_says_what_it_means() -> None:
    documented = (Path(__file__).parent.parent / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    for field in fields(Settings):
        assert f"| `{field.name}` |" in documented
        assert ENVIRONMENT_PREFIX + field.name.upper() in documented


def test_the_projects_own_file_may_hold_settings(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.cgi]\nlimit = 4\nrrf_k = 5\n", encoding="utf-8")
    (tmp_path / "cgi.toml").write_text("limit = 3\n", encoding="utf-8")
    loaded = load_settings(tmp_path, {})
    assert (loaded.limit, loaded.rrf_k) == (3, 5)


def test_a_broken_file_of_another_program_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool\n", encoding="utf-8")
    assert load_settings(tmp_path, {}) == Settings()


def test_the_projects_own_file_may_not_hold_keys(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.cgi]\napi_key = "x"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="belongs in the environment"):
        load_settings(tmp_path, {})


def test_a_link_in_place_of_a_file_of_settings_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "private.toml").write_text('[tool.cgi]\nsecret_key = "x"\n', encoding="utf-8")
    (root / "pyproject.toml").symlink_to(tmp_path / "private.toml")
    assert load_settings(root, {}) == Settings()
    (root / "cgi.toml").symlink_to(tmp_path / "private.toml")
    with pytest.raises(UsageError, match="is a link") as refusal:
        load_settings(root, {})
    assert "secret_key" not in str(refusal.value)
