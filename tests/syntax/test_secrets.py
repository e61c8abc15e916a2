"""Keys and tokens are masked by their form, and nothing else of a text changes."""

import json
import re
import string
import textwrap
import time
import tomllib
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.secrets import masked

HOSTILE_SECONDS = 3.0
"""The most seconds that a megabyte made to be slow may take. It takes less than one."""

UPPER, LOWER, DIGITS, HEX = string.ascii_uppercase, string.ascii_lowercase, string.digits, "0123456789abcdef"
WORD = string.ascii_letters + DIGITS
URL_SAFE = WORD + "-_"
BASE64 = WORD + "+/"
BASE32 = UPPER + "234567"
CHANCE = Random(1)


def chars(alphabet: str, count: int) -> str:
    """Return random characters, so that no test holds a whole token. None is at an end that looks like the end of a word."""
    middle = "".join(CHANCE.choice(alphabet) for _ in range(count - 1))
    return middle + CHANCE.choice([char for char in alphabet if char.isalnum()])


def pem(kind: str = "RSA PRIVATE KEY", size: int = 1611) -> str:
    """Return a private key of random characters, whose last line is short."""
    lines = textwrap.wrap(chars(BASE64, size), 64)
    return f"-----BEGIN {kind}-----\n" + "\n".join(lines) + f"=\n-----END {kind}-----\n"


KEY = pem()
LINES = KEY.splitlines()

TOKENS = {
    "aws id": ("AKIA", chars(BASE32, 16)),
    "aws temporary id": ("ASIA", chars(BASE32, 15) + "2"),
    "aws key": ("aws_secret_access_key = ", chars(WORD, 40)),
    "aws variable": ("AWS_SECRET_ACCESS_KEY=", chars(WORD, 40)),
    "aws in json": ('"SecretAccessKey": "', chars(WORD, 40)),
    "aws session": ("IQoJb3JpZ2lu", chars(BASE64, 300)),
    "google": ("AIza", chars(URL_SAFE, 35)),
    "google client": ("GOCSPX-", chars(URL_SAFE, 28)),
    "azure client": ("abC8Q~", chars(WORD, 34)),
    "azure storage": ("AccountKey=", chars(WORD, 86) + "=="),
    "digitalocean": ("dop_v1_", chars(HEX, 64)),
    "github": ("ghp_", chars(WORD, 36)),
    "github app": ("ghs_", chars(WORD, 36)),
    "github fine-grained": ("github_pat_", chars(WORD, 22) + "_" + chars(WORD, 59)),
    "gitlab": ("glpat-", chars(URL_SAFE, 20)),
    "gitlab routable": ("glpat-", chars(URL_SAFE, 30) + ".01." + chars(LOWER, 9)),
    "gitlab runner": ("glrt-", chars(URL_SAFE, 20)),
    "slack bot": ("xoxb-", f"{chars(DIGITS, 12)}-{chars(DIGITS, 13)}-{chars(WORD, 24)}"),
    "slack app": ("xapp-", f"1-{chars(UPPER, 11)}-{chars(DIGITS, 13)}-{chars(HEX, 64)}"),
    "slack hook": ("https://hooks.slack.com/services/", f"T{chars(UPPER, 8)}/B{chars(UPPER, 10)}/{chars(WORD, 24)}"),
    "stripe": ("sk_live_", chars(WORD, 24)),
    "stripe restricted": ("rk_test_", chars(WORD, 99)),
    "npm": ("npm_", chars(WORD, 36)),
    "pypi": ("pypi-AgE", "IcHlwaS5vcmc" + chars(URL_SAFE, 150)),
    "openai": ("sk-proj-", chars(URL_SAFE, 74) + "T3BlbkFJ" + chars(URL_SAFE, 74)),
    "openai, old": ("sk-", chars(WORD, 20) + "T3BlbkFJ" + chars(WORD, 20)),
    "anthropic": ("sk-ant-api03-", chars(URL_SAFE, 93) + "AA"),
    "hugging face": ("hf_", chars(string.ascii_letters, 34)),
    "groq": ("gsk_", chars(WORD, 52)),
    "telegram": ("123456789:AA", chars(WORD, 33)),
    "sendgrid": ("SG.", chars(URL_SAFE, 22) + "." + chars(URL_SAFE, 43)),
    "vault": ("hvs.", chars(URL_SAFE, 95)),
    "age": ("AGE-SECRET-KEY-1", chars(BASE32, 58)),
}

