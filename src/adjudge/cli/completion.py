"""Print a script that completes commands, options and names of components in a shell: bash, zsh or fish.

    adjudge completion bash > ~/.local/share/bash-completion/completions/adjudge
    adjudge completion zsh > ~/.zfunc/_adjudge
    adjudge completion fish > ~/.config/fish/completions/adjudge.fish

The script holds everything that it offers, so pressing Tab starts no program. Write it again after installing plug-ins
or a new version. For zsh the folder must be in fpath before compinit runs: fpath+=(~/.zfunc).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from . import ALIASES, commands, plug_in_summaries, summary
from ._catalogue import Option, options_of, parsers, values_of
from ._options import Parser, emit

SHELLS = ("bash", "zsh", "fish")
HEAD = "# Completion of adjudge for {0}, printed by: adjudge completion {0}\n"

LOOKUPS = r"""
_adjudge_command() {
    # The command that the words before the one under the cursor name: two words if there is such a command, else one.
    local first="" word
    for word in "$@"; do
        case "$word" in -*) continue ;; esac
        if [ -z "$first" ]; then
            first="$word"
        else
            case " $_adjudge_pairs " in *" $first/$word "*) echo "$first $word"; return ;; esac
            break
        fi
    done
    case "$first" in
ALIASES
    esac
    echo "$first"
}
"""

BASH = r"""
_adjudge() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command list before=""
    COMPREPLY=()
    if [ "$cur" = "=" ]; then cur=""; elif [ "$prev" = "=" ]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi
    command="$(_adjudge_command "${COMP_WORDS[@]:1:COMP_CWORD-1}")"
    if [ -z "$command" ]; then
        list="$_adjudge_first --help --version"
    elif [ "${cur#-}" != "$cur" ]; then
        list="$(_adjudge_options "$command")"
    else
        list="$(_adjudge_values "$command" "$prev")"
        if [ -z "$list" ] && [ "$COMP_CWORD" -eq 2 ]; then list="$(_adjudge_second "$command")"; fi
        case "$cur" in *,*) before="${cur%,*},"; cur="${cur##*,}" ;; esac
    fi
    COMPREPLY=($(compgen -P "$before" -W "$list" -- "$cur"))
}
complete -o default -F _adjudge adjudge
"""

ZSH = r"""
_adjudge() {
    local cur="${words[CURRENT]}" prev="${words[CURRENT-1]}" command list
    command="$(_adjudge_command "${(@)words[2,CURRENT-1]}")"
    case "$cur" in
        --*=*) prev="${cur%%=*}"; compset -P '*=' ;;
    esac
    if [ -z "$command" ]; then
        compadd -- ${=_adjudge_first} --help --version
    elif [ "${cur#-}" != "$cur" ] && [ "$prev" = "${words[CURRENT-1]}" ]; then
        compadd -- ${=$(_adjudge_options "$command")}
    else
        list="$(_adjudge_values "$command" "$prev")"
        if [ -z "$list" ] && [ "$CURRENT" -eq 3 ]; then
            list="$(_adjudge_second "$command")"
            compadd -- ${=list} || _files
        elif [ -n "$list" ]; then
            compset -P '*,'
            compadd -- ${=list}
        else
            _files
        fi
    fi
}
if [ "$funcstack[1]" = "_adjudge" ]; then _adjudge "$@"; else compdef _adjudge adjudge; fi
"""

FISH = r"""
function __adjudge_command
    set -l words (commandline -opc) (commandline -ct)
    set -l names
    for word in $words[2..-2]
        string match -q -- '-*' $word; or set -a names $word
    end
    set -l pair "$names[1] $names[2]"
    if contains -- $pair $__adjudge_pairs
        echo $pair
    else
        echo $names[1]
    end
