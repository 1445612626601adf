"""Documents from sources: names, folding, hostile files; the interpreter itself and tokenize are the oracles."""

from __future__ import annotations

import importlib
import importlib.util
import io
import re
import tokenize
from inspect import cleandoc
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection import python_docs
from adjudge.collection.python_docs.comments import comments
from adjudge.collection.python_docs.compiled import COMPILED, compiled_modules
from adjudge.collection.python_docs.docstrings import LEAST, Extract, extract, fold_spaces, tidy, words
from adjudge.collection.python_docs.library import LEFT_OUT, Library, LibrarySource, installed_library, locate
from adjudge.collection.python_docs.naming import is_public
from adjudge.collection.python_docs.parsing import Module, parse
from adjudge.core.errors import DataError
from adjudge.core.note import Note
from collection.library_of import LONG, in_folder, in_zip

FILES: dict[str, str | bytes] = {
    "heapq.py": f'"""Heaps: {LONG}."""\ndef push():\n  """Push {LONG}."""\ndef _sift():\n  """Sift {LONG}."""\n',
    "json/__init__.py": f'"""JSON {LONG}."""\n__all__ = ["Decoder"]\nfrom .decoder import Decoder\n',
    "json/decoder.py": f'class Decoder:\n  """Decodes: {LONG}."""\n  def decode(self):\n    """Decode {LONG}."""\n',
    "asyncio/__init__.py": "from .runners import *\n__all__ = runners.__all__\n",
    "asyncio/runners.py": f'__all__ = "run",\ndef run():\n  """Runs: {LONG}."""\ndef hid():\n  """Hidden {LONG}."""\n',
    "functools.py": '__all__ = ["reduce"]\ntry:\n  from _functools import reduce\nexcept ImportError:\n  pass\n',
    "idlelib/run.py": f'"""IDLE {LONG}."""\n',
    "unittest/test/test_case.py": f'"""A test {LONG}."""\n',
    "sitecustomize.py": f'"""Not of the library: {LONG}."""\n',
    "this.py": f'"""A poem {LONG}."""\nraise SystemExit\n',
}
REDUCE = Module("_functools", True, {"": "Tools.", "reduce": f"Reduce {LONG}.", "reduce.inner": "Short."})


def ids(found: Extract) -> list[str]:
    return [document.id for document in found.documents]


def test_public_names(tmp_path: Path) -> None:
    found = extract(in_folder(tmp_path, FILES), [REDUCE])
    assert ids(found) == [
        *("asyncio.run", "asyncio.runners.hid", "functools.reduce", "heapq", "heapq.push"),
        *("json", "json.Decoder", "json.Decoder.decode"),
    ]
    assert found.documents[4].text == f"heapq.push\nPush {LONG}."
    assert found.documents[4].title == "heapq.push"
    assert [document.id for document in found.private] == ["heapq._sift"]
    assert (found.short, found.notes) == (1, ())


def test_zip_and_folder_give_the_same(tmp_path: Path) -> None:
    folder, archive = in_folder(tmp_path / "lib", FILES), in_zip(tmp_path / "lib.zip", FILES)
    assert extract(folder, [REDUCE]) == extract(archive, [REDUCE])
    assert list(comments(folder, frozenset())) == list(comments(archive, frozenset()))


def test_the_source_goes_before_the_compiled_module(tmp_path: Path) -> None:
    source = f'def heappush():\n  """In Python {LONG}."""\ntry:\n  from _heapq import *\nexcept ImportError:\n  pass\n'
    made = Module("_heapq", True, {"heappush": f"In C {LONG}.", "heappop": f"Pops in C {LONG}."})
    texts = {
        document.id: document.text for document in extract(in_folder(tmp_path, {"heapq.py": source}), [made]).documents
    }
    assert texts == {
        "heapq.heappush": f"heapq.heappush\nIn Python {LONG}.",
        "heapq.heappop": f"heapq.heappop\nPops in C {LONG}.",
    }


def test_what_is_under_a_condition_counts_and_the_first_stays(tmp_path: Path) -> None:
    source = (
        f'if windows:\n  def get():\n    """First {LONG}."""\nelse:\n  def get():\n    """Second {LONG}."""\n'
        f'class C:\n  try:\n    @property\n    def x(self):\n      """Property {LONG}."""\n'
        f'  except E:\n    class D:\n      async def f(self):\n        """Inner {LONG}."""\n'
        f'def outer():\n  def inner():\n    """Never seen {LONG}."""\n'
    )
    found = {d.id: d.text for d in extract(in_folder(tmp_path, {"copy.py": source}), []).documents}
    assert sorted(found) == ["copy.C.D.f", "copy.C.x", "copy.get"]
    assert "First" in found["copy.get"]


