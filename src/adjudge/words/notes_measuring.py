"""Notes on judgments, runs, measures and comparisons."""

from __future__ import annotations

from ..core.english import listing, plural, quantity, some
from ..core.note import Note
from .speech import sentence


@sentence
def geometric_mean(note: Note) -> str:
    return f"{note.subject}: the geometric mean, {note['average']}: values below the floor are raised to it"


@sentence
def judgments_repeated(note: Note) -> str:
    one = note["count"] == 1
    what = "1 judgment occurs" if one else f"{note['count']:,} judgments occur"
    return f"qrels: {what} more than once with the same grade and {'is' if one else 'are'} counted once"


@sentence
def topics_without_relevant(note: Note) -> str:
    return f"qrels: no relevant document for {some(note['topics'])}: measures that divide by R are 0 there"


@sentence
def topics_unjudged(note: Note) -> str:
    return f"{note.subject}: no judgment for {some(note['topics'])}, skipped"


@sentence
def topics_missing(note: Note) -> str:
    then = "counted as 0" if note["counted"] else "skipped (--complete counts 0)"
    return f"{note.subject}: retrieved nothing for {some(note['topics'])}, {then}"


@sentence
def chunks_collapsed(note: Note) -> str:
    how = {"first": "the score of its first chunk", "max": "the largest score of a chunk", "sum": "the sum of scores"}
    text = f"{note.subject}: {note['lines']:,} lines for {note['documents']:,} documents, {how[note['keep']]} for each"
    if note["unmarked"]:
        text += f"; {note['unmarked']:,} ids are no chunk's and stand for documents"
    return text + ("; some scores are negative, so more chunks make a sum smaller" if note["negative"] else "")


@sentence
def nuggets_failed(note: Note) -> str:
    have, they, count = ("has", "it", "counts") if note["count"] == 1 else ("have", "they", "count")
    told = f"{note['count']:,} of {quantity(note['total'], 'nugget')} {have} no label (failed)"
    return f"{told}: {they} {count} as not supported"


@sentence
def topics_without_vital(note: Note) -> str:
    return f"no vital nugget for {some(note['topics'])}: the vital scores are 0 there"


@sentence
def nuggets_differ(note: Note) -> str:
    return f"answers were assigned different nuggets for {some(note['topics'])}: scores there do not compare"


@sentence
def metadata_unreadable(note: Note) -> str:
    return f"{note.subject}:{note['line']}: the ir_metadata header is ignored: {note['why']}"


@sentence
def ranks_contradict_scores(note: Note) -> str:
    where = f"line {note['line']:,} (topic {note['topic']})"
    return f"{note.subject}: ranks and scores contradict each other at {where}: scores count, as in trec_eval"


@sentence
def topics_all_tied(note: Note) -> str:
    return f"{note.subject}: all documents have the same score for {some(note['topics'])}: their ids order them"


@sentence
def run_left_out(note: Note) -> str:
    return f"{note['why']}: left out"


@sentence
def unjudged_passed_over(note: Note) -> str:
    where = "the documents" if note["depth"] is None else f"the first {note['depth']:,} documents"
    return f"{note.subject}: nobody judged {note['share']:.1%} of {where}; measures with judged_only pass over them"


@sentence
def system_left_out(note: Note) -> str:
    answered = "none" if not note["answered"] else f"{note['answered']:,}"
    wanted = f", and {note['least']:.0%} are asked for" if note["answered"] else ""
    return f"{note.subject}: answers {answered} of {note['topics']:,} judged topics{wanted}: no verdict on it"


@sentence
def topics_in_no_run(note: Note) -> str:
    return f"no run retrieved anything for {some(note['topics'])}, skipped"


@sentence
def topics_of_one_only(note: Note) -> str:
    return f"only {note.subject} has a value on {some(note['topics'])}, left out of the comparison"


@sentence
def topics_from_other_runs(note: Note) -> str:
    return f"{note.subject}: retrieved nothing for {some(note['topics'])}, fused from the other runs"


@sentence
def questions_missed(note: Note) -> str:
    cost = "at no cost" if note["cost"] is None else f"at the cost of {note['cost']}"
    return f"{note.subject}: retrieved nothing for {some(note['topics'])}, missed {cost}"


@sentence
def items_below_depth(note: Note) -> str:
    return f"{note.subject}: the item is ranked below {note['depth']} for {some(note['topics'])}, missed"


@sentence
def several_targets(note: Note) -> str:
    return f"{some(note['topics'])}: more than one target, the one ranked best counts"


@sentence
def lengths_unequal(note: Note) -> str:
    shortest, longest, deepest = note["shortest"], note["longest"], note["deepest"]
    what = f"from {shortest} to {longest} documents" if shortest < longest else f"{shortest} documents"
    why = f" and items are found down to rank {deepest}" if deepest > longest else ""
    then = "with unequal lengths dominance does not imply value (--length makes them equal)"
    return f"a miss costs {what}{why}: {then}"


@sentence
def questions_without_value(note: Note) -> str:
    return f"{some(note['topics'])}: no value of {', '.join(note['predictors'])}, skipped for all predictors"


@sentence
def questions_without_text(note: Note) -> str:
    return f"{note.subject}: no text for {some(note['topics'])}, skipped"


@sentence
def predictor_constant(note: Note) -> str:
    return f"{note.subject}: the same for all questions, so it predicts nothing"


@sentence
def permutations_few(note: Note) -> str:
    few = f"{note['permutations']:,} permutations are few for {note['correlations']:,} correlations"
    return f"{few}: no corrected p below {note['least']:.2g}"


@sentence
def samples_few(note: Note) -> str:
    corrected = f"corrected for {note['pairs']:,} pairs by {note['correction']} no p can be below {note['least']:.2g}"
    return f"{note.subject}: {corrected}: take at least {note['enough']:,} samples, or tukey, or --correction bh"


@sentence
def factor_constant(note: Note) -> str:
    return f"{note.subject} is {note['level']} for all systems: it is no factor of theirs"


@sentence
def factors_unused(note: Note) -> str:
    return f"factors: {listing(note['systems'], 3)} {plural(len(note['systems']), 'is', 'are')} not among the systems"


@sentence
def interaction_not_estimable(note: Note) -> str:
    combined = quantity(note["combinations"], "combination")
    return f"{note.subject}: systems have {combined} of its levels only, left out of the model"
