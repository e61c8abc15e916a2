"""Run the search benchmark through embedders of every sort, with no download and no key.

The script writes the model that ships as an ONNX export (a table and a mean). The tokenizer of the export does not split
camelCase. fastembed loads the export from its folder. An endpoint on the loopback interface serves the model in OpenAI's
protocol. The table holds NDCG@10, hit@1 and seconds to index for `static`, `hashing`, `fastembed:FOLDER` and
`openai:static`. It does not say how good such models are. It says that each works from index to result. The first two
differ as the models do. The last must equal the first but for rounding.

usage: bench_embedders.py --corpora DIR --data DIR --only NAME…
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

from code_graph_indexer import create_embedder

CONTEXT = 512
"""Tokens that the export reads of a text."""

UNKNOWN, PADDING = "[UNK]", "[PAD]"


def write_export(folder: Path) -> None:
    """Write the model that ships as a folder that fastembed loads."""
    with (resources.files("code_graph_indexer.embedders") / "static.npz").open("rb") as stream:
        arrays = np.load(stream)
        vectors = arrays["table"].astype(np.float32) * arrays["scales"].astype(np.float32)[:, None]
        pieces = arrays["pieces"].tobytes().decode().split("\n")
    table = np.concatenate([vectors, np.zeros((2, vectors.shape[1]), np.float32)])
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    shape = ["texts", "tokens", table.shape[1]]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "static",
        inputs,
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(table, "table")],
    )
    folder.mkdir()
    onnx.save(
        helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), folder / "model.onnx"
    )
    vocabulary = {piece: number for number, piece in enumerate([*pieces, UNKNOWN, PADDING])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=UNKNOWN, continuing_subword_prefix=""))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("[a-z]+|[0-9]+"), "removed", invert=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_config.json": {"model_max_length": CONTEXT, "pad_token": PADDING},
        "special_tokens_map.json": {"pad_token": PADDING, "unk_token": UNKNOWN},
        "config.json": {"pad_token_id": vocabulary[PADDING]},
    }
    for name, content in settings.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


@contextmanager
def serving() -> Iterator[str]:
    """Serve `static` as an endpoint for embeddings on the loopback interface, and yield its address."""
    embedder = create_embedder("static")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            vectors = embedder.embed_batch(request["input"]).tolist()
            entries = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
            body = json.dumps({"object": "list", "data": entries, "model": request["model"]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Keep the output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def main() -> None:
    """Run bench_search.py once with each embedder, and print a line of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="+", required=True, help="names of repositories")
    arguments = parser.parse_args()
    print("| embedder | NDCG@10 | hit@1 | seconds, indexing and all queries |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary, serving() as url:
        write_export(Path(temporary) / "static-onnx")
        environment = {**os.environ, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url}
        script = Path(__file__).with_name("bench_search.py")
        for spec in ("static", "hashing", f"fastembed:{temporary}/static-onnx", "openai:static"):
            command = [sys.executable, script, "--corpora", arguments.corpora, "--data", arguments.data]
            more = ["--embedder", spec, "--only", *arguments.only]
            started = time.monotonic()
            done = subprocess.run([*command, *more], env=environment, check=True, capture_output=True, text=True)
            line = next(line for line in done.stdout.splitlines()[2:] if line.startswith("| all |"))
            _, _, _, score, hit, _ = line.split("|")
            print(f"| {spec.replace(temporary, '…')} |{score}|{hit}| {time.monotonic() - started:.0f} |", flush=True)


if __name__ == "__main__":
    main()
