"""The singular of an English noun, by rules and a list: what makes "matrices" and "matrix" forms of one term."""

from __future__ import annotations

from functools import lru_cache


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


IRREGULAR = {
    "axes": "axis",
    "bases": "basis",
    "biases": "bias",
    "buses": "bus",
    "calves": "calf",
    "canvases": "canvas",
    "children": "child",
    "corpora": "corpus",
    "crises": "crisis",
    "criteria": "criterion",
    "diagnoses": "diagnosis",
    "dice": "die",
    "emphases": "emphasis",
    "feet": "foot",
    "gases": "gas",
    "geese": "goose",
    "genera": "genus",
    "halves": "half",
    "knives": "knife",
    "leaves": "leaf",
    "lemmata": "lemma",
    "lenses": "lens",
    "lives": "life",
    "loaves": "loaf",
    "men": "man",
    "mice": "mouse",
    "oases": "oasis",
    "oxen": "ox",
    "phenomena": "phenomenon",
    "atlases": "atlas",
    "automata": "automaton",
    "prognoses": "prognosis",
    "quizzes": "quiz",
    "schemata": "schema",
    "selves": "self",
    "sheaves": "sheaf",
    "shelves": "shelf",
    "stigmata": "stigma",
    "teeth": "tooth",
    "thieves": "thief",
    "wives": "wife",
    "wolves": "wolf",
    "women": "woman",
}
LATIN_UM = _set(
    "addenda bacteria continua equilibria errata extrema infima maxima memoranda millennia minima momenta moratoria "
    "optima quanta referenda spectra strata suprema symposia"
)
LATIN_US = _set("alumni annuli calculi cacti foci fungi loci moduli nuclei radii stimuli syllabi tori uteri")
IN_CES = {
    **{f"{stem}ices": f"{stem}ix" for stem in ("append", "bisectr", "directr", "hel", "matr")},
    **{f"{stem}ices": f"{stem}ex" for stem in ("ap", "cod", "cort", "ind", "simpl", "vert", "vort")},
}
USES = _set(
    "apparatus bonus bus calculus campus census chorus consensus corpus focus genius locus minus modulus nexus octopus "
    "plus prospectus radius status stylus surplus torus virus walrus"
)
KEPT = _set(
    "always alas bias atlas canvas chaos christmas cosmos gas lens news perhaps plus series species texas kansas "
    "arkansas archimedes descartes diophantus james jones pythagoras stokes thomas williams"
)
"""Words that end in s and are no plural."""
SCIENCES = ("dynamics", "matics", "nomics", "physics", "netics", "tronics", "guistics", "gistics", "mechanics")
SCIENCE = _set(
    "acoustics aesthetics analytics athletics avionics ballistics combinatorics cybernetics ergonomics ethics "
    "graphics heuristics hydraulics kinematics mechanics numismatics obstetrics optics pediatrics politics robotics "
    "semantics statistics"
)
IN_IE = _set("calories cookies genies lies dies ties pies movies prairies rookies zombies")
IN_CHE = _set("aches avalanches caches creches headaches niches psyches quiches")
IN_OE = _set("canoes does floes foes hoes oboes shoes throes toes")
NO_MEN = ("specimen", "regimen", "abdomen", "omen", "acumen", "lumen", "bitumen", "stamen", "semen", "hymen")
SIGNS = "'.:"
"""What joins letters within a word ends none: the singular of Ph.D.s is Ph.D."""
SHORT = 3
"""Words up to this length stay as they are: gas, its, abs."""


@lru_cache(maxsize=1 << 18)
def singular(word: str) -> str:
    """The singular of a word in lower case; a word that is no plural stays. After a dash only the last part changes.

    >>> [singular(word) for word in ("matrices", "sub-matrices", "properties", "class", "basis", "analyses")]
    ['matrix', 'sub-matrix', 'property', 'class', 'basis', 'analysis']
    """
    before, dash, last = word.rpartition("-")
    while (stem := _singular(last)) != last:  # so that a singular is its own singular, whatever the word was
        last = stem
    return f"{before}{dash}{last}"


def _singular(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) <= SHORT or word in KEPT:
        return word
    if not word.endswith("s"):
        return _foreign(word)
    if word.endswith(("ss", "us", "is", "'s", "series", "species")) or word in SCIENCE or word.endswith(SCIENCES):
        return word
    if word.endswith("es"):
        return _es(word)
    return word[:-1].rstrip(SIGNS)


def _foreign(word: str) -> str:
    """Plurals without s."""
    if word in LATIN_UM:
        return f"{word[:-1]}um"
    if word in LATIN_US:
        return f"{word[:-1]}us"
    if word.endswith("hedra"):
        return f"{word[:-1]}on"
    if word.endswith("ae") and len(word) > 5 and word not in {"reggae", "vitae"}:
        return word[:-1]
    if word.endswith("men") and not word.endswith(NO_MEN):
        return f"{word[:-3]}man"
    return word


def _es(word: str) -> str:
    for plural, stem in IN_CES.items():
        if word.endswith(plural):
            return word.removesuffix(plural) + stem
    if word.endswith(("lyses", "theses")):
        return f"{word[:-2]}is"
    if word.endswith("ies"):
        return word[:-1] if word in IN_IE or len(word) <= SHORT + 1 else f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "xes", "tzes")) or (word.endswith("ches") and word not in IN_CHE):
        return word[:-2]
    if word.endswith("oes") and word not in IN_OE:
        return word[:-2]
    if word.endswith("uses") and word[:-2] in USES:
        return word[:-2]
    return word[:-1]
