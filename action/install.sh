#!/bin/sh
# Installs dtp for the later steps of a job. It never prints an input, because the runner would run a command in it.
set -eu
export LC_ALL=C
# No file of a release has 512 MiB. Without its signal, a file that grows larger is a failed write.
trap '' XFSZ
ulimit -f 1048576 2>/dev/null || :

fail() {
  printf '::error title=dtp::%s\n' "$1" >&2
  exit 1
}

line_feed='
'
carriage_return=$(printf '\r')
for value in "$INPUT_VERSION" "$INPUT_SHA256" "$INPUT_URL" "$INPUT_BASE_URL" "$INPUT_WORKSPACE_ID"; do
  # In GITHUB_ENV, what follows a line break would set another variable.
  case $value in *"$line_feed"* | *"$carriage_return"*) fail 'An input has a line break. Remove it.' ;; esac
done
case $INPUT_VERSION in '' | *[!0-9A-Za-z.+-]*) fail 'The input version must be a version, such as 0.1.0.' ;; esac
sha256=$(printf %s "$INPUT_SHA256" | tr A-F a-f)
case $sha256 in *[!0-9a-f]*) sha256= ;; esac
[ ${#sha256} = 64 ] || fail 'The input sha256 must be the SHA-256 of the archive, in 64 hexadecimal digits.'
url=$INPUT_URL
[ -n "$url" ] || [ -z "$ACTION_REPOSITORY" ] ||
  url=$SERVER_URL/$ACTION_REPOSITORY/releases/download/v$INPUT_VERSION
case $url in
  *[!0-9A-Za-z:/._~%+-]*) fail 'The input url has a character that is not allowed.' ;;
  https://* | http://*) ;;
  *) fail 'The input url must be the URL of the files of a release.' ;;
esac

case $RUNNER_OS-$RUNNER_ARCH in
  Linux-X64) platform=linux-x64 ;;
  Linux-ARM64) platform=linux-arm64 ;;
  macOS-X64) platform=macos-x64 ;;
  macOS-ARM64) platform=macos-arm64 ;;
  Windows-X64) platform=windows-x64 ;;
  *) fail 'A release has no archive for the platform of this runner.' ;;
esac
name=dtp-$INPUT_VERSION-$platform
archive=$name.tar.gz
[ "$platform" != windows-x64 ] || archive=$name.zip

# In the shell of Git for Windows, programs need the other form of a path.
path_as() {
  if command -v cygpath >/dev/null; then cygpath "$1" "$2"; else printf '%s\n' "$2"; fi
}
has_digest() {
  if command -v sha256sum >/dev/null; then found=$(sha256sum <"$1"); else found=$(shasum -a 256 <"$1"); fi
  [ "${found%% *}" = "$sha256" ]
}

folder=$(mktemp -d "$(path_as -u "$RUNNER_TEMP")/dtp.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Another job may have written to the cache. So only a file in it is used, which is copied first, and its digest is
# compared every time. A pipe or a device could keep this job waiting, and a link could lead elsewhere.
cache=${RUNNER_TOOL_CACHE:+$(path_as -u "$RUNNER_TOOL_CACHE")/dtp}
[ ! -L "$cache" ] || cache=
: >"$archive"
if [ -f "$cache/$sha256" ] && [ ! -L "$cache/$sha256" ]; then cp "$cache/$sha256" "$archive" 2>/dev/null || :; fi
if ! has_digest "$archive"; then
  if command -v curl >/dev/null; then
    curl -fsL --retry 3 --connect-timeout 30 --max-time 600 -o "$archive" "$url/$archive" || fail "Cannot download $archive: curl exited with $?."
  else
    wget -q -T 60 -O "$archive" "$url/$archive" || fail "Cannot download $archive: wget exited with $?."
  fi
  has_digest "$archive" || fail "The SHA-256 of $archive differs from the input sha256. Nothing was installed."
  # The cache only saves time. Nobody can know the name of the new file before it is complete.
  if mkdir -p "$cache" 2>/dev/null && new=$(mktemp -d "$cache/new.XXXXXX" 2>/dev/null); then
    { cp "$archive" "$new/" && rm -rf "${cache:?}/$sha256" && mv "$new/$archive" "$cache/$sha256"; } 2>/dev/null || :
    rm -rf "$new"
  fi
fi
case $archive in
  *.zip) unzip -q "$archive" ;;
  *) tar -xzf "$archive" ;;
esac
rm -f "$archive"
found=$("./$name/dtp" --version) || fail 'dtp does not run here. On Linux, it needs glibc, libstdc++ and libatomic.'
[ "$found" = "$INPUT_VERSION" ] || fail 'The archive contains another version of dtp. Nothing was installed.'

path_as -w "$folder/$name" >>"$GITHUB_PATH"
[ -z "$INPUT_BASE_URL" ] || printf 'DTP_BASE_URL=%s\n' "$INPUT_BASE_URL" >>"$GITHUB_ENV"
[ -z "$INPUT_WORKSPACE_ID" ] || printf 'DTP_WORKSPACE_ID=%s\n' "$INPUT_WORKSPACE_ID" >>"$GITHUB_ENV"
trap - EXIT
printf 'Installed dtp %s\n' "$INPUT_VERSION"
