"""How much a sentence looks like asking: rules with weights, written by hand while reading questions of mathematics."""

from __future__ import annotations

import re

RULES: tuple[tuple[float, str, tuple[str, ...]], ...] = (
    # signs of asking
    (
        1.0,
        r"\?[\s\"')\]»”]*$",
        ("?",),
    ),
    (
        0.4,
        r"\?",
        ("?",),
    ),
    (
        0.9,
        r"\b(?:my|the|our|this|one|main|first|second|next|natural|obvious|other|general) (?:\w+ )"
        r"{0,2}questions? (?:is|are|now|then|was|would)\b",
        ("question",),
    ),
    (
        1.0,
        r"^(?:\W*(?:my|main|bonus|sub|general|specific|precise|actual|real|another|side|extra|follow-up) )"
        r"?\W*questions?(?: ?[\da-z]{1,2})?\s*[:.)-]\s*\S",
        (),
    ),
    (
        1.0,
        r"\b(?:i|we)(?: am|'m|’m| was| are| were|'re)(?: \w+){0,2} (?:looking|searching|seeking|hunting|"
        r"after) (?:for|a|an|some)\b",
        ("looking", "searching", "seeking", "hunting", "after"),
    ),
    (
        1.0,
        r"\b(?:i|we)(?: am|'m|’m| was|'ve been| have been| are)(?: \w+){0,2} (?:wondering|curious|"
        r"interested)\b",
        ("wondering", "curious", "interested"),
    ),
    (
        1.0,
        r"\b(?:i|we) (?:\w+ )?wonder(?:ed)?\b",
        ("wonder",),
    ),
    (
        0.9,
        r"\b(?:i|we)(?: would|'d|’d| 'd) (?:\w+ ){0,2}(?:like|love|want) (?:\w+ )?to (?:know|see|"
        r"understand|ask|find|learn|have|get|hear)\b",
        ("like", "love", "want"),
    ),
    (
        0.9,
        r"\b(?:i|we) (?:\w+ ){0,2}(?:want|need|wish|hope|wanted) (?:\w+ )?to (?:know|ask|understand|find|"
        r"see|learn)\b",
        ("want", "need", "wish", "hope"),
    ),
    (
        0.7,
        r"\b(?:i|we) (?:\w+ ){0,2}(?:need|want|seek|request) (?:a|an|some|any) (?:\w+ )?(?:reference|"
        r"example|proof|result|counterexample|formula|way|method)",
        ("need", "want", "seek", "request"),
    ),
    (
        0.7,
        r"\b(?:reference|pointer|literature|citation|source)s? (?:\w+ ){0,3}(?:for|to|on|about|where|"
        r"which|that|in which|request)\b",
        ("reference", "pointer", "literature", "citation", "source"),
    ),
    (
        0.5,
        r"\bany (?:\w+ )?(?:references?|pointers?|examples?|ideas?|results?|hints?|suggestions?|help|"
        r"information|literature|comments?)\b",
        ("any ",),
    ),
    (
        0.5,
        r"^(?:please|could you|can you|can someone|could someone|does anyone|does anybody|is anyone|"
        r"has anyone)\b",
        (),
    ),
    (
        0.4,
        r"^(?:\W*(?:so|and|but|or|then|now|also|thus|hence|in particular|more generally|more precisely|"
        r"specifically|for (?:example|instance)),? )?(?:is|are|does|do|can|could|what|which|how|where|"
        r"when|why|who|has|have|did|will|would|should)\b.*(?:\?|[^.:])$",
        (),
    ),
    (
        0.6,
        r"\bi (?:\w+ )?(?:do not|don't|cannot|can't|could not|couldn't|have no idea|don’t|can’t) (?:\w+ )"
        r"?(?:know|find|see|understand|figure)? ?(?:\w+ )?(?:how|what|whether|if|where|why|which)\b",
        ("not ", "n't", "n’t", "no idea"),
    ),
    (
        0.6,
        r"\b(?:asking|ask|know|wonder|determine|decide|see|clear|understand|tell|say|sure|interested in|"
        r"idea) (?:\w+ )?(?:whether|if there|if this|if it|what|how|why|which|where)\b",
        (),
    ),
    (
        0.3,
        r"\b(?:is it (?:true|possible|known)|is there|are there|does there exist|what is|what are|"
        r"how (?:can|do|does|to))\b",
        (),
    ),
    (
        1.0,
        r"^[^\w§]*(?:(?:so|and|but|or|then|now|also|if so),? )?(?:is|are|does|do|can|could|has|must)"
        r" (?:the|there|it|this|these|that|one|we|i|you|a|an|any|every|all|such)\b|^(?:is|are|can|does|do|"
        r"has) §",
        (),
    ),
    (
        1.0,
        r"^[^\w§]*(?:(?:so|and|but|or|then|now|also),? )?(?:what|how) (?:about|can|could|is|are|do|does|"
        r"would|if)\b",
        (),
    ),
    (
        1.0,
        r"^\W*(?:(?:\d|[a-h])[.):] ?)?(?:give|find|determine|describe|classify|characteri[sz]e|compute|"
        r"same question)\b",
        (),
    ),
    (
        0.5,
        r"\b(?:i am|i'm|i’m) asking\b",
        ("asking",),
    ),
    # signs of telling
    (
        -0.7,
        r"^(?:let|suppose|assume|consider|recall|denote|define|given|note|here|for background|motivation|"
        r"background|remark|definition|theorem|example)\b",
        (),
    ),
    (
        -0.5,
        r"^(?:it is (?:well )?known|we (?:know|have|say|call|can)|there (?:is|are)|by|in \[|this (?:is|"
        r"was)|these|the (?:proof|answer|paper|following))\b",
        (),
    ),
    (
        -0.6,
        r":\s*$",
        (),
    ),
    (
        -1.0,
        r"^can (?:any|some)(?:one|body) help(?: me)?\W*$",
        (),
    ),
    (
        -0.8,
        r"\b(?:thank(?:s| you)|apologi[sz]e|sorry|appreciated|grateful|welcome|edit(?:ed)?|update|"
        r"cross-?posted|math\.?se|stackexchange)\b",
        (
            "thank",
            "apolog",
            "sorry",
            "appreciated",
            "grateful",
            "welcome",
            "edit",
            "update",
            "posted",
            "se",
            "stackexchange",
        ),
    ),
    (
        -0.5,
        r"\b(?:i (?:think|guess|believe|know|suspect|expect|have (?:read|heard|seen|tried|found|asked)|"
        r"tried|found|asked|read))\b",
        ("i ",),
    ),
    (
        -0.5,
        r"^(?:why|how)\?$|^\(.*\)\W*$",
        (),
    ),
    (
        -0.5,
        r"\?\) .*\.$",
        ("?) ",),
    ),
    (
        -0.4,
        r"\b(?:the answer is|so the answer)\b",
        ("the answer",),
    ),
)
"""Weight, pattern on small letters, and words of which a sentence must have one: looking for them is quicker."""
WEIGHTED = tuple(
    (
        weight,
        words,
        re.compile(pattern, re.DOTALL).match if pattern.startswith("^") else re.compile(pattern, re.DOTALL).search,
    )
    for weight, pattern, words in RULES
)


def score(text: str) -> float:
    """How much a sentence looks like asking."""
    lower = text.lower()  # patterns that ignore case take three times as long
    points = 0.0
    for weight, words, pattern in WEIGHTED:
        if (not words or any(word in lower for word in words)) and pattern(lower):
            points += weight
    return points
