#!/bin/sh
# Installs dtp for this user: it downloads the archive for this machine, checks its digest, and copies the executable,
# the completions and the man pages. It needs no root. Run it with --help to see the options.
set -eu
umask 022
# No file of a release has 512 MiB. Without its signal, a file that grows larger is a failed write.
trap '' XFSZ
ulimit -f 1048576 2>/dev/null || :

VERSION='@VERSION@'
URL='@URL@'

help() {
  cat <<'END'
Usage: sh install.sh [--version X] [--to FOLDER] [--uninstall]

  --version X    install this version
  --to FOLDER    put dtp into this folder (default: ~/.local/bin)
  --uninstall    delete the installed files; settings and data stay

Completions and man pages go to ~/.local/share. DTP_INSTALL_URL replaces the URL of the release.
END
}

# Prints an error and its next step, and exits. Nothing is installed until everything is ready.
fail() {
  printf 'error: %s\n' "$1" >&2
  [ -z "${2-}" ] || printf '  %s\n' "$2" >&2
  exit 1
}

needs_value() { [ "$2" -gt 1 ] || fail "$1 needs a value" 'See: sh install.sh --help'; }

to= uninstall=
while [ $# -gt 0 ]; do
  case $1 in
    --version) needs_value "$1" $#; VERSION=${2#v}; shift ;;
    --to) needs_value "$1" $#; to=$2; shift ;;
    --uninstall) uninstall=1 ;;
    -h | --help) help; exit 0 ;;
    *) fail "install.sh has no option $1" 'See: sh install.sh --help' ;;
  esac
  shift
done
case $VERSION in *[!0-9A-Za-z.-]* | '') fail "invalid version: $VERSION" 'Pass one such as 0.1.0' ;; esac
case $to in
  '') [ -n "${HOME-}" ] || fail 'HOME is not set' 'Pass a folder with --to, and set HOME' ;;
  /*) ;;
  *) to=$PWD/$to ;;
esac
[ -n "${HOME-}" ] || fail 'HOME is not set' 'Set it: completions and man pages go below it'
to=${to:-$HOME/.local/bin}
share=$HOME/.local/share

if [ -n "$uninstall" ]; then
  [ -e "$to/dtp" ] || fail "$to has no dtp" 'Pass the folder that has it with --to'
  rm -f "$to/dtp" "$share/bash-completion/completions/dtp" "$share/zsh/site-functions/_dtp" \
    "$share/fish/vendor_completions.d/dtp.fish" "$share"/man/man1/dtp.1 "$share"/man/man1/dtp-*.1 \
    "$share"/man/man7/dtp-*.7 || fail "cannot delete all files of dtp" "Check the permissions of $to"
  printf 'Deleted %s, its completions and its man pages. Settings and data stay.\n' "$to/dtp"
  exit 0
fi

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) fail "install.sh is for Linux and macOS, not for $(uname -s)" 'On Windows, unpack the .zip file of the release' ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) fail "there is no executable for $(uname -m)" 'Install Node, and the npm package' ;;
esac
folder=dtp-$VERSION-$system-$machine
archive=$folder.tar.gz
# The version has no character with a meaning for sed.
url=${DTP_INSTALL_URL:-$(printf '%s' "$URL" | sed "s/{version}/$VERSION/g")}

temporary=$(mktemp -d) || fail 'cannot create a temporary folder' "Free space in ${TMPDIR:-/tmp}, or set TMPDIR"
staged=$temporary/staged
: >"$staged"
# Deletes what is not yet in its place.
clean() {
  while IFS= read -r new && IFS= read -r target; do rm -rf "$new"; done <"$staged"
  rm -rf "$temporary"
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

download() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --retry 2 --connect-timeout 30 --speed-limit 1 --speed-time 60 \
      --output "$temporary/$1" "$url/$1"
  elif command -v wget >/dev/null 2>&1; then
    # The wget of busybox does not have the first option, and crashes with the second one.
    if wget --help 2>&1 | grep -q -e --tries; then set -- "$1" --tries=3 --timeout=60; fi
    name=$1
    shift
    wget "$@" -q -O "$temporary/$name" "$url/$name"
  else
    fail 'curl and wget are missing' 'Install one of them'
  fi
}

digest_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <"$1"
  else openssl dgst -sha256 -r <"$1"; fi | cut -d ' ' -f 1
}

fetch() {
  download "$1" || fail "cannot download $url/$1" \
    "Check the version, the network, and the free space in ${TMPDIR:-/tmp}. Nothing was installed"
}

fetch SHA256SUMS
expected=
while read -r digest name; do
  if [ "$name" = "$archive" ]; then expected=$digest; fi
done <"$temporary/SHA256SUMS"
[ -n "$expected" ] || fail "SHA256SUMS does not list $archive" 'Nothing was installed'
fetch "$archive"
actual=$(digest_of "$temporary/$archive")
[ "$actual" = "$expected" ] || fail "$archive has the digest $actual instead of $expected" \
  'Nothing was installed. The download is damaged, or somebody changed it. Try again'
tar -xzf "$temporary/$archive" -C "$temporary" || fail "cannot unpack $archive" \
  "Free space in ${TMPDIR:-/tmp}, or set TMPDIR. Nothing was installed"

# Copies a file of the archive next to its place, to a folder whose name nobody can know before.
stage() {
  [ ! -d "$2" ] || fail "$2 is a folder" 'Delete it, or rename it. Nothing was installed'
  mkdir -p "${2%/*}" && new=$(mktemp -d "${2%/*}/.dtp-new.XXXXXX") && printf '%s\n' "$new" "$2" >>"$staged" &&
    cp "$temporary/$folder/$1" "$new/${2##*/}" ||
    fail "cannot write to ${2%/*}" 'Check its permissions and its free space, or pass --to FOLDER. Nothing was installed'
}

# The first one is the first to be replaced: if that fails, nothing has changed.
stage dtp "$to/dtp"
program=$new/dtp
stage completions/dtp.bash "$share/bash-completion/completions/dtp"
stage completions/_dtp "$share/zsh/site-functions/_dtp"
stage completions/dtp.fish "$share/fish/vendor_completions.d/dtp.fish"
for page in "$temporary/$folder"/man/man*/*; do
  page=${page#"$temporary/$folder/"}
  stage "$page" "$share/$page"
done
# A Mac only starts signed programs.
if [ "$system" = macos ]; then codesign --force --sign - "$program" 2>/dev/null || fail 'codesign failed'; fi
"$program" --version >/dev/null || fail 'dtp does not run on this machine' \
  'It needs glibc 2.28 or later, libstdc++ and libatomic. On Debian: apt-get install libstdc++6 libatomic1'
while IFS= read -r new && IFS= read -r target; do
  mv -f "$new/${target##*/}" "$target" || fail "cannot replace $target" 'Check its permissions'
done <"$staged"

printf 'Installed dtp %s as %s\n' "$VERSION" "$to/dtp"
case :$PATH: in
  *":$to:"*) ;;
  *) printf 'To find it, add its folder to the PATH:\n  export PATH="%s:$PATH"\n' "$to" ;;
esac
