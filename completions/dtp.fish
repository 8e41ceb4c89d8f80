# dtp completion for fish. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

# What may follow the command $argv[1]. Sets commands, aliases, flags, and those of them that take a value.
function __dtp_page --no-scope-shadowing
    set commands
    set aliases
    set flags
    set valued
    switch "$argv[1]"
        case ''
            set commands 'api'\t'Call any API path' 'artifacts'\t'Push, pull and tag API documents' 'auth'\t'Log in, log out, show who you are' 'code-samples'\t'Generate usage snippets' 'codehost'\t'Connect repositories on a code host' 'completion'\t'Print or install a shell completion script' 'config'\t'Profiles and settings' 'dev'\t'Run a command with the embedded service' 'doctor'\t'Check configuration, network, credential and spool' 'events'\t'Post, search and follow events' 'help'\t'Show help for a command or a topic' 'init'\t'Connect to a service, or try everything locally' 'mcp'\t'Run an MCP server with the operations as tools for agents' 'open'\t'Open the last report or run in a browser' 'orgs'\t'Organizations, usage and billing' 'publishing-tokens'\t'Tokens that authorize publishing' 'reports'\t'Upload and share lint reports and change reports' 'schema'\t'Print the schema of a command as JSON' 'schema-store'\t'Public store of API documents' 'serve'\t'Run the embedded service on loopback' 'short-urls'\t'Short URLs' 'subscriptions'\t'Subscriptions to namespaces' 'suggest'\t'Get suggestions for an API document' 'ws'\t'Workspaces, their members and tokens'
            set aliases 'artifact=artifacts' 'samples=code-samples' 'code-sample=code-samples' 'code-host=codehost' 'event=events' 'organizations=orgs' 'organization=orgs' 'org=orgs' 'publishing-token=publishing-tokens' 'report=reports' 'schemas=schema-store' 'short-url=short-urls' 'subscription=subscriptions' 'suggestions=suggest' 'workspaces=ws' 'workspace=ws'
            set flags '-V'\t'print the version' '--version'\t'print the version' '--base-url'\t'base URL of the service; local: is the embedded service' '--profile'\t'profile to use (built in: local)' '-w'\t'workspace to act on: id, name or slug; \'\' for the credential\'s own workspace' '--workspace'\t'workspace to act on: id, name or slug; \'\' for the credential\'s own workspace' '--organization-slug'\t'slug of the organization; only for manifests and blobs' '--workspace-slug'\t'slug of the workspace; only for manifests and blobs' '-o'\t'output format (default: table on a terminal, else json)' '--output'\t'output format (default: table on a terminal, else json)' '--json'\t'same as -o json' '--fields'\t'show only these fields, such as id,name,owner.name' '--all-fields'\t'on a terminal, show empty and hidden fields too' '--wide'\t'on a terminal, show every column in full' '--query'\t'JMESPath expression to apply to the result' '-r'\t'print strings without quotes' '--raw-output'\t'print strings without quotes' '--no-headers'\t'omit the header row' '-O'\t'write the result to a file, atomically' '--output-file'\t'write the result to a file, atomically' '--force'\t'overwrite the -O file if it exists' '--no-input'\t'never prompt; fail if a value is missing' '-y'\t'answer yes to all prompts' '--yes'\t'answer yes to all prompts' '--no-progress'\t'disable progress display' '--timeout'\t'maximum duration of the command, such as 90s or 5m' '--connect-timeout'\t'maximum time to connect' '--proxy'\t'proxy for everything except loopback; \'\' for none' '--ca-cert'\t'file of additional trusted certificates (PEM)' '--insecure'\t'accept any certificate (prints a warning)' '--allow-http'\t'allow sending the credential over plain http' '--retry'\t'retry read-only commands up to N times (0–5)' '--allow-failure'\t'exit 0 with a warning if the service or network fails' '--dry-run'\t'print the request and exit' '--curl'\t'print the request as a curl command and exit' '--error-format'\t'format of errors' '--color'\t'when to use color' '-v'\t'log requests and retries to stderr' '--verbose'\t'log requests and retries to stderr' '--debug'\t'like --verbose, with headers and where errors come from' '-h'\t'print help' '--help'\t'print help'
            set valued --base-url --profile -w --workspace --organization-slug --workspace-slug -o --output --fields --query -O --output-file --timeout --connect-timeout --proxy --ca-cert --retry --error-format --color
        case 'api'
            set flags '-X'\t'HTTP method (default: GET, or POST with a body)' '--method'\t'HTTP method (default: GET, or POST with a body)' '--body'\t'body as JSON or YAML: inline, @FILE or - for stdin' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '-H'\t'header, such as "accept: text/plain" (may be repeated)' '--header'\t'header, such as "accept: text/plain" (may be repeated)' '--paginate'\t'fetch all pages as one list' '-i'\t'print status and headers too: on stderr, or first on stdout with -o raw' '--include'\t'print status and headers too: on stderr, or first on stdout with -o raw'
            set valued -X --method --body -F --field -f --raw-field -H --header
        case 'artifacts'
            set commands 'blobs'\t'Blobs' 'manifests'\t'Manifests' 'namespaces'\t'Namespaces of revisions (also: dtp namespaces)' 'preflight'\t'Get a registry token for a namespace' 'pull'\t'Pull a revision into a folder and verify its digests' 'push'\t'Push an API document or a folder as a revision' 'remote-sources'\t'Remote sources of a namespace' 'revisions'\t'Revisions of a namespace (also: dtp revisions)' 'tags'\t'Tags of revisions (also: dtp tags)'
            set aliases 'blob=blobs' 'manifest=manifests' 'namespace=namespaces' 'remote-source=remote-sources' 'revision=revisions' 'tag=tags'
        case 'artifacts blobs'
            set commands 'get'\t'Get a blob of a revision'
        case 'artifacts manifests'
            set commands 'get'\t'Get the manifest of a revision'
        case 'artifacts manifests get'
            set flags '--accept'\t'media type of the manifest'
            set valued --accept
        case 'artifacts namespaces'
            set commands 'archive'\t'Archive or restore a namespace' 'list'\t'List namespaces' 'set-visibility'\t'Make a namespace public or private'
            set aliases 'ls=list'
        case 'artifacts namespaces archive'
            set flags '--archived'\t'archive it (default: true)' '--no-archived'\t'archive it (default: true)' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body -F --field -f --raw-field
        case 'artifacts namespaces list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'artifacts namespaces set-visibility'
            set flags '--public'\t'make it readable by everyone' '--no-public'\t'make it readable by everyone' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body -F --field -f --raw-field
        case 'artifacts preflight'
            set flags '--body'\t'namespace: JSON or YAML, @FILE, or - for standard input' '--namespace-name'\t'namespace that will be pushed to or pulled from' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --namespace-name -F --field -f --raw-field
        case 'artifacts push'
            set flags '--namespace'\t'namespace; created if it does not exist' '--tag'\t'tag (default: latest; may be repeated)' '--include'\t'allow a hidden file or another file type (may be repeated)'
            set valued --namespace --tag --include
        case 'artifacts remote-sources'
            set commands 'create'\t'Configure the remote source of a namespace' 'list'\t'Show the remote sources of a namespace'
            set aliases 'ls=list'
        case 'artifacts remote-sources create'
            set flags '--body'\t'inputs, overlays and output: JSON or YAML, @FILE, or - for standard input' '--inputs'\t'documents to merge, in this order (may be repeated)' '--overlays'\t'overlays applied after the merge (may be repeated)' '--output-value'\t'where the merged document is stored' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --inputs --overlays --output-value -F --field -f --raw-field
        case 'artifacts remote-sources list'
            set flags '--namespace-name'\t'namespace name' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --namespace-name
        case 'artifacts revisions'
            set commands 'list'\t'List the revisions of a namespace'
            set aliases 'ls=list'
        case 'artifacts revisions list'
            set flags '--page-token'\t'token of the next page' '--all'\t'fetch all pages as one list' '--limit'\t'maximum number of rows, across pages' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --page-token --limit
        case 'artifacts tags'
            set commands 'add'\t'Add tags to an existing revision' 'list'\t'List the tags of a namespace'
            set aliases 'ls=list'
        case 'artifacts tags add'
            set flags '--body'\t'revision and tags: JSON or YAML, @FILE, or - for standard input' '--revision-digest'\t'revision to tag: digest, its beginning, or a tag' '--tags'\t'tags to point at that revision (may be repeated)' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --revision-digest --tags -F --field -f --raw-field
        case 'artifacts tags list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'auth'
            set commands 'access'\t'Check whether the workspace may generate code' 'login'\t'Check a credential and store it in a profile' 'logout'\t'Delete the stored credential of a profile' 'oidc-token'\t'Print the OIDC token of the current CI job' 'status'\t'Check the credential and show where it comes from' 'token'\t'Get or refresh an access token for a workspace' 'user'\t'Show the current user' 'validate'\t'Check the credential and show its permissions'
        case 'auth access'
            set flags '--gen-lock-id'\t'lock id of the target, or its beginning' '--target-type'\t'kind of target' '--passive'\t'skip side effects such as metrics' '--no-passive'\t'skip side effects such as metrics' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --gen-lock-id --target-type
        case 'auth login'
            set flags '--with-token'\t'read the credential from stdin' '--scheme'\t'kind of credential'
            set valued --scheme
        case 'auth oidc-token'
            set flags '--audience'\t'audience of the token (default: the runner\'s)' '--variable'\t'variable that contains the token (GitLab: one of id_tokens)'
            set valued --audience --variable
        case 'auth status'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'auth token'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'auth user'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'auth validate'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'code-samples'
            set commands 'get'\t'Get usage snippets for a document in the registry' 'jobs'\t'Snippets generated in the background' 'preview'\t'Generate usage snippets for a document'
            set aliases 'job=jobs'
        case 'code-samples get'
            set flags '--registry-url'\t'registry URL of the document' '--operation-ids'\t'only these operations (may be repeated)' '--method-paths'\t'only these operations, each as {"method":"get","path":"/pets"} (may be repeated)' '--languages'\t'only these languages (may be repeated)' '--out-dir'\t'write each snippet to a file in this folder' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --registry-url --operation-ids --method-paths --languages --out-dir
        case 'code-samples jobs'
            set commands 'create'\t'Start a job that generates usage snippets for a document' 'get'\t'Get the snippets of a job'
        case 'code-samples jobs create'
            set flags '--schema-file'\t'API document, with the files it refers to' '--language'\t'language of the snippets' '--package-name'\t'SDK package name, for TypeScript and Python' '--sdk-class-name'\t'SDK class name, for TypeScript and Python' '--operation-ids'\t'only these operations (may be repeated)' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--wait'\t'wait until the job is done and print its result' '--wait-timeout'\t'maximum time to wait' '--poll-interval'\t'polling interval'
            set valued --schema-file --language --package-name --sdk-class-name --operation-ids --body -F --field -f --raw-field --wait-timeout --poll-interval
        case 'code-samples jobs get'
            set flags '--wait'\t'wait until the job is done and print its result' '--wait-timeout'\t'maximum time to wait' '--poll-interval'\t'polling interval' '--out-dir'\t'write each snippet to a file in this folder' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --wait-timeout --poll-interval --out-dir
        case 'code-samples preview'
            set flags '--schema-file'\t'API document, with the files it refers to' '--language'\t'language of the snippets' '--package-name'\t'SDK package name, for TypeScript and Python' '--sdk-class-name'\t'SDK class name, for TypeScript and Python' '--operation-ids'\t'only these operations (may be repeated)' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--out-dir'\t'write each snippet to a file in this folder' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --schema-file --language --package-name --sdk-class-name --operation-ids --body -F --field -f --raw-field --out-dir
        case 'codehost'
            set commands 'access'\t'Access to repositories' 'actions'\t'Runs of the workflow action' 'configure'\t'Configure a repository' 'publishing-prs'\t'Pull requests that publish a target' 'publishing-secrets'\t'Publishing secrets' 'setup'\t'Setup status of the integration'
            set aliases 'action=actions'
        case 'codehost access'
            set commands 'check'\t'Check whether the platform can access a repository' 'link'\t'Link an installation on the code host to the workspace'
        case 'codehost access check'
            set flags '--org'\t'owner of the repository on the code host' '--repo'\t'repository on the code host' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --org --repo
        case 'codehost access link'
            set flags '--installation-id'\t'installation id on the code host' '--codehost-org'\t'organization or user on the code host' '--codehost-oidc-token'\t'OIDC token of a CI run: @FILE or - (not accepted as a plain value)'
            set valued --installation-id --codehost-org --codehost-oidc-token
        case 'codehost actions'
            set commands 'get'\t'Show the latest run of the workflow action' 'trigger'\t'Trigger the workflow action of a target'
        case 'codehost actions get'
            set flags '--org'\t'owner of the repository on the code host' '--repo'\t'repository on the code host' '--target-name'\t'name of the target in the workflow file' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --org --repo --target-name
        case 'codehost actions trigger'
            set flags '--body'\t'repository and target: JSON or YAML, @FILE, or - for standard input' '--org'\t'owner of the repository' '--repo-name'\t'name of the repository' '--target-name'\t'target to run (default: all)' '--gen-lock-id'\t'lock id of the target, or its beginning' '--set-version'\t'version to release instead of the computed one' '--force-value'\t'generate even if nothing changed' '--no-force-value'\t'generate even if nothing changed' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--wait'\t'wait until the run has ended and print its status' '--wait-timeout'\t'maximum time to wait' '--poll-interval'\t'polling interval'
            set valued --body --org --repo-name --target-name --gen-lock-id --set-version -F --field -f --raw-field --wait-timeout --poll-interval
        case 'codehost configure'
            set commands 'code-samples'\t'Configure code samples for a repository' 'docsite-repo'\t'Configure the repository of the documentation site' 'target'\t'Configure a repository for a target'
        case 'codehost configure code-samples'
            set flags '--body'\t'repository and target: JSON or YAML, @FILE, or - for standard input' '--org'\t'owner of the repository' '--repo'\t'name of the repository' '--target-name'\t'target whose code samples are configured' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --org --repo --target-name -F --field -f --raw-field
        case 'codehost configure docsite-repo'
            set flags '--body'\t'repository, input and overlays: JSON or YAML, @FILE, or - for standard input' '--org'\t'owner of the repository' '--repo'\t'name of the repository' '--subdirectory'\t'folder of the documentation site in the repository' '--input'\t'API document the site is built from' '--overlays'\t'overlays applied to that document (may be repeated)' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --org --repo --subdirectory --input --overlays -F --field -f --raw-field
        case 'codehost configure target'
            set flags '--body'\t'repository: JSON or YAML, @FILE, or - for standard input' '--org'\t'owner of the repository' '--repo-name'\t'name of the repository' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --org --repo-name -F --field -f --raw-field
        case 'codehost publishing-prs'
            set commands 'check'\t'Show the pull request that publishes a target'
        case 'codehost publishing-prs check'
            set flags '--generate-gen-lock-id'\t'lock id of the target, or its beginning' '--org'\t'owner of the repository on the code host' '--repo'\t'repository on the code host' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --generate-gen-lock-id --org --repo
        case 'codehost publishing-secrets'
            set commands 'check'\t'List the missing publishing secrets of a target' 'store'\t'Store publishing secrets for a target'
        case 'codehost publishing-secrets check'
            set flags '--generate-gen-lock-id'\t'lock id of the target, or its beginning' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --generate-gen-lock-id
        case 'codehost publishing-secrets store'
            set flags '--body'\t'lock id, and the secrets as name and value pairs: JSON or YAML, @FILE, or - for standard input' '--generate-gen-lock-id'\t'lock id of the target, or its beginning' '--secrets'\t'object of secret names and values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --generate-gen-lock-id --secrets -F --field -f --raw-field
        case 'codehost setup'
            set commands 'get'\t'Show the setup status of a repository'
        case 'codehost setup get'
            set flags '--org'\t'owner of the repository on the code host' '--repo'\t'repository on the code host' '--generate-gen-lock-id'\t'lock id of the target, or its beginning' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --org --repo --generate-gen-lock-id
        case 'completion'
            set flags '--install'\t'install the script for the current user'
        case 'config'
            set commands 'delete'\t'Delete a profile and its credential' 'explain'\t'Show each setting and its source' 'get'\t'Print a setting of the profile' 'list'\t'List profiles' 'path'\t'Print the path of the configuration file' 'set'\t'Change a setting of the profile' 'trust'\t'Trust a .dtp.json to choose where requests go' 'unset'\t'Remove a setting from the profile' 'untrust'\t'Stop trusting a .dtp.json' 'use'\t'Switch to another profile'
        case 'config get'
            set commands 'base_url'\t'base URL of the service; local: is the embedded service' 'scheme'\t'kind of credential: api-key, bearer or workspace-identifier' 'credential_command'\t'command that prints the credential' 'workspace'\t'workspace to act on' 'organization_slug'\t'organization of the profile\'s credential' 'workspace_slug'\t'workspace slug of the profile\'s credential' 'words.codehost'\t'name of the code host in paths' 'words.docsite'\t'name of the documentation site in paths' 'timeout'\t'maximum duration of a command, in seconds' 'output'\t'output format' 'header.api-key'\t'header that contains the API key' 'header.workspace-identifier'\t'header that contains the workspace identifier' 'ca_cert'\t'file of additional trusted certificates' 'allow_http'\t'allow sending the credential over plain http'
        case 'config list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'config set'
            set commands 'base_url'\t'base URL of the service; local: is the embedded service' 'scheme'\t'kind of credential: api-key, bearer or workspace-identifier' 'credential_command'\t'command that prints the credential' 'workspace'\t'workspace to act on' 'organization_slug'\t'organization of the profile\'s credential' 'workspace_slug'\t'workspace slug of the profile\'s credential' 'words.codehost'\t'name of the code host in paths' 'words.docsite'\t'name of the documentation site in paths' 'timeout'\t'maximum duration of a command, in seconds' 'output'\t'output format' 'header.api-key'\t'header that contains the API key' 'header.workspace-identifier'\t'header that contains the workspace identifier' 'ca_cert'\t'file of additional trusted certificates' 'allow_http'\t'allow sending the credential over plain http'
        case 'config unset'
            set commands 'base_url'\t'base URL of the service; local: is the embedded service' 'scheme'\t'kind of credential: api-key, bearer or workspace-identifier' 'credential_command'\t'command that prints the credential' 'workspace'\t'workspace to act on' 'organization_slug'\t'organization of the profile\'s credential' 'workspace_slug'\t'workspace slug of the profile\'s credential' 'words.codehost'\t'name of the code host in paths' 'words.docsite'\t'name of the documentation site in paths' 'timeout'\t'maximum duration of a command, in seconds' 'output'\t'output format' 'header.api-key'\t'header that contains the API key' 'header.workspace-identifier'\t'header that contains the workspace identifier' 'ca_cert'\t'file of additional trusted certificates' 'allow_http'\t'allow sending the credential over plain http'
        case 'dev'
            set flags '--port'\t'port; 0 picks a free one' '--data'\t'data folder (default: the one of the profile local)' '--ephemeral'\t'keep all data in memory' '--fail'\t'answer with a status: \'postWorkspaceEvents=503x2\', \'*=500@20%\' (may be repeated)' '--drop'\t'drop the connection: \'uploadReport=after-request\' (may be repeated)' '--latency'\t'delay each response, such as 200ms'
            set valued --port --data --fail --drop --latency
        case 'doctor'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'events'
            set commands 'list'\t'List the events of a target' 'post'\t'Post events' 'search'\t'Search the events of a workspace' 'spool'\t'Events queued on disk until they are delivered' 'tail'\t'Follow events as they arrive' 'targets'\t'Targets that have events'
            set aliases 'ls=list' 'target=targets'
        case 'events list'
            set flags '--after-created-at'\t'only events created after this time (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --after-created-at
        case 'events post'
            set flags '--body'\t'events as NDJSON, an array or one object: @FILE (also .gz), - or inline' '--id'\t'unique id of the event (filled in if left out)' '--execution-id'\t'whole id shared by all events of one run (filled in if left out)' '--workspace-id'\t'id of the workspace the event belongs to (filled in if left out)' '--interaction-type'\t'what was done' '--local-started-at'\t'start time, by the local clock (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339; filled in if left out)' '--local-completed-at'\t'end time, by the local clock (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--created-at'\t'creation time of the event (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339; filled in if left out)' '--success'\t'whether it succeeded' '--no-success'\t'whether it succeeded' '--raw-command'\t'the full command line that was run' '--duration-ms'\t'duration in milliseconds' '--continuous-integration-environment'\t'name of the CI system, such as github' '--gh-action-run-link'\t'URL of the workflow run' '--gh-action-version'\t'version of the action that ran' '--gh-action-organization'\t'organization that owns the action\'s repository' '--gh-pull-request'\t'URL of the pull request that was opened' '--gh-changes-committed'\t'whether generated changes were committed' '--no-gh-changes-committed'\t'whether generated changes were committed' '--gh-action-ref'\t'git ref the action ran on' '--gh-action-repository'\t'repository the action ran in (owner/name)' '--repo-label'\t'label of the git repository' '--commit-head'\t'commit id of the remote head' '--hostname'\t'name of the machine' '--git-user-name'\t'user.name from git\'s configuration' '--git-user-email'\t'user.email from git\'s configuration' '--git-remote-default-owner'\t'owner of the default git remote' '--git-remote-default-repo'\t'repository name of the default git remote' '--git-relative-cwd'\t'working directory, relative to the repository\'s root' '--generate-target'\t'kind of target, such as typescript or terraform' '--generate-target-name'\t'the target\'s name in the workflow file' '--generate-target-version'\t'version of the generator for this kind of target' '--generate-gen-lock-id'\t'lock id of the target, from its lock file' '--management-doc-checksum'\t'checksum of the rendered API document' '--management-doc-version'\t'info.version of the rendered API document' '--generate-version'\t'version of the generation logic' '--generate-output-tests'\t'whether tests were generated' '--no-generate-output-tests'\t'whether tests were generated' '--generate-config-pre-raw'\t'configuration file before generation' '--generate-config-post-raw'\t'configuration file after generation' '--generate-config-pre-version'\t'SDK version before generation' '--generate-config-post-version'\t'SDK version after generation' '--generate-config-pre-checksum'\t'checksum of the configuration before generation' '--generate-config-post-checksum'\t'checksum of the configuration after generation' '--generate-eligible-features'\t'features that could be used' '--generate-gen-lock-pre-features'\t'features recorded in the lock file before generation' '--generate-gen-lock-post-features'\t'features recorded in the lock file after generation' '--generate-gen-lock-pre-doc-version'\t'info.version of the document of the previous generation' '--generate-gen-lock-pre-doc-checksum'\t'checksum of the document of the previous generation' '--generate-gen-lock-pre-version'\t'artifact version of the previous generation' '--generate-gen-lock-pre-revision-digest'\t'revision digest of the previous generation' '--generate-gen-lock-pre-blob-digest'\t'blob digest of the previous generation' '--generate-gen-lock-pre-namespace-name'\t'namespace of the previous generation' '--generate-bump-type'\t'kind of version bump' '--generate-number-of-operations-ignored'\t'operations skipped by the generator' '--generate-number-of-operations-used'\t'operations the generator used' '--generate-number-of-terraform-resources'\t'Terraform resources generated' '--generate-published'\t'whether the target was published' '--no-generate-published'\t'whether the target was published' '--generate-repo-url'\t'repository URL used in generated documentation' '--publish-package-url'\t'URL of the published package' '--publish-package-name'\t'name of the published package' '--publish-package-version'\t'version of the published package' '--publish-package-registry-name'\t'registry it was published to, such as npm' '--source-revision-digest'\t'revision digest of the source document' '--source-blob-digest'\t'blob digest of the source document' '--source-namespace-name'\t'registry namespace of the source document' '--lint-report-digest'\t'MD5 of the lint report, as printed by dtp reports upload' '--lint-report-error-count'\t'errors in the lint report' '--lint-report-warning-count'\t'warnings in the lint report' '--lint-report-info-count'\t'hints in the lint report' '--openapi-diff-report-digest'\t'checksum of the change report' '--openapi-diff-base-source-revision-digest'\t'revision digest the change report compares against' '--openapi-diff-base-source-blob-digest'\t'blob digest the change report compares against' '--openapi-diff-base-source-namespace-name'\t'namespace the change report compares against' '--openapi-diff-breaking-changes-count'\t'breaking changes in the change report' '--openapi-diff-bump-type'\t'version bump the changes call for' '--error'\t'error message, if it failed' '--mermaid-diagram'\t'diagram of the run, in Mermaid' '--last-step'\t'last step that was reached' '--test-report-raw'\t'test report, as JUnit XML' '--workflow-pre-raw'\t'workflow file before the run' '--workflow-post-raw'\t'workflow file after the run' '--workflow-lock-pre-raw'\t'workflow lock file before the run' '--workflow-lock-post-raw'\t'workflow lock file after the run' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--batch-size'\t'events per request' '--concurrency'\t'parallel requests' '--on-error'\t'on an invalid event: stop or skip' '--no-check'\t'send objects without a known event field too' '--no-fill'\t'do not fill in missing ids and times' '--no-spool'\t'do not queue events on disk; fail if they cannot be delivered'
            set valued --body --id --execution-id --workspace-id --interaction-type --local-started-at --local-completed-at --created-at --raw-command --duration-ms --continuous-integration-environment --gh-action-run-link --gh-action-version --gh-action-organization --gh-pull-request --gh-action-ref --gh-action-repository --repo-label --commit-head --hostname --git-user-name --git-user-email --git-remote-default-owner --git-remote-default-repo --git-relative-cwd --generate-target --generate-target-name --generate-target-version --generate-gen-lock-id --management-doc-checksum --management-doc-version --generate-version --generate-config-pre-raw --generate-config-post-raw --generate-config-pre-version --generate-config-post-version --generate-config-pre-checksum --generate-config-post-checksum --generate-eligible-features --generate-gen-lock-pre-features --generate-gen-lock-post-features --generate-gen-lock-pre-doc-version --generate-gen-lock-pre-doc-checksum --generate-gen-lock-pre-version --generate-gen-lock-pre-revision-digest --generate-gen-lock-pre-blob-digest --generate-gen-lock-pre-namespace-name --generate-bump-type --generate-number-of-operations-ignored --generate-number-of-operations-used --generate-number-of-terraform-resources --generate-repo-url --publish-package-url --publish-package-name --publish-package-version --publish-package-registry-name --source-revision-digest --source-blob-digest --source-namespace-name --lint-report-digest --lint-report-error-count --lint-report-warning-count --lint-report-info-count --openapi-diff-report-digest --openapi-diff-base-source-revision-digest --openapi-diff-base-source-blob-digest --openapi-diff-base-source-namespace-name --openapi-diff-breaking-changes-count --openapi-diff-bump-type --error --mermaid-diagram --last-step --test-report-raw --workflow-pre-raw --workflow-post-raw --workflow-lock-pre-raw --workflow-lock-post-raw -F --field -f --raw-field --batch-size --concurrency --on-error
        case 'events search'
            set flags '--source-revision-digest'\t'full digest of the source revision' '--lint-report-digest'\t'full digest of the lint report' '--openapi-diff-report-digest'\t'full digest of the change report' '--interaction-type'\t'kind of event' '--generate-gen-lock-id'\t'lock id of the target, or its beginning' '--execution-id'\t'whole id shared by all events of one run' '--success'\t'only successes (with --no-success: only failures)' '--no-success'\t'only successes (with --no-success: only failures)' '--limit'\t'maximum number of events' '--chart'\t'draw a bar chart of events per day' '--all'\t'show all events, not only the newest' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --source-revision-digest --lint-report-digest --openapi-diff-report-digest --interaction-type --generate-gen-lock-id --execution-id --limit
        case 'events spool'
            set commands 'drop'\t'Delete queued batches' 'flush'\t'Deliver the queued events for the current base URL' 'list'\t'List queued batches'
        case 'events spool drop'
            set flags '--older-than'\t'batches older than this, such as 12h or 30d (a bare number is in days)' '--rejected'\t'rejected batches' '--corrupt'\t'damaged batches' '--all'\t'all batches'
            set valued --older-than
        case 'events spool flush'
            set flags '--rejected'\t'send rejected events again'
        case 'events spool list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'events tail'
            set flags '--since'\t'start with earlier events: 1h, yesterday, 2026-01-31' '--interaction-type'\t'kind of event, such as LINT' '--execution-id'\t'whole id shared by all events of one run' '--success'\t'only successes (with --no-success: only failures)' '--no-success'\t'only failures' '--poll-interval'\t'polling interval'
            set valued --since --interaction-type --execution-id --poll-interval
        case 'events targets'
            set commands 'list'\t'List the targets that have events' 'list-deprecated'\t'List the targets of a workspace (deprecated)'
            set aliases 'ls=list'
        case 'events targets list'
            set flags '--after-last-event-created-at'\t'only targets with events after this time (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --after-last-event-created-at
        case 'events targets list-deprecated'
            set flags '--after-last-event-created-at'\t'only targets with events after this time (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --after-last-event-created-at
        case 'help'
            set flags '--all'\t'show every field' '--man'\t'write man pages for all commands to a folder'
            set valued --man
        case 'init'
            set flags '--local'\t'use the embedded service, without an account' '--with-token'\t'read the credential from stdin' '--scheme'\t'kind of credential' '--folder-file'\t'write the workspace to .dtp.json in this folder' '--completions'\t'install completions for the shell in SHELL' '--ci'\t'print a CI job that uses dtp, or write it to a new file' '--no-event'\t'do not post a first event'
            set valued --scheme --ci
        case 'mcp'
            set flags '--allow-writes'\t'include tools that change data' '--tools'\t'only these tools, such as ws_tokens_list or \'events_*\'' '--root'\t'folder whose files a tool may send (default: the working folder)'
            set valued --tools --root
        case 'open'
            set flags '--print'\t'print the URL instead of opening it'
        case 'orgs'
            set commands 'add-ons'\t'Billing add-ons' 'create'\t'Create an organization' 'free-trial'\t'Free trial' 'get'\t'Show an organization' 'list'\t'List organizations' 'usage'\t'Billing usage'
            set aliases 'addons=add-ons' 'add-on=add-ons' 'trial=free-trial' 'ls=list'
        case 'orgs add-ons'
            set commands 'create'\t'Buy billing add-ons for the organization' 'delete'\t'Cancel a billing add-on' 'list'\t'List the billing add-ons of the organization'
            set aliases 'rm=delete' 'ls=list'
        case 'orgs add-ons create'
            set flags '--body'\t'add-ons to buy: JSON or YAML, @FILE, or - for standard input' '--add-ons'\t'add-ons to buy (known: ) (may be repeated' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --add-ons -F --field -f --raw-field
        case 'orgs add-ons list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'orgs create'
            set flags '--body'\t'organization: JSON or YAML, @FILE, or - for standard input' '--id'\t'set by the service' '--name'\t'display name' '--slug'\t'name used in URLs' '--account-type'\t'plan' '--telemetry-disabled'\t'turn telemetry off for the organization' '--no-telemetry-disabled'\t'turn telemetry off for the organization' '--created-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--updated-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--free-trial-expiry'\t'set by the service, or null (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--sso-connection-id'\t'id of the single sign-on connection, or null' '--sso-activated'\t'whether single sign-on is on' '--no-sso-activated'\t'whether single sign-on is on' '--internal'\t'set by the service' '--no-internal'\t'set by the service' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --id --name --slug --account-type --created-at --updated-at --free-trial-expiry --sso-connection-id -F --field -f --raw-field
        case 'orgs free-trial'
            set commands 'create'\t'Start the free trial of the organization'
        case 'orgs get'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'orgs list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'orgs usage'
            set commands 'get'\t'Show the billing usage by target language'
        case 'orgs usage get'
            set flags '--chart'\t'draw a bar chart of operations per language' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'publishing-tokens'
            set commands 'create'\t'Create a publishing token for a target' 'delete'\t'Delete a publishing token' 'get'\t'Show a publishing token' 'list'\t'List publishing tokens' 'metadata'\t'Show the public metadata of a publishing token' 'target'\t'Show the target that a publishing token is bound to' 'update'\t'Change the expiration of a publishing token'
            set aliases 'rm=delete' 'ls=list'
        case 'publishing-tokens create'
            set flags '--target-id'\t'target id, or its beginning' '--target-resource'\t'kind of resource' '--valid-until'\t'expiration time (90d is in 90 days; also tomorrow, 2026-01-31 or RFC 3339)' '--token-name'\t'name of the token' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --target-id --target-resource --valid-until --token-name --body -F --field -f --raw-field
        case 'publishing-tokens get'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'publishing-tokens list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'publishing-tokens metadata'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'publishing-tokens target'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'publishing-tokens update'
            set flags '--valid-until'\t'new expiration time (90d is in 90 days; also tomorrow, 2026-01-31 or RFC 3339)' '--token-name'\t'new name' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --valid-until --token-name --body -F --field -f --raw-field
        case 'reports'
            set commands 'changes-url'\t'Get a signed URL of a change report' 'linting-url'\t'Get a signed URL of a lint report' 'upload'\t'Upload a lint or change report'
        case 'reports changes-url'
            set flags '--download'\t'download the report to a file, atomically' '--open'\t'open the report in a browser'
            set valued --download
        case 'reports linting-url'
            set flags '--download'\t'download the report to a file, atomically' '--open'\t'open the report in a browser'
            set valued --download
        case 'reports upload'
            set flags '--data'\t'report metadata' '--type'\t'kind of report' '--file'\t'report file' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--shorten'\t'create a short URL of the report' '--open'\t'open the report in a browser' '--checksum'\t'print the checksums, also of files above 256 MiB'
            set valued --data --type --file --body -F --field -f --raw-field
        case 'schema'
            set flags '--all'\t'print every command in full' '--json-schema'\t'print the JSON Schema of the output'
        case 'schema-store'
            set commands 'create'\t'Store an API document publicly' 'get'\t'Get a stored API document'
        case 'schema-store create'
            set flags '--spec'\t'API document, with the files it refers to' '--package-name'\t'SDK package name in its code samples' '--sdk-classname'\t'SDK class name in its code samples' '--format'\t'format of the document (default: detected)' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --spec --package-name --sdk-classname --format --body -F --field -f --raw-field
        case 'schema-store get'
            set flags '--id'\t'whole id of the item' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --id --body -F --field -f --raw-field
        case 'serve'
            set flags '--port'\t'port; 0 picks a free one' '--data'\t'data folder (default: the one of the profile local)' '--ephemeral'\t'keep all data in memory' '--fail'\t'answer with a status: \'postWorkspaceEvents=503x2\', \'*=500@20%\' (may be repeated)' '--drop'\t'drop the connection: \'uploadReport=after-request\' (may be repeated)' '--latency'\t'delay each response, such as 200ms'
            set valued --port --data --fail --drop --latency
        case 'short-urls'
            set commands 'create'\t'Shorten a URL'
        case 'short-urls create'
            set flags '--url'\t'URL to shorten' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --url --body -F --field -f --raw-field
        case 'subscriptions'
            set commands 'activate'\t'Stop ignoring a namespace in a subscription' 'ignore'\t'Ignore a namespace in a subscription'
        case 'suggest'
            set commands 'from-summary'\t'Suggest an overlay from the summary of an API document' 'items'\t'Get one suggestion for each item' 'openapi'\t'Suggest an overlay for an API document (deprecated)' 'registry'\t'Suggest an overlay for a document in the registry'
        case 'suggest from-summary'
            set flags '--session-id'\t'session id, any string (default: a new UUID)' '--body'\t'summary, kind of suggestion and diagnostics: JSON or YAML, @FILE, or - for standard input' '--oas-summary'\t'the document in brief: info and operations' '--suggestion-type'\t'what to suggest' '--diagnostics'\t'problems the suggestion should fix (may be repeated)' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--schema'\t'make the summary from this API document, for method names'
            set valued --session-id --body --oas-summary --suggestion-type --diagnostics -F --field -f --raw-field --schema
        case 'suggest items'
            set flags '--body'\t'prompt and items: JSON or YAML, @FILE, or - for standard input' '--prompt'\t'instruction that applies to every item' '--items'\t'items to get one suggestion each for (may be repeated)' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit' '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
            set valued --body --prompt --items -F --field -f --raw-field
        case 'suggest openapi'
            set flags '--session-id'\t'session id, any string (default: a new UUID)' '--schema'\t'API document, with the files it refers to' '--opts'\t'options' '--suggestion-type'\t'what to suggest' '--diagnostics'\t'problems the suggestion should fix (may be repeated)' '--body'\t'the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --session-id --schema --opts --suggestion-type --diagnostics --body -F --field -f --raw-field
        case 'suggest registry'
            set flags '--session-id'\t'session id, any string (default: a new UUID)' '--body'\t'kind of suggestion and diagnostics: JSON or YAML, @FILE, or - for standard input' '--oas-summary'\t'the document in brief: info and operations' '--suggestion-type'\t'what to suggest' '--diagnostics'\t'problems the suggestion should fix (may be repeated)' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --session-id --body --oas-summary --suggestion-type --diagnostics -F --field -f --raw-field
        case 'ws'
            set commands 'create'\t'Create a workspace' 'current'\t'Show the workspace and organization of the credential' 'feature-flags'\t'Feature flags of a workspace' 'get'\t'Show a workspace' 'list'\t'List workspaces' 'settings'\t'Settings of a workspace' 'team'\t'Members of a workspace (also: dtp team)' 'tokens'\t'Tokens of a workspace (also: dtp tokens)' 'update'\t'Change the details of a workspace' 'use'\t'Set the default workspace of the profile'
            set aliases 'flags=feature-flags' 'feature-flag=feature-flags' 'ls=list' 'setting=settings' 'members=team' 'token=tokens'
        case 'ws create'
            set flags '--body'\t'workspace: JSON or YAML, @FILE, or - for standard input' '--created-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--id'\t'set by the service' '--name'\t'display name' '--organization-id'\t'organization it belongs to: id, name or slug' '--slug'\t'name used in URLs' '--inactive'\t'set by the service' '--no-inactive'\t'set by the service' '--telemetry-disabled'\t'deprecated: set it on the organization' '--no-telemetry-disabled'\t'deprecated: set it on the organization' '--updated-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--verified'\t'set by the service' '--no-verified'\t'set by the service' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --created-at --id --name --organization-id --slug --updated-at -F --field -f --raw-field
        case 'ws current'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws feature-flags'
            set commands 'get'\t'Show the feature flags of a workspace' 'set'\t'Set the feature flags of the current workspace'
        case 'ws feature-flags get'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws feature-flags set'
            set flags '--body'\t'feature flags: JSON or YAML, @FILE, or - for standard input' '--feature-flags'\t'flags to turn on (known: ) (may be repeated' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --feature-flags -F --field -f --raw-field
        case 'ws get'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws settings'
            set commands 'get'\t'Show the settings of a workspace' 'update'\t'Change the settings of a workspace'
        case 'ws settings get'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws settings update'
            set flags '--body'\t'settings: JSON or YAML, @FILE, or - for standard input' '--workspace-id'\t'set by the service' '--webhook-url'\t'URL that is called on events' '--created-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--updated-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --workspace-id --webhook-url --created-at --updated-at -F --field -f --raw-field
        case 'ws team'
            set commands 'grant'\t'Grant a user access to a workspace' 'list'\t'List the members of a workspace' 'revoke'\t'Revoke a user\'s access to a workspace'
            set aliases 'ls=list'
        case 'ws team list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws tokens'
            set commands 'create'\t'Create a workspace token' 'delete'\t'Delete a workspace token' 'list'\t'List workspace tokens'
            set aliases 'rm=delete' 'ls=list'
        case 'ws tokens create'
            set flags '--body'\t'token: JSON or YAML, @FILE, or - for standard input' '--id'\t'set by the service' '--name'\t'display name' '--workspace-id'\t'set by the service' '--alg'\t'set by the service' '--key'\t'set by the service' '--last-used'\t'set by the service, or null (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--created-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--created-by'\t'set by the service, or null' '--created-by-name'\t'set by the service, or null' '--created-by-photo-url'\t'set by the service, or null' '--email'\t'set by the service, or null' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --id --name --workspace-id --alg --key --last-used --created-at --created-by --created-by-name --created-by-photo-url --email -F --field -f --raw-field
        case 'ws tokens list'
            set flags '--watch'\t'run again at this interval until Ctrl-C (default: 2s)'
        case 'ws update'
            set flags '--body'\t'workspace: JSON or YAML, @FILE, or - for standard input' '--created-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--id'\t'set by the service' '--name'\t'display name' '--organization-id'\t'organization it belongs to: id, name or slug' '--slug'\t'name used in URLs' '--inactive'\t'set by the service' '--no-inactive'\t'set by the service' '--telemetry-disabled'\t'deprecated: set it on the organization' '--no-telemetry-disabled'\t'deprecated: set it on the organization' '--updated-at'\t'set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)' '--verified'\t'set by the service' '--no-verified'\t'set by the service' '-F'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '--field'\t'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)' '-f'\t'set a body field to a string (may be repeated)' '--raw-field'\t'set a body field to a string (may be repeated)' '--skeleton'\t'print a template of the body and exit'
            set valued --body --created-at --id --name --organization-id --slug --updated-at -F --field -f --raw-field
    end
