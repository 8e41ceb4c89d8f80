# dtp completion for bash 3.2 and later. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

# What may follow the command $1. Sets commands, aliases, switches, and options: the flags that take a value.
_dtp_page() {
  commands='' aliases='' switches='' options=''
  case $1 in
    '')
      commands='api artifacts auth code-samples codehost completion config dev doctor events help init mcp open orgs publishing-tokens reports schema schema-store serve short-urls subscriptions suggest ws'
      aliases='artifact=artifacts samples=code-samples code-sample=code-samples code-host=codehost event=events organizations=orgs organization=orgs org=orgs publishing-token=publishing-tokens report=reports schemas=schema-store short-url=short-urls subscription=subscriptions suggestions=suggest workspaces=ws workspace=ws'
      switches='-V --version --json --all-fields --wide -r --raw-output --no-headers --force --no-input -y --yes --no-progress --insecure --allow-http --allow-failure --dry-run --curl -v --verbose --debug -h --help'
      options='--base-url --profile -w --workspace --organization-slug --workspace-slug -o --output --fields --query -O --output-file --timeout --connect-timeout --proxy --ca-cert --retry --error-format --color'
      ;;
    'api')
      switches='--paginate -i --include'
      options='-X --method --body -F --field -f --raw-field -H --header'
      ;;
    'artifacts')
      commands='blobs manifests namespaces preflight pull push remote-sources revisions tags'
      aliases='blob=blobs manifest=manifests namespace=namespaces remote-source=remote-sources revision=revisions tag=tags'
      ;;
    'artifacts blobs')
      commands='get'
      ;;
    'artifacts manifests')
      commands='get'
      ;;
    'artifacts manifests get')
      options='--accept'
      ;;
    'artifacts namespaces')
      commands='archive list set-visibility'
      aliases='ls=list'
      ;;
    'artifacts namespaces archive')
      switches='--archived --no-archived --skeleton'
      options='--body -F --field -f --raw-field'
      ;;
    'artifacts namespaces list')
      switches='--watch'
      ;;
    'artifacts namespaces set-visibility')
      switches='--public --no-public --skeleton'
      options='--body -F --field -f --raw-field'
      ;;
    'artifacts preflight')
      switches='--skeleton'
      options='--body --namespace-name -F --field -f --raw-field'
      ;;
    'artifacts push')
      options='--namespace --tag --include'
      ;;
    'artifacts remote-sources')
      commands='create list'
      aliases='ls=list'
      ;;
    'artifacts remote-sources create')
      switches='--skeleton'
      options='--body --inputs --overlays --output-value -F --field -f --raw-field'
      ;;
    'artifacts remote-sources list')
      switches='--watch'
      options='--namespace-name'
      ;;
    'artifacts revisions')
      commands='list'
      aliases='ls=list'
      ;;
    'artifacts revisions list')
      switches='--all --watch'
      options='--page-token --limit'
      ;;
    'artifacts tags')
      commands='add list'
      aliases='ls=list'
      ;;
    'artifacts tags add')
      switches='--skeleton'
      options='--body --revision-digest --tags -F --field -f --raw-field'
      ;;
    'artifacts tags list')
      switches='--watch'
      ;;
    'auth')
      commands='access login logout oidc-token status token user validate'
      ;;
    'auth access')
      switches='--passive --no-passive --watch'
      options='--gen-lock-id --target-type'
      ;;
    'auth login')
      switches='--with-token'
      options='--scheme'
      ;;
    'auth oidc-token')
      options='--audience --variable'
      ;;
    'auth status')
      switches='--watch'
      ;;
    'auth token')
      switches='--watch'
      ;;
    'auth user')
      switches='--watch'
      ;;
    'auth validate')
      switches='--watch'
      ;;
    'code-samples')
      commands='get jobs preview'
      aliases='job=jobs'
      ;;
    'code-samples get')
      switches='--watch'
      options='--registry-url --operation-ids --method-paths --languages --out-dir'
      ;;
    'code-samples jobs')
      commands='create get'
      ;;
    'code-samples jobs create')
      switches='--skeleton --wait'
      options='--schema-file --language --package-name --sdk-class-name --operation-ids --body -F --field -f --raw-field --wait-timeout --poll-interval'
      ;;
    'code-samples jobs get')
      switches='--wait --watch'
      options='--wait-timeout --poll-interval --out-dir'
      ;;
    'code-samples preview')
      switches='--skeleton --watch'
      options='--schema-file --language --package-name --sdk-class-name --operation-ids --body -F --field -f --raw-field --out-dir'
      ;;
    'codehost')
      commands='access actions configure publishing-prs publishing-secrets setup'
      aliases='action=actions'
      ;;
    'codehost access')
      commands='check link'
      ;;
    'codehost access check')
      switches='--watch'
      options='--org --repo'
      ;;
    'codehost access link')
      options='--installation-id --codehost-org --codehost-oidc-token'
      ;;
    'codehost actions')
      commands='get trigger'
      ;;
    'codehost actions get')
      switches='--watch'
      options='--org --repo --target-name'
      ;;
    'codehost actions trigger')
      switches='--force-value --no-force-value --skeleton --wait'
      options='--body --org --repo-name --target-name --gen-lock-id --set-version -F --field -f --raw-field --wait-timeout --poll-interval'
      ;;
    'codehost configure')
      commands='code-samples docsite-repo target'
      ;;
    'codehost configure code-samples')
      switches='--skeleton'
      options='--body --org --repo --target-name -F --field -f --raw-field'
      ;;
    'codehost configure docsite-repo')
      switches='--skeleton'
      options='--body --org --repo --subdirectory --input --overlays -F --field -f --raw-field'
      ;;
    'codehost configure target')
      switches='--skeleton'
      options='--body --org --repo-name -F --field -f --raw-field'
      ;;
    'codehost publishing-prs')
      commands='check'
      ;;
    'codehost publishing-prs check')
      switches='--watch'
      options='--generate-gen-lock-id --org --repo'
      ;;
    'codehost publishing-secrets')
      commands='check store'
      ;;
    'codehost publishing-secrets check')
      switches='--watch'
      options='--generate-gen-lock-id'
      ;;
    'codehost publishing-secrets store')
      switches='--skeleton'
      options='--body --generate-gen-lock-id --secrets -F --field -f --raw-field'
      ;;
    'codehost setup')
      commands='get'
      ;;
    'codehost setup get')
      switches='--watch'
      options='--org --repo --generate-gen-lock-id'
      ;;
    'completion')
      switches='--install'
      ;;
    'config')
      commands='delete explain get list path set trust unset untrust use'
      ;;
    'config get')
      commands='base_url scheme credential_command workspace organization_slug workspace_slug words.codehost words.docsite timeout output header.api-key header.workspace-identifier ca_cert allow_http'
      ;;
    'config list')
      switches='--watch'
      ;;
    'config set')
      commands='base_url scheme credential_command workspace organization_slug workspace_slug words.codehost words.docsite timeout output header.api-key header.workspace-identifier ca_cert allow_http'
      ;;
    'config unset')
      commands='base_url scheme credential_command workspace organization_slug workspace_slug words.codehost words.docsite timeout output header.api-key header.workspace-identifier ca_cert allow_http'
      ;;
    'dev')
      switches='--ephemeral'
      options='--port --data --fail --drop --latency'
      ;;
    'doctor')
      switches='--watch'
      ;;
    'events')
      commands='list post search spool tail targets'
      aliases='ls=list target=targets'
      ;;
    'events list')
      switches='--watch'
      options='--after-created-at'
      ;;
    'events post')
      switches='--success --no-success --gh-changes-committed --no-gh-changes-committed --generate-output-tests --no-generate-output-tests --generate-published --no-generate-published --skeleton --no-check --no-fill --no-spool'
      options='--body --id --execution-id --workspace-id --interaction-type --local-started-at --local-completed-at --created-at --raw-command --duration-ms --continuous-integration-environment --gh-action-run-link --gh-action-version --gh-action-organization --gh-pull-request --gh-action-ref --gh-action-repository --repo-label --commit-head --hostname --git-user-name --git-user-email --git-remote-default-owner --git-remote-default-repo --git-relative-cwd --generate-target --generate-target-name --generate-target-version --generate-gen-lock-id --management-doc-checksum --management-doc-version --generate-version --generate-config-pre-raw --generate-config-post-raw --generate-config-pre-version --generate-config-post-version --generate-config-pre-checksum --generate-config-post-checksum --generate-eligible-features --generate-gen-lock-pre-features --generate-gen-lock-post-features --generate-gen-lock-pre-doc-version --generate-gen-lock-pre-doc-checksum --generate-gen-lock-pre-version --generate-gen-lock-pre-revision-digest --generate-gen-lock-pre-blob-digest --generate-gen-lock-pre-namespace-name --generate-bump-type --generate-number-of-operations-ignored --generate-number-of-operations-used --generate-number-of-terraform-resources --generate-repo-url --publish-package-url --publish-package-name --publish-package-version --publish-package-registry-name --source-revision-digest --source-blob-digest --source-namespace-name --lint-report-digest --lint-report-error-count --lint-report-warning-count --lint-report-info-count --openapi-diff-report-digest --openapi-diff-base-source-revision-digest --openapi-diff-base-source-blob-digest --openapi-diff-base-source-namespace-name --openapi-diff-breaking-changes-count --openapi-diff-bump-type --error --mermaid-diagram --last-step --test-report-raw --workflow-pre-raw --workflow-post-raw --workflow-lock-pre-raw --workflow-lock-post-raw -F --field -f --raw-field --batch-size --concurrency --on-error'
      ;;
    'events search')
      switches='--success --no-success --chart --all --watch'
      options='--source-revision-digest --lint-report-digest --openapi-diff-report-digest --interaction-type --generate-gen-lock-id --execution-id --limit'
      ;;
    'events spool')
      commands='drop flush list'
      ;;
    'events spool drop')
      switches='--rejected --corrupt --all'
      options='--older-than'
      ;;
    'events spool flush')
      switches='--rejected'
      ;;
    'events spool list')
      switches='--watch'
      ;;
    'events tail')
      switches='--success --no-success'
      options='--since --interaction-type --execution-id --poll-interval'
      ;;
    'events targets')
      commands='list list-deprecated'
      aliases='ls=list'
      ;;
    'events targets list')
      switches='--watch'
      options='--after-last-event-created-at'
      ;;
    'events targets list-deprecated')
      switches='--watch'
      options='--after-last-event-created-at'
      ;;
    'help')
      switches='--all'
      options='--man'
      ;;
    'init')
      switches='--local --with-token --folder-file --completions --no-event'
      options='--scheme --ci'
      ;;
    'mcp')
      switches='--allow-writes'
      options='--tools --root'
      ;;
    'open')
      switches='--print'
      ;;
    'orgs')
      commands='add-ons create free-trial get list usage'
      aliases='addons=add-ons add-on=add-ons trial=free-trial ls=list'
      ;;
    'orgs add-ons')
      commands='create delete list'
      aliases='rm=delete ls=list'
      ;;
    'orgs add-ons create')
      switches='--skeleton'
      options='--body --add-ons -F --field -f --raw-field'
      ;;
    'orgs add-ons list')
      switches='--watch'
      ;;
    'orgs create')
      switches='--telemetry-disabled --no-telemetry-disabled --sso-activated --no-sso-activated --internal --no-internal --skeleton'
      options='--body --id --name --slug --account-type --created-at --updated-at --free-trial-expiry --sso-connection-id -F --field -f --raw-field'
      ;;
    'orgs free-trial')
      commands='create'
      ;;
    'orgs get')
      switches='--watch'
      ;;
    'orgs list')
      switches='--watch'
      ;;
    'orgs usage')
      commands='get'
      ;;
    'orgs usage get')
      switches='--chart --watch'
      ;;
    'publishing-tokens')
      commands='create delete get list metadata target update'
      aliases='rm=delete ls=list'
      ;;
    'publishing-tokens create')
      switches='--skeleton'
      options='--target-id --target-resource --valid-until --token-name --body -F --field -f --raw-field'
      ;;
    'publishing-tokens get')
      switches='--watch'
      ;;
    'publishing-tokens list')
      switches='--watch'
      ;;
    'publishing-tokens metadata')
      switches='--watch'
      ;;
    'publishing-tokens target')
      switches='--watch'
      ;;
    'publishing-tokens update')
      switches='--skeleton'
      options='--valid-until --token-name --body -F --field -f --raw-field'
      ;;
    'reports')
      commands='changes-url linting-url upload'
      ;;
    'reports changes-url')
      switches='--open'
      options='--download'
      ;;
    'reports linting-url')
      switches='--open'
      options='--download'
      ;;
    'reports upload')
      switches='--skeleton --shorten --open --checksum'
      options='--data --type --file --body -F --field -f --raw-field'
      ;;
    'schema')
      switches='--all --json-schema'
      ;;
    'schema-store')
      commands='create get'
      ;;
    'schema-store create')
      switches='--skeleton'
      options='--spec --package-name --sdk-classname --format --body -F --field -f --raw-field'
      ;;
    'schema-store get')
      switches='--skeleton --watch'
      options='--id --body -F --field -f --raw-field'
      ;;
    'serve')
      switches='--ephemeral'
      options='--port --data --fail --drop --latency'
      ;;
    'short-urls')
      commands='create'
      ;;
    'short-urls create')
      switches='--skeleton'
      options='--url --body -F --field -f --raw-field'
      ;;
    'subscriptions')
      commands='activate ignore'
      ;;
    'suggest')
      commands='from-summary items openapi registry'
      ;;
    'suggest from-summary')
      switches='--skeleton'
      options='--session-id --body --oas-summary --suggestion-type --diagnostics -F --field -f --raw-field --schema'
      ;;
    'suggest items')
      switches='--skeleton --watch'
      options='--body --prompt --items -F --field -f --raw-field'
      ;;
    'suggest openapi')
      switches='--skeleton'
      options='--session-id --schema --opts --suggestion-type --diagnostics --body -F --field -f --raw-field'
      ;;
    'suggest registry')
      switches='--skeleton'
      options='--session-id --body --oas-summary --suggestion-type --diagnostics -F --field -f --raw-field'
      ;;
    'ws')
      commands='create current feature-flags get list settings team tokens update use'
      aliases='flags=feature-flags feature-flag=feature-flags ls=list setting=settings members=team token=tokens'
      ;;
    'ws create')
      switches='--inactive --no-inactive --telemetry-disabled --no-telemetry-disabled --verified --no-verified --skeleton'
      options='--body --created-at --id --name --organization-id --slug --updated-at -F --field -f --raw-field'
      ;;
    'ws current')
      switches='--watch'
      ;;
    'ws feature-flags')
      commands='get set'
      ;;
    'ws feature-flags get')
      switches='--watch'
      ;;
    'ws feature-flags set')
      switches='--skeleton'
      options='--body --feature-flags -F --field -f --raw-field'
      ;;
    'ws get')
      switches='--watch'
      ;;
    'ws list')
      switches='--watch'
      ;;
    'ws settings')
      commands='get update'
      ;;
    'ws settings get')
      switches='--watch'
      ;;
    'ws settings update')
      switches='--skeleton'
      options='--body --workspace-id --webhook-url --created-at --updated-at -F --field -f --raw-field'
      ;;
    'ws team')
      commands='grant list revoke'
      aliases='ls=list'
      ;;
    'ws team list')
      switches='--watch'
      ;;
    'ws tokens')
      commands='create delete list'
      aliases='rm=delete ls=list'
      ;;
    'ws tokens create')
      switches='--skeleton'
      options='--body --id --name --workspace-id --alg --key --last-used --created-at --created-by --created-by-name --created-by-photo-url --email -F --field -f --raw-field'
      ;;
    'ws tokens list')
      switches='--watch'
      ;;
    'ws update')
      switches='--inactive --no-inactive --telemetry-disabled --no-telemetry-disabled --verified --no-verified --skeleton'
      options='--body --created-at --id --name --organization-id --slug --updated-at -F --field -f --raw-field'
      ;;
  esac
}

