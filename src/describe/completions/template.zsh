#compdef dtp
# dtp completion for zsh. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

# What may follow the command $1. Sets subcommands, shortcuts to them, the flags that take a value, and specs.
_dtp_page() {
  subcommands=() shortcuts='' valued='' specs=()
  case $1 in
# PAGES
  esac
}

# The flags of every command.
_dtp_shared() {
  shared=(
# SHARED
  )
}

# Keeps what a later value depends on.
_dtp_note() {
  case $1 in
    (--profile|--base-url|--ca-cert|--proxy) settings+=("$1" "$2") ;;
    (-w|--workspace) settings+=(--workspace "$2") ;;
    (--namespace|--namespace-name) namespace=$2 ;;
  esac
}

# Goes down to the command $1, where there is one here.
_dtp_enter() {
  local name=$1
  if [[ " $shortcuts" == *" $1="* ]]; then
    name=" $shortcuts"
    name=${${name#*" $1="}%% *}
  elif (( ! ${subcommands[(I)${(b)1}:*]} )); then
    return 1
  fi
  page=${page:+$page }$name
  if [[ $page == help ]]; then
    helping=1 page=''
  fi
  _dtp_page "$page"
}

_dtp_commands() {
  local -a others
  _describe -t commands command subcommands && return
  # Other names are for those who try them.
  others=(${${=shortcuts}%%=*})
  _describe -t commands command others
}

# Offers what `dtp __complete` lists. What the shell is still to expand is not known yet.
_dtp_ask() {
  local row of=${2:-${namespace:-$first}}
  local -a rows
  # _arguments asks for arguments too, where a flag is being typed.
  [[ $PREFIX == -* ]] && return 1
  [[ "${(j: :)settings} $of" == *[\$\`]* ]] && return 1
  for row in "${(@f)$(command dtp __complete "${(@)settings}" "$1" "$of" 2>/dev/null </dev/null)}"; do
    [[ -n $row ]] && rows+=("${${${row%%$'\t'*}//\\/\\\\}//:/\\:}:${row#*$'\t'}")
  done
  _describe -t "$1" "${1//-/ }" rows
}

_dtp_reference() {
  local name=${(Q)${PREFIX%%[:@]*}}
  case $PREFIX in
    (*/*) return 1 ;;
    (*@*) compset -P '*@' && _dtp_ask digests "$name" ;;
    (*:*) compset -P '*:' && _dtp_ask tags "$name" ;;
    (*) _dtp_ask namespaces ;;
  esac
}

_dtp_nothing() { return 1 }
_dtp_document() { compset -P '@' && _files }
_dtp_member() { compset -P '[^=]#=@' && _files }

# The command line of another program, behind --.
_dtp_program() {
  [[ -n $ended ]] || return
  if [[ $words[1] == -- ]]; then
    shift words
    (( CURRENT -= 1 ))
  fi
  _normal
}

_dtp() {
  local curcontext=$curcontext context state state_descr line word
  local page flag ended helping namespace first shortcuts valued everywhere
  local -a subcommands specs shared kept settings
  local -A opt_args
  integer index count=0

  kept=("$words[1]")
  _dtp_page ''
  everywhere=$valued
  for (( index = 2; index < CURRENT; index++ )); do
    word=${(Q)words[index]}
    if [[ -n $flag ]]; then
      _dtp_note "$flag" "$word"
      flag=''
    elif [[ -z $ended && $word == -?* ]]; then
      case $word in
        (--) ended=1 ;;
        (--*=*) _dtp_note "${word%%=*}" "${word#*=}" ;;
        (*) [[ " $valued $everywhere " == *" $word "* ]] && flag=$word ;;
      esac
    elif (( count == 0 )) && _dtp_enter "$word"; then
      continue
    else
      (( count += 1 ))
      first=${first:-$word}
    fi
    kept+=("$words[index]")
  done
  # As if the command's own words were not there, so that flags may stand before and behind them.
  words=("${(@)kept}" "${(@)words[CURRENT,-1]}")
  CURRENT=$(( $#kept + 1 ))

  _dtp_shared
  [[ -n $helping ]] && specs=()
  (( $#subcommands )) && specs+=('1: :_dtp_commands')
  _arguments -s -S : "${(@)shared}" "${(@)specs}"
}

# Sourced, or found in fpath.
if [[ $zsh_eval_context[-1] == (file|eval) ]]; then
  compdef _dtp dtp
else
  _dtp "$@"
fi
