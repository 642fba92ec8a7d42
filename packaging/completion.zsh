#compdef PROGRAM
# Generated from: PROGRAM --grammar

FUNCTIONS

_PROGRAM() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C OPTIONS '1: :->command' '*:: :->rest'
  case $state in
    command) _values command COMMANDS ;;
    rest) (( $+functions[_PROGRAM_$line[1]] )) && _PROGRAM_$line[1] ;;
  esac
}

if [[ $funcstack[1] == _PROGRAM ]]; then
  _PROGRAM "$@"
else
  compdef _PROGRAM PROGRAM
fi