# What may stand behind the flag $2 of the command $1, or as its argument of that number. Sets kind, and values.
_dtp_slot() {
  kind='' values=()
  case "$1 $2" in
    *' --profile' | 'config delete 1' | 'config use 1')
      kind=profiles
      ;;
    *' -w' | *' --workspace' | 'config set workspace 1' | 'ws use 1')
      kind=workspaces
      ;;
    *' -o' | *' --output' | 'config set output 1')
      kind=words values=('table' 'json' 'yaml' 'ndjson' 'csv' 'tsv' 'name' 'raw')
      ;;
    *' -O' | *' --output-file' | *' --ca-cert' | 'artifacts push --include' | *' --schema-file' | *' --download' | *' --file' | *' --spec' | *' --schema' | 'artifacts push 1' | 'config set ca_cert 1' | 'config trust 1' | 'config untrust 1' | 'schema-store create 1')
      kind=file
      ;;
    *' --error-format')
      kind=words values=('auto' 'text' 'json')
      ;;
    *' --color')
      kind=words values=('auto' 'always' 'never')
      ;;
    *' -X' | *' --method')
      kind=words values=('GET' 'POST' 'PUT' 'PATCH' 'DELETE')
      ;;
    *' --body' | *' --inputs' | 'artifacts remote-sources create --overlays' | *' --output-value' | *' --method-paths' | *' --codehost-oidc-token' | *' --secrets' | 'reports upload --data' | *' --oas-summary' | *' --diagnostics' | *' --opts')
      kind=document
      ;;
    *' -F' | *' --field')
      kind=member
      ;;
    *' --namespace-name' | *' --namespace' | 'artifacts blobs get 1' | 'artifacts manifests get 1' | 'artifacts namespaces archive 1' | 'artifacts namespaces set-visibility 1' | 'artifacts revisions list 1' | 'artifacts tags add 1' | 'artifacts tags list 1' | 'subscriptions activate 2' | 'subscriptions ignore 2' | 'suggest registry 1')
      kind=namespaces
      ;;
    *' --tag' | *' --tags')
      kind=tags
      ;;
    *' --revision-digest')
      kind=digests
      ;;
    *' --scheme' | 'config set scheme 1')
      kind=words values=('api-key' 'bearer' 'workspace-identifier')
      ;;
    *' --out-dir' | 'dev --data' | 'serve --data' | *' --man')
      kind=folder
      ;;
    'events post --interaction-type' | 'events search --interaction-type')
      kind=words values=('CI_EXEC' 'CLI_EXEC' 'LINT' 'OPENAPI_DIFF' 'TARGET_GENERATE' 'TOMBSTONE' 'AUTHENTICATE' 'QUICKSTART' 'RUN' 'CONFIGURE' 'PUBLISH' 'TEST')
      ;;
    *' --generate-bump-type')
      kind=words values=('major' 'minor' 'patch' 'custom' 'graduate' 'prerelease' 'none')
      ;;
    *' --openapi-diff-bump-type')
      kind=words values=('major' 'minor' 'patch' 'none')
      ;;
    *' --on-error')
      kind=words values=('stop' 'skip')
      ;;
    *' --ci')
      kind=words values=('print' 'write')
      ;;
    *' --add-ons' | 'orgs add-ons delete 1')
      kind=words values=('webhooks' 'sdk_testing' 'custom_code_regions' 'snippet_ai')
      ;;
    *' --account-type')
      kind=words values=('free' 'scale-up' 'business' 'enterprise')
      ;;
    *' --type')
      kind=words values=('linting' 'changes')
      ;;
    *' --format')
      kind=words values=('json' 'yaml')
      ;;
    *' --suggestion-type')
      kind=words values=('method-names' 'diagnostics-only')
      ;;
    *' --feature-flags')
      kind=words values=('schema_registry' 'changes_report' 'skip_schema_registry' 'webhooks')
      ;;
    'artifacts manifests get 2' | 'suggest registry 2')
      kind=revisions
      ;;
    'artifacts pull 1')
      kind=reference
      ;;
    'completion 1')
      kind=words values=('bash' 'zsh' 'fish' 'powershell')
      ;;
    'config set allow_http 1')
      kind=words values=('true' 'false')
      ;;
    'dev rest')
      kind=program
      ;;
    'events list 1')
      kind=targets
      ;;
    'orgs get 1')
      kind=organizations
      ;;
    'publishing-tokens delete 1' | 'publishing-tokens get 1' | 'publishing-tokens metadata 1' | 'publishing-tokens target 1' | 'publishing-tokens update 1')
      kind=publishing-tokens
      ;;
    'ws team revoke 1')
      kind=members
      ;;
    'ws tokens delete 1')
      kind=workspace-tokens
      ;;
    *' >') kind=file ;;
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
