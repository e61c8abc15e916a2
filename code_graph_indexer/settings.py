"""Settings and their defaults. No other module reads the environment or `cgi.toml`."""

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from code_graph_indexer.errors import UsageError

ENVIRONMENT_PREFIX = "CGI_"
CONFIG_FILE = "cgi.toml"
PROJECT_FILE = "pyproject.toml"
"""Its table `tool.cgi` is read too. `cgi.toml` overrides it."""

DEFAULT_EMBEDDER = "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Hold every setting of an index and its questions.

    Each setting has an environment variable `CGI_<NAME>`, and a key in `cgi.toml` unless it names a key, an endpoint or
    a model. `load_settings` reads both. Every value has a default, and an object cannot be changed.

    Example:
        >>> from code_graph_indexer import Settings
        >>> settings = Settings(workers=2, limit=5)
        >>> settings.limit, settings.max_chunk_size
        (5, 1600)
    """

    embedder: str = ""
    """`static`, `hashing`, `fastembed:<model>` or `openai:<model>`; empty means the index's own, `static` for a new one."""
    model_cache: str = "~/.cache/fastembed"
    """Folder of fastembed's models; FASTEMBED_CACHE_PATH is read too."""
    max_file_size: int = 1_000_000
    """Bytes; larger files are recorded as skipped."""
    parse_timeout: float = 10.0
    """Seconds a single file may take to parse before it is given up."""
    workers: int = 0
    """Parse processes; 0 means one a core."""
    repo_id: str = ""
    """Name of the repository in the index, for the `repo_id` filter; and no word of a query (nor is the folder's)."""
    max_chunk_size: int = 1_600
    """Characters; longer definitions are split into blocks."""
    limit: int = 10
    """Results of a search."""
    pool_size: int = 200
    """Hits each signal gives to the fusion."""
    fusion: str = "score"
    """How signals are fused: `score`, normalised and file by file, or `rrf`, weighted reciprocal ranks."""
    rrf_k: int = 60
    """The constant of reciprocal rank fusion."""
    rrf_folder_boost: float = 1.3
    """What a folder that is preferred adds to a score (`score`), or multiplies it by (`rrf`)."""
    top_k_per_request: int = 50
    """Chunks that one request of a question gives."""
    rrf_top_n: int = 50
    """Chunks kept of all requests of a question."""
    max_retrieval_requests: int = 5
    """Requests that a question is split into at most."""
    max_related_methods: int = 3
    """Other methods of its class that are given with a method."""
    max_imports: int = 5
    """Definitions of imported names that are given with a chunk."""
    max_children_sections: int = 10
    """Sections below it that are given with a section of Markdown."""
    cache: bool = False
    """Whether results are kept, beside the index or at `cache_url`, and given again to queries that mean the same."""
    cache_url: str = ""
    """A Redis server (`redis://host:6379/0`) that keeps them for several processes."""
    cache_ttl: float = 3_600.0
    """Seconds that a result is kept."""
    cache_limit: int = 1_000
    """Results that are kept at most."""
    cache_threshold: float = 0.97
    """Cosine from which two queries of the same names mean the same."""
    cross_encoder: str = ""
    """A model of fastembed, or a folder with an ONNX export, that scores the first results once more; empty for none."""
    first_stage_limit: int = 50
    """Results that a cross-encoder is given."""
    expansion: bool = True
    """Whether chunks that answer a question are given with what stands around them in the graph."""
    llm_router: bool = True
    """Whether the language model, if there is one, splits questions into requests; a heuristic does otherwise."""
    router_max_tree_depth: int = 4
    """Levels of folders of the tree that the language model is shown."""
    router_tree_tokens: int = 2_000
    """Tokens of that tree."""
    evaluator: bool = True
    """Whether it is judged that the context suffices, and searched again if it does not."""
    max_rounds: int = 2
    """Rounds of retrieval for a question at most."""
    token_budget: int = 8_000
    """Tokens of context sent with a question."""
    model: str = "claude-sonnet-5"
    """The language model that answers."""
    max_answer_tokens: int = 4_000
    """Tokens an answer may have."""
    api_key: str = ""
    """Key of the Messages API; ANTHROPIC_API_KEY is read too."""
    base_url: str = ""
    """Base URL of a Messages API; ANTHROPIC_BASE_URL is read too."""
    llm_timeout: float = 120.0
    """Seconds of silence of the language model before it is given up."""
    router_timeout: float = 15.0
    """Seconds for the language model to split a question, or to judge a context, before a heuristic does."""
    input_price: float = 0.0
    """US dollars for a million tokens that the language model reads; with 0 no cost is told."""
    output_price: float = 0.0
    """US dollars for a million tokens that the language model writes."""
    openai_api_key: str = ""
    """Key of an OpenAI-compatible embeddings endpoint; OPENAI_API_KEY is read too."""
    openai_base_url: str = "https://api.openai.com/v1"
    """Base URL of an OpenAI-compatible embeddings endpoint; OPENAI_BASE_URL is read too."""
    embed_concurrency: int = 4
    """Requests under way at once to an embeddings endpoint."""
    embed_batch_size: int = 64
    """Texts sent at once to an embedder that is not local."""

    def embedder_choice(self, recorded: str = "") -> tuple[str, dict[str, object]]:
        """Return the embedder named here, else the recorded one, else the default, and its keys and limits."""
        spec = self.embedder or recorded or DEFAULT_EMBEDDER
        options: dict[str, dict[str, object]] = {
            "openai": {
                "api_key": self.openai_api_key,
                "base_url": self.openai_base_url,
                "concurrency": self.embed_concurrency,
                "batch_size": self.embed_batch_size,
            },
            "fastembed": {"cache_dir": self.model_cache},
        }
        return spec, options.get(spec.partition(":")[0], {})

    def __repr__(self) -> str:
        values = (
            # A setting may be printed in a log or a traceback, where no key belongs.
            f"{field.name}={'***' if 'key' in field.name and getattr(self, field.name) else repr(getattr(self, field.name))}"
            for field in fields(self)
        )
        return f"Settings({', '.join(values)})"