def test_repeated_and_short_texts(tmp_path: Path) -> None:
    same = f'"""One text that {LONG},\n    told twice."""'
    other = f'"""One text that {LONG},\n\n\n  told   twice. """'
    source = (
        f"class A:\n  def bb(self):\n    {same}\ndef ccc():\n  {other}\ndef bb():\n  {same}\ndef dd():\n  {same}\n"
        'def e():\n  """Too few words 1 2 3 a b."""\n'
    )
    found = extract(in_folder(tmp_path, {"copy.py": source}), [])
    assert ids(found) == ["copy.bb"]
    assert (found.repeated, found.short) == (3, 1)


@pytest.mark.parametrize(
    "bad",
    [
        b"def (:\n",
        b"x = '\x00'\n",
        b"\xff\xfe\x00",
        b"# coding: no-such\n",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"if x:\n pass\n" + b"elif y:\n pass\n" * 30_000,
    ],
)
def test_a_file_that_does_not_parse_is_told(tmp_path: Path, bad: bytes) -> None:
    library = in_folder(tmp_path, FILES | {"copy.py": bad})
    found = extract(library, [])
    assert "heapq.push" in ids(found)
    assert [note for note in map(str, found.notes) if "copy.py: cannot be parsed, skipped: " in note] or b"elif" in bad
    assert all("\n" not in str(DataError(note)) for note in map(str, found.notes))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    library = in_folder(tmp_path, FILES)
    (tmp_path / "copy.py").symlink_to(tmp_path / "nowhere.py")
    found = extract(library, [])
    assert tuple(map(str, found.notes)) == (f"{tmp_path}/copy.py: cannot be read, skipped: No such file or directory",)
    assert "heapq.push" in ids(found)


def test_a_doubtful_escape_is_no_warning(tmp_path: Path) -> None:
    found = extract(in_folder(tmp_path, {"copy.py": f'def f():\n  "An escape \\d that {LONG}."\n'}), [])
    assert ids(found) == ["copy.f"]


def test_odd_characters(tmp_path: Path) -> None:
    source = f'def f():\n  "Bell \\a, half \\ud800, {LONG}\\u2028é."\ndef g():\n  "\\tTab\\tthat {LONG}."\n'
    f, g = extract(in_folder(tmp_path, {"copy.py": source}), []).documents
    assert f.text == f"copy.f\nBell  , half \ufffd, {LONG} é."
    assert g.text == f"copy.g\nTab     that {LONG}."


def test_libraries_without_sources(tmp_path: Path) -> None:
    in_folder(tmp_path / "a", {"os.pyc": b"\0", "heapq.pyc": b"\0"})
    in_zip(tmp_path / "b.zip", {"os.pyc": b"\0"})
    (tmp_path / "c.zip").write_bytes(b"no zip")
    roots = [str(tmp_path / name) for name in ("a", "b.zip", "c.zip", "missing")]
    with pytest.raises(DataError, match="without the sources of its library"):
        locate(roots)
    for root in roots:
        with pytest.raises(DataError, match=r"no source of the standard library|cannot be read as a zip"):
            extract(Library(root), [])
    assert locate([*roots, installed_library().root]) == installed_library()


def test_a_damaged_zip_member_is_told(tmp_path: Path) -> None:
    library = in_zip(tmp_path / "lib.zip", FILES)
    raw = bytearray(Path(library.root).read_bytes())
    at = raw.index(b"heapq.py") + len("heapq.py")
    raw[at : at + 8] = b"\xff" * 8
    Path(library.root).write_bytes(raw)
    found = extract(library, [])
    assert len(found.notes) == 1
    assert "heapq.py: cannot be read, skipped" in str(found.notes[0])
    assert "json.Decoder" in ids(found)


def test_left_out_packages_are_named_and_exist_somewhere() -> None:
    import sys

    gone = {"lib2to3", "distutils"}
    assert set(LEFT_OUT) - gone <= set(sys.stdlib_module_names)
    assert set(COMPILED) <= set(sys.stdlib_module_names) | {"_zoneinfo", "_sre"}


@pytest.mark.slow
@given(st.text(max_size=60))
def test_tidied_text_stays_tidied(text: str) -> None:
    once = tidy(text)
    assert tidy(f"\n{once}") == once  # on its first line a docstring may stand further left than on all others
    assert once == once.strip()
    once.encode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", once)


NAME = st.sampled_from(["a", "b", "_c", "json"])


@given(st.lists(NAME, min_size=1, max_size=4), st.booleans(), st.integers(1, 4), st.sampled_from(["", "x", "x.y"]))
def test_relative_imports_as_importlib_resolves_them(parts: list[str], package: bool, level: int, tail: str) -> None:
    inside = parts if package else parts[:-1]
    raw = f"from {'.' * level}{tail} import z\n".encode()
    made = parse(LibrarySource(".".join(parts), package, "f.py", raw)).imports[0].module
    if level <= len(inside):
        assert made == importlib.util.resolve_name("." * level + tail, ".".join(inside)).rstrip(".")
    else:
        assert made == tail  # an error when it is run; here there is just no such module


