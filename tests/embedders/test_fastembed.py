"""The real fastembed package runs a tiny model from a folder. Errors say what is wrong with a folder or a name."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from code_graph_indexer.embedders import create_embedder
from code_graph_indexer.errors import EmbedderError
from tests.embedders.tiny_model import CONTEXT, DIMENSIONS, write_model

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(model_folder: Path, tmp_path: Path) -> Path:
    """Return a copy that a test may damage."""
    return Path(shutil.copytree(model_folder, tmp_path / "tiny"))


def test_a_folder_is_loaded_by_its_path(folder: Path) -> None:
    embedder = create_embedder(f"fastembed:{folder}")
    assert embedder.dimensions == DIMENSIONS
    assert embedder.embed_batch(["read file", "user name"]).shape == (2, DIMENSIONS)


def test_a_folder_is_loaded_by_a_relative_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert create_embedder("fastembed:tiny").name == create_embedder(f"fastembed:{folder}/").name


def test_a_model_in_a_subfolder_is_found(folder: Path) -> None:
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert create_embedder(f"fastembed:{folder}").dimensions == DIMENSIONS


def test_a_copy_elsewhere_has_the_same_name(folder: Path, model_folder: Path) -> None:
    assert create_embedder(f"fastembed:{folder}").name == create_embedder(f"fastembed:{model_folder}").name


def test_another_model_in_a_folder_of_that_name_has_another_name(folder: Path, tmp_path: Path) -> None:
    wider = write_model(tmp_path / "other" / "tiny", dimensions=32)
    assert create_embedder(f"fastembed:{folder}").name != create_embedder(f"fastembed:{wider}").name


@pytest.mark.parametrize("changed", ["tokenizer.json", "tokenizer_config.json"])
def test_what_changes_the_vectors_changes_the_name(folder: Path, changed: str) -> None:
    before = create_embedder(f"fastembed:{folder}").name
    path = folder / changed
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert create_embedder(f"fastembed:{folder}").name != before


def test_a_recorded_name_is_found_in_the_working_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = create_embedder(f"fastembed:{folder}").name
    monkeypatch.chdir(folder.parent)
    assert create_embedder(name, cache_dir=folder.parent / "none").name == name


def test_a_recorded_name_that_is_nowhere_asks_for_the_path(folder: Path, tmp_path: Path) -> None:
    name = create_embedder(f"fastembed:{folder}").name
    with pytest.raises(EmbedderError, match="give its path: fastembed:/path/to/tiny"):
        create_embedder(name, cache_dir=tmp_path / "none")


def test_a_recorded_name_is_not_taken_for_another_model(folder: Path) -> None:
    with pytest.raises(EmbedderError, match="tiny@0123456789ab is a folder"):
        create_embedder("fastembed:tiny@0123456789ab", cache_dir=folder.parent)


def test_texts_past_the_context_are_cut(folder: Path) -> None:
    embedder = create_embedder(f"fastembed:{folder}")
    long, truncated = embedder.embed_batch(["file " * 10 * CONTEXT, "file " * CONTEXT])
    assert np.array_equal(long, truncated)


@pytest.mark.slow
def test_batches_of_several_texts_give_nearly_the_same(folder: Path) -> None:
    texts = ["read file", "user name class return", "x"]
    single = create_embedder(f"fastembed:{folder}").embed_batch(texts)
    vectors = create_embedder(f"fastembed:{folder}", batch_size=3).embed_batch(texts)
    assert np.allclose(single, vectors, atol=1e-5)


def test_the_pooling_is_the_one_the_folder_asks_for(folder: Path, model_folder: Path) -> None:
    _write_pooling(folder, pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
    first_token = create_embedder(f"fastembed:{folder}").embed("read file")
    assert np.allclose(first_token, create_embedder(f"fastembed:{model_folder}").embed("read"), atol=1e-6)


def test_a_pooling_that_is_not_supported_is_told(folder: Path) -> None:
    _write_pooling(folder, pooling_mode_max_tokens=True)
    with pytest.raises(EmbedderError, match="asks for pooling_mode_max_tokens; supported"):
        create_embedder(f"fastembed:{folder}")


def test_an_unknown_model_is_answered_with_a_known_one() -> None:
    with pytest.raises(EmbedderError, match=r"Did you mean 'BAAI/bge-small-en-v1\.5'"):
        create_embedder("fastembed:BAAI/bge-small-en-v15")


def test_models_of_folders_seen_before_are_not_proposed(folder: Path) -> None:
    name = create_embedder(f"fastembed:{folder}").name.partition(":")[2]
    with pytest.raises(EmbedderError) as caught:
        create_embedder(f"fastembed:{name}0")
    assert "Did you mean" not in str(caught.value)


def test_a_model_that_cannot_be_fetched_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        EmbedderError, match=r"cannot load 'BAAI/bge-small-en-v1\.5'.*check the network, or give a folder"
    ):
        create_embedder("fastembed:BAAI/bge-small-en-v1.5", cache_dir=tmp_path, local_files_only=True)


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"there is no model in .*onnx/model\.onnx"):
        create_embedder(f"fastembed:{tmp_path}")


@pytest.mark.parametrize("missing", ["tokenizer.json", "tokenizer_config.json"])
def test_a_folder_without_a_tokenizer_is_told(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(EmbedderError, match=f"{missing}.*export the model again"):
        create_embedder(f"fastembed:{folder}")


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_damaged_file_is_told(folder: Path, damaged: str) -> None:
    (folder / damaged).write_text("version https://git-lfs.github.com/spec/v1\n", encoding="utf-8")
    with pytest.raises(EmbedderError, match="export the model again"):
        create_embedder(f"fastembed:{folder}")


def test_a_tokenizer_that_is_other_json_is_told(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("[]", encoding="utf-8")
    with pytest.raises(EmbedderError, match=r"tokenizer\.json is no tokenizer"):
        create_embedder(f"fastembed:{folder}")


def test_a_model_that_gives_no_numbers_is_told(tmp_path: Path) -> None:
    broken = write_model(tmp_path / "broken", scale=float("nan"))
    with pytest.raises(EmbedderError, match="not finite"):
        create_embedder(f"fastembed:{broken}")


def _write_pooling(folder: Path, **modes: bool) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(modes), encoding="utf-8")
