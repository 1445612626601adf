"""Systems that are asked from the command line: index --system, search and explain, as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from adjudge import read_run
from adjudge.cli import main
from adjudge.index.index import Index
from adjudge.index.searching import Searcher
from adjudge.noise.channel.model import Channel, Rule
from adjudge.systems.bm25 import BM25System
from adjudge.systems.parts.answerer import TermAnswerer
from adjudge.systems.parts.kept import open_kept
from adjudge.systems.parts.version import Aids, Version
from adjudge.text.stopwords import words_of

TOPICS = ("solar energy panels", "theft of automobiles", "timber harvest permits", "asbestos warning signs")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents about one thing each, t read as l and s as _ nearly everywhere, in what two systems make of them."""
    folder, rng = tmp_path_factory.mktemp("scanned"), np.random.default_rng(3)
    common = sorted(word for word in words_of("smart") if word.isalpha() and len(word) > 1)
    errors = Channel((Rule("t", "l", 0.8), Rule("s", "_", 0.8)), substitution=0.0001)
    weights = 1 / np.arange(1, len(common) + 1)
    with (folder / "docs.jsonl").open("w") as file:
        for number in range(160):
            words = list(rng.permutation(common)[:30]) + list(rng.choice(common, 90, p=weights / weights.sum()))
            words += TOPICS[number % len(TOPICS)].split() * 2
            text = errors.sample(" ".join(rng.permutation(words).tolist()), rng)
            file.write(json.dumps({"id": f"d{number:03}", "text": text}) + "\n")
    for system in ("decipher", "bm25"):
        assert main(["index", str(folder / "docs.jsonl"), "-o", str(folder / system), "--system", system]) == 0
    return folder


