#!/bin/sh
# Regenerates the keys and certificates in this folder: sh test/support/tls/make.sh, with OpenSSL 3. No test depends on
# the date: valid certificates run from 2020 to 2120, expired ones ended in 2020, future ones start in 2119. The keys of
# the authorities are discarded; the other keys are used only by the tests.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/config" <<CONFIG
[ca]
default_ca = it
[it]
database = $work/index
serial = $work/serial
new_certs_dir = $work
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = none
[none]
CONFIG
: > "$work/index"
echo 01 > "$work/serial"

key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null ||
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

# certificate NAME KEY COMMON_NAME EXTENSION FROM UNTIL [AUTHORITY]: self-signed unless there is an authority.
certificate() {
  printf '%s\n' "$4" > "$work/extension"
  openssl req -config "$work/config" -new -utf8 -key "$2" -subj "/CN=$3" -out "$work/request"
  if [ $# -gt 6 ]; then set -- "$1" "$2" "$3" "$4" "$5" "$6" -cert "$7.pem" -keyfile "$work/$7.key"
  else set -- "$1" "$2" "$3" "$4" "$5" "$6" -selfsign -keyfile "$2"; fi
  name=$1 from=$5 until=$6
  shift 6
  openssl ca -config "$work/config" -batch -notext -utf8 -in "$work/request" -out "$work/made" \
    -extfile "$work/extension" -startdate "$from" -enddate "$until" "$@" 2> "$work/log" || { cat "$work/log"; exit 1; }
  openssl x509 -in "$work/made" -out "$name.pem"
}

past=20190101000000Z begin=20200101000000Z late=21190101000000Z end=21200101000000Z
authority='basicConstraints = critical, CA:TRUE'
here='subjectAltName = DNS:localhost, DNS:api.example.test, IP:127.0.0.1'

key server.key
for name in ca intermediate expired-intermediate proxy-ca hostile-ca; do key "$work/$name.key"; done
openssl genrsa -out weak.key 512 2> "$work/log"

certificate ca "$work/ca.key" 'dtp test authority' "$authority" $begin $end
certificate server server.key localhost "$here" $begin $end ca

# Self-signed.
certificate self-signed server.key localhost "$here" $begin $end
certificate expired server.key localhost "$here" $past $begin
certificate future server.key localhost "$here" $late $end
certificate other-host server.key other.example.test 'subjectAltName = DNS:other.example.test' $begin $end
certificate weak weak.key localhost "$here" $begin $end

# With an intermediate authority, valid or expired.
certificate intermediate "$work/intermediate.key" 'dtp test intermediate' "$authority" $begin $end ca
certificate below server.key localhost "$here" $begin $end intermediate
certificate expired-intermediate "$work/expired-intermediate.key" 'dtp old intermediate' "$authority" $past $begin ca
certificate below-expired server.key localhost "$here" $begin $end expired-intermediate

# From a proxy that re-signs TLS, and from an authority with a hostile name.
certificate proxy-ca "$work/proxy-ca.key" 'Example Proxy CA' "$authority" $begin $end
certificate signed-anew server.key api.example.test "$here" $begin $end proxy-ca
certificate hostile-ca "$work/hostile-ca.key" "$(printf 'evil\033[31m\342\200\256 authority')" "$authority" $begin $end
certificate hostile server.key localhost "$here" $begin $end hostile-ca
rm hostile-ca.pem
