"""LaTeX to text: commands dropped, what they print kept, formulas as asked for.

This is no TeX: macros are not expanded. It knows what the articles of PlanetMath use. Whatever has no end is looked for
once and not again and again, so that no input takes more than its share of time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from .html_text import formula_text

ARGUMENT = r"\s*+\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+\}"
OPTION = r"(?:\s*\[[^\[\]]*\])?"

COMMENT = re.compile(r"%(?:(?<!\\%)|(?<=\\\\%))[^\n]*\n?[^\S\n]*")
"""Not after a backslash, unless that is one of two: then they end a line."""

VERBATIM = re.compile(r"\\begin\{((?:verbatim|lstlisting)\*?)\}")
VERB = re.compile(r"\\verb\*?([^\w\s*])(.{0,1000}?)\1")
PICTURE = re.compile(r"\\begin\{((?:pspicture|picture|xy|tikzpicture|CD)\*?)\}")
DISPLAYED = "equation|align|eqnarray|gather|multline|displaymath|math|alignat|flalign|myeqn|narrowmultline"
FORMULA = re.compile(rf"\\begin\{{((?:{DISPLAYED})\*?)\}}|\$\$?|\\.", re.DOTALL)
"""Where a formula may begin; a backslash and any other character are one sign, so that no formula begins within it."""

UNTIL_DOLLAR = re.compile(r"(?:[^$\\]++|\\.)*+(?=\$)", re.DOTALL)
ENDS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)"}
LABEL = re.compile(r"\\(?:label|tag|notag|nonumber)\b\*?(?:\{[^{}]*\})?")

UNPRINTED = (
    "label|ref|eqref|autoref|pageref|cite|bibliographystyle|bibliography|usepackage|documentclass|includegraphics|index"
    "|indexdef|indexsee|PMlinkescapeword|PMlinkescapephrase|vspace|hspace|input|psset|thispagestyle|pagestyle|symlabel"
    "|setlength|setcounter|addtocounter|newtheorem|theoremstyle|psfrag|url|PMlinktofile|figureplain|figureraw"
)
HIDDEN = re.compile(rf"\\(?:{UNPRINTED})\b\*?{OPTION}(?:{ARGUMENT})?{OPTION}(?:(?<=\}})\s*\{{[^{{}}]*\}}(?!\w))?")
DEFINED = re.compile(
    rf"\\(?:re|provide)?newcommand\b\*?\s*(?:\{{[^{{}}]*\}}|\\\w+){OPTION}{OPTION}{ARGUMENT}|\\def\s*\\\w+[^{{\n]{{0,200}}+{ARGUMENT}"
)
LINKED = re.compile(rf"\\(?:PMlinkname|PMlinkid|PMlinkexternal|htmladdnormallink)({ARGUMENT}){ARGUMENT}")
HREF = re.compile(rf"\\href{ARGUMENT}({ARGUMENT})")
BEGUN = re.compile(
    rf"\\begin\s*\{{(tabular|array|thebibliography|multicols|minipage|wrapfigure)\*?\}}{OPTION}{ARGUMENT}"
)
ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\s*\[[^\[\]]*\])?")
BIBITEM = re.compile(rf"\\bibitem\b{OPTION}\s*(?:\{{[^{{}}]*\}})?")
SECTION = re.compile(
    r"\\(?:part|chapter|section|subsection|subsubsection|paragraph|item|par|newline|bigskip|medskip)\b\*?"
)
BROKEN = re.compile(rf"\\\\\*?{OPTION}")
ACCENT = re.compile(r"""\\(?:(['`"^~=.])|([vuHckrdb])(?=[\s{\\]))\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))""")
LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|o|O|l|L|aa|AA|i|j|S|P|dots|ldots|TeX|LaTeX|copyright)\b(?:\{\})?[^\S\n]?")
COMMAND = re.compile(r"\\[A-Za-z@]+\*?(?:\s*\[[^\[\]]*\])?[^\S\n]*")
ESCAPED = re.compile(r"\\([%&$_{}#])")
SPACED = re.compile(r"\\[,;:!/ \n@-]|~")

MARKS = dict(
    zip(
        "'`\"^~=.vuHckrdb",
        "\u0301\u0300\u0308\u0302\u0303\u0304\u0307\u030c\u0306\u030b\u0327\u0328\u030a\u0323\u0331",
        strict=True,
    )
)
LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å",
    "i": "ı", "j": "ȷ", "S": "§", "P": "¶", "dots": "…", "ldots": "…", "TeX": "TeX", "LaTeX": "LaTeX", "copyright": "©",
}  # fmt: skip
KEPT = "\ue000"
"""A character of no text: it marks where escaped characters, verbatim text and formulas go when the rest is done."""

PLACE = re.compile(f"{KEPT}([0-9]+){KEPT}")


def text_of(source: str, formulas: str) -> tuple[str, str]:
    """Title and text of an article; the title is the first line of the text."""
    source = source.replace(KEPT, " ").replace("\r\n", "\n")
    preamble, begun, body = source.partition("\\begin{document}")
    if not begun:
        preamble, body = source, source
    body = body.partition("\\end{document}")[0]
    title = _title(preamble) or _title(body)
    title = " ".join(_plain(title, formulas).split())
    body = re.sub(rf"\\(?:title|author|date|maketitle)\b(?:{ARGUMENT})?", "", body)
    return title, f"{title}\n{_plain(body, formulas)}".strip()


def _title(source: str) -> str:
    match = re.search(rf"\\(?:pmtitle|title)({ARGUMENT})", COMMENT.sub("", source))
    return match[1].strip()[1:-1] if match else ""


def _plain(text: str, formulas: str) -> str:
    aside: list[str] = []

    def keep(piece: str) -> str:
        aside.append(piece)
        return f"{KEPT}{len(aside) - 1}{KEPT}"

    def restore(text: str) -> str:
        return PLACE.sub(lambda match: aside[int(match[1])], text)

    text = _between(text, VERBATIM, keep)
    text = VERB.sub(lambda match: keep(match[2]), text)
    text = COMMENT.sub("", text)
    text = _between(text, PICTURE, lambda _: " ")
    text = DEFINED.sub(" ", text)
    text = _between(text, FORMULA, lambda inside: keep(_formula(restore(inside), formulas)))
    text = HREF.sub(r"\1", LINKED.sub(r"\1", text))
    text = BEGUN.sub("\n", HIDDEN.sub("", BIBITEM.sub("\n", text)))
    text = ENVIRONMENT.sub("\n", text)
    text = BROKEN.sub("\n", SECTION.sub("\n", text))
    text = ESCAPED.sub(lambda match: keep(match[1]), text)
    text = ACCENT.sub(_accent, text)
    text = LETTER.sub(lambda match: LETTERS[match[1]], text)
    text = COMMAND.sub(" ", SPACED.sub(_space, text))
    text = text.replace("``", "“").replace("''", "”").replace("---", "—").replace("--", "–").replace("&", " ")
    text = text.replace("{", "").replace("}", "").replace("\\", " ")
    text = restore(text)
    text = re.sub(r"[^\S\n]+", " ", text)
    return re.sub(r"\n{3,}", "\n\n", text.replace("\n ", "\n").replace(" \n", "\n")).strip()


def _between(text: str, opening: re.Pattern[str], replace_by: Callable[[str], str]) -> str:
    """A text with what is made of everything between an opening and its end in their place."""
    parts: list[str] = []
    missing: set[str] = set()  # ends that do not come any more
    at = done = 0
    while (match := opening.search(text, at)) is not None:
        at = match.end()
        end = f"\\end{{{match[1]}}}" if match[1] else "$" if match[0] == "$" else ENDS.get(match[0], "")
        stop = -1 if not end or end in missing else _end(text, end, at)
        if stop < 0:
            missing.add(end)
            if match[0] != "$$":
                continue
            end, stop = "", at  # a formula of nothing
        parts += [text[done : match.start()], replace_by(text[at:stop])]
        at = done = stop + len(end)
    return "".join([*parts, text[done:]])


def _end(text: str, end: str, at: int) -> int:
    if end != "$":
        return text.find(end, at)
    match = UNTIL_DOLLAR.match(text, at)
    return -1 if match is None else match.end()


def _formula(inside: str, formulas: str) -> str:
    return formula_text(" ".join(LABEL.sub("", inside).split()), formulas)


def _space(match: re.Match[str]) -> str:
    return "" if match[0] in {"\\-", "\\/", "\\!", "\\@"} else " "


def _accent(match: re.Match[str]) -> str:
    letter = match[3] or match[4]
    return unicodedata.normalize("NFC", letter + MARKS[match[1] or match[2]])