end
complete -c adjudge -n 'test -z (__adjudge_command)' -f
"""


def parser() -> Parser:
    command = Parser(
        prog="adjudge completion", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("shell", choices=SHELLS, help="shell to complete in")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    emit(fish() if options.shell == "fish" else posix(options.shell))
    return 0


def first_words() -> dict[str, str]:
    """{first word of a command: its description}, those of plug-ins among them."""
    known = commands()
    own = {name: "" if name not in known else summary(known[name]) for name in (each.split()[0] for each in known)}
    return own | plug_in_summaries()


def posix(shell: str) -> str:
    """The script for bash or zsh, which differ only in how they are asked."""
    known, aliases = parsers(), ALIASES.items()
    pairs = [name.replace(" ", "/") for name in known if " " in name]
    lookups = LOOKUPS.replace(
        "ALIASES", "\n".join(f"        {alias}) first={quoted(name)} ;;" for alias, name in aliases)
    )
    flags, values, seconds = [], [], []
    for name, command in known.items():
        options = list(options_of(command))
        flags.append(f"        {quoted(name)}) echo {quoted(' '.join(flag for o in options for flag in o.flags))} ;;")
        values += [value_line(name, option) for option in options if option.values]
        names = [value for action in command._actions if not action.option_strings for value in values_of(action)]
        below = [each.removeprefix(f"{name} ") for each in known if each.startswith(f"{name} ")]
        if names or below:
            seconds.append(f"        {quoted(name)}) echo {quoted(' '.join((*below, *names)))} ;;")
    head = f"#compdef adjudge\n{HEAD}" if shell == "zsh" else HEAD
    return "\n".join(
        [
            head.format(shell),
            f"_adjudge_first={quoted(' '.join(first_words()))}",
            f"_adjudge_pairs={quoted(' '.join(pairs))}",
            lookups,
            function("_adjudge_options", "$1", flags),
            function("_adjudge_second", "$1", seconds),
            function("_adjudge_values", "$1 $2", values),
            BASH if shell == "bash" else ZSH,
        ]
    )


def value_line(name: str, option: Option) -> str:
    patterns = "|".join(quoted(f"{name} {flag}") for flag in option.flags)
    return f"        {patterns}) echo {quoted(' '.join(option.values))} ;;"


def function(name: str, on: str, cases: Sequence[str]) -> str:
    lines = "\n".join(cases)
    return f'{name}() {{\n    case "{on}" in\n{lines}\n    esac\n}}\n'


def fish() -> str:
    """The script for fish, which shows descriptions beside what it offers."""
    known = parsers()
    pairs = [name for name in known if " " in name]
    lines = [HEAD.format("fish"), "set -g __adjudge_pairs " + " ".join(map(quoted, pairs)), FISH]
    lines += [
        f"complete -c adjudge -n 'test -z (__adjudge_command)' -a {name} -d {quoted(about)}"
        for name, about in first_words().items()
    ]
    for name in pairs:
        first, second = name.split()
        about = quoted(summary(commands()[name]))
        lines.append(f"complete -c adjudge -n 'test (__adjudge_command) = {first}' -a {second} -d {about}")
    for name, command in known.items():
        names = (name, *(alias for alias, meant in ALIASES.items() if meant == name))
        when = " ".join(f'"{each}"' for each in names)
        condition = quoted(f"contains -- (__adjudge_command) {when}")
        for action in command._actions:
            if not action.option_strings and (values := values_of(action)):
                lines.append(f"complete -c adjudge -n {condition} -f -a {quoted(' '.join(values))}")
        lines += [fish_option(condition, option) for option in options_of(command)]
    return "\n".join(lines) + "\n"


def fish_option(condition: str, option: Option) -> str:
    words = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    if option.values:
        words.append(f"-x -a {quoted(' '.join(option.values))}")
    elif option.metavar:
        words.append("-r")
    return f"complete -c adjudge -n {condition} {' '.join(words)} -d {quoted(short(option.help))}"


def short(text: str) -> str:
    """The first words of a help text, without lists and defaults."""
    return re.split(r" \(|: |; ", text, maxsplit=1)[0]


def quoted(text: str) -> str:
    """A text in single quotes, which all three shells read literally."""
    return "'" + text.replace("\\", "").replace("'", "’") + "'"
