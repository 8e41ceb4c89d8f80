# Fills a fresh store in the current folder for the tasks of bench/agents.md. Source it with the path of the checkout:
#   . PATH/bench/support/agents-store.sh PATH
# It needs dtp on the PATH, and GNU date.
export TZ=UTC DTP_PROFILE=local
export DTP_CONFIG_DIR="$PWD/store/config" DTP_DATA_DIR="$PWD/store/data" DTP_STATE_DIR="$PWD/store/state"
event() { # ID RUN TYPE SUCCESS ERROR LOCK-ID WHEN
  at=$(date -d "$7" +%FT%TZ)
  printf '{"id":"%s","execution_id":"%s","interaction_type":"%s","success":%s,"error":"%s","generate_gen_lock_id":"%s",' \
    "$1" "$2" "$3" "$4" "$5" "$6"
  printf '"generate_target":"typescript","local_started_at":"%s","created_at":"%s"}\n' "$at" "$at"
}
{
  event y-1 run-77 RUN false 'lint: operationId is missing' sdk-ts 'yesterday 12:01'
  event y-2 run-77 RUN false 'lint: operationId is missing' sdk-ts 'yesterday 12:02'
  event y-3 run-77 RUN false 'npm: 403 Forbidden' sdk-ts 'yesterday 12:03'
  for n in 4 5 6 7; do event "y-$n" run-77 RUN true '' sdk-ts "yesterday 12:0$n"; done
  event d-3 run-78 LINT false timeout sdk-py '3 days ago'
  event d-0 run-79 LINT false timeout sdk-py now
} > days.ndjson
dtp events post --body @days.ndjson
cp -r "$1/examples/petstore" spec
cp -r spec before
sed -i 's/^  version: .*/  version: 0.9.0/' before/openapi.yaml
dtp artifacts push before pets:v1
dtp artifacts push spec pets:v2 --tag latest
dtp artifacts push before old:v1
dtp ws tokens create --name old-ci
dtp ws team grant ann@example.com
dtp codehost access link --installation-id 42 --codehost-org acme
dtp codehost configure target --repo acme/sdk
for n in 1 2 3 4 5; do
  printf '{"id":"n-%s","execution_id":"run-100","interaction_type":"CI_EXEC","success":true}\n' "$n"
done > events.ndjson
echo '<title>lint</title>' > lint.html
printf 'n-secret' > npm.txt
rm -r before days.ndjson
