"""Formulas of a collection from TeX to MathML: by LaTeXML, all in one call, or by latex2mathml where it is missing.

A converter runs in a process of its own, in an empty folder, with limits of time and memory. Formulas that it does not
answer for, because one of them stopped it, are given again in smaller portions until the bad one is alone. What cannot
be converted stays TeX, with the reason.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ...core.errors import DataError, MissingExtraError, SpecError, at
from ...core.progress import SILENT, Listener
from ...formats.writing import write
from .converters import by_latex2mathml, by_latexml
from .mathml import Unsafe, clean_mathml
from .tex_safety import prepare, refusal
from .threads import FORMULA, Candidate, Part

ENGINES = ("latexml", "latex2mathml")
PORTION = {"latexml": 2000, "latex2mathml": 2000}
"""A call of LaTeXML takes seconds to begin, and minutes for a thousand formulas."""
SECONDS = {"latexml": (60.0, 0.5), "latex2mathml": (20.0, 0.05)}
"""A call may take so long, and so much longer for each formula in it."""

Key = tuple[str, bool]
"""TeX, and whether it is displayed."""
Batch = Sequence[tuple[int, str]]


@dataclass(frozen=True)
class Formula:
    """A formula and what became of it; ``mathml`` is empty where ``problem`` tells why."""

    tex: str
    display: bool
    mathml: str = ""
    problem: str = ""
    by: str = ""


def converter_of(engine: str) -> str:
    """The converter to use: ``auto`` is LaTeXML if it is installed."""
    if engine == "auto":
        engine = "latexml" if shutil.which("latexmlc") else "latex2mathml"
    if engine not in ENGINES:
        raise SpecError(f"no converter {engine!r}: there are auto, {', '.join(ENGINES)}")
    if engine == "latexml" and not shutil.which("latexmlc"):
        raise MissingExtraError("LaTeXML is not installed: apt-get install latexml, or take latex2mathml")
    if engine == "latex2mathml":
        from importlib.util import find_spec

        if find_spec("latex2mathml") is None:
            raise MissingExtraError("neither LaTeXML nor latex2mathml is installed: pip install latex2mathml")
    return engine


def convert(formulas: Iterable[Key], engine: str = "auto", *, progress: Listener = SILENT) -> dict[Key, Formula]:
    """{(tex, display): formula} for each different formula."""
    name = converter_of(engine)
    converted: dict[Key, Formula] = {}
    waiting: list[Key] = []
    for key in dict.fromkeys(formulas):
        why = refusal(key[0])
        if why:
            converted[key] = Formula(*key, problem=why)
        else:
            waiting.append(key)
    whole = len(waiting)
    with progress.work("convert_formulas", name, whole, "formulas") as step:
        for begin in range(0, whole, PORTION[name]):
            portion = list(enumerate(waiting))[begin : begin + PORTION[name]]
            answers = _answers(name, [(number, _input_of(name, *key)) for number, key in portion])
            for number, key in portion:
                converted[key] = _formula(key, answers.get(number, "the converter gave no answer"), name)
            step.advance(len(portion))
    return converted


def _input_of(name: str, tex: str, display: bool) -> str:
    """A formula as a converter wants it."""
    if name == "latexml":
        return (r"\displaystyle " if display else "") + prepare(tex)
    return prepare(tex).replace("{aligned}", "{split}").replace("{gathered}", "{matrix}")


def _answers(name: str, batch: Batch) -> dict[int, str]:
    """{number: MathML, or why there is none}; a batch that fails is halved."""
    first, more = SECONDS[name]
    run = by_latexml if name == "latexml" else by_latex2mathml
    answers: dict[int, str] = {}
    pending = [list(batch)]
    while pending:
        portion = pending.pop()
        got = run(portion, first + more * len(portion))
        answers |= got
        rest = [asked for asked in portion if asked[0] not in got]
        if not rest:
            continue
        if len(portion) == 1:
            answers[rest[0][0]] = "the converter stopped at it"
        elif len(rest) < len(portion):
            pending.append(rest)
        else:
            middle = len(rest) // 2
            pending += [rest[middle:], rest[:middle]]
    return answers


def _formula(key: Key, answer: str, name: str) -> Formula:
    if not answer.startswith("<"):
        return Formula(*key, problem=answer or "no formula came of it", by=name)
    try:
        mathml = clean_mathml(answer, *key)
    except Unsafe as error:
        return Formula(*key, problem=str(error), by=name)
    shown_ = mathml.partition("<annotation")[0]
    if "\\" in shown_ and "\\backslash" not in key[0] and "setminus" not in key[0]:
        return Formula(*key, problem="a command was not known", by=name)
    return Formula(*key, mathml=mathml, by=name)


def formulas_of(candidates: Iterable[Candidate]) -> list[Key]:
    """The formulas in the questions of candidates, each once."""
    keys: dict[Key, None] = {}
    for candidate in candidates:
        for sentence in candidate.sentences:
            keys |= dict.fromkeys((part.text, part.display) for part in sentence.parts if _is_tex(part))
    return list(keys)


def _is_tex(part: Part) -> bool:
    return part.kind == FORMULA and not part.mathml


def write_formulas(formulas: Iterable[Formula], path: Path) -> None:
    lines = [json.dumps(asdict(formula), ensure_ascii=False) + "\n" for formula in formulas]
    write(path, "".join(lines).encode("utf-8", "replace"))


def read_formulas(path: Path) -> dict[Key, Formula]:
    """What was converted; nothing if there is no such file. MathML is cleaned again: the file may have been edited."""
    formulas: dict[Key, Formula] = {}
    if not path.exists():
        return formulas
    try:
        lines = path.read_bytes().splitlines()  # of bytes: a text would be cut at U+2028 too, which TeX may hold
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        try:
            formula = Formula(**json.loads(line))
            mathml = clean_mathml(formula.mathml, formula.tex, formula.display) if formula.mathml else ""
            formulas[formula.tex, formula.display] = replace(formula, mathml=mathml)
        except (ValueError, TypeError, AttributeError) as error:
            raise DataError(at(str(path), number, f"not a formula: {error}", line)) from None
    return formulas