end

# What may stand behind the flag $argv[2] of the command $argv[1], or as its argument of that number.
function __dtp_slot --no-scope-shadowing
    set kind
    set choices
    switch "$argv[1] $argv[2]"
        case '* --profile' 'config delete 1' 'config use 1'
            set kind profiles
        case '* -w' '* --workspace' 'config set workspace 1' 'ws use 1'
            set kind workspaces
        case '* -o' '* --output' 'config set output 1'
            set kind words
            set choices 'table' 'json' 'yaml' 'ndjson' 'csv' 'tsv' 'name' 'raw'
        case '* -O' '* --output-file' '* --ca-cert' 'artifacts push --include' '* --schema-file' '* --download' '* --file' '* --spec' '* --schema' 'artifacts push 1' 'config set ca_cert 1' 'config trust 1' 'config untrust 1' 'schema-store create 1'
            set kind file
        case '* --error-format'
            set kind words
            set choices 'auto' 'text' 'json'
        case '* --color'
            set kind words
            set choices 'auto' 'always' 'never'
        case '* -X' '* --method'
            set kind words
            set choices 'GET' 'POST' 'PUT' 'PATCH' 'DELETE'
        case '* --body' '* --inputs' 'artifacts remote-sources create --overlays' '* --output-value' '* --method-paths' '* --codehost-oidc-token' '* --secrets' 'reports upload --data' '* --oas-summary' '* --diagnostics' '* --opts'
            set kind document
        case '* -F' '* --field'
            set kind member
        case '* --namespace-name' '* --namespace' 'artifacts blobs get 1' 'artifacts manifests get 1' 'artifacts namespaces archive 1' 'artifacts namespaces set-visibility 1' 'artifacts revisions list 1' 'artifacts tags add 1' 'artifacts tags list 1' 'subscriptions activate 2' 'subscriptions ignore 2' 'suggest registry 1'
            set kind namespaces
        case '* --tag' '* --tags'
            set kind tags
        case '* --revision-digest'
            set kind digests
        case '* --scheme' 'config set scheme 1'
            set kind words
            set choices 'api-key' 'bearer' 'workspace-identifier'
        case '* --out-dir' 'dev --data' 'serve --data' '* --man'
            set kind folder
        case 'events post --interaction-type' 'events search --interaction-type'
            set kind words
            set choices 'CI_EXEC' 'CLI_EXEC' 'LINT' 'OPENAPI_DIFF' 'TARGET_GENERATE' 'TOMBSTONE' 'AUTHENTICATE' 'QUICKSTART' 'RUN' 'CONFIGURE' 'PUBLISH' 'TEST'
        case '* --generate-bump-type'
            set kind words
            set choices 'major' 'minor' 'patch' 'custom' 'graduate' 'prerelease' 'none'
        case '* --openapi-diff-bump-type'
            set kind words
            set choices 'major' 'minor' 'patch' 'none'
        case '* --on-error'
            set kind words
            set choices 'stop' 'skip'
        case '* --ci'
            set kind words
            set choices 'print' 'write'
        case '* --add-ons' 'orgs add-ons delete 1'
            set kind words
            set choices 'webhooks' 'sdk_testing' 'custom_code_regions' 'snippet_ai'
        case '* --account-type'
            set kind words
            set choices 'free' 'scale-up' 'business' 'enterprise'
        case '* --type'
            set kind words
            set choices 'linting' 'changes'
        case '* --format'
            set kind words
            set choices 'json' 'yaml'
        case '* --suggestion-type'
            set kind words
            set choices 'method-names' 'diagnostics-only'
        case '* --feature-flags'
            set kind words
            set choices 'schema_registry' 'changes_report' 'skip_schema_registry' 'webhooks'
        case 'artifacts manifests get 2' 'suggest registry 2'
            set kind revisions
        case 'artifacts pull 1'
            set kind reference
        case 'completion 1'
            set kind words
            set choices 'bash' 'zsh' 'fish' 'powershell'
        case 'config set allow_http 1'
            set kind words
            set choices 'true' 'false'
        case 'dev rest'
            set kind program
        case 'events list 1'
            set kind targets
        case 'orgs get 1'
            set kind organizations
        case 'publishing-tokens delete 1' 'publishing-tokens get 1' 'publishing-tokens metadata 1' 'publishing-tokens target 1' 'publishing-tokens update 1'
            set kind publishing-tokens
        case 'ws team revoke 1'
            set kind members
        case 'ws tokens delete 1'
            set kind workspace-tokens
    end
