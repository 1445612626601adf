"""No information flows between the versions of a corpus, but what a system names."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.progress import SILENT
from adjudge.experiment.inputs import cell_requests, prepare_inputs
from adjudge.experiment.plan import Plan
from adjudge.formats.qrels import read_qrels
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.systems.system import TRACK, line_up, systems

TEXTS = [
    "solar power plants of florida are built with solar money",
    "wind power in the plains gives power to farms",
    "coupons and bonds of the treasury are sold again",
    "parrots in cages need care and parrots need seeds",
]
ALL = line_up() | {"fusion": "fusion(of=[anu5con, ETHFR94P])"}
QUESTION = {"q": "solar power plants"}


class Forbidden:
    """Whoever touches it is found out."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"an aid was used that was not named: {name}")

    def __iter__(self) -> Any:
        raise AssertionError("an aid was read that was not named")

    __len__ = __getitem__ = __bool__ = __iter__


def noisy(text: str) -> str:
    return text.replace("l", "1").replace("rn", "m")


def version(folder: Path) -> Version:
    return Version("noisy", InMemory(Document(f"d{i}", noisy(text)) for i, text in enumerate(TEXTS)), folder)


def aids(allowed: tuple[str, ...]) -> Aids:
    pairs = [Pair(text, noisy(text)) for text in TEXTS] * 3
    outside = InMemory(Document(f"o{i}", f"{text} {text}") for i, text in enumerate(TEXTS))
    real = {"aligned": pairs, "training": pairs, "outside": outside}
    return Aids(**{name: real[name] if name in allowed else Forbidden() for name in real})  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ALL.values(), ids=ALL)
def test_a_system_touches_no_aid_that_it_does_not_name(spec: str, tmp_path: Path) -> None:
    system = systems.parse(spec)
    if why := system.missing():
        pytest.skip(why)
    given = aids(system.uses)
    system.prepare(version(tmp_path), given)
    run = system.answer(version(tmp_path), QUESTION, given)
    with_only = system.answer(version(tmp_path), QUESTION, given.only(system.uses))
    assert list(run.rows()) == list(with_only.rows())


def test_who_takes_what_is_the_paper_s() -> None:
    assert {name: systems.parse(spec).uses for name, spec in TRACK.items()} == {
        "rutcf": (),
        "anu5con": ("aligned",),
        "gmu961": (),
        "gmu962": (),
        "CLCON": ("outside",),
        "CLCONF": ("outside",),
        "ETHFR94N": ("training",),
        "ETHFR94P": ("training",),
    }


def test_only_leaves_nothing_else() -> None:
    given = aids(("aligned", "training", "outside"))
    for name in (field.name for field in fields(Aids)):
        one = given.only((name,))
        assert [field.name for field in fields(Aids) if getattr(one, field.name) is not None] == [name]
    assert all(value is None for value in asdict(given.only(())).values())


def test_a_cell_is_told_of_its_own_version_only(tmp_path: Path) -> None:
    for name in ("true", "light", "heavy"):
        lines = [f'{{"id": "d{i}", "text": "{text} {name}"}}\n' for i, text in enumerate(TEXTS)]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    (tmp_path / "topics.tsv").write_text("q\tsolar power\n")
    (tmp_path / "qrels.txt").write_text("q 0 d0 1\n")
    (tmp_path / "out" / "work").mkdir(parents=True)
    versions = {name: f"{name}.jsonl" for name in ("true", "light", "heavy")}
    plan = Plan("topics.tsv", "qrels.txt", versions, ("anu", "gmu"), aligned=1, training=1, folder=tmp_path)
    judgments = read_qrels(tmp_path / "qrels.txt")
    inputs = prepare_inputs(plan, judgments, tmp_path / "out", 1, SILENT)
    for name in versions:
        for request in cell_requests(plan, name, inputs, tmp_path / "out").values():
            told = str(asdict(request))
            assert [other for other in versions if f"{other}.jsonl" in told] == [name]
            sample = Path(request.sample).read_text()
            assert "solar" not in sample, "the target"
            assert [other for other in ("light", "heavy") if other in sample] == [n for n in [name] if n != "true"]