PLACES = {
    "string": 'token = "{}"\n',
    "words": "Use {} to log in.\n",
    "variable": "export TOKEN={}\n",
    "url": "https://me:{}@example.org/\n",
    "argument": "login --token={} --quiet\n",
    "escaped line": 'text = "A=1\\n{}\\nB=2"\n',
    "alone": "{}",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_a_token_is_masked_wherever_it_stands(token: tuple[str, str], place: str) -> None:
    start, secret = token
    text = place.format(start + secret)
    hidden, secrets = masked(text.encode())
    before, _, after = text.partition(secret)
    assert hidden.startswith(before.encode()) and hidden.endswith(after.encode())
    assert (len(hidden), secrets) == (len(text.encode()), 1)
    assert b"REDACTED" in hidden
    assert not any(part.encode() in hidden for part in re.findall(r"[0-9A-Za-z]{9,}", secret))


KEYS = {
    "file": KEY,
    "line ends of Windows": KEY.replace("\n", "\r\n"),
    "indented": "key: |\n" + textwrap.indent(KEY, "    ") + "next: 1\n",
    "json": f'{{"private_key": {json.dumps(KEY)}, "next": 1}}',
    "strings": "KEY = (\n" + "".join(f'    "{line}\\n"\n' for line in LINES) + ")\n",
    "joined strings": "String key = " + " +\n    ".join(f'"{line}\\n"' for line in LINES) + ";\n",
    "list": json.dumps([f"{line}\n" for line in LINES], indent=2),
    "comments": "".join(f"// {line}\n" for line in LINES),
    "comments of a shell": "".join(f"# {line}\n" for line in LINES),
    "encrypted": KEY.replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233\n\n", 1),
    "without an end": "\n".join([*LINES[:6], "", "def after(): pass", ""]),
    "short": pem("PRIVATE KEY", 60),
    "pgp": pem("PGP PRIVATE KEY BLOCK").replace("-----\n", "-----\nVersion: GnuPG v2\n\n", 1),
    "putty": "Private-Lines: 14\n" + "\n".join(textwrap.wrap(chars(BASE64, 880), 64)) + "\nPrivate-MAC: 00\n",
}


@pytest.mark.parametrize("text", KEYS.values(), ids=KEYS)
def test_the_lines_of_a_private_key_are_masked(text: str) -> None:
    hidden, secrets = masked(text.encode())
    assert secrets == 1
    lines, hidden_lines = text.split("\n"), hidden.decode().split("\n")
    assert [len(line) for line in lines] == [len(line) for line in hidden_lines]
    key = " ".join(re.findall(r"[0-9A-Za-z+/]{40,}", text))
    assert not [run for run in re.findall(r"[0-9A-Za-z+/]{5,}", hidden.decode()) if run in key]
    # The last line of a key is short.
    assert not re.search(r"[0-9A-Za-z+/]{3,}==?\W", hidden.decode().replace("REDACTED", "").replace("x", ""))


HARMLESS = {
    "code about keys": 's = pem.replace("-----BEGIN PRIVATE KEY-----", "").replace("-----END PRIVATE KEY-----", "")\n'
    + "load_private_key_of_the_server(path)\n" * 20,
    "a public key": "-----BEGIN PUBLIC KEY-----\n" + chars(BASE64, 64) + "\n-----END PUBLIC KEY-----\n",
    "a hash": f"sha256:{chars(HEX, 64)} task-{chars(HEX, 32)} disk_test_{chars(LOWER, 20)}",
    "part of a word": f"x{'AKIA'}{chars(BASE32, 16)} my{'ghp_'}{chars(WORD, 36)}",
    "a longer word": f"{'AKIA'}{chars(BASE32, 40)} {'npm_'}{chars(WORD, 60)}",
    "constants": "ASIA_PACIFIC ASIAPACIFICSOUTHEAST SLOVAKIA npm_config_registry hf_model sk-SK",
    "a template": "aws_secret_access_key = ${AWS_SECRET_ACCESS_KEY}\ntoken: ghp_...\nkey: AKIA…\n",
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert masked(text.encode()) == (text.encode(), 0)


SOURCES = {
    "python": "def login():\n    return call('{}')  # {}\n\n\nclass After:\n    pass\n",
    "c": '/* {}/**/\nint login(void) {{ return call("{}"); }}\nint after(void) {{ return 1; }}\n',
    "bash": "login() {{\n  call --token {}\n}}\nafter() {{ TOKEN={} true; }}\n",
}


@pytest.mark.parametrize("language", SOURCES)
def test_a_mask_changes_no_syntax(language: str) -> None:
    start, secret = TOKENS["github"]
    plain = SOURCES[language].format(start + secret, start + secret).encode()
    hidden = masked(plain).text
    assert hidden != plain
    before, after = (parse("a", text, language) for text in (plain, hidden))
    assert [entry[:6] for entry in before.definitions] == [entry[:6] for entry in after.definitions]
    assert before.references == after.references


def test_several_secrets_of_a_text_are_counted() -> None:
    text = "\n".join(start + secret for start, secret in TOKENS.values()) + "\n" + KEY
    assert masked(text.encode()).secrets == len(TOKENS) + 1


@given(st.text(alphabet="ABISKZabghiknopsxy_-. \n\\\"'=:/+0123456789"))
def test_a_mask_has_the_length_and_the_lines_of_the_text(text: str) -> None:
    hidden = masked(f"{text}ghp_{'aB3' * 12} {text}".encode()).text
    assert len(hidden) == 2 * len(text.encode()) + 41
    assert hidden.count(b"\n") == 2 * text.count("\n")


MEGABYTE = 1_000_000
SLOW = (
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 39 + "\n",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n" + " " * 41,
    "secret_access_key" + " " * 50,
    "secret_access_key ",
    "ASIA",
    "ASIA ",
    "B",
    "sk-",
    "sk-" + "a" * 31 + " ",
    "glpat-" + "a." * 50,
    "xapp-1-A",
    " ",
)


@pytest.mark.slow
@pytest.mark.parametrize("part", SLOW, ids=[str(number) for number in range(len(SLOW))])
def test_no_text_is_slow_to_mask(part: str) -> None:
    for text in (part * (MEGABYTE // len(part)), part + part[-1] * MEGABYTE):
        started = time.process_time()
        masked(text.encode())
        assert time.process_time() - started < HOSTILE_SECONDS


def test_each_form_has_one_group_and_begins_with_a_fixed_character() -> None:
    content = tomllib.loads(files("code_graph_indexer.languages").joinpath("secrets.toml").read_text(encoding="utf-8"))
    forms = content["tokens"]
    assert [form for form in forms if re.compile(form).groups != 1] == []
    assert [form for form in forms if not (form[0].isalnum() or form[0] in ":\\")] == []
