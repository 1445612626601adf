"""``import adjudge``: every name has help, types and an example; verbs take what people have; results are values."""

from __future__ import annotations

import inspect
import json
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, assert_type, get_type_hints

import numpy as np
import pytest

import adjudge
from adjudge.cli import commands
from adjudge.core.result import Plottable, Result

RNG = np.random.default_rng(5)
TOPICS = [str(t) for t in range(10)]
QRELS = {t: {f"d{i}": int(i < 3) for i in range(8)} for t in TOPICS}
RUNS = {
    name: {
        t: {f"d{i}": float(value) for i, value in enumerate(RNG.random(8) + (np.arange(8) < 3) * bonus)} for t in TOPICS
    }
    for name, bonus in (("one", 0.05), ("two_x", 0.4), ("three", 1.0))
}
ITEMS = {t: {"d0": 1} for t in TOPICS}
DOCUMENTS = {f"d{i}": f"solar power plant number{i} word{i % 3}" for i in range(8)}

VERBS = {
    "collect": None,  # only the commands below it do something
    "completion": None,  # of the shell, as the manual is
    "man": None,
    "index add": "add_to_index",
    "index merge": "merge_index",
    "index remove": "remove_from_index",
    "index verify": "verify_index",
    "factors": "factor_effects",
    "judges": "compare_judges",
    "measures": "components",
    "qrels": None,
    "noise": "degrade",
    "noise calibrate": "calibrate",
    "noise correct": "correct",
    "noise corrupt": "corrupt",
    "noise errors": "error_rates",
    "noise estimate": "estimate_errors",
    "noise learn": "learn_channel",
    "noise simulate": "degrade",
    "terms": "extract_terms",
    "terms apply": "apply_terms",
}
"""The verbs of commands that have another name in Python; all others are named as the command."""


def public() -> dict[str, Any]:
    return {name: getattr(adjudge, name) for name in adjudge.__all__ if name != "__version__"}


def verbs() -> dict[str, Any]:
    """What can be called and is no class."""
    unwrapped = {name: getattr(value, "__wrapped__", value) for name, value in public().items()}
    return {name: value for name, value in unwrapped.items() if inspect.isfunction(value)}


def test_every_command_has_a_verb() -> None:
    for command, module in commands().items():
        same = module if module == "components" else command.replace(" ", "_").replace("-", "_")
        name = VERBS.get(command, same)
        if name is not None:
            assert name in verbs(), f"adjudge {command} has no verb"


def test_the_three_lists_of_the_front_door_agree() -> None:
    source = Path(adjudge.__file__).read_text(encoding="utf-8")
    block = source[source.index("if TYPE_CHECKING:") : source.index("__all__ = [")]
    typed = set(re.findall(r"(\w+)(?=,|\n|\))", re.sub(r"from [.\w]+ import|\w+ as ", "", block)))
    known = set(adjudge._HOMES) | set(adjudge._ROOMS)
    assert known == set(adjudge.__all__) - {"__version__"}
    assert known <= typed, known - typed


@pytest.mark.parametrize("name", sorted(verbs()))
def test_a_verb_explains_itself(name: str) -> None:
    """A summary that begins with a word, every argument explained and annotated, an example; help() shows it."""
    verb = verbs()[name]
    text = inspect.getdoc(verb) or ""
    summary = text.split("\n", 1)[0]
    assert (re.match(r"[A-Z][a-z]+ ", summary) and summary.rstrip(":").endswith((".", "?", ";", ","))) or summary
    assert re.match(r"[A-Z][a-z]+", summary), summary
    assert ">>>" in text, "no example"
    hints = get_type_hints(verb, localns=vars(import_module("adjudge.core.likes")) | NAMES)
    for parameter in inspect.signature(verb).parameters.values():
        assert re.search(rf"^ +{parameter.name}: ", text, re.M), f"{parameter.name} is not explained"
        assert parameter.name in hints, f"{parameter.name} has no type"
    assert "return" in hints
    assert summary.split(".")[0][:40] in pydoc.plain(pydoc.render_doc(getattr(adjudge, name)))


NAMES: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def _names() -> None:
    import polars

    from adjudge.collection.workbench.store_check import StoreCheck

    NAMES.update(np=np, polars=polars, IndexLike=adjudge.IndexLike, StoreCheck=StoreCheck)


