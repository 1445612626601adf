"""Say what an experiment found, one conclusion per sentence."""

from __future__ import annotations

from ..comparison.known_item.study import Study
from ..comparison.verdict import Comparison
from ..core.english import quantity
from ..experiment.findings import Conclusion, LeastAgreement, Remainder, Single
from .conclusions import conclusion_of
from .headlines import on_version
from .speech import sentence


@sentence
def conclusion(concluded: Conclusion) -> str:
    """Say one conclusion, with the version before it if there are several."""
    basis = concluded.basis
    if isinstance(basis, Remainder):
        return _remainder(concluded.version, basis)
    before = f"{version_phrase(concluded.version)}: " if concluded.version else ""
    if isinstance(basis, Single):
        return f"{before}{basis.system} reaches a mean {basis.measure} of {basis.mean:.4f}; there is no other system."
    if isinstance(basis, LeastAgreement):
        return f"{before}{_agreement(basis)}"
    return f"{before}{conclusion_of(basis)}"


def _remainder(version: str, left: Remainder) -> str:
    rates = f" ({left.errors.characters:.1%} of the characters are wrong)" if left.errors else ""
    start = version_phrase(left.reference)
    where = f"{start[:1].lower()}{start[1:]}"
    text = f"{version_phrase(version)}{rates} {left.best}, the best system {where}, keeps {left.share:.0%} of its "
    text += left.measure
    if left.ahead:
        now = f"{left.ahead} is ahead there with {left.ahead_mean:.3f}"
        text += f"; {now}, {left.ahead_share:.0%} of the best value {where}"
    return f"{text}."


def version_phrase(version: str) -> str:
    """Say on which version of the documents, at the beginning of a sentence."""
    text = "".join(on_version(version))
    return f"{text[:1].upper()}{text[1:]}"


def _agreement(least: LeastAgreement) -> str:
    if least.unanimous:
        return "All measures rank the systems in the same order."
    return f"{least.first} and {least.second} rank the systems most differently (Kendall's tau_b = {least.tau:.2f})."


@sentence
def single(system: str, mean: str, measure: str, systems: int, topics: str) -> str:
    """Give the mean of the best system where no two could be compared."""
    alone = "" if systems == 1 else f", the highest of {systems} systems"
    return f"{system} reaches {mean} on {measure} over {topics}{alone}."


@sentence
def questions_asked(questions: int) -> str:
    """Give the number of questions of a track, and say how its intervals were made."""
    return f"{quantity(questions, 'question')}. Intervals: bootstrap over questions."


@sentence
def result_on_version(version: str, result: Study | Comparison) -> str:
    """Give the conclusion of a result on one version of the documents."""
    return f"{version}: {conclusion_of(result)}"
