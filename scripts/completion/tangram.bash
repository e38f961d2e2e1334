# Bash completion for tangram and tangram-run. Commands and options are the ones the
# binary itself lists in its --help, so this file cannot fall behind it.
#
# From a checkout:   source scripts/completion/tangram.bash
# shellcheck shell=bash

# Commands that "$@ --help" lists.
__tangram_commands() {
  "$@" --help 2>/dev/null | awk '
    /^[^ ]/ { listed = tolower($0) ~ /^(sub)?commands:/; next }
    listed && /^  [a-z]/ { print $1 }'
}

# Options that "$@ --help" lists.
__tangram_options() {
  "$@" --help 2>/dev/null | awk '
    /^  +-/ {
      for (i = 1; i <= NF && $i ~ /^-/; i++)
        if ($i ~ /^--/) { sub(/,$/, "", $i); print $i }
    }'
}

# Values an option takes, one a line; nothing where it takes what only its user knows.
__tangram_values() {
  local binary=$1 option=$2 file=$3 run
  case $option in
  --format) printf '%s\n' text json dot svg ;;
  --target) printf '%s\n' opencl openmp ;;
  --strategy) printf '%s\n' thesis all predict ;;
  --versions) printf '%s\n' all chosen ;;
  --plan)
    printf '%s\n' best all
    # The names of the source's sketches.
    [[ -f ${file%.cpp}.sketches ]] && sed -n 's/^\([A-Za-z0-9_-]*\): .*/\1/p' "${file%.cpp}.sketches"
    ;;
  --form) printf '%s\n' array kernel ;;
  --map-rules) printf '%s\n' distribute serialize split ;;
  --hw) "$binary" hw list 2>/dev/null | awk '{ print $1 }' ;;
  # Spectrums and the instances of templates that the source makes.
  --spectrum | --instantiate)
    [[ -f $file ]] && "$binary" check "$file" --format json 2>/dev/null |
      sed -n '/"spectrums"/,$ s/^      "name": "\([^" ]*\)",*$/\1/p'
    ;;
  --without-pass)
    "$binary" synth --help 2>/dev/null | tr '\n' ' ' |
      sed -n 's/.*--without-pass PASS[^:]*: *\([a-z, -]*[a-z]\)  *-o,.*/\1/p' | tr -d ',' | tr -s ' ' '\n'
    ;;
  --device)
    [[ $binary == *-run ]] && run=$binary || run=$binary-run
    "$run" --list-devices 2>/dev/null | awk '{ print $1 }'
    ;;
  esac
}

_tangram() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local words=("${COMP_WORDS[0]}") file='' word index
  COMPREPLY=()

  # The command so far: names of commands, until something else comes.
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ $word == *.cpp ]]; then
      file=$word
    elif __tangram_commands "${words[@]}" | grep -qxF -- "$word"; then
      words+=("$word")
    fi
  done

  if [[ $previous == --* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(__tangram_values "${words[0]}" "$previous" "$file")" -- "$current")
    ((${#COMPREPLY[@]} == 0)) || return 0
  fi
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(__tangram_options "${words[@]}")" -- "$current")
    return 0
  fi
  mapfile -t COMPREPLY < <(compgen -W "$(__tangram_commands "${words[@]}")" -- "$current")
  if [[ ${words[*]: -2} == "hw show" ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(__tangram_values "${words[0]}" --hw '')" -- "$current")
  fi
  # No match here: bash completes file names (-o default).
}

complete -o default -F _tangram tangram tangram-run
