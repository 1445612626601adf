"""Code that somebody brings along, called as it wants to be called, and its answers made a run.

What is called may be

* a function of ``query`` (one text), of ``queries`` (a list of texts) or of ``topics`` (texts by topic id),
* an object with ``answer``, which takes the same, and perhaps ``prepare(documents)``, which is called before,
* an object with ``transform``, which takes a frame of qid and query and gives one of qid, docno and score (PyTerrier),
* a class of such objects.

The name of the first parameter says which it is, or its annotation. Further parameters are filled by name:
``documents``, ``k`` (how many documents are wanted for a question), ``folder`` (a folder to keep things in) and the
settings of the plan. The answer to a question may be a list of ids, best first, pairs of id and score, a mapping from
ids to scores, or hits of a search client; None finds nothing. The answer to all questions is a list of these, a mapping
from topic ids to these, documents and scores as bm25s gives them, or a whole run in any form that is read as one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...core.arguments import is_frame
from ...core.document import Documents
from ...core.errors import AdjudgeError, DataError, SpecError
from ...core.run import Run
from ...formats.runs import read_run

ONE = ("query", "question", "text", "q")
LIST = ("queries", "questions", "texts")
BY_TOPIC = ("topics",)
FILLED = ("documents", "k", "folder")
"""Parameters that are filled by name if they are there."""
IDS = ("id", "_id", "docno", "docid", "doc_id", "document")
SCORES = ("score", "_score")
FORMS = "query (one text), queries (a list of texts) or topics (texts by topic id)"


class Asked(NamedTuple):
    """What is asked of the code, and what it may know."""

    topics: Mapping[str, str]
    documents: Documents
    folder: Path
    k: int = 1000
    settings: Mapping[str, Any] = {}
    each: bool | None = None
    """Whether it takes one question at a time; None if its first parameter says so."""


def run_of_code(code: Any, asked: Asked, name: str = "own") -> Run:
    """Let code answer; its run, of which nothing is checked but that it is one."""
    settings = dict(asked.settings)
    if isinstance(code, type):
        code, settings = _call(code, (), settings, _name(code)), {}
    filled: dict[str, Any] = {"documents": asked.documents, "k": asked.k, "folder": asked.folder}
    if not inspect.isroutine(code) and callable(getattr(code, "prepare", None)):
        _prepare(code.prepare, filled, _name(code))
    method = next((getattr(code, way) for way in ("answer", "transform") if callable(getattr(code, way, None))), None)
    if method is not None and method.__name__ == "transform":
        return _whole(method(_frame(asked.topics)), asked.topics, name)
    if method is None and not callable(code):
        raise DataError(f"{_name(code)} is neither a function nor an object with answer or transform")
    function = method or code
    first, own = _parameters(function, settings)
    form = _form(function, first, asked.each)
    given = settings | {parameter: filled[parameter] for parameter in own}
    if form == "one":
        answers = {topic: function(text, **given) for topic, text in asked.topics.items()}
        return _of_rankings(answers, name)
    questions = list(asked.topics.values()) if form == "list" else dict(asked.topics)
    return _whole(function(questions, **given), asked.topics, name)


def _name(code: Any) -> str:
    return str(getattr(code, "__qualname__", None) or type(code).__qualname__)


def _call(code: Callable[..., Any], given: tuple[Any, ...], settings: Mapping[str, Any], name: str) -> Any:
    try:
        inspect.signature(code).bind(*given, **settings)
    except TypeError as error:
        raise SpecError(f"{name}: {error}") from None
    except ValueError:  # no signature is known
        pass
    return code(*given, **settings)


def _prepare(prepare: Callable[..., Any], filled: Mapping[str, Any], name: str) -> None:
    """Call it with the documents, and whatever else of what is filled it asks for."""
    names = list(inspect.signature(prepare).parameters)
    more = {key: filled[key] for key in names[1:] if key in filled}
    _call(prepare, (filled["documents"],) if names else (), more, f"{name}.prepare")


def _parameters(function: Callable[..., Any], settings: Mapping[str, Any]) -> tuple[inspect.Parameter, list[str]]:
    """The parameter for the question, and which of those that are filled are there; settings must fit."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise SpecError(f"{_name(function)}: its parameters are not known: wrap it in a function of {FORMS}") from None
    own = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    first = next((p for p in own if p.name not in FILLED and p.name not in settings), None)
    if first is None:
        raise SpecError(f"{_name(function)} takes no question: its first parameter must be {FORMS}")
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for name in settings:
        if name not in parameters and not takes_any:
            have = ", ".join(p for p in parameters if p != first.name and p not in FILLED)
            raise SpecError(f"{_name(function)} has no parameter {name!r}" + (f", it has {have}" if have else ""))
    for p in parameters.values():
        open_ = p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
        if open_ and p.name != first.name and p.name not in FILLED and p.name not in settings:
            raise SpecError(f"{_name(function)} needs {p.name}, which is not given")
    return first, [name for name in FILLED if name in parameters and name not in settings]


