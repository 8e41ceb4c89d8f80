# dtp completion for bash 3.2 and later. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

# What may follow the command $1. Sets commands, aliases, switches, and options: the flags that take a value.
_dtp_page() {
  commands='' aliases='' switches='' options=''
  case $1 in
# PAGES
  esac
}

# What may stand behind the flag $2 of the command $1, or as its argument of that number. Sets kind, and values.
_dtp_slot() {
  kind='' values=()
  case "$1 $2" in
# SLOTS
  esac
}

# Splits what stands before the cursor as the shell will. Sets words, cur to the last one, and quote where one is open.
_dtp_split() {
  local rest=$1 part
  words=() cur='' quote=''
  while [[ $rest ]]; do
    part=${rest%%[[:space:]\"\'\\]*}
    cur+=$part rest=${rest:${#part}}
    case $rest in
      [[:space:]]*)
        words+=("$cur") cur=''
        rest=${rest#"${rest%%[![:space:]]*}"}
        ;;
      \\*) cur+=${rest:1:1} rest=${rest:2} ;;
      [\"\']*)
        quote=${rest:0:1} rest=${rest:1}
        part=${rest%%"$quote"*}
        cur+=$part
        [[ $part == "$rest" ]] && return
        rest=${rest:${#part}+1} quote=''
        ;;
    esac
  done
}

# Keeps what a later value depends on.
_dtp_note() {
  case $1 in
    --profile | --base-url | --ca-cert | --proxy) settings+=("$1" "$2") ;;
    -w | --workspace) settings+=(--workspace "$2") ;;
    --namespace | --namespace-name) namespace=$2 ;;
  esac
}

# Goes down to the command $1, where there is one here.
_dtp_enter() {
  local name=$1
  if [[ " $aliases" == *" $1="* ]]; then
    name=" $aliases" name=${name#*" $1="} name=${name%% *}
  elif [[ " $commands " != *" $1 "* ]]; then
    return 1
  fi
  path="${path:+$path }$name"
  [[ $path == help ]] && helping=1 path=''
  _dtp_page "$path"
}

# Offers $1 for all of the word. What readline leaves alone is taken off, and what means something to the shell is quoted.
_dtp_offer() {
  [[ $1 == "$cur"* ]] || return
  local rest=${1#"$head"}
  if [[ ! $quote ]]; then
    printf -v rest %q "$rest"
  elif [[ $rest == *[\"\'\\\$\`!]* ]]; then
    return 1
  fi
  COMPREPLY+=("$rest")
}

# Offers files, or with -d folders, behind $prefix. readline does it best, where its word is the path alone.
_dtp_files() {
  local name
  if [[ $head == "$prefix" ]] && type compopt >/dev/null 2>&1; then
    [[ $1 == -d ]] && compopt -o dirnames || compopt -o default
    return
  fi
  while IFS= read -r name; do
    [[ -d $name ]] && name+=/
    _dtp_offer "$prefix$name"
  done < <(compgen "$1" -- "${cur#"$prefix"}")
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}

# Offers what `dtp __complete` lists. What the shell is still to expand is not known yet.
_dtp_ask() {
  local value help helps=() index
  case "${settings[*]-} $2" in *[\$\`]*) return ;; esac
  while IFS=$'\t' read -r value help; do
    _dtp_offer "$prefix$value" && helps+=("$help")
  done < <(command dtp __complete ${settings[@]+"${settings[@]}"} "$@" 2>/dev/null </dev/null)
  # Beside several stands what they are: of those only the common beginning is put in, save by these two keys.
  if ((${#COMPREPLY[@]} > 1)) && [[ ${COMP_TYPE:-37} != 37 && $COMP_TYPE != 42 ]]; then
    for index in "${!COMPREPLY[@]}"; do
      [[ ${helps[index]} ]] && COMPREPLY[index]+="  (${helps[index]})"
    done
  fi
}

# Offers the command line of another program, as bash-completion does where it is loaded.
_dtp_program() {
  local index name
  for index in "${!COMP_WORDS[@]}"; do
    [[ ${COMP_WORDS[index]} == -- ]] && break
  done
  if declare -F _command_offset >/dev/null; then
    _command_offset $((index + 1))
  elif ((count > 0)); then
    _dtp_files -f
  else
    while IFS= read -r name; do
      _dtp_offer "$name"
    done < <(compgen -c -- "$cur")
  fi
}

_dtp() {
  # -o and -O are two flags.
  if shopt -q nocasematch; then
    shopt -u nocasematch
    _dtp "$@"
    shopt -s nocasematch
    return
  fi
  local IFS=$' \t\n' words cur quote word path='' flag='' ended='' helping='' namespace='' first='' count=0
  local commands aliases switches options shared valued kind values settings=() head='' prefix='' own=$2 operator='^[0-9&]*[<>]+&?$'
  COMPREPLY=()
  _dtp_split "${COMP_LINE:0:COMP_POINT}"
  _dtp_page ''
  shared="$switches $options" valued=$options
  for word in "${words[@]:1}"; do
    if [[ $flag ]]; then
      _dtp_note "$flag" "$word"
      flag=''
    elif [[ $word =~ $operator ]]; then
      flag='>'
    elif [[ ! $ended && $word == -?* ]]; then
      case $word in
        --) ended=1 ;;
        --*=*) _dtp_note "${word%%=*}" "${word#*=}" ;;
        *) [[ " $options $valued " == *" $word "* ]] && flag=$word ;;
      esac
    elif ((count > 0)) || ! _dtp_enter "$word"; then
      ((count += 1))
      first=${first:-$word}
    fi
  done

  # readline's word begins behind the last of its own breaks, such as = and :.
  [[ $quote ]] || own=${own//\\/}
  [[ $cur == *"$own" ]] && head=${cur%"$own"}
  if [[ $flag ]]; then
    _dtp_slot "$path" "$flag"
  elif [[ ! $ended && $cur == --*=* ]]; then
    prefix=${cur%%=*}=
    _dtp_slot "$path" "${cur%%=*}"
  elif [[ ! $ended && $cur == -* ]]; then
    [[ $path ]] || switches='' options=''
    for word in $switches $options $shared; do
      [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
    done
    return
  elif [[ $commands ]]; then
    ((count > 0)) && return
    for word in $commands; do
      [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
    done
    # Other names are for those who try them.
    ((${#COMPREPLY[@]})) || for word in $aliases; do
      [[ ${word%%=*} == "$cur"* ]] && COMPREPLY+=("${word%%=*}")
    done
    return
  elif [[ $helping ]]; then
    return
  else
    _dtp_slot "$path" $((count + 1))
    [[ $kind ]] || _dtp_slot "$path" rest
  fi

  local value=${cur#"$prefix"}
  case $kind in
    '') ;;
    words) for word in "${values[@]}"; do _dtp_offer "$prefix$word"; done ;;
    file) _dtp_files -f ;;
    folder) _dtp_files -d ;;
    document) [[ $value == @* ]] && prefix+=@ && _dtp_files -f ;;
    member) [[ $value =~ ^[^=]*=@ ]] && prefix+=$BASH_REMATCH && _dtp_files -f ;;
    program) [[ $ended ]] && _dtp_program ;;
    reference)
      case $value in
        */*) ;;
        *@*) prefix+=${value%%@*}@ && _dtp_ask digests "${value%%@*}" ;;
        *:*) prefix+=${value%%:*}: && _dtp_ask tags "${value%%:*}" ;;
        *) _dtp_ask namespaces '' ;;
      esac
      ;;
    *) _dtp_ask "$kind" "${namespace:-$first}" ;;
  esac
}

complete -F _dtp dtp