@pytest.mark.parametrize("name", sorted(adjudge.__all__))
def test_a_name_is_there_and_has_help(name: str) -> None:
    value = getattr(adjudge, name)
    assert name in dir(adjudge)
    if inspect.isclass(value) or isinstance(value, ModuleType):
        assert (inspect.getdoc(value) or "").strip(), f"{name} says nothing of itself"


ORDERS = [
    "import adjudge; import adjudge.index.building",
    "import adjudge.index.building; import adjudge",
    "import adjudge; adjudge.index",
    "from adjudge import index",
    "from adjudge.verbs.search_verbs import index; import adjudge.index",
    "import adjudge; adjudge.search",
]


@pytest.mark.parametrize("before", ORDERS)
def test_a_room_with_the_name_of_a_verb_is_both(before: str) -> None:
    after = """
import adjudge, adjudge.index, adjudge.report, adjudge.components
assert len(adjudge.index({"a": "solar power"})) == 1
assert adjudge.index.__name__ == "adjudge.index" and adjudge.index.__path__
from adjudge.index import building
assert adjudge.index.building is building
import adjudge.index as room
assert room is adjudge.index and callable(room)
assert "holm" in adjudge.components("correction")["correction"] and adjudge.components.registries()
import inspect
assert "documents" in inspect.signature(adjudge.index).parameters
assert adjudge.index.__doc__.startswith("Index documents"), adjudge.index.__doc__
"""
    done = subprocess.run([sys.executable, "-c", before + after], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_rooms_are_attributes() -> None:
    code = "import adjudge; print(adjudge.correlation.tau_b([1, 2, 3], [1, 2, 3]), adjudge.formats.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0", "adjudge.formats"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = adjudge.nothing


# -- results ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scores() -> Any:
    return adjudge.measure(QRELS, RUNS, ["ap", "ndcg@10", "rr", *(f"iprec@{i / 10:.1f}" for i in range(11))])


def results(scores: Any) -> dict[str, Any]:
    main = ["ap", "ndcg@10", "rr"]
    index = adjudge.index(DOCUMENTS)
    questions = {t: f"word{int(t) % 3} number{t}" for t in TOPICS}
    return {
        "measure": scores,
        "average": adjudge.average(scores, main, ["mean", "gm"]),
        "compare": adjudge.compare(scores, main),
        "compare one": adjudge.compare(scores, "ap")["ap"],
        "correlate": adjudge.correlate(scores, measures=main, samples=20, permutations=20),
        "sensitivity": adjudge.sensitivity(scores, "ap", steps=4),
        "boost_halves": adjudge.boost_halves(scores, 0.05, "ap"),
        "swap_rate": adjudge.swap_rate(scores, "ap", trials=20),
        "discriminative_power": adjudge.discriminative_power(scores, main, test="t"),
        "pseudo_judgments": adjudge.pseudo_judgments(RUNS, trials=3, qrels=QRELS),
        "known_item": adjudge.known_item(ITEMS, RUNS, samples=40),
        "complementarity": adjudge.complementarity(ITEMS, RUNS),
        "predict": adjudge.predict(index, questions, ITEMS, RUNS, permutations=20, samples=5),
        "fuse": adjudge.fuse(RUNS),
        "search": adjudge.search(index, "solar word1"),
        "retrieve": adjudge.retrieve(index, questions),
        "explain": adjudge.explain(index, "solar", "d1"),
        "trec_eval": adjudge.trec_eval(QRELS, RUNS["one"]),
        "error_rates": adjudge.error_rates(DOCUMENTS, DOCUMENTS | {"d1": "so1ar power p1ant number1 word1"}),
        "estimate_errors": adjudge.estimate_errors(DOCUMENTS),
        "corrupt": adjudge.corrupt(["corn"], "ocrad-20", 3),
        "guard": adjudge.guard(QRELS, RUNS["two_x"], RUNS["three"], "ap"),
    }


def test_results_are_frames_dicts_tables_and_charts(scores: Any) -> None:
    for name, result in results(scores).items():
        assert isinstance(result, Result), name
        frame, other = result.to_polars(), result.to_pandas()
        assert list(frame.columns) == list(other.columns), name
        assert 0 < len(other) == frame.height, name
        json.dumps(result.to_dict())
        assert "<t" in result._repr_html_(), name
        if isinstance(result, Plottable):
            assert result.plots(), name
            for kind in result.plots():
                drawn = result.plot(kind).svg()
                assert drawn.startswith("<?xml"), (name, kind)
                assert drawn.count("<text") > 1, (name, kind)
            with pytest.raises(adjudge.SpecError, match="no plot 'pie'"):
                result.plot("pie")


def test_figures_of_results_are_the_ones_of_the_command(
    scores: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The dict of a result is what the command prints as JSON."""
    from adjudge.cli import main

    adjudge.write_scores(scores, tmp_path / "scores.csv")
    read = adjudge.read_scores(tmp_path / "scores.csv")
    assert read.mean() == scores.mean()
    scores = read  # which knows nothing of the runs, as the command does
    for words, result in (
        (["compare", "-m", "ap"], adjudge.compare(scores, "ap")["ap"]),
        (["compare", "-m", "ap", "-m", "rr"], adjudge.compare(scores, ["ap", "rr"])),
        (["sensitivity", "-m", "ap"], adjudge.sensitivity(scores, "ap")),
        (["swap-rate", "-m", "ap", "--trials", "20"], adjudge.swap_rate(scores, "ap", trials=20)),
    ):
        assert main([*words, str(tmp_path / "scores.csv"), "-f", "json"]) == 0
        assert json.loads(capsys.readouterr().out) == result.to_dict(), words


def test_seeds_and_generators(scores: Any) -> None:
    test = "randomisation(samples=200)"
    by_number = adjudge.compare(scores, "ap", tests=test, seed=3)
    by_generator = adjudge.compare(scores, "ap", tests=test, seed=np.random.default_rng(3))
    assert [d.p for d in by_number.differences] == [d.p for d in by_generator.differences]
    for wrong, message in ((1.5, "seed must be a whole number or a numpy Generator"), (-1, "0 or more")):
        with pytest.raises(adjudge.SpecError, match=message):
            adjudge.compare(scores, "ap", tests=test, seed=wrong)  # type: ignore[arg-type]


def test_figures_are_saved_with_their_drawing(scores: Any, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    image = pytest.importorskip("PIL.Image")
    figure = scores.plot("differences", measure="ap")
    for ending in ("svg", "pdf", "png"):
        figure.save(tmp_path / f"chart.{ending}")
    assert "<rect" in (tmp_path / "chart.svg").read_text(encoding="utf-8")
    pixels = np.asarray(image.open(tmp_path / "chart.png").convert("RGB")).reshape(-1, 3)
    colours = {tuple(colour) for colour in pixels[:: max(1, len(pixels) // 50_000)].tolist()}
    assert len(colours) > 10, "more than white paper"
    blue = (np.abs(pixels.astype(int) - (0, 114, 178)).max(axis=1) < 30).sum()
    assert blue > 200, "the bars of the system that is better are blue"
    pdf = (tmp_path / "chart.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 5000
    assert b"/Font" in pdf, "letters, not pixels"


# -- tables for papers ------------------------------------------------------------------------------------------------


def test_tables_for_papers_mark_what_is_significant(scores: Any) -> None:
    result = adjudge.compare(scores, ["ap", "rr"], tests=["t", "wilcoxon"])
    latex = result.to_latex(p_values=True)
    assert r"two\_x" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\toprule") == 2
    letters = dict(re.findall(r"^\((\w)\) (\S+) &", latex, re.M))
    by_name = {name.replace("\\", ""): letter for letter, name in letters.items()}
    for comparison, column in ((result["ap"], 0), (result["rr"], 1)):
        for system in result.systems:
            row = next(line for line in latex.splitlines() if line.startswith(f"({by_name[system]})"))
            cell = row.split(" & ")[column + 1]
            shown = set("".join(re.findall(r"mathrm\{(\w*)\}", cell)))
            beaten = {d.b if d.a == system else d.a for d in comparison.significant if _ahead(d) == system}
            assert shown == {by_name[name] for name in beaten}, (system, comparison.measure)
            best = comparison.systems[comparison.order()[0]]
            assert (r"\textbf" in cell) == (cell_figure(comparison, system) == cell_figure(comparison, best))
    pairs = [line.split(" & ") for line in latex.splitlines() if line.startswith("ap & ")]
    assert len(pairs) == 3
    assert "p t corrected" in latex
    for line, difference in zip(pairs, result["ap"].differences, strict=True):
        assert ("*" in line[-3]) == (difference.p[0] < 0.05)
    assert result.to_html().count("<tr>") == 4
    assert "<sup>" in result.to_html()
    assert "| (a) three | **" in result.to_markdown()


def _ahead(difference: Any) -> str:
    return str(difference.a if difference.favours[0] > 0 else difference.b)


def cell_figure(comparison: Any, system: str) -> str:
    return f"{comparison.figures[comparison.systems.index(system)]:.4f}"


def test_symbols_are_against_one_baseline(scores: Any) -> None:
    against = adjudge.compare(scores, ["ap"], baselines="two_x")
    table = against.to_markdown(marks="symbols")
    assert re.search(r"three \| \*\*[\d.]+\*\* ▲", table)
    assert re.search(r"one \| [\d.]+ ▼", table)
    with pytest.raises(adjudge.SpecError, match="one baseline"):
        adjudge.compare(scores, ["ap"]).to_latex(marks="symbols")
    with pytest.raises(adjudge.SpecError, match="letters or symbols"):
        against.to_latex(marks="stars")


# -- what verbs accept, and what they say of what they do not ----------------------------------------------------------


def test_verbs_take_what_people_have(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    import polars

    rows = [(n, t, d, s) for n, run in RUNS.items() for t, own in run.items() for d, s in own.items()]
    frame = pandas.DataFrame(rows, columns=["system", "qid", "docno", "score"])
    plain = adjudge.measure(QRELS, RUNS, "ap").mean()
    assert adjudge.measure(QRELS, frame, "ap").mean() == plain, "one frame of several runs"
    assert adjudge.measure(QRELS, polars.DataFrame(frame), "ap").mean() == plain
    judged = pandas.DataFrame(
        [(t, d, g) for t, own in QRELS.items() for d, g in own.items()], columns=["qid", "docno", "label"]
    )
    assert adjudge.measure(judged, RUNS, "ap").mean() == plain
    adjudge.write_run(adjudge.read_run(RUNS["one"], name="one"), tmp_path / "one.run")
    assert adjudge.measure(judged, [tmp_path / "one.run"], "ap").mean() == {"one": plain["one"]}
    scores = adjudge.measure(QRELS, RUNS, "ap")
    for like in (scores, scores.to_pandas(), scores.to_polars(), scores.to_dict()):
        assert adjudge.compare(like, "ap").differences == adjudge.compare(scores, "ap").differences
    table = pandas.DataFrame({"id": ["a", "b"], "title": ["sun", ""], "text": ["solar power", "wind"]})
    assert [d.id for d in adjudge.read_documents(table)] == ["a", "b"]
    assert next(iter(adjudge.read_documents(table))).text == "sun\nsolar power"
    topics = pandas.DataFrame({"qid": ["1"], "query": ["solar"]})
    assert list(adjudge.retrieve(adjudge.index(table), topics).topics) == ["1"]
    assert adjudge.write_documents(table, tmp_path / "docs.jsonl.gz") == 2
    assert [d.text for d in adjudge.read_documents(tmp_path / "docs.jsonl.gz")][1] == "wind"


QRELS_VALUE = adjudge.read_qrels(QRELS)
INDEX = adjudge.index({"a": "x"})
RUNS_SCORES = {"a": {"1": 0.5}, "b": {"1": 0.4}}

# Each of these is also an error of the type checker: it says so if a comment that silences one is not needed.
WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: adjudge.measure(3, RUNS), r"^qrels must be a Qrels, a path"),  # type: ignore[arg-type]
    (lambda: adjudge.measure(QRELS, 3), r"^runs must be a run, a list of runs or"),  # type: ignore[arg-type]
    (lambda: adjudge.measure(QRELS, [3]), r"^run must be a Run, a path"),  # type: ignore[list-item]
    (lambda: adjudge.measure(QRELS, RUNS, 3), r"^measures must be a list of strings"),  # type: ignore[arg-type]
    (lambda: adjudge.measure(QRELS, RUNS, ["ap", 3]), r"^measures must be strings"),  # type: ignore[list-item]
    (lambda: adjudge.compare(QRELS_VALUE), r"^scores must be what adjudge.measure.*not judgments"),  # type: ignore[arg-type]
    (lambda: adjudge.compare(None), r"^scores must be .*, not None$"),  # type: ignore[arg-type]
    (lambda: adjudge.index(3), r"^documents must be a path"),  # type: ignore[arg-type]
    (lambda: adjudge.index({"a": 3}), r"^the text of document a must be a string, not int"),  # type: ignore[arg-type]
    (lambda: adjudge.search(3, "x"), r"^index must be an Index or the path of one, not int"),  # type: ignore[arg-type]
    (lambda: adjudge.search(INDEX, ["x"]), r"^query must be a string, not list"),  # type: ignore[arg-type]
    (lambda: adjudge.retrieve(INDEX, 3), r"^topics must be a path"),  # type: ignore[arg-type]
    (lambda: adjudge.run(3), r"^plan must be a path, a dict or a Plan, not int"),  # type: ignore[arg-type]
    (lambda: adjudge.sensitivity(RUNS_SCORES, ["ap"]), r"^measure must be one string"),  # type: ignore[arg-type]
    (lambda: adjudge.correlate(3), r"^x must be scores of several measures"),
]


def typed_usage(scores: adjudge.Scores) -> None:
    """What a type checker knows of results; never called."""
    assert_type(adjudge.measure(QRELS, RUNS, "ap"), adjudge.Scores)
    assert_type(adjudge.compare(scores, ["ap"]), adjudge.Comparisons)
    assert_type(adjudge.compare(scores, ["ap"]).to_latex(), str)
    assert_type(adjudge.fuse([RUNS["one"]]), adjudge.Run)
    assert_type(adjudge.index(DOCUMENTS), adjudge.Index)
    assert_type(adjudge.retrieve("folder", {"1": "solar"}), adjudge.Run)
    assert_type(scores.to_dict(), dict[str, dict[str, dict[str, float]]])
    assert_type(adjudge.read_qrels("qrels.txt"), adjudge.Qrels)
    assert_type(adjudge.learn_channel({"a": "x"}, {"a": "y"}), adjudge.Channel)
    assert_type(adjudge.extract_terms("documents"), adjudge.Terms)


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_a_wrong_type_is_one_sentence_that_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message) as error:
        call()
    assert isinstance(error.value, adjudge.WrongTypeError)
    assert "\n" not in str(error.value)


def test_errors_are_what_python_expects(tmp_path: Path) -> None:
    import pickle

    with pytest.raises(FileNotFoundError) as missing:
        adjudge.read_run(tmp_path / "nothing.run")
    assert isinstance(missing.value, adjudge.DataError)
    assert isinstance(missing.value, ValueError)
    assert missing.value.filename == str(tmp_path / "nothing.run")
    assert str(missing.value) == f"{tmp_path / 'nothing.run'}: no such file"
    copy = pickle.loads(pickle.dumps(missing.value))  # noqa: S301  our own
    assert type(copy) is adjudge.MissingFileError
    assert (str(copy), copy.filename) == (str(missing.value), missing.value.filename)
    with pytest.raises(ValueError, match="no measure 'app'"):
        adjudge.measure(QRELS, RUNS, "app")
    with pytest.raises(KeyError) as unknown:
        _ = adjudge.measure(QRELS, RUNS, "ap")["nobody", "1", "ap"]
    assert str(unknown.value).startswith("no system 'nobody'"), "without the quotes of a KeyError"
    with pytest.raises(KeyError):
        adjudge.compare(adjudge.measure(QRELS, RUNS, "ap"), "rr")
    assert issubclass(adjudge.MissingExtraError, ImportError)
    assert issubclass(adjudge.ConflictError, ValueError)
    with pytest.raises(OSError, match="cannot be written"):
        adjudge.write_run(adjudge.read_run(RUNS["one"]), tmp_path / "no" / "folder" / "x.run")


# -- the reference page -----------------------------------------------------------------------------------------------


def test_every_name_is_in_the_reference() -> None:
    page = (Path(__file__).parents[1] / "docs" / "python-api.md").read_text(encoding="utf-8")
    for name in adjudge.__all__:
        assert name == "__version__" or f"\n### `{name}`\n" in page, name