# Zero means something here: a process for each core, or no cost.
_MAY_BE_ZERO = frozenset({"workers", "input_price", "output_price"})

_FOREIGN_VARIABLES = {
    "api_key": "ANTHROPIC_API_KEY",
    "base_url": "ANTHROPIC_BASE_URL",
    "openai_api_key": "OPENAI_API_KEY",
    "openai_base_url": "OPENAI_BASE_URL",
    "model_cache": "FASTEMBED_CACHE_PATH",
}


def load_settings(
    root: Path | None = None, environment: Mapping[str, str] | None = None, **overrides: object
) -> Settings:
    """Read the settings of a repository.

    An override wins over an environment variable, which wins over `cgi.toml`, which wins over `[tool.cgi]` of
    pyproject.toml, which wins over the default. An override of None is ignored. `root` is the folder with the two files,
    and `environment` replaces `os.environ`.

    Keys, endpoints and models are never read from a file: a repository must not choose where its text is sent, or which
    model is loaded. Raises UsageError for an unknown name or a value of the wrong type.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, tuple[object, str]] = {}
    # Each source below overrides the ones above it.
    if root is not None:
        values.update(_read_config(root / PROJECT_FILE))
        values.update(_read_config(root / CONFIG_FILE))
    for field in fields(Settings):
        # Our own variable comes last, so it wins over the customary one.
        for variable in (_FOREIGN_VARIABLES.get(field.name), ENVIRONMENT_PREFIX + field.name.upper()):
            if variable and variable in environment:
                values[field.name] = (environment[variable], variable)
    values.update({name: (value, name) for name, value in overrides.items() if value is not None})
    return replace(Settings(), **{name: _convert(name, value, source) for name, (value, source) in values.items()})  # type: ignore[arg-type]


def _read_config(path: Path) -> dict[str, tuple[object, str]]:
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name != CONFIG_FILE:
            content = content.get("tool", {}).get("cgi", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as exc:
        if path.name != CONFIG_FILE:
            # Another program's file: a repository with a broken one is indexed all the same.
            return {}
        raise UsageError(f"{path} cannot be read: {exc}; mend it or remove it") from exc
    private = {*_FOREIGN_VARIABLES, "embedder", "cross_encoder", "cache_url"} & set(content)
    if private:
        raise UsageError(f"{path}: {sorted(private)[0]} belongs in the environment, not in a file of the repository")
    return {name: (value, f"{path.name}: {name}") for name, value in content.items()}


def _convert(name: str, value: object, source: str) -> object:
    defaults = Settings()
    if name not in {field.name for field in fields(Settings)}:
        names = ", ".join(field.name for field in fields(Settings))
        raise UsageError(f"{source}: there is no setting {name!r}; known are {names}")
    expected = type(getattr(defaults, name))
    if expected is bool:
        return _truth(value, source)
    # A whole number may stand for a float, and the environment has only texts.
    # Python counts a truth value as a whole number, but `workers = true` is a mistake.
    if isinstance(value, bool) or not isinstance(value, (str, int, expected) if expected is float else (str, expected)):
        raise UsageError(f"{source} must be {expected.__name__}, not {value!r}")
    try:
        converted = expected(value)
    except ValueError as exc:
        raise UsageError(f"{source} must be {expected.__name__}, not {value!r}") from exc
    # The comparison also refuses NaN, which is neither larger nor smaller than 0.
    if expected in (int, float) and not (0 < converted < math.inf or (converted == 0 and name in _MAY_BE_ZERO)):
        raise UsageError(f"{source} must be positive, not {value!r}")
    return converted


def _truth(value: object, source: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if (word := str(value).lower()) not in words:
        raise UsageError(f"{source} must be true or false, not {value!r}")
    return words[word]
