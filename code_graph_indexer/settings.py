"""Settings and their defaults. No other module reads the environment or `cgi.toml`."""

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from code_graph_indexer.errors import UsageError

ENVIRONMENT_PREFIX = "CGI_"
CONFIG_FILE = "cgi.toml"
PROJECT_FILE = "pyproject.toml"
"""A second file for settings, in its table `tool.cgi`. The settings in `cgi.toml` override this table."""

DEFAULT_EMBEDDER = "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of an index and of the questions to it.

    Each setting has an environment variable `CGI_<NAME>`. Most settings may also be set in `cgi.toml`, but not API keys,
    endpoints and models. `load_settings` reads both. Every setting has a default, and the object cannot be changed.

    Example:
        >>> from code_graph_indexer import Settings
        >>> settings = Settings(workers=2, limit=5)
        >>> settings.limit, settings.max_chunk_size
        (5, 1600)
    """

    embedder: str = ""
    """`static`, `hashing`, `fastembed:<model>` or `openai:<model>`. Empty: the index's own, or `static` for a new index."""
    model_cache: str = "~/.cache/fastembed"
    """Folder with fastembed's models. The variable FASTEMBED_CACHE_PATH is read too."""
    db: str = ""
    """What a question reads if neither a folder nor `--db` is given: an index file, a folder, or the address of a server."""
    max_file_size: int = 1_000_000
    """Size of the largest file that is indexed, in bytes. Larger files are recorded as skipped."""
    parse_timeout: float = 600.0
    """Seconds after which a parser that hangs is stopped. What is read of a file depends on its bytes alone."""
    workers: int = 0
    """Number of parse processes. 0 means one per core, but no more than `memory` has room for."""
    memory: int = 1_536
    """Memory that building an index aims at, in MiB, for all its processes together."""
    repo_id: str = ""
    """Name of the repository in the index, for the `repo_id` filter. Searches ignore this name and the folder's name."""
    max_chunk_size: int = 1_600
    """The most characters of a chunk, at least 100. Longer definitions are split into blocks."""
    limit: int = 10
    """The most results of a search."""
    pool_size: int = 200
    """The most hits that each search signal passes to fusion."""
    rrf_k: int = 60
    """The constant k of reciprocal rank fusion, by which the requests of a question are merged."""
    rrf_folder_boost: float = 1.3
    """Boost for files in a preferred folder, added to a score."""
    top_k_per_request: int = 50
    """The most chunks that one request (search) of a question returns."""
    rrf_top_n: int = 50
    """The most chunks that are kept from all requests of a question."""
    max_retrieval_requests: int = 5
    """The most requests into which a question is split."""
    max_related_methods: int = 3
    """The most other methods of the same class that are added to a method."""
    max_imports: int = 5
    """The most definitions of imported names that are added to a chunk."""
    max_children_sections: int = 10
    """The most subsections that are added to a section of Markdown."""
    server_memory: int = 512
    """Memory for vectors of a server, in MiB: 512 hold 3 million, or the signs of 11. Lists of words take an eighth more."""
    update: bool = True
    """Whether a question first looks for changes on disk, and updates the index if there are few."""
    expansion: bool = True
    """Whether neighbours in the graph are added to the chunks that answer a question."""
    llm_router: bool = True
    """Whether the language model, if there is one, splits questions into requests. Otherwise, a heuristic splits them."""
    router_max_tree_depth: int = 4
    """The most folder levels in the tree of files that the language model reads to split a question."""
    router_tree_tokens: int = 2_000
    """The most tokens of this tree of files."""
    evaluator: bool = True
    """Whether the context is judged before the answer. If it does not suffice, there is another search."""
    max_rounds: int = 2
    """The most rounds of search for a question."""
    token_budget: int = 8_000
    """The most tokens of context that are sent with a question."""
    model: str = "claude-sonnet-5"
    """The language model that answers."""
    max_answer_tokens: int = 4_000
    """The most tokens of an answer."""
    api_key: str = ""
    """Key of the Messages API. The variable ANTHROPIC_API_KEY is read too."""
    base_url: str = ""
    """Base URL of a Messages API, whose redirects are not followed. The variable ANTHROPIC_BASE_URL is read too."""
    llm_timeout: float = 120.0
    """Seconds without any output of the language model, after which the answer fails."""
    router_timeout: float = 15.0
    """Time limit for the language model to split a question or judge a context, in seconds. Then a heuristic does it."""
    input_price: float = 0.0
    """US dollars per million tokens that the language model reads. If both prices are 0, no cost is shown."""
    output_price: float = 0.0
    """US dollars per million tokens that the language model writes."""
    libraries: str = "~/.cache/cgi/libraries"
    """Folder with the indexes of packages (`cgi libraries add`). All of it may be deleted."""
    libraries_size: int = 4_096
    """The most disk space of this folder, in MiB. The indexes that were used least recently go first."""
    openai_api_key: str = ""
    """Key of an OpenAI-compatible embeddings endpoint. The variable OPENAI_API_KEY is read too."""
    openai_base_url: str = "https://api.openai.com/v1"
    """Base URL of an OpenAI-compatible embeddings endpoint. Redirects are not followed. OPENAI_BASE_URL is read too."""
    embed_concurrency: int = 4
    """The most simultaneous requests to an embeddings endpoint."""
    embed_batch_size: int = 64
    """The most texts in one request to an embeddings endpoint."""
    fleet_secret: str = ""
    """The secret that signs the messages of pushes to the webhook."""
    fleet_cache: str = "~/.cache/cgi/fleet"
    """Folder in which a worker keeps checkouts and indexes. All of it may be deleted."""
    fleet_seconds: float = 3_600.0
    """Time limit for fetching, indexing and publishing a repository, in seconds."""
    fleet_memory: int = 4_096
    """The most memory of such a run, in MiB."""
    fleet_disk: int = 8_192
    """The most disk space of such a run, in MiB: checkout, git's objects and index."""
    fleet_failures: int = 3
    """Failures in a row after which a repository is put into quarantine."""
    fleet_depth: int = 1
    """The number of commits that are fetched. 0 fetches the whole history, which tells when each file was last changed."""
    fleet_look: float = 60.0
    """Seconds within which a repository must tell its branches."""
    fleet_lost: float = 60.0
    """Seconds without a sign of life after which a run counts as lost and is started again, at least 1."""
    fleet_grace: float = 60.0
    """Seconds that a worker, once told to stop, gives its runs to end. Then it gives them back."""

    def embedder_choice(self, recorded: str = "") -> tuple[str, dict[str, object]]:
        """Return the name of the embedder to use, and its options, such as its API key and limits.

        The setting `embedder` comes first, then the embedder recorded in the index, then the default.
        """
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

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what tokens of the language model cost, in US dollars, or None if no price is set.

        Example:
            >>> from code_graph_indexer import Settings
            >>> Settings(input_price=3.0, output_price=15.0).cost(1_000_000, 100_000)
            4.5
        """
        if not (self.input_price or self.output_price):
            return None
        return (input_tokens * self.input_price + output_tokens * self.output_price) / 1_000_000

    def __repr__(self) -> str:
        values = (
            # A setting may be printed in a log or a traceback, where no key belongs.
            f"{name}={'***' if value and name in _SECRET else repr(value)}"
            for name, value in ((field.name, getattr(self, field.name)) for field in fields(self))
        )
        return f"Settings({', '.join(values)})"


_SECRET = frozenset({"api_key", "openai_api_key", "db", "fleet_secret"})
"""The settings that are or may hold a key or password."""

# Zero means something here: a process for each core, no memory, no cost, or no limit.
LEAST = {"max_chunk_size": 100}
"""The least numbers of settings by name, where one above 0 is not enough."""

_MAY_BE_ZERO = frozenset({"workers", "server_memory", "input_price", "output_price", "fleet_depth"})

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
    """Return the settings of a repository.

    The first of these sources that has a setting decides: the overrides, the environment, `cgi.toml`, `[tool.cgi]` in
    pyproject.toml, the default. An override of None is ignored. `root` is the folder with the two files, and
    `environment` replaces `os.environ`.

    API keys, endpoints and models are never read from a file: a repository must not choose where its text is sent, or which
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
    """Return the settings in a file of a repository, each as (value, place for errors). Without the file there are none.

    Of pyproject.toml, the table `tool.cgi` counts, and a broken file has none. Raises UsageError for a broken or linked
    cgi.toml, and for a setting that a repository must not choose.
    """
    if not path.is_file():
        return {}
    # A link may lead outside of the repository, to a file whose keys an error would quote.
    if path.is_symlink():
        if path.name != CONFIG_FILE:
            return {}
        raise UsageError(f"{path} is a link, which is not followed; put the settings into the file itself")
    # Most repositories have no such file.
    import tomllib

    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name != CONFIG_FILE:
            content = content.get("tool", {}).get("cgi", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as exc:
        if path.name != CONFIG_FILE:
            # Another program's file: a repository with a broken one is indexed all the same.
            return {}
        raise UsageError(f"{path} cannot be read: {exc}; mend it or remove it") from exc
    fleet = {name for name in content if name.startswith("fleet_")}
    private = fleet | {
        *_FOREIGN_VARIABLES,
        "libraries",
        "libraries_size",
        "embedder",
        "db",
    } & set(content)
    if private:
        raise UsageError(f"{path}: {sorted(private)[0]} belongs in the environment, not in a file of the repository")
    return {name: (value, f"{path.name}: {name}") for name, value in content.items()}


def _convert(name: str, value: object, source: str) -> object:
    """Return the value of a setting in its type. Raises UsageError, which names the `source`, for one that is not valid."""
    defaults = Settings()
    if name not in {field.name for field in fields(Settings)}:
        names = ", ".join(field.name for field in fields(Settings))
        raise UsageError(f"{source}: there is no setting {name!r}; known are {names}")
    expected = type(getattr(defaults, name))
    if expected is bool:
        return _truth(value, source)
    if isinstance(value, str) and not _is_text(value):
        raise UsageError(f"{source} must be a text in UTF-8 without control characters, not {value!r}")
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
    if name in LEAST and converted < LEAST[name]:
        raise UsageError(f"{source} must be at least {LEAST[name]}, not {value!r}")
    return converted


def _is_text(value: str) -> bool:
    """Say whether a text can be stored in an index and sent to a server."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return not any(ord(character) < ord(" ") for character in value)


def _truth(value: object, source: str) -> bool:
    """Return the truth value that a word means. Raises UsageError for any other word."""
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if (word := str(value).lower()) not in words:
        raise UsageError(f"{source} must be true or false, not {value!r}")
    return words[word]


FOLDER_VARIABLES = ("CGI_ROOT", "CLAUDE_PROJECT_DIR")
"""Environment variables that name the folder of the repository for a server. The first one that is set counts."""


def project_folder() -> Path:
    """Return the folder that the environment names, or else the current one. Some clients start servers elsewhere."""
    return Path(next(filter(None, map(os.environ.get, FOLDER_VARIABLES)), "."))


def has_project_folder() -> bool:
    """Say whether the environment names a folder."""
    return any(map(os.environ.get, FOLDER_VARIABLES))


def has_colours() -> bool:
    """Say whether standard output is a terminal that shows colours, and the user wants them (https://no-color.org)."""
    has_none = os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("", "dumb")
    return sys.stdout.isatty() and not has_none
