"""Completion for bash from `shortfall --grammar`."""

from __future__ import annotations

from option_values import values_of

# The shell breaks words at : and =, which losses and assignments contain. So the word is taken from
# the line, and what precedes the last break is cut off the replies.
_FUNCTION = r"""# bash completion for PROGRAM. Generated from: PROGRAM --grammar
_PROGRAM_offer() {
  local current=$1 broken reply
  shift
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
  [[ ${COMPREPLY[*]} != *[:=] ]] || compopt -o nospace
  broken=${current%"${current##*[:=]}"}
  for reply in "${!COMPREPLY[@]}"; do COMPREPLY[reply]=${COMPREPLY[reply]#"$broken"}; done
}

# Readline alone completes files, and quotes them, unless words begin so, too.
_PROGRAM_offer_or_file() {
  local current=$1 path
  _PROGRAM_offer "$@"
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default
    return
  fi
  while IFS= read -r path; do
    [[ ! -d $path ]] || path+=/
    COMPREPLY+=("$(printf '%q' "$path")")
  done < <(compgen -f -- "$current")
}

_PROGRAM_value() {
  case $1 in
VALUES
  esac
}

_PROGRAM() {
  local line=${COMP_LINE:0:COMP_POINT} current='' previous command='' options='' kind
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    current=${words[-1]}
    unset 'words[-1]'
  fi
  [[ ${#words[@]} -gt 0 ]] || return
  command=${words[1]-}
  case $command in
GROUPS
  esac
  previous=${words[-1]}
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    current=${current#*=}
  fi
  case $command in
COMMANDS
  esac
  kind=$(_PROGRAM_value "$command $previous")
  if [[ -z $kind && $current == -* ]]; then
    _PROGRAM_offer "$current" "$options"
    return
  fi
  [[ -n $kind ]] || kind=$(_PROGRAM_value "$command")
  case $kind in
    file) compopt -o default ;;
    directory) compopt -o dirnames ;;
    words\ *) _PROGRAM_offer "$current" "${kind#words }" ;;
    words-or-file\ *) _PROGRAM_offer_or_file "$current" "${kind#words-or-file }" ;;
  esac
}
complete -F _PROGRAM PROGRAM
"""


def _value_lines(grammar: dict) -> list[str]:
    """What to offer after "COMMAND --option", or for the arguments of "COMMAND"."""
    lines: dict[str, list[str]] = {}
    for command in grammar["commands"]:
        for option in command["options"]:
            if option["type"] is not None:
                values = values_of(option, grammar)
                kind = " ".join([values.kind, *values.words])
                lines.setdefault(kind, []).append(f"'{command['name']} {option['name']}'")
        for argument in command["arguments"][:1]:
            values = values_of(argument, grammar)
            kind = " ".join([values.kind, *values.words])
            lines.setdefault(kind, []).append(f"'{command['name']}'")
    return [f"    {' | '.join(places)}) echo '{kind}' ;;" for kind, places in lines.items()]


def _group_lines(grammar: dict) -> list[str]:
    return [
        f"    {group['name']}) [[ ${{#words[@]}} -lt 3 ]] || command+=\" ${{words[2]}}\" ;;"
        for group in grammar["groups"]
    ]


def _command_lines(grammar: dict) -> list[str]:
    alone = [c["name"] for c in grammar["commands"] if " " not in c["name"]]
    groups = [group["name"] for group in grammar["groups"]]
    general = [option["name"] for option in grammar["options"]]
    offer = f"_{grammar['program']}_offer \"$current\""
    lines = [f"    '') {offer} '{' '.join(alone + groups + general)}'; return ;;"]
    for group in groups:
        members = [
            c["name"].split()[1] for c in grammar["commands"] if c["name"].startswith(group + " ")
        ]
        lines.append(f"    {group}) {offer} '{' '.join(members)} --help'; return ;;")
    for command in grammar["commands"]:
        names = " ".join(option["name"] for option in command["options"] if option["listed"])
        lines.append(f"    '{command['name']}') options='{names}' ;;")
    return lines


def completion(grammar: dict) -> str:
    text = _FUNCTION
    for marker, lines in (
        ("VALUES", _value_lines(grammar)),
        ("GROUPS", _group_lines(grammar)),
        ("COMMANDS", _command_lines(grammar)),
    ):
        text = text.replace(f"\n{marker}\n", "\n" + "\n".join(lines) + "\n")
    return text.replace("PROGRAM", grammar["program"])
