"""Notes on the plan of an experiment, on what was run, and on what could be concluded."""

from __future__ import annotations

from ..core.english import some
from ..core.note import Note
from .speech import sentence


@sentence
def nothing_found(note: Note) -> str:
    return f"{note.subject} on {note['version']}: no question finds a document"


@sentence
def cell_failed(note: Note) -> str:
    return f"{note.subject} failed on {note['version']} and is not shown: {note['why']}"


@sentence
def own_topics_unanswered(note: Note) -> str:
    return f"{some(note['topics'])}: no document in the answer"


@sentence
def stderr(note: Note) -> str:
    """What a program wrote to standard error."""
    text: str = note["text"]
    return text


@sentence
def printed(note: Note) -> str:
    """A line that a program printed while it worked."""
    text: str = note["text"]
    return text


@sentence
def systems_without_aid(note: Note) -> str:
    return f"{', '.join(note['systems'])}: left out for want of: clean text that is not searched ({note['aid']})"


@sentence
def systems_without_option(note: Note) -> str:
    return f"{', '.join(note['systems'])}: left out, they need clean text that is not searched: {note['option']}"


@sentence
def systems_not_installed(note: Note) -> str:
    return f"{', '.join(note['systems'])}: left out for want of: {note['why']}"


@sentence
def files_beside_runs(note: Note) -> str:
    more = f" and {note['others']} more" if note["others"] else ""
    return f"{note.subject}: {', '.join(note['files'])}{more}: not taken for runs, left out"


@sentence
def questions_without_target(note: Note) -> str:
    return f"{some(note['topics'])}: no document is relevant, left out"


@sentence
def questions_unjudged(note: Note) -> str:
    return f"{some(note['topics'])}: not judged, left out"


@sentence
def questions_of_absent_target(note: Note) -> str:
    return f"{some(note['topics'])}: its target {note.subject} is not in all versions, left out"


@sentence
def questions_without_field(note: Note) -> str:
    return f"{some(note['topics'])}: has no {note['field']}, counted as not found"


@sentence
def judged_without_question(note: Note) -> str:
    return f"{some(note['topics'])}: judged, but not among the topics, left out"


@sentence
def documents_not_shared(note: Note) -> str:
    many = f"{note['missing']:,} of {note['documents']:,} documents"
    return f"{note.subject}: {many} are not in all versions and left out: {note['first']} …"


@sentence
def sample_small(note: Note) -> str:
    return (
        f"{note['documents']} documents are no target: {note['aligned']} of them show errors, {note['training']} are "
        f"for regression, not {note['aligned_wanted']} and {note['training_wanted']}"
    )


@sentence
def error_rates_unknown(note: Note) -> str:
    return f"error rates of {', '.join(note['versions'])}: not counted, pip install 'adjudge[noise]'"


@sentence
def baselines_absent(note: Note) -> str:
    left = "the others are" if note["others"] else "all pairs are compared"
    return f"{note.subject}: no baseline {', '.join(note['baselines'])} there, {left}"


@sentence
def comparison_impossible(note: Note) -> str:
    """The subject is a version."""
    why: str = note["why"]
    return why


@sentence
def extracts_absent(note: Note) -> str:
    return f"no extracts from the documents of {note.subject}: {note['why']}"