end

# Keeps what a later value depends on.
function __dtp_note --no-scope-shadowing
    switch $argv[1]
        case --profile --base-url --ca-cert --proxy
            set -a settings $argv[1] $argv[2]
        case -w --workspace
            set -a settings --workspace $argv[2]
        case --namespace --namespace-name
            set namespace $argv[2]
    end
end

# Goes down to the command $argv[1], where there is one here.
function __dtp_enter --no-scope-shadowing
    set -l name $argv[1]
    set -l alias (string match -- "$name=*" $aliases)
    if set -q alias[1]
        set name (string replace -- "$name=" '' $alias[1])
    else if not string match -q -- "$name"\t'*' $commands
        return 1
    end
    set page (string trim -- "$page $name")
    if test "$page" = help
        set helping 1
        set page ''
    end
    __dtp_page "$page"
end

# Prints what `dtp __complete` lists, behind what stands before it.
function __dtp_ask -a before
    command -q dtp; or return
    command dtp __complete $argv[2..-1] 2>/dev/null </dev/null | while read -l row
        printf '%s%s\n' $before $row
    end
end

# Prints files as fish completes them; a ~ that leads is to be one. A file whose name begins with ~ is none of those.
function __dtp_files
    set -l names (complete -C "'' "(string replace -r -- '^\\\\~' '~' (string escape -n -- "$argv[1]")))
    string match -q -- '~*' "$argv[1]"; or set names (string replace -r -- '^~' './~' $names)
    set -q names[1]; and printf '%s\n' $names