def _form(function: Callable[..., Any], first: inspect.Parameter, each: bool | None) -> str:
    if each is not None:
        return "one" if each else "list"
    for form, names in (("one", ONE), ("list", LIST), ("topics", BY_TOPIC)):
        if first.name in names:
            return form
    kind = first.annotation if isinstance(first.annotation, str) else getattr(first.annotation, "__name__", "")
    for form, beginnings in (
        ("one", ("str",)),
        ("list", ("list", "Sequence", "Iterable")),
        ("topics", ("dict", "Map")),
    ):
        if kind.startswith(beginnings):
            return form
    raise SpecError(f"the first parameter of {_name(function)} must be {FORMS}, not {first.name}; or say each = true")


def _frame(topics: Mapping[str, str]) -> Any:
    try:
        import pandas as pd
    except ImportError:
        from ...core.errors import MissingExtraError

        raise MissingExtraError("a transformer takes pandas frames: pip install 'adjudge[pandas]'") from None
    return pd.DataFrame({"qid": list(topics), "query": list(topics.values())})


def _whole(answer: Any, topics: Mapping[str, str], name: str) -> Run:
    """The answer to all questions as a run."""
    if isinstance(answer, Run):
        return answer
    if is_frame(answer):
        return read_run(answer, name=name) if len(answer) else Run.empty(name)
    if isinstance(answer, Mapping):
        return _of_rankings({str(topic): ranking for topic, ranking in answer.items()}, name)
    documents, scores = getattr(answer, "documents", None), getattr(answer, "scores", None)
    if documents is not None and scores is not None:  # bm25s: two arrays of questions × ranks
        answer = [list(zip(ids, own, strict=True)) for ids, own in zip(documents, scores, strict=True)]
    if not isinstance(answer, Iterable) or isinstance(answer, str | bytes):
        raise DataError(f"the answer to all questions is {_shown(answer)}, not a ranked list for each")
    answer = list(answer)
    if len(answer) != len(topics):
        raise DataError(f"{len(answer)} ranked lists for {len(topics)} questions")
    return _of_rankings(dict(zip(topics, answer, strict=True)), name)


def _of_rankings(answers: Mapping[str, Any], name: str) -> Run:
    columns: tuple[list[str], list[str], list[float]] = ([], [], [])
    for topic, ranking in answers.items():
        rows = _ranking(ranking, topic)
        columns[0].extend([topic] * len(rows))
        columns[1].extend(document for document, _ in rows)
        columns[2].extend(score for _, score in rows)
    if not columns[0]:
        return Run.empty(name)
    return Run.of_columns(columns[0], columns[1], np.array(columns[2], np.float64), name, name=name)


def _ranking(ranking: Any, topic: str) -> list[tuple[str, float]]:
    """Ids and scores of the answer to one question; without scores, the ranks decide."""
    if ranking is None:
        return []
    if isinstance(ranking, Mapping):
        ranking = list(ranking.items())
    if isinstance(ranking, str | bytes) or not isinstance(ranking, Iterable):
        raise DataError(f"topic {topic}: the answer is {_shown(ranking)}, not a ranked list")
    hits = list(ranking)
    if hits and all(_is_id(hit) for hit in hits):
        return [(str(hit), float(len(hits) - rank)) for rank, hit in enumerate(hits)]
    return [_hit(hit, topic) for hit in hits]


def _is_id(hit: Any) -> bool:
    return isinstance(hit, str | int | np.integer) and not isinstance(hit, bool)


def _hit(hit: Any, topic: str) -> tuple[str, float]:
    if isinstance(hit, Mapping):
        pair = [next((hit[key] for key in keys if key in hit), None) for keys in (IDS, SCORES)]
    elif isinstance(hit, Sequence | np.ndarray) and not isinstance(hit, str | bytes) and len(hit) == 2:
        pair = list(hit)
    else:
        pair = [next((v for key in keys if (v := getattr(hit, key, None)) is not None), None) for keys in (IDS, SCORES)]
    document, score = pair
    if not _is_id(document):
        raise DataError(f"topic {topic}: {_shown(hit)} is neither an id nor an id with a score")
    try:
        return str(document), float(score)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise DataError(f"topic {topic}: the score of document {document} is {_shown(score)}, not a number") from None


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"


def one_line(error: BaseException, own: str = "") -> str:
    """What code has raised, in a line: our own errors as they are, others with their kind and the last place in it."""
    if isinstance(error, AdjudgeError):
        return str(error)
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if frame.filename not in {__file__, own}]
    where = f" ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else ""
    text = " ".join(str(error).split())
    return f"raised {type(error).__name__}{f': {text}' if text else ''}{where}"