@given(st.lists(st.tuples(st.sampled_from(["a", "B.b", "c", "D.d.e"]), st.sampled_from(["one", "two"])), max_size=8))
def test_folding_as_defined(named: list[tuple[str, str]]) -> None:
    docstrings = {name: f"{text} {LONG}" for name, text in named}
    made = extract(
        Library(installed_library().root, frozenset({"this", "keyword"})), [Module("math", True, docstrings)]
    )
    slow = set()
    for text in set(docstrings.values()):
        having = [f"math.{name}" for name in docstrings if docstrings[name] == text]
        slow.add(min(having, key=lambda id_: (id_.count("."), len(id_), id_)))
    assert {document.id for document in made.documents if document.id.startswith("math.")} == slow


def resolved(name: str) -> Any:
    """What a document is about, as the interpreter finds it; None if it finds nothing."""
    parts = name.split(".")
    value: Any = importlib.import_module("builtins")
    for end in range(len(parts), 0, -1):
        if importlib.util.find_spec(parts[0]) is None:
            break
        try:
            value = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        parts = parts[end:]
        break
    for part in parts:
        value = getattr(value, part, None)
    return value


SAFE = (
    *(
        "textwrap",
        "json",
        "difflib",
        "statistics",
        "fractions",
        "email",
        "logging",
        "asyncio",
        "concurrent",
        "argparse",
    ),
    *("collections", "functools", "itertools", "math", "os", "str", "int", "list", "dict", "bytes", "csv", "zipfile"),
    *("tarfile", "configparser", "calendar", "shutil", "tempfile", "urllib", "html", "ipaddress", "uuid", "secrets"),
)


@pytest.mark.slow
def test_the_interpreter_says_the_same() -> None:
    """Every id of these modules is a name that the interpreter knows, and nearly all have the same docstring there;
    the rest are functions that a compiled module explains in other words than the source."""
    same = told = 0
    for document in python_docs.documents():
        top = document.id.partition(".")[0]
        if top not in SAFE or ".windows_" in document.id or ".proactor" in document.id:
            continue
        found = resolved(document.id)
        if found is None:
            continue
        doc = (
            found.__doc__
            if isinstance(found, ModuleType | type) or callable(found)
            else getattr(found, "__doc__", None)
        )
        told += 1
        same += isinstance(doc, str) and fold_spaces(tidy(cleandoc(doc))) == fold_spaces(
            document.text.partition("\n")[2]
        )
    assert told > 1000
    assert same > 0.93 * told


def test_comments_as_tokenize_finds_them() -> None:
    """The oracle reads all whole-line comments of some modules by Python's own tokenizer."""
    library = Library(
        installed_library().root, frozenset({"heapq", "textwrap", "json", "statistics", "argparse", "logging"})
    )
    ours = [document.text for document in comments(library, frozenset())]
    theirs: list[str] = []
    for source in library.sources([]):
        last = -2
        run: list[str] = []
        for token in tokenize.tokenize(io.BytesIO(source.raw).readline):
            if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip():
                if token.start[0] != last + 1 and run:
                    theirs.append("\n".join(run).strip())
                    run = []
                run.append(token.string.lstrip("#").strip())
                last = token.start[0]
        theirs.append("\n".join(run).strip())
    kept = {fold_spaces(text): text for text in reversed(theirs) if words(text) >= 8}
    assert sorted(map(fold_spaces, ours)) == sorted(kept)


def test_strings_with_hashes_are_no_comments(tmp_path: Path) -> None:
    long = "and more words that nobody needs but the rule"
    source = (
        f'x = """\n# not one {long}\n"""\ny = "# nor {long}"\n'
        f"# this is one {long}\n#  of two lines\nz = 1  # behind {long}\n"
    )
    made = list(comments(in_folder(tmp_path, {"copy.py": source}), frozenset()))
    assert [(d.id, d.text) for d in made] == [("copy:5", f"this is one {long}\nof two lines")]


def test_compiled_modules_are_asked_and_impostors_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    notes: list[Note] = []
    found = {module.name: module.docstrings for module in compiled_modules(notes)}
    assert {"builtins", "math", "itertools", "_functools"} <= set(found)
    assert "partition" in found["builtins"]["str.partition"].lower()
    assert found["builtins"]["str.maketrans"] != found["builtins"]["staticmethod"]
    assert "IOError" not in found["builtins"]
    assert notes == []
    (tmp_path / "array.py").write_text("raise SystemExit('this was run')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "array", raising=False)
    if "array" not in sys.builtin_module_names:
        again = {module.name for module in compiled_modules(notes)}
        assert "array" not in again
        assert notes == [Note.of("module_shadowed", "array", file=f"{tmp_path}/array.py")]


@pytest.mark.slow
def test_every_id_is_public_and_every_text_long_enough() -> None:
    for document in python_docs.documents():
        assert is_public(document.id)
        name, _, text = document.text.partition("\n")
        assert name == document.id == document.title
        assert words(text) >= LEAST
