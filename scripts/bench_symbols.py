"""Compare the functions, methods, classes and types of the index with those of Universal Ctags.

usage: bench_symbols.py REPO [REPO…] [--misses N] [--json]
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import apsw

from code_graph_indexer import CodeIndexer

KINDS = {
    "bash": ("Sh", "function"),
    "c": ("C", "function struct union enum typedef"),
    "cpp": ("C++", "function class struct union enum typedef"),
    "csharp": ("C#", "class enum interface method struct typedef"),
    "elixir": ("Elixir", "macro callback delegate exception function guard implementation module operator protocol record test type"),
    "go": ("Go", "func interface struct type talias methodSpec"),
    "haskell": ("Haskell", "function module type constructor"),
    "java": ("Java", "annotation class enum interface method"),
    "javascript": ("JavaScript", "class function generator method getter setter"),
    "kotlin": ("Kotlin", "class interface method object typealias"),
    "lua": ("Lua", "function"),
    "php": ("PHP", "class function interface trait"),
    "python": ("Python", "class function member"),
    "ruby": ("Ruby", "singletonMethod class method module alias"),
    "rust": ("Rust", "macro method function enum interface module struct typedef"),
    "tsx": ("TypeScript", "generator alias class function enum interface method namespace"),
    "typescript": ("TypeScript", "generator alias class function enum interface method namespace"),
}
import os, collections
repos = sys.argv[1:]
SEP = re.compile(r"::|[.\\:]")
def key(n):
    n = n.strip('"`').replace(" ", "")
    return SEP.split(n)[-1] or n
for r in repos:
    root = Path(r)
    with tempfile.TemporaryDirectory() as t:
        db = "/tmp/benchsym/" + root.name + ".db"; os.makedirs("/tmp/benchsym", exist_ok=True)
        if not os.path.exists(db) or os.environ.get("FRESH"):
            with CodeIndexer(root, db=db) as i: i.index(full=True)
        c = apsw.Connection(db)
        files = defaultdict(list); broken=set()
        for p, l, b in c.execute("select path, language, is_broken from files where error is null"):
            if l: files[l].append(p)
            if b: broken.add(p)
        ours = defaultdict(list)
        for n, k, p, s in c.execute("select name, kind, path, start_line from symbols"): ours[p, key(n)].append((s, k))
        for l, fs in files.items():
            if l not in KINDS: continue
            cl, ks = KINDS[l]; ks = ks.split()
            pr = subprocess.run(["ctags","--options=NONE","--output-format=json","--fields=+nKS","--sort=no","-f","-","--language-force="+cl,"-L","-"],input="\n".join(fs),capture_output=True,text=True,cwd=root,errors="replace")
            tot = hit = 0; mk=collections.Counter(); miss=[]; kc=collections.Counter(); hk=collections.Counter()
            for line in pr.stdout.splitlines():
                tag = json.loads(line)
                if tag["_type"]!="tag" or tag["kind"] not in ks: continue
                if re.match(r"<|__anon|[Aa]nonymous", tag["name"]): continue
                tot+=1; kc[tag["kind"]]+=1
                f=[k for s,k in ours[tag["path"],key(tag["name"])] if abs(s-tag["line"])<=2]
                if f: hit+=1; hk[tag["kind"],f[0]]+=1
                else: miss.append(tag); mk[tag["kind"]]+=1
            print("##",root.name,l,tot,hit,round(hit/max(1,tot),4),dict(kc),"MISSED",dict(mk), "HITS", dict(hk))
            for m in miss: print("  MISS",m["kind"],m["name"],m["path"],m["line"],"B" if m["path"] in broken else "", (m.get("pattern") or "")[:110])
