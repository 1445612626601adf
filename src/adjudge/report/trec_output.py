"""Figures as trec_eval prints them, byte for byte."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..evaluation.plain_files import PlainEvaluation
    from ..evaluation.plain_names import PlainLine
    from ..evaluation.trec_evaluation import TrecEvaluation
    from ..evaluation.trec_lines import Line


def trec_text(result: TrecEvaluation | PlainEvaluation, *, per_topic: bool = False, summary: bool = True) -> str:
    """All the lines: of each topic, and of all together."""
    mark = "Z" if result.standardised else ""
    out: list[str] = []
    lines: Sequence[Line | PlainLine] = result.lines
    if per_topic:
        shown = [(i, line) for i, line in enumerate(lines) if line.per_topic]
        rows = result.rows
        for t, topic in enumerate(result.topics):
            if topic in result.unprinted:
                continue
            for i, line in shown:
                if line.text:
                    out.append(f"{line.label:<22}\t{topic}\t'{result.texts[i][t]}'\n")
                elif line.whole and not mark:
                    out.append("%-22s\t%s\t%d\n" % (line.label, topic, rows[t][i]))  # noqa: UP031
                else:
                    out.append("%s%-22s\t%s\t%6.4f\n" % (mark, line.label, topic, rows[t][i]))  # noqa: UP031
    if summary:
        for i, line in enumerate(lines):
            if line.name == "runid":
                out.append(f"{'runid':<22}\tall\t{result.run}\n")
            elif not line.text:
                value = result.figure(i)
                count = line.whole and not mark
                out.append("%s%-22s\tall\t%s\n" % (mark, line.label, "%d" % value if count else "%6.4f" % value))  # noqa: UP031
    return "".join(out)