end

function __dtp_complete
    set -l words (commandline -opc)
    # Quotes are fish's to open and to close.
    set -l cur (string replace -ar -- '["\'\\\\]' '' (commandline -ct))
    set -l page ''
    set -l flag ''
    set -l ended ''
    set -l helping ''
    set -l namespace ''
    set -l given
    set -l settings
    set -l commands
    set -l aliases
    set -l flags
    set -l valued
    set -l kind
    set -l choices
    __dtp_page ''
    set -l shared $flags
    set -l everywhere $valued
    set -e words[1]
    for word in $words
        if test -n "$flag"
            __dtp_note $flag $word
            set flag ''
        else if test -z "$ended"; and string match -qr -- '^-.' $word
            if test "$word" = --
                set ended 1
            else if string match -q -- '--*=*' $word
                __dtp_note (string split -m 1 -- = $word)
            else if contains -- $word $valued $everywhere
                set flag $word
            end
        else if set -q given[1]; or not __dtp_enter $word
            set -a given $word
        end
    end

    # What stays of the word, before what is offered.
    set -l before ''
    if test -n "$flag"
        __dtp_slot "$page" $flag
    else if test -z "$ended"; and string match -q -- '--*=*' $cur
        set before (string replace -r -- '=.*' '=' $cur)
        __dtp_slot "$page" (string replace -r -- '=.*' '' $cur)
    else if test -z "$ended"; and string match -q -- '-*' $cur
        test -n "$page"; or set flags
        printf '%s\n' $flags $shared
        return
    else if set -q commands[1]
        set -q given[1]; and return
        printf '%s\n' $commands
        # Other names are for those who try them.
        if not string match -q -- "$cur*" $commands
            string replace -r -- '=(.*)' '\tthe same as $1' $aliases
        end
        return
    else if test -z "$helping"
        __dtp_slot "$page" (math (count $given) + 1)
        test -n "$kind"; or __dtp_slot "$page" rest
    end

    set -l value (string sub -s (math (string length -- "$before") + 1) -- "$cur")
    switch "$kind"
        case ''
        case words
            printf '%s\n' $before$choices
        case file folder
            set -l names (__dtp_files $value)
            test $kind = folder; and set names (string match -- '*/' $names)
            printf '%s\n' $before$names
        case document member
            set -l mark (string match -r -- (test $kind = member; and echo '^[^=]*=@'; or echo '^@') $value)
            if set -q mark[1]
                set -l names (__dtp_files (string replace -- $mark '' $value))
                printf '%s\n' $before$mark$names
            end
        case program
            test -n "$ended"; and __fish_complete_subcommand --commandline $given $cur
        case reference
            set -l parts (string match -r -- '^([^/:@]*)([:@])' $value)
            if not set -q parts[1]
                string match -q -- '*/*' $value; or __dtp_ask "$before" $settings namespaces ''
            else if test $parts[3] = :
                __dtp_ask "$before$parts[1]" $settings tags $parts[2]
            else
                __dtp_ask "$before$parts[1]" $settings digests $parts[2]
            end
        case '*'
            test -n "$namespace"; or set namespace $given[1]
            __dtp_ask "$before" $settings $kind "$namespace"
    end
end

complete -c dtp -e
complete -c dtp -f -a '(__dtp_complete)'
