"""What an experiment found, in words."""

from __future__ import annotations

from ..comparison.known_item.study import Study
from ..comparison.verdict import Comparison
from ..core.english import quantity
from ..experiment.findings import Conclusion, LeastAgreement, Remainder, Single
from .conclusions import conclusion_of
from .speech import sentence


@sentence
def conclusion(concluded: Conclusion) -> str:
    """One conclusion, with the version before it if there are several."""
    basis = concluded.basis
    if isinstance(basis, Remainder):
        return _remainder(concluded.version, basis)
    before = f"On {concluded.version}: " if concluded.version else ""
    if isinstance(basis, Single):
        return f"{before}{basis.system} reaches a mean {basis.measure} of {basis.mean:.4f}; no other to compare."
    if isinstance(basis, LeastAgreement):
        return f"{before}{_agreement(basis)}"
    return f"{before}{conclusion_of(basis)}"


def _remainder(version: str, left: Remainder) -> str:
    rates = f" ({left.errors.characters:.1%} of the characters wrong)" if left.errors else ""
    text = f"On {version}{rates} {left.best}, best on {left.reference}, keeps {left.share:.0%} of its {left.measure}"
    if left.ahead:
        now = f"{left.ahead} is now ahead with {left.ahead_mean:.3f}"
        text += f"; {now}, {left.ahead_share:.0%} of the best on {left.reference}"
    return f"{text}."


def _agreement(least: LeastAgreement) -> str:
    if least.unanimous:
        return "All measures put the systems in the same order."
    return f"Measures agree least between {least.first} and {least.second}: tau_b {least.tau:.2f} between their orders."


@sentence
def single(system: str, mean: str, measure: str, systems: int, topics: str) -> str:
    """What the best system reaches where no two could be compared."""
    alone = "" if systems == 1 else f", the highest of {systems} systems"
    return f"{system} reaches {mean} on {measure} over {topics}{alone}."


@sentence
def questions_asked(questions: int) -> str:
    """How many questions a track has, and what its intervals are over."""
    return f"{quantity(questions, 'question')}. Intervals: bootstrap over questions."


@sentence
def on_version(version: str, result: Study | Comparison) -> str:
    """What a result on one version of the documents comes to."""
    return f"{version}: {conclusion_of(result)}"