@pytest.fixture
def files(made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(made)
    capsys.readouterr()
    return made


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_files_that_a_system_names_are_kept_with_it(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own, index = tmp_path / "own.txt", str(tmp_path / "index")
    own.write_text("solar\n")
    monkeypatch.chdir(tmp_path)
    assert main(["index", str(files / "docs.jsonl"), "-o", index, "--system", "decipher(stop=own.txt)"]) == 0
    capsys.readouterr()
    found = out(capsys, "search", index, "solar panels")
    own.unlink()
    monkeypatch.chdir(files)
    assert out(capsys, "search", index, "solar panels") == found
    assert out(capsys, "explain", index, "solar panels", "d000").count("the word") == 1
    (copy,) = Path(index).glob("*/file-1")
    copy.unlink()
    assert main(["search", index, "solar"]) == 2
    assert "file-1: cannot be read as a stop list" in capsys.readouterr().err
    (Path(index) / "system.json").write_text((Path(index) / "system.json").read_text().replace('"own.txt"', "1"))
    assert main(["search", index, "solar"]) == 2
    assert "damaged" in capsys.readouterr().err
    assert main(["index", "docs.jsonl", "-o", str(tmp_path / "x"), "--system", "decipher(stop=own.txt)"]) == 2
    assert capsys.readouterr().err == "own.txt: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("system", ["decipher", "bm25"])
def test_a_run_of_what_a_system_made(
    files: Path, tmp_path: Path, system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = {f"q{number}": text for number, text in enumerate(TOPICS)}
    lines = "".join(f"{topic}\t{text}\n" for topic, text in topics.items())
    (tmp_path / "topics.tsv").write_text(f"{lines}q9\t?! …\n")
    target = tmp_path / "answers.run"
    assert main(["retrieve", system, str(tmp_path / "topics.tsv"), "-o", str(target), "-k", "25"]) == 0
    assert "q9" in capsys.readouterr().err, "what finds nothing is told"
    run, answerer = read_run(target), open_kept(system).answerer
    assert (run.name, run.topics) == (system, tuple(topics))
    for topic, text in topics.items():
        wanted = list(answerer.search(text, 25))
        found = [(document, score) for name, document, score in run.rows() if name == topic]
        assert [document for document, _ in found] == [document for document, _ in wanted]
        assert [score for _, score in found] == pytest.approx([score for _, score in wanted])
    printed = out(capsys, "retrieve", system, str(tmp_path / "topics.tsv"), "--name", "mine")
    assert printed.splitlines()[0].endswith(" mine")


def test_a_run_of_bm25_is_that_of_its_index(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "topics.tsv").write_text("".join(f"q{n}\t{text}\n" for n, text in enumerate(TOPICS)))
    topics, index = str(tmp_path / "topics.tsv"), str(tmp_path / "idx")
    out(capsys, "index", "docs.jsonl", "-o", index)
    assert out(capsys, "retrieve", "bm25", topics) == out(capsys, "retrieve", index, topics)


def test_making_ends_with_one_line_and_is_done_anew(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new"
    for _ in range(2):
        printed = out(capsys, "index", "docs.jsonl", "-o", str(target), "-s", "bm25(b=0.5)")
        assert re.fullmatch(re.escape(f"{target}: bm25(b=0.5), ") + r"\d+\.\d MB, \d+\.\d s\n", printed)
        assert len(list(target.iterdir())) == 2, "what was there before is gone"
    (tmp_path / "one.jsonl").write_text(json.dumps({"id": "only", "text": "wind mills"}) + "\n")
    (target / "adjudge-made-killed").mkdir()
    out(capsys, "index", str(tmp_path / "one.jsonl"), "-o", str(target), "-s", "bm25")
    assert len(list(target.iterdir())) == 2
    assert [
        hit["document"] for hit in json.loads(out(capsys, "search", str(target), "wind", "-f", "json"))["hits"]
    ] == ["only"]


def test_a_failure_changes_nothing(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(path.name for path in (files / "bm25").iterdir())
    assert main(["index", "docs.jsonl", "docs.jsonl", "-o", "bm25", "-s", "bm25"]) == 2
    assert "occurs twice" in capsys.readouterr().err
    assert sorted(path.name for path in (files / "bm25").iterdir()) == before
    assert main(["index", "docs.jsonl", "docs.jsonl", "-o", str(tmp_path / "new"), "-s", "bm25"]) == 2
    assert not (tmp_path / "new").exists()


def test_two_at_once_do_not_harm_each_other(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "new"
    prepare = BM25System.prepare

    def meanwhile(self: BM25System, version: Version, aids: Aids) -> None:
        monkeypatch.setattr(BM25System, "prepare", prepare)
        assert main(["index", "docs.jsonl", "-o", str(target), "-s", "bm25"]) == 2
        prepare(self, version, aids)

    monkeypatch.setattr(BM25System, "prepare", meanwhile)
    assert main(["index", "docs.jsonl", "-o", str(target), "-s", "bm25"]) == 0
    assert capsys.readouterr().err == f"{target}: another job is making something in it\n"
    assert len(list(target.iterdir())) == 2
    out(capsys, "search", str(target), "theft")


@pytest.fixture(params=["decipher", "bm25"])
def copied(request: pytest.FixtureRequest, files: Path, tmp_path: Path) -> Path:
    """What a system made, in a folder that has its name and may be damaged."""
    return Path(shutil.copytree(files / request.param, tmp_path / request.param))


def one_damaged(folder: Path, damage: Callable[[bytes], bytes]) -> Iterator[Path]:
    """One file after the other that is damaged until the next one is asked for."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".txt"):
        whole = path.read_bytes()
        if whole:
            path.write_bytes(damage(whole))
            yield path
            path.write_bytes(whole)


def test_damage_is_told_and_nothing_is_made_anew(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(copied.rglob("*"))
    for path in one_damaged(copied, lambda whole: whole[: len(whole) // 2]):
        assert main(["search", str(copied), "theft"]) == 2, path.name
        printed = capsys.readouterr()
        assert printed.err.startswith(str(copied)), path.name
        assert printed.err.count("\n") == 1
        assert sorted(copied.rglob("*")) == before
    out(capsys, "search", str(copied), "theft")


def test_verifying_finds_a_flipped_bit_in_every_file(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "index", "verify", str(copied)).startswith(f"{copied}: all files are intact: {copied.name}, ")
    for path in one_damaged(copied, lambda whole: whole[:-1] + bytes([whole[-1] ^ 1])):
        assert main(["index", "verify", str(copied)]) == 2, path.name
        assert capsys.readouterr().err.startswith(str(copied)), path.name


def test_signs_that_are_none_leave_one_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng, common = np.random.default_rng(4), sorted(word for word in words_of("smart") if word.isalpha())
    with (tmp_path / "clean.jsonl").open("w") as file:
        for number in range(60):
            words = [*rng.choice(common, 40), rf"x{number}\alpha{number}x", r"zeta\omega"]
            file.write(json.dumps({"id": f"d{number}", "text": " ".join(words)}) + "\n")
    out(capsys, "index", str(tmp_path / "clean.jsonl"), "-o", str(tmp_path / "kept"), "-s", "decipher")
    assert len(list((tmp_path / "kept").glob("*/index-*/manifest.json"))) == 1
    assert open_kept(tmp_path / "kept").answerer.search("omega", 3).ids


def test_what_replaces_the_old_while_it_is_opened_is_taken(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new"
    for system in ("bm25", "bm25(b=0.5)"):
        assert main(["index", "docs.jsonl", "-o", str(folder), "-s", system]) == 0
        if system == "bm25":
            shutil.copytree(folder, tmp_path / "old")
    new = (folder / "system.json").read_bytes()
    (folder / "system.json").write_bytes((tmp_path / "old" / "system.json").read_bytes())
    (folder / json.loads((folder / "system.json").read_bytes())["data"]).mkdir()
    answerer = BM25System.answerer

    def replaced(self: BM25System, version: Version) -> TermAnswerer:
        (folder / "system.json").write_bytes(new)
        return answerer(self, version)

    monkeypatch.setattr(BM25System, "answerer", replaced)
    assert str(open_kept(folder).system) == "bm25(b=0.5)"


def test_observed_strings_are_marked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(out(capsys, "search", "decipher", "theft of automobiles", "-f", "json", "-k", "40"))
    assert data["system"] == "decipher"
    assert data["terms"] == ["theft", "automobiles"]
    assert "weighting" not in data
    assert {int(hit["document"][1:]) % len(TOPICS) for hit in data["hits"]} == {1}
    marked: set[tuple[str, str]] = set()
    for hit in data["hits"]:
        spots = [hit["snippet"][a:b].lower() for a, b in hit["marked"]["snippet"]]
        assert spots
        assert {one["string"] for one in hit["observed"]} == set(spots)
        assert all(0 < one["probability"] <= 1 and one["occurrences"] >= 1 for one in hit["observed"])
        marked |= {(one["string"], one["word"]) for one in hit["observed"]}
    assert {("lhefl", "theft"), ("aulomobile_", "automobiles")} <= marked


def test_a_line_tells_what_they_were_read_as(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["search", "decipher", "theft of automobiles", "-k", "5"]
    text = out(capsys, *base)
    assert "[lhefl]" in text
    assert re.search(r"^      .*lhefl = theft [01]\.\d\d", text, re.MULTILINE)
    assert "theft = theft" not in text, "what is as it is asked for needs no word"
    rows = list(csv.DictReader(io.StringIO(out(capsys, *base, "-f", "csv"))))
    assert "lhefl = theft" in "".join(row["read as"] for row in rows)
    exact = open_kept("decipher").answerer.search("theft of automobiles", 5)
    assert [(row["document"], float(row["score"])) for row in rows] == list(exact)
    assert r"aulomobile\_" in out(capsys, *base, "-f", "md")
    assert out(capsys, *base, "-f", "latex").count(r"\textbf{") >= 5


def test_explanations_add_up(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (hit,) = json.loads(out(capsys, "search", "decipher", "theft of automobiles", "-f", "json", "-k", "1"))["hits"]
    base = ["explain", "decipher", "theft of automobiles", hit["document"]]
    tree = json.loads(out(capsys, *base, "-f", "json"))
    assert tree["value"] == pytest.approx(hit["score"])
    assert sum(part["value"] for part in tree["parts"]) == pytest.approx(tree["value"])
    *words, near = tree["parts"]
    assert 1 <= near["first"] <= near["last"]
    assert {one["word"] for one in near["parts"]} == {"theft", "of", "automobiles"}
    assert sum(one["value"] for one in near["parts"]) == pytest.approx(near["value"])
    for part in words:
        assert sum(string["value"] for string in part["parts"]) == pytest.approx(part["value"])
        expected = sum(string["probability"] * string["occurrences"] for string in part["parts"])
        assert expected == pytest.approx(part["expected"])
        assert part["word"] in {"theft", "automobiles"}
    strings = {string["string"]: string for part in words for string in part["parts"]}
    observed = {one.string: one for one in open_kept("decipher").answerer.observed_strings("theft of automobiles")}
    for name, string in strings.items():
        assert string["read_as"] == observed[name].read_as
        assert 0 < string["probability"] <= 1
    text = out(capsys, *base)
    assert re.search(r"read as (theft|automobiles) with probability [01]\.\d+, \d time", text)


def test_bm25_as_a_system_is_the_index_with_bm25(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "docs.jsonl", "-o", "plain"]) == 0
    capsys.readouterr()
    query = "harvest warning"
    data = json.loads(out(capsys, "search", "bm25", query, "-f", "json"))
    plain = json.loads(out(capsys, "search", "plain", query, "-f", "json"))
    for hit in data["hits"]:
        assert {one["probability"] for one in hit.pop("observed")} == {1.0}
    assert data["hits"] == plain["hits"]
    assert data["terms"] == plain["terms"]
    document = data["hits"][0]["document"]
    assert out(capsys, "explain", "bm25", query, document) == out(capsys, "explain", "plain", query, document)
    assert list(Searcher(Index.open("plain")).search([query], 10)[0]) == list(
        open_kept("bm25").answerer.search(query, 10)
    )


def test_a_query_that_finds_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "decipher", "?! …"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "note: no term is left in the query\n"
    assert json.loads(out(capsys, "search", "decipher", "", "-f", "json"))["hits"] == []
    assert out(capsys, "explain", "decipher", "?! …", "d000").startswith("0.0000")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index", "docs.jsonl", "-o", "x", "-s", "nothing"], "nothing"),
        (
            ["index", "docs.jsonl", "-o", "x", "-s", "eth"],
            "eth answers no questions one by one, only bm25, decipher, grams, weighted do",
        ),
        (["index", "docs.jsonl", "-o", "x", "-s", "decipher(b=2)"], "b must lie in [0, 1]"),
        (
            ["index", "docs.jsonl", "-o", "x", "-s", "bm25", "-a", "words"],
            "--analyzer cannot be combined with --system",
        ),
        (["index", "docs.jsonl", "-o", "x", "-s", "bm25", "--no-texts"], "--texts cannot be combined with --system"),
        (["index", "docs.jsonl", "-o", "full", "-s", "bm25"], "full: holds x and nothing of a system"),
        (["index", "docs.jsonl", "-o", "docs.jsonl", "-s", "bm25"], "docs.jsonl: not a folder"),
        (["index", ".", "-o", "x", "-s", "bm25"], "x: the index must not be inside the input folder ."),
        (["index", "docs.jsonl", "-o", "decipher"], "decipher: holds "),
        (["search", "decipher", "theft", "-w", "tfidf"], "leave --weighting out"),
        (
            ["search", "decipher", "theft", "-o", "decipher/x.csv"],
            "output must not be inside the index folder decipher",
        ),
        (["explain", "decipher", "theft", "nowhere"], "nowhere"),
        (["retrieve", "decipher", "docs.jsonl", "-w", "tfidf"], "leave --weighting out"),
        (
            ["retrieve", "decipher", "docs.jsonl", "-o", "decipher/x.run"],
            "output must not be inside the index folder decipher",
        ),
        (["search", "broken", "theft"], "system.json: damaged: not JSON"),
        (["search", "strange", "theft"], "system.json: not the manifest of a system"),
        (
            ["search", "future", "theft"],
            "system.json: the system has version 2, this program reads 1: index",
        ),
        (["search", "outside", "theft"], "system.json: damaged"),
        (["search", "unknown", "theft"], "system.json: "),
        (["search", "empty", "theft"], "empty: damaged, or made by another release: index the documents again"),
    ],
)
def test_mistakes(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    whole = {"kind": "adjudge system", "version": 1, "system": "bm25", "data": "adjudge-made-a"}
    bodies = {
        "broken": "{",
        "strange": "[]",
        "future": json.dumps(whole | {"version": 2}),
        "outside": json.dumps(whole | {"data": "../decipher"}),
        "unknown": json.dumps(whole | {"system": "nothing"}),
        "empty": json.dumps(whole),
    }
    for name, body in bodies.items():
        (files / name / "adjudge-made-a").mkdir(parents=True, exist_ok=True)
        (files / name / "system.json").write_text(body)
    (files / "full").mkdir(exist_ok=True)
    (files / "full" / "x").touch()
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert not (files / "x").exists()


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("index", "search", "explain"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "decipher" in capsys.readouterr().out
