"""Untrusted TeX before a converter sees it: what reads files, defines macros or spoils its neighbours is refused."""

from __future__ import annotations

import re

LONGEST = 5000
DEEPEST = 60
FORBIDDEN = re.compile(
    r"""\\(?:input|include\w*|openin|openout|read|readline|write\w*|immediate|special|catcode|(?:math|lc|uc|sf|del)code|
    [egx]?def|let|futurelet|newcommand|renewcommand|providecommand|DeclareMathOperator|DeclareRobustCommand|Declare\w+|
    newenvironment|renewenvironment|newtheorem|usepackage|RequirePackage|documentclass|LoadClass|csname|endcsname|expandafter|
    loop|repeat|while\w*|if(?:x|num|cat|dim|odd|true|false|case|[mhv]mode|inner|void|[hv]box|eof|defined|csname)?|fi|else|or|global|long|outer|protected|aftergroup|afterassignment|everymath|every\w+|
    verb|lstinputlisting|lst\w+|verbatim\w*|bibliography\w*|jobname|newwrite|newread|newif|closein|closeout|message|errmessage|
    show\w*|batchmode|scrollmode|nonstopmode|errorstopmode|href|url|hyper\w*|html\w*|HTML\w*|cssId|class|style|unicode|
    includegraphics|graphicspath|pdf\w+|XeTeX\w+|lua\w+|directlua|scantokens|uppercase|lowercase|romannumeral|string|meaning|
    count\w*|dimen\w*|skip\d|toks\w*|setbox|copy|un[hv]\w+|advance|multiply|divide|hbox\s+to|vbox|vtop|halign|valign|
    InputIfFileExists|IfFileExists|\w*[fF]ile\w*|\w*input\w*|\w*import\w*|document\w*|ProcessOptions\w*|PassOptions\w*|
    At(?:Begin|End)\w+|endinput|stop|bye|[be]group|begingroup|endgroup|\w+def|new\w+|renew\w+|setlength|addtolength|
    font|fontdimen|char|mathchar\w*|par|newpage|clearpage|part|chapter|(?:sub)*section|(?:sub)?paragraph|tableofcontents|listof\w+|item|footnote|caption|
    noalign|output|shipout|end(?!\s*\{)|begin(?!\s*\{)|require|makeatletter|makeatother|special|lxDeclare|lx\w+|
    @\w*|newsavebox|savebox|usebox|newcounter|setcounter|addtocounter|stepcounter|foreach|multido|pgf\w*|tikz\w*)
    (?![A-Za-z])""",
    re.VERBOSE,
)
ENVIRONMENT = re.compile(
    r"\\(begin|end)(?![A-Za-z])(?:\s*\{\s*([A-Za-z]{1,20}\*?)\s*\})?|\\(?!(?:begin|end)(?![A-Za-z])).", re.DOTALL
)
ENVIRONMENTS = frozenset(
    """array matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases dcases rcases aligned alignedat gathered
    split align align* gather gather* multline multline* equation equation* eqnarray eqnarray* subarray CD""".split()  # noqa: SIM905
)
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
REPEATED = re.compile(r"\*\s*\{?\s*\d{2,}")
NUMBERS = re.compile(r"\d{5,}\s*(?:pt|em|ex|cm|mm|in|mu|pc|bp|dd|cc|sp)\b")
SIGNS = re.compile(r"\\(?:label|tag|ref|eqref)\*?\s*\{[^{}]*\}|\\(?:nonumber|notag|displaylimits)(?![A-Za-z])")
TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[{}$#]", re.DOTALL)
CLOSING = (r"\(", r"\)", r"\[", r"\]")
ALIGNED = {
    "equation": "",
    "align": "aligned",
    "gather": "gathered",
    "multline": "gathered",
}


def refusal(tex: str) -> str:
    """Why a formula must not be given to a converter, or nothing."""
    if len(tex) > LONGEST:
        return f"longer than {LONGEST} characters"
    given = prepare(tex)
    if not given:
        return "empty"
    # a converter gets the prepared formula: what is taken out of it must not let commands come together
    return _refusal(tex) or _refusal(given)


def _refusal(tex: str) -> str:
    if "^^" in tex or any(c < " " and c not in "\t\n\r" for c in tex) or re.search("[\x7f\ud800-\udfff]", tex):
        return "control characters, or ^^"
    if (match := FORBIDDEN.search(tex)) is not None:
        return f"{match[0].split()[0]} is not allowed"
    if REPEATED.search(tex) or NUMBERS.search(tex):
        return "a number that is too large"
    return _imbalance(tex)


def _imbalance(tex: str) -> str:
    depth = deepest = lefts = 0
    for sign in TOKEN.findall(tex):
        if sign == "{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign == "}":
            depth -= 1
        elif sign == r"\left":
            lefts += 1
        elif sign == r"\right":
            lefts -= 1
        elif sign in CLOSING or sign == "#" or (sign == "$" and not depth):
            return f"{sign} is not allowed"
        if depth < 0 or lefts < 0:
            return "brackets do not match"
    if depth or lefts:
        return "brackets do not match"
    if deepest > DEEPEST:
        return f"nested more than {DEEPEST} times"
    if sum(sign == "$" for sign in TOKEN.findall(tex)) % 2:
        return "dollars do not match"
    open_: list[str] = []
    for kind, name in ENVIRONMENT.findall(tex):
        if not kind:  # an escaped character
            continue
        if name not in ENVIRONMENTS:
            return f"no environment {name}".rstrip()
        if kind == "begin":
            open_.append(name)
        elif not open_ or open_.pop() != name:
            return "environments do not match"
    return "environments do not match" if open_ else ""


def prepare(tex: str) -> str:
    """The formula on one line and as one formula: no comments, labels or numbers of equations.

    >>> prepare(r"\\begin{align} a &= b \\\\ c &= d \\label{x}\\end{align}")
    '\\\\begin{aligned} a &= b \\\\\\\\ c &= d \\\\end{aligned}'
    """
    tex = COMMENT.sub(lambda match: match[1] + "\n", tex)
    tex = SIGNS.sub(" ", tex)
    for name, inner in ALIGNED.items():
        for star in ("", "*"):
            for which in ("begin", "end"):
                replacement = rf"\{which}{{{inner}}}" if inner else " "
                tex = tex.replace(rf"\{which}{{{name}{star}}}", replacement)
    for star in ("", "*"):
        tex = tex.replace(rf"\begin{{eqnarray{star}}}", r"\begin{array}{rcl}")
        tex = tex.replace(rf"\end{{eqnarray{star}}}", r"\end{array}")
    return " ".join(tex.split())
