"""A forged index costs whoever opens it a sentence: a short form of scripts/bench/forge.py, which tries all."""

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

FORGE: dict[str, Any] = runpy.run_path(str(Path(__file__).parent.parent / "scripts" / "bench" / "forge.py"))
KINDS: dict[str, Any] = FORGE["kinds"]()

EVERY = 15
"""Of the kinds, every fifteenth is tried, and those that hung or filled the memory once."""

ONCE_HARMFUL = (
    *("view: meta is endless", "view: refs is endless", "view: text_chunks is endless", "view: files is endless"),
    *("circle: each chunk is its own parent", "circle: each reference leads to its source", "schema: not strict"),
    *("zip: 16 texts of 11 MB that the files claim", "unknown: a source type", "giant: a path of many chunks"),
    "text: files.repo_id steers a terminal",
)
TRIED = sorted({*ONCE_HARMFUL, *list(KINDS)[::EVERY]})

UNSOUND = (
    "type:",
    "number:",
    "circle: each chunk",
    "path: '..",
    "zip:",
    "lines: behind",
    "vectors:",
    "view:",
    "absent:",
)
POSSIBLE = ("type: registrations.target_id is null", "number: files.lines is 4294967296")
"""What a sound index may hold, if hardly any does."""

DOCTORED = [kind for kind in KINDS if kind.startswith((*UNSOUND, "schema:", "extra:")) and kind not in POSSIBLE]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index that is forged. Do not change it."""
    return Path(FORGE["sound_index"](tmp_path_factory.mktemp("sound")))


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    """Return a copy of it, alone in a folder."""
    return Path(shutil.copyfile(sound, tmp_path / "x.db"))


def test_there_are_two_hundred_kinds_and_those_that_once_did_harm_are_tried() -> None:
    assert len(KINDS) >= 200
    assert set(ONCE_HARMFUL) <= KINDS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("kind", TRIED)
def test_a_forged_index_is_a_sentence_at_each_door(copy: Path, kind: str) -> None:
    KINDS[kind](copy)
    answers = list(FORGE["answers_of"](copy, short=True))
    assert len(answers) > 3
    assert [(answer.door, answer.fault) for answer in answers if answer.fault] == []


@pytest.mark.slow
def test_a_sound_index_answers_at_each_door(copy: Path) -> None:
    answers = {answer.door: answer for answer in FORGE["answers_of"](copy)}
    assert [(answer.door, answer.fault) for answer in answers.values() if answer.fault] == []
    assert {door: answer.error for door, answer in answers.items() if answer.code == 4} == {}
    assert answers["cgi doctor"].text == "the index file is sound\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", DOCTORED[::6])
def test_doctor_says_what_is_unsound(copy: Path, kind: str) -> None:
    KINDS[kind](copy)
    (answer,) = FORGE["ask_commands"](copy, ["doctor"])
    assert answer.code in (1, 4), answer.text
