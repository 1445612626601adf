"""Error rates, calibrations and corruptions, as people and scripts want to see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.english import rounded
from ..core.visible import spell_out
from ..words import degradation
from .text_table import TextTable, json_text, lines_of

if TYPE_CHECKING:
    from ..noise.calibration import Calibrations
    from ..noise.error_rates import Confusion, ErrorRates
    from ..noise.error_report import ErrorReport

ERRORS = ("totals", "confusions", "documents")
TOTALS = {
    "cer": "character error rate",
    "wer": "word error rate",
    "intact": "intact words",
    "asked": "intact query words",
}
NOTHING = "∅"


def spell_blanks(text: str) -> str:
    """A string of a few characters with blanks and controls to be seen."""
    return spell_out(text.replace(" ", "␣")) or NOTHING


def calibration_text(calibrations: Calibrations, form: str, digits: int, *, colour: bool) -> str:
    """A row for each engine and target."""
    header = ["engine", "target", "factor", "cer", "low", "high", "pages", "factors tried"]
    rows, exact = [], []
    for calibration in calibrations:
        figures = (calibration.cer, calibration.low, calibration.high)
        rows.append(
            [
                calibration.engine,
                f"{calibration.target:g}",
                f"{calibration.factor:g}" if not calibration.unreached else "–",
                *(rounded(figure, digits) for figure in figures),
                str(calibration.pages),
                str(calibration.evaluations),
            ]
        )
        exact.append(
            [
                calibration.engine,
                calibration.target,
                calibration.factor,
                *figures,
                calibration.pages,
                calibration.evaluations,
            ]
        )
    if form == "csv":
        whole = [[*row, calibration.unreached] for row, calibration in zip(exact, calibrations, strict=True)]
        return TextTable([*header, "unreached"], rows, exact=whole).csv()
    table = TextTable(header, rows).form(form, colour=colour)
    remarks = [
        degradation.unreachable(calibration.engine, calibration.target, calibration.unreached)
        for calibration in calibrations
        if calibration.unreached
    ]
    remarks.append(degradation.spread_over_pages(calibrations.confidence))
    return f"{table}\n{lines_of(remarks, form)}"


def calibration_json(calibrations: Calibrations) -> str:
    """All that was measured, at every factor."""
    rows = []
    for calibration in calibrations:
        row = {
            name: getattr(calibration, name) for name in ("engine", "target", "factor", "cer", "low", "high", "pages")
        }
        tried = [{"factor": factor, "cer": rate} for factor, rate in calibration.curve]
        rows.append(
            {**row, "unreached": calibration.unreached or None, "failures": list(calibration.failures), "tried": tried}
        )
    return json_text({"level": calibrations.confidence, "calibrated": rows})


def documents_table(rates: ErrorRates) -> tuple[list[str], list[list[object]]]:
    columns: dict[str, list[object]] = {
        "document": list(rates.ids),
        "characters": rates.characters.tolist(),
        "edits": rates.edits.tolist(),
        "cer": rates.cer.tolist(),
        "words": rates.words.tolist(),
        "word edits": rates.word_edits.tolist(),
        "wer": rates.wer.tolist(),
        "intact words": rates.intact.tolist(),
    }
    if rates.asked.sum():
        columns |= {"query words": rates.asked.tolist(), "intact query words": rates.asked_intact.tolist()}
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def errors_text(result: ErrorReport, show: Sequence[str], form: str, digits: int, *, colour: bool) -> str:
    """The tables asked for, one below the other."""
    tables, rates = [], result.rates
    for name in show:
        if name == "totals":
            totals = result.totals
            rows = [[TOTALS[what], *(rounded(figure, digits) for figure in figures)] for what, *figures in totals]
            table = TextTable(["of all documents", "figure", "low", "high"], rows, exact=[list(row) for row in totals])
        elif name == "confusions":
            table = _confusions(result.confusions, digits)
        else:
            header, exact = documents_table(rates)
            shown = [[rounded(c, digits) if isinstance(c, float) else spell_out(str(c)) for c in row] for row in exact]
            table = TextTable(header, shown, exact=exact)
        tables.append(table.form(form, colour=colour))
    if form != "csv" and "totals" in show:
        extent = degradation.extent(
            len(rates.ids), int(rates.characters.sum()), int(rates.words.sum()), result.confidence
        )
        tables.append(lines_of([extent], form))
    return "\n".join(tables)


def _confusions(confusions: Sequence[Confusion], digits: int) -> TextTable:
    header = ["true", "read as", "count", "share of errors", "example", "read"]
    rows, exact = [], []
    for confusion in confusions:
        exact.append(
            [
                confusion.source,
                confusion.target,
                confusion.count,
                confusion.share,
                confusion.example,
                confusion.example_read,
            ]
        )
        rows.append(
            [
                spell_blanks(confusion.source),
                spell_blanks(confusion.target),
                f"{confusion.count:,}",
                rounded(confusion.share, digits),
                spell_out(confusion.example),
                spell_out(confusion.example_read),
            ]
        )
    return TextTable(header, rows, 2, exact=exact)


def errors_json(result: ErrorReport, show: Sequence[str] = ERRORS) -> str:
    """The same with all digits."""
    rates = result.rates
    data: dict[str, object] = {"documents": len(rates.ids), "characters": int(rates.characters.sum())}
    data["words"] = int(rates.words.sum())
    if "totals" in show:
        data["level"] = result.confidence
        data["totals"] = {
            total.name: {"figure": total.figure, "low": total.low, "high": total.high} for total in result.totals
        }
    if "confusions" in show:
        names = ("source", "target", "count", "share", "example", "example_read")
        data["confusions"] = [{name: getattr(confusion, name) for name in names} for confusion in result.confusions]
    if "documents" in show:
        header, rows = documents_table(rates)
        data["by_document"] = [dict(zip(header, row, strict=True)) for row in rows]
    return json_text(data)


def corruptions_table(corruptions: Sequence[tuple[str, str, float]], digits: int) -> TextTable:
    """Words, what they may become, and how probably."""
    rows = [[spell_out(word), spell_blanks(variant), _probability(p, digits)] for word, variant, p in corruptions]
    return TextTable(["word", "read as", "probability"], rows, 2, exact=[list(row) for row in corruptions])


def _probability(value: float, digits: int) -> str:
    """Rounded, but never to 0 if it is not."""
    return f"{value:.{max(digits - 1, 0)}e}" if value and float(f"{value:.{digits}f}") == 0 else rounded(value, digits)
