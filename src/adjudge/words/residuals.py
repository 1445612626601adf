"""What documents that nobody judged could change, in words."""

from __future__ import annotations

from ..comparison.residual_bands import ResidualBands
from ..core.english import figure, plural, quantity
from .speech import MeasureName, Name, named_list, sentence


@sentence
def bands_caption(bands: ResidualBands, left_out: int = 0) -> list[str]:
    """Say how much higher figures could be, who could be first, and how many ranks are sure."""
    if len(bands.rows) == 1:
        row = bands.rows[0]
        text = ["If every document that nobody judged had full gain, the mean ", MeasureName(bands.measure), " of "]
        return [*text, Name(row.system), f" would be {figure(row.high)} instead of {figure(row.value)}."]
    least, most = (pick(bands.rows, key=lambda row: row.residual) for pick in (min, max))
    text = ["If every document that nobody judged had full gain, the mean ", MeasureName(bands.measure), " of "]
    if figure(least.residual) == figure(most.residual):
        text += [f"every system would be {figure(most.residual)} higher. "]
    else:
        text += [Name(least.system), f" would be {figure(least.residual)} higher and that of ", Name(most.system)]
        between = ", the others between these" if len(bands.rows) > 2 else ""
        text += [f" {figure(most.residual)}{between}. "]
    text += _ranks(bands)
    if left_out:
        does = plural(left_out, "is", "are")
        text += [f" {quantity(left_out, 'system')} that answered too few topics {does} left out."]
    return text


def _ranks(bands: ResidualBands) -> list[str]:
    """Which ranks are sure, and who could be first."""
    if bands.sure == len(bands.rows):
        return ["No judgment of them can change the order of the systems."]
    if len(bands.rows) == 2:
        first, second = (Name(row.system) for row in bands.rows)
        return ["Judging them could change the order of ", first, " and ", second, "."]
    has, who = plural(bands.sure, "has", "have"), bands.contenders
    sure = f"{bands.sure:,} of {len(bands.rows):,} systems {has}" if bands.sure else "No system has"
    text = [f"{sure} a rank that no further judgment can change; "]
    if len(who) == len(bands.rows):
        return [*text, "every system could be first."]
    return [*text, *(["only "] if len(who) == 1 else []), *named_list(who), " could be first."]


@sentence
def reading_of_bands(*, several: bool) -> str:
    """Explain how bands and ranges of ranks are read."""
    text = (
        "A dot is the mean over the topics, where unjudged documents gain nothing. The line goes up to the mean if "
        "every unjudged document, and every rank behind the end of a list, had full gain. It is no confidence "
        "interval: it shows what is not known about these topics, and says nothing about others."
    )
    if not several:
        return text
    return (
        f"{text} Behind a row stand the mean and the ranks that the system could have. A document that two systems "
        "share would raise both, and here each counts by itself: no judgment leads out of these ranges, but not every "
        "rank in them may be in reach."
    )
