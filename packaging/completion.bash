# bash completion for PROGRAM. Generated from: PROGRAM --grammar

# The shell breaks words at : and =, which losses and assignments contain. So the word is taken from
# the line, and what precedes the last break is cut off the replies.
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

# The paths and words to offer after "COMMAND --option", or for the arguments of "COMMAND".
_PROGRAM_value() {
  case $1 in
VALUES
  esac
}

_PROGRAM() {
  local line=${COMP_LINE:0:COMP_POINT} current='' previous command='' options='' value
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
  value=$(_PROGRAM_value "$command $previous")
  if [[ -z $value && $current == -* ]]; then
    _PROGRAM_offer "$current" "$options"
    return
  fi
  [[ -n $value ]] || value=$(_PROGRAM_value "$command")
  case $value in
    directories*) compopt -o dirnames ;;
    files*) _PROGRAM_offer_or_file "$current" "${value#files}" ;;
    none*) _PROGRAM_offer "$current" "${value#none}" ;;
  esac
}
complete -F _PROGRAM PROGRAM
