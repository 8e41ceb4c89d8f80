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
            set commands 'api'\t'Call any path of the service, with the credential' 'artifacts'\t'The artifact registry' 'auth'\t'Credentials and access' 'code-samples'\t'Usage snippets for an API' 'codehost'\t'The integration with a code host' 'completion'\t'Print the completion script of a shell, or install it' 'config'\t'Profiles and settings' 'dev'\t'Run a command with the embedded service beside it: dtp dev -- COMMAND…' 'doctor'\t'Check configuration, network, credential and spool, and say what mends them' 'events'\t'Events and targets' 'help'\t'Print the help of a command or a topic' 'mcp'\t'Serve the operations as tools to an agent, over standard input and output' 'orgs'\t'Organizations, usage and billing' 'publishing-tokens'\t'Tokens that authorize publishing' 'reports'\t'Lint and change reports' 'schema'\t'Print what a command takes and does, for programs' 'schema-store'\t'The public store of API descriptions' 'serve'\t'Run the embedded service on loopback until it is interrupted' 'short-urls'\t'Short URLs' 'subscriptions'\t'Subscriptions to namespaces' 'suggest'\t'Suggestions for an API description' 'ws'\t'Workspaces'
            set aliases 'artifact=artifacts' 'samples=code-samples' 'code-sample=code-samples' 'code-host=codehost' 'event=events' 'organizations=orgs' 'organization=orgs' 'org=orgs' 'publishing-token=publishing-tokens' 'report=reports' 'schemas=schema-store' 'short-url=short-urls' 'subscription=subscriptions' 'suggestions=suggest' 'workspaces=ws' 'workspace=ws'
            set flags '-V'\t'print the version' '--version'\t'print the version' '--base-url'\t'the service\'s address; local: is the embedded service' '--profile'\t'the profile to use; local is built in' '-w'\t'the workspace; \'\' for the credential\'s own' '--workspace'\t'the workspace; \'\' for the credential\'s own' '--organization-slug'\t'the organization, for manifests and blobs' '--workspace-slug'\t'the workspace, for manifests and blobs' '-o'\t'table on a terminal, else json' '--output'\t'table on a terminal, else json' '--json'\t'short for -o json' '--fields'\t'only these members, such as id,name,owner.name' '--query'\t'a JMESPath expression over the result' '-r'\t'print strings and lists of strings without quotes' '--raw-output'\t'print strings and lists of strings without quotes' '--no-headers'\t'no titles of columns' '-O'\t'write the result to a file, whole or not at all' '--output-file'\t'write the result to a file, whole or not at all' '--force'\t'let -O replace a file that is there' '--no-input'\t'never ask; fail with what is missing' '-y'\t'answer yes to what would be asked' '--yes'\t'answer yes to what would be asked' '--no-progress'\t'show no movement while something takes long' '--timeout'\t'the longest the command may take, such as 90s or 5m' '--connect-timeout'\t'the longest a connection may take' '--proxy'\t'the proxy for all but loopback; \'\' for none' '--ca-cert'\t'trust these certificates too (PEM)' '--insecure'\t'accept any certificate, with a warning' '--allow-http'\t'send the credential over plain http' '--retry'\t'send a command that only reads again, at most so often' '--allow-failure'\t'end with 0, and a warning, where the service or the way to it failed' '--dry-run'\t'print the request and send nothing' '--curl'\t'print the request as a curl command and send nothing' '--error-format'\t'how errors are written' '--color'\t'when there is color' '-v'\t'tell of requests and retries on stderr' '--verbose'\t'tell of requests and retries on stderr' '--debug'\t'tell of headers too, and where errors come from' '-h'\t'print help' '--help'\t'print help'
            set valued --base-url --profile -w --workspace --organization-slug --workspace-slug -o --output --fields --query -O --output-file --timeout --connect-timeout --proxy --ca-cert --retry --error-format --color
        case 'api'
            set flags '-X'\t'GET, or POST where there is a body' '--method'\t'GET, or POST where there is a body' '--body'\t'JSON or YAML, @FILE or - for standard input' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '-H'\t'a header, such as "accept: text/plain" (may be repeated)' '--header'\t'a header, such as "accept: text/plain" (may be repeated)' '--paginate'\t'all pages, as one list' '-i'\t'tell the status and the headers too: with -o raw first on stdout, else on stderr' '--include'\t'tell the status and the headers too: with -o raw first on stdout, else on stderr'
            set valued -X --method --body -F --field -f --raw-field -H --header
        case 'artifacts'
            set commands 'blobs'\t'Blobs' 'manifests'\t'Manifests' 'namespaces'\t'Namespaces, which hold revisions (also: dtp namespaces)' 'preflight'\t'Get a token for the distribution endpoint of a namespace' 'pull'\t'Pull a revision into a folder, each part compared with its digest' 'push'\t'Push a document with the files that it refers to, or a folder, as a revision' 'remote-sources'\t'Remote sources of a namespace' 'revisions'\t'Revisions of a namespace (also: dtp revisions)' 'tags'\t'Tags of revisions (also: dtp tags)'
            set aliases 'blob=blobs' 'manifest=manifests' 'namespace=namespaces' 'remote-source=remote-sources' 'revision=revisions' 'tag=tags'
        case 'artifacts blobs'
            set commands 'get'\t'Get a blob of a revision'
        case 'artifacts manifests'
            set commands 'get'\t'Get the manifest of a revision'
        case 'artifacts manifests get'
            set flags '--accept'\t'Media type of the manifest'
            set valued --accept
        case 'artifacts namespaces'
            set commands 'archive'\t'Archive a namespace, or with --no-archived bring it back' 'list'\t'List the namespaces, each of which holds revisions' 'set-visibility'\t'Make a namespace public, or with --no-public private'
            set aliases 'ls=list'
        case 'artifacts namespaces archive'
            set flags '--archived'\t'Whether it is archived (default: true)' '--no-archived'\t'Whether it is archived (default: true)' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body -F --field -f --raw-field
        case 'artifacts namespaces set-visibility'
            set flags '--public'\t'Whether everyone may read it' '--no-public'\t'Whether everyone may read it' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body -F --field -f --raw-field
        case 'artifacts preflight'
            set flags '--body'\t'Namespace: JSON or YAML, @FILE or - for standard input' '--namespace-name'\t'text' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --namespace-name -F --field -f --raw-field
        case 'artifacts push'
            set flags '--namespace'\t'the namespace, made where it is absent' '--tag'\t'a tag, latest where none is given (may be repeated)' '--include'\t'allow a hidden file, or one of another type, that the document refers to (may be repeated)'
            set valued --namespace --tag --include
        case 'artifacts remote-sources'
            set commands 'create'\t'Configure the remote source of a namespace' 'list'\t'Show the remote sources of a namespace'
            set aliases 'ls=list'
        case 'artifacts remote-sources create'
            set flags '--body'\t'Inputs, overlays and output: JSON or YAML, @FILE or - for standard input' '--inputs'\t'JSON, @FILE or - (may be repeated)' '--overlays'\t'JSON, @FILE or - (may be repeated)' '--output-value'\t'JSON, @FILE or -' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --inputs --overlays --output-value -F --field -f --raw-field
        case 'artifacts remote-sources list'
            set flags '--namespace-name'\t'Namespace name'
            set valued --namespace-name
        case 'artifacts revisions'
            set commands 'list'\t'List the revisions of a namespace, a page at a time'
            set aliases 'ls=list'
        case 'artifacts revisions list'
            set flags '--page-token'\t'Token of the next page' '--all'\t'all pages, as one list' '--limit'\t'at most so many rows, from as many pages as it takes'
            set valued --page-token --limit
        case 'artifacts tags'
            set commands 'add'\t'Add tags to an existing revision' 'list'\t'List the tags of a namespace'
            set aliases 'ls=list'
        case 'artifacts tags add'
            set flags '--body'\t'Revision and tags: JSON or YAML, @FILE or - for standard input' '--revision-digest'\t'text' '--tags'\t'text (may be repeated)' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --revision-digest --tags -F --field -f --raw-field
        case 'auth'
            set commands 'access'\t'Check whether generation is permitted' 'login'\t'Check a credential and keep it in a profile' 'logout'\t'Forget the credential of a profile' 'oidc-token'\t'Print the OIDC token of the CI job that this runs in' 'status'\t'Say which credential is used and whether it is valid: 0 where it is, else 4' 'token'\t'Get or refresh an access token for a workspace; needs no credential' 'user'\t'Show the current user' 'validate'\t'Check the credential of this request and show what it may do'
        case 'auth access'
            set flags '--gen-lock-id'\t'Gen lock id' '--target-type'\t'Kind of target' '--passive'\t'Skip side effects such as incrementing metrics' '--no-passive'\t'Skip side effects such as incrementing metrics'
            set valued --gen-lock-id --target-type
        case 'auth login'
            set flags '--with-token'\t'read the credential from standard input' '--scheme'\t'what the credential is'
            set valued --scheme
        case 'auth oidc-token'
            set flags '--audience'\t'whom the token is for; else what the runner takes' '--variable'\t'the variable that holds the token, such as one of id_tokens on GitLab'
            set valued --audience --variable
        case 'code-samples'
            set commands 'get'\t'Get usage snippets for a document in the registry' 'jobs'\t'Snippets made in the background' 'preview'\t'Generate usage snippets for a document and wait for them'
            set aliases 'job=jobs'
        case 'code-samples get'
            set flags '--registry-url'\t'Registry address of the document' '--operation-ids'\t'Only these operations (may be repeated)' '--method-paths'\t'Only these operations, each as {"method":"get","path":"/pets"} (may be repeated)' '--languages'\t'Only these languages (may be repeated)'
            set valued --registry-url --operation-ids --method-paths --languages
        case 'code-samples jobs'
            set commands 'create'\t'Start a job that generates usage snippets for a document' 'get'\t'Get the snippets of a job, or learn that it still runs'
        case 'code-samples jobs create'
            set flags '--schema-file'\t'API description, with the files it refers to' '--language'\t'Language of the snippets' '--package-name'\t'Package name used in the snippets' '--sdk-class-name'\t'Class name used in the snippets' '--operation-ids'\t'Only these operations (may be repeated)' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing' '--wait'\t'wait until the job is done, and print its result' '--wait-timeout'\t'the longest to wait' '--poll-interval'\t'the time between two looks'
            set valued --schema-file --language --package-name --sdk-class-name --operation-ids --body -F --field -f --raw-field --wait-timeout --poll-interval
        case 'code-samples jobs get'
            set flags '--wait'\t'wait until the job is done, and print its result' '--wait-timeout'\t'the longest to wait' '--poll-interval'\t'the time between two looks'
            set valued --wait-timeout --poll-interval
        case 'code-samples preview'
            set flags '--schema-file'\t'API description, with the files it refers to' '--language'\t'Language of the snippets' '--package-name'\t'Package name used in the snippets' '--sdk-class-name'\t'Class name used in the snippets' '--operation-ids'\t'Only these operations (may be repeated)' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --schema-file --language --package-name --sdk-class-name --operation-ids --body -F --field -f --raw-field
        case 'codehost'
            set commands 'access'\t'Access to repositories' 'actions'\t'The workflow action' 'configure'\t'Configure a repository' 'publishing-prs'\t'Pull requests that publish' 'publishing-secrets'\t'Secrets for publishing' 'setup'\t'How far the integration is set up'
            set aliases 'action=actions'
        case 'codehost access'
            set commands 'check'\t'Check that the platform may access a repository' 'link'\t'Link an installation on the code host to the workspace'
        case 'codehost access check'
            set flags '--org'\t'Owner of the repository on the code host' '--repo'\t'Repository on the code host'
            set valued --org --repo
        case 'codehost access link'
            set flags '--installation-id'\t'Installation id on the code host' '--codehost-org'\t'Owner on the code host' '--codehost-oidc-token'\t'OIDC token of a CI run: @FILE or - (a secret has no place on a command line)'
            set valued --installation-id --codehost-org --codehost-oidc-token
        case 'codehost actions'
            set commands 'get'\t'Show the latest run of the workflow action' 'trigger'\t'Trigger the workflow action of a target'
        case 'codehost actions get'
            set flags '--org'\t'Owner of the repository on the code host' '--repo'\t'Repository on the code host' '--target-name'\t'Target name of the workflow target'
            set valued --org --repo --target-name
        case 'codehost actions trigger'
            set flags '--body'\t'Repository and target: JSON or YAML, @FILE or - for standard input' '--org'\t'text' '--repo-name'\t'text' '--target-name'\t'text' '--gen-lock-id'\t'text' '--set-version'\t'text' '--force-value'\t'true or false' '--no-force-value'\t'true or false' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --org --repo-name --target-name --gen-lock-id --set-version -F --field -f --raw-field
        case 'codehost configure'
            set commands 'code-samples'\t'Configure code samples for a repository' 'docsite-repo'\t'Configure a repository for the docs site' 'target'\t'Configure a repository for a target'
        case 'codehost configure code-samples'
            set flags '--body'\t'Repository and target: JSON or YAML, @FILE or - for standard input' '--org'\t'text' '--repo'\t'text' '--target-name'\t'text' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --org --repo --target-name -F --field -f --raw-field
        case 'codehost configure docsite-repo'
            set flags '--body'\t'Repository, input and overlays: JSON or YAML, @FILE or - for standard input' '--org'\t'text' '--repo'\t'text' '--subdirectory'\t'text' '--input'\t'text' '--overlays'\t'text (may be repeated)' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --org --repo --subdirectory --input --overlays -F --field -f --raw-field
        case 'codehost configure target'
            set flags '--body'\t'Repository: JSON or YAML, @FILE or - for standard input' '--org'\t'text' '--repo-name'\t'text' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --org --repo-name -F --field -f --raw-field
        case 'codehost publishing-prs'
            set commands 'check'\t'Show the pull request that would publish a target'
        case 'codehost publishing-prs check'
            set flags '--generate-gen-lock-id'\t'Gen lock id, which identifies a target' '--org'\t'Owner of the repository on the code host' '--repo'\t'Repository on the code host'
            set valued --generate-gen-lock-id --org --repo
        case 'codehost publishing-secrets'
            set commands 'check'\t'List the publishing secrets that a target lacks' 'store'\t'Store publishing secrets for a target'
        case 'codehost publishing-secrets check'
            set flags '--generate-gen-lock-id'\t'Gen lock id, which identifies a target'
            set valued --generate-gen-lock-id
        case 'codehost publishing-secrets store'
            set flags '--body'\t'Gen lock id and secrets by name: JSON or YAML, @FILE or - for standard input' '--generate-gen-lock-id'\t'text' '--secrets'\t'JSON, @FILE or -' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --generate-gen-lock-id --secrets -F --field -f --raw-field
        case 'codehost setup'
            set commands 'get'\t'Show how far the integration of a repository is set up'
        case 'codehost setup get'
            set flags '--org'\t'Owner of the repository on the code host' '--repo'\t'Repository on the code host' '--generate-gen-lock-id'\t'Gen lock id, which identifies a target'
            set valued --org --repo --generate-gen-lock-id
        case 'completion'
            set flags '--install'\t'write it where the shell looks for it, for this user'
        case 'config'
            set commands 'delete'\t'Delete a profile and its credential' 'explain'\t'Show each setting and where it comes from' 'get'\t'Show a setting of the profile' 'list'\t'List the profiles' 'path'\t'Show where the profiles are kept' 'set'\t'Change a setting of the profile' 'trust'\t'Let a folder file decide where requests go' 'unset'\t'Forget a setting of the profile' 'untrust'\t'Stop trusting a folder file' 'use'\t'Make a profile the current one'
        case 'config get'
            set commands 'base_url'\t'the service\'s address; local: is the embedded service' 'scheme'\t'api-key, bearer or workspace-identifier' 'credential_command'\t'a command that prints the credential' 'workspace'\t'the workspace' 'organization_slug'\t'the organization of the profile\'s own credential' 'workspace_slug'\t'the slug of the workspace of the profile\'s own credential' 'words.codehost'\t'the word for the code host in paths' 'words.docsite'\t'the word for the documentation site in paths' 'timeout'\t'seconds until a command gives up' 'output'\t'the output format' 'header.api-key'\t'the header that carries an API key' 'header.workspace-identifier'\t'the header that carries a workspace identifier' 'ca_cert'\t'a file of certificates to trust as well' 'allow_http'\t'send the credential over plain http too'
        case 'config set'
            set commands 'base_url'\t'the service\'s address; local: is the embedded service' 'scheme'\t'api-key, bearer or workspace-identifier' 'credential_command'\t'a command that prints the credential' 'workspace'\t'the workspace' 'organization_slug'\t'the organization of the profile\'s own credential' 'workspace_slug'\t'the slug of the workspace of the profile\'s own credential' 'words.codehost'\t'the word for the code host in paths' 'words.docsite'\t'the word for the documentation site in paths' 'timeout'\t'seconds until a command gives up' 'output'\t'the output format' 'header.api-key'\t'the header that carries an API key' 'header.workspace-identifier'\t'the header that carries a workspace identifier' 'ca_cert'\t'a file of certificates to trust as well' 'allow_http'\t'send the credential over plain http too'
        case 'config unset'
            set commands 'base_url'\t'the service\'s address; local: is the embedded service' 'scheme'\t'api-key, bearer or workspace-identifier' 'credential_command'\t'a command that prints the credential' 'workspace'\t'the workspace' 'organization_slug'\t'the organization of the profile\'s own credential' 'workspace_slug'\t'the slug of the workspace of the profile\'s own credential' 'words.codehost'\t'the word for the code host in paths' 'words.docsite'\t'the word for the documentation site in paths' 'timeout'\t'seconds until a command gives up' 'output'\t'the output format' 'header.api-key'\t'the header that carries an API key' 'header.workspace-identifier'\t'the header that carries a workspace identifier' 'ca_cert'\t'a file of certificates to trust as well' 'allow_http'\t'send the credential over plain http too'
        case 'dev'
            set flags '--port'\t'the port; 0 is any that is free' '--data'\t'where it keeps its store (default: the folder of the profile local)' '--ephemeral'\t'keep everything in memory and leave nothing behind' '--fail'\t'answer with a status: \'postWorkspaceEvents=503x2\', \'*=500@20%\' (may be repeated)' '--drop'\t'cut the connection: \'uploadReport=after-request\' (may be repeated)' '--latency'\t'wait before each answer, such as 200ms'
            set valued --port --data --fail --drop --latency
        case 'events'
            set commands 'list'\t'List the events of a target' 'post'\t'Store a batch of events for a workspace' 'search'\t'Search the events stored for a workspace' 'spool'\t'Events that are kept until they are delivered' 'targets'\t'Targets that have events'
            set aliases 'ls=list' 'target=targets'
        case 'events list'
            set flags '--after-created-at'\t'Only events created after it'
            set valued --after-created-at
        case 'events post'
            set flags '--body'\t'The events: NDJSON, an array or one object; @FILE, - or in place; gzip as well' '--id'\t'text' '--execution-id'\t'text' '--workspace-id'\t'text' '--interaction-type' '--local-started-at'\t'date and time' '--local-completed-at'\t'date and time' '--created-at'\t'date and time' '--success'\t'true or false' '--no-success'\t'true or false' '--raw-command'\t'text' '--duration-ms'\t'whole number' '--continuous-integration-environment'\t'text' '--gh-action-run-link'\t'text' '--gh-action-version'\t'text' '--gh-action-organization'\t'text' '--gh-pull-request'\t'text' '--gh-changes-committed'\t'true or false' '--no-gh-changes-committed'\t'true or false' '--gh-action-ref'\t'text' '--gh-action-repository'\t'text' '--repo-label'\t'text' '--commit-head'\t'text' '--hostname'\t'text' '--git-user-name'\t'text' '--git-user-email'\t'text' '--git-remote-default-owner'\t'text' '--git-remote-default-repo'\t'text' '--git-relative-cwd'\t'text' '--generate-target'\t'text' '--generate-target-name'\t'text' '--generate-target-version'\t'text' '--generate-gen-lock-id'\t'text' '--management-doc-checksum'\t'text' '--management-doc-version'\t'text' '--generate-version'\t'text' '--generate-output-tests'\t'true or false' '--no-generate-output-tests'\t'true or false' '--generate-config-pre-raw'\t'text' '--generate-config-post-raw'\t'text' '--generate-config-pre-version'\t'text' '--generate-config-post-version'\t'text' '--generate-config-pre-checksum'\t'text' '--generate-config-post-checksum'\t'text' '--generate-eligible-features'\t'text' '--generate-gen-lock-pre-features'\t'text' '--generate-gen-lock-post-features'\t'text' '--generate-gen-lock-pre-doc-version'\t'text' '--generate-gen-lock-pre-doc-checksum'\t'text' '--generate-gen-lock-pre-version'\t'text' '--generate-gen-lock-pre-revision-digest'\t'text' '--generate-gen-lock-pre-blob-digest'\t'text' '--generate-gen-lock-pre-namespace-name'\t'text' '--generate-bump-type' '--generate-number-of-operations-ignored'\t'whole number' '--generate-number-of-operations-used'\t'whole number' '--generate-number-of-terraform-resources'\t'whole number' '--generate-published'\t'true or false' '--no-generate-published'\t'true or false' '--generate-repo-url'\t'text' '--publish-package-url'\t'text' '--publish-package-name'\t'text' '--publish-package-version'\t'text' '--publish-package-registry-name'\t'text' '--source-revision-digest'\t'text' '--source-blob-digest'\t'text' '--source-namespace-name'\t'text' '--lint-report-digest'\t'text' '--lint-report-error-count'\t'whole number' '--lint-report-warning-count'\t'whole number' '--lint-report-info-count'\t'whole number' '--openapi-diff-report-digest'\t'text' '--openapi-diff-base-source-revision-digest'\t'text' '--openapi-diff-base-source-blob-digest'\t'text' '--openapi-diff-base-source-namespace-name'\t'text' '--openapi-diff-breaking-changes-count'\t'whole number' '--openapi-diff-bump-type' '--error'\t'text' '--mermaid-diagram'\t'text' '--last-step'\t'text' '--test-report-raw'\t'text' '--workflow-pre-raw'\t'text' '--workflow-post-raw'\t'text' '--workflow-lock-pre-raw'\t'text' '--workflow-lock-post-raw'\t'text' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing' '--batch-size'\t'events in one request' '--concurrency'\t'requests under way at a time' '--on-error'\t'at a bad event: end there, or leave it out' '--no-check'\t'also send objects without a known event field' '--no-fill'\t'send events as they are, without an id or a time of ours' '--no-spool'\t'keep nothing on the disk: what cannot be delivered is an error'
            set valued --body --id --execution-id --workspace-id --interaction-type --local-started-at --local-completed-at --created-at --raw-command --duration-ms --continuous-integration-environment --gh-action-run-link --gh-action-version --gh-action-organization --gh-pull-request --gh-action-ref --gh-action-repository --repo-label --commit-head --hostname --git-user-name --git-user-email --git-remote-default-owner --git-remote-default-repo --git-relative-cwd --generate-target --generate-target-name --generate-target-version --generate-gen-lock-id --management-doc-checksum --management-doc-version --generate-version --generate-config-pre-raw --generate-config-post-raw --generate-config-pre-version --generate-config-post-version --generate-config-pre-checksum --generate-config-post-checksum --generate-eligible-features --generate-gen-lock-pre-features --generate-gen-lock-post-features --generate-gen-lock-pre-doc-version --generate-gen-lock-pre-doc-checksum --generate-gen-lock-pre-version --generate-gen-lock-pre-revision-digest --generate-gen-lock-pre-blob-digest --generate-gen-lock-pre-namespace-name --generate-bump-type --generate-number-of-operations-ignored --generate-number-of-operations-used --generate-number-of-terraform-resources --generate-repo-url --publish-package-url --publish-package-name --publish-package-version --publish-package-registry-name --source-revision-digest --source-blob-digest --source-namespace-name --lint-report-digest --lint-report-error-count --lint-report-warning-count --lint-report-info-count --openapi-diff-report-digest --openapi-diff-base-source-revision-digest --openapi-diff-base-source-blob-digest --openapi-diff-base-source-namespace-name --openapi-diff-breaking-changes-count --openapi-diff-bump-type --error --mermaid-diagram --last-step --test-report-raw --workflow-pre-raw --workflow-post-raw --workflow-lock-pre-raw --workflow-lock-post-raw -F --field -f --raw-field --batch-size --concurrency --on-error
        case 'events search'
            set flags '--source-revision-digest'\t'Digest of the source revision' '--lint-report-digest'\t'Digest of the lint report' '--openapi-diff-report-digest'\t'Digest of the change report' '--interaction-type'\t'Kind of interaction' '--generate-gen-lock-id'\t'Gen lock id, which identifies a target' '--execution-id'\t'Id shared by the events of one action' '--success'\t'Only successes; with --no-success only failures' '--no-success'\t'Only successes; with --no-success only failures' '--limit'\t'Number of results' '--chart'\t'draw the events of each day as a bar'
            set valued --source-revision-digest --lint-report-digest --openapi-diff-report-digest --interaction-type --generate-gen-lock-id --execution-id --limit
        case 'events spool'
            set commands 'drop'\t'Remove batches for good' 'flush'\t'Deliver what is kept for the current base address' 'list'\t'List the batches that are kept'
        case 'events spool drop'
            set flags '--older-than'\t'those that are older' '--rejected'\t'those that were rejected' '--corrupt'\t'those that were damaged' '--all'\t'all of them'
            set valued --older-than
        case 'events spool flush'
            set flags '--rejected'\t'send what was rejected once more'
        case 'events targets'
            set commands 'list'\t'List the targets that have events' 'list-deprecated'\t'List the targets of a workspace that have events (deprecated)'
            set aliases 'ls=list'
        case 'events targets list'
            set flags '--after-last-event-created-at'\t'Only targets with events created after it'
            set valued --after-last-event-created-at
        case 'events targets list-deprecated'
            set flags '--after-last-event-created-at'\t'Only targets with events created after it'
            set valued --after-last-event-created-at
        case 'help'
            set flags '--man'\t'write the manual into a folder instead, a page for each command'
            set valued --man
        case 'mcp'
            set flags '--allow-writes'\t'also the tools that change things; else those that only read' '--tools'\t'only these tools, such as ws_tokens_list or \'events_*\'' '--root'\t'folders whose files a tool may send (default: the working folder)'
            set valued --tools --root
        case 'orgs'
            set commands 'add-ons'\t'Billing add-ons' 'create'\t'Create an organization' 'free-trial'\t'The free trial' 'get'\t'Show an organization' 'list'\t'List the organizations that you can access' 'usage'\t'Billing usage'
            set aliases 'addons=add-ons' 'add-on=add-ons' 'trial=free-trial' 'ls=list'
        case 'orgs add-ons'
            set commands 'create'\t'Buy billing add-ons for the organization' 'delete'\t'Cancel a billing add-on' 'list'\t'List the billing add-ons of the organization'
            set aliases 'rm=delete' 'ls=list'
        case 'orgs add-ons create'
            set flags '--body'\t'Add-ons: JSON or YAML, @FILE or - for standard input' '--add-ons'\t'known:  (may be repeated' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --add-ons -F --field -f --raw-field
        case 'orgs create'
            set flags '--body'\t'Organization: JSON or YAML, @FILE or - for standard input' '--id'\t'text' '--name'\t'text' '--slug'\t'text' '--account-type' '--telemetry-disabled'\t'true or false' '--no-telemetry-disabled'\t'true or false' '--created-at'\t'date and time' '--updated-at'\t'date and time' '--free-trial-expiry'\t'date and time, or null' '--sso-connection-id'\t'text, or null' '--sso-activated'\t'true or false' '--no-sso-activated'\t'true or false' '--internal'\t'true or false' '--no-internal'\t'true or false' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --id --name --slug --account-type --created-at --updated-at --free-trial-expiry --sso-connection-id -F --field -f --raw-field
        case 'orgs free-trial'
            set commands 'create'\t'Start the free trial of the organization'
        case 'orgs usage'
            set commands 'get'\t'Show the billing usage by target language'
        case 'orgs usage get'
            set flags '--chart'\t'draw the operations of each language as a bar'
        case 'publishing-tokens'
            set commands 'create'\t'Create a token that authorizes publishing to a target' 'delete'\t'Delete a publishing token' 'get'\t'Show a publishing token' 'list'\t'List the publishing tokens of the current workspace' 'metadata'\t'Show the public metadata of a publishing token' 'target'\t'Show the target that a publishing token is bound to' 'update'\t'Change when a publishing token expires'
            set aliases 'rm=delete' 'ls=list'
        case 'publishing-tokens create'
            set flags '--target-id'\t'Target id' '--target-resource'\t'Kind of resource' '--valid-until'\t'When it expires' '--token-name'\t'Name' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --target-id --target-resource --valid-until --token-name --body -F --field -f --raw-field
        case 'publishing-tokens update'
            set flags '--valid-until'\t'New expiration' '--token-name'\t'New name' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --valid-until --token-name --body -F --field -f --raw-field
        case 'reports'
            set commands 'changes-url'\t'Get a signed address of a change report' 'linting-url'\t'Get a signed address of a lint report' 'upload'\t'Upload a lint or change report'
        case 'reports changes-url'
            set flags '--download'\t'fetch the report into a file, whole or not at all' '--open'\t'open the report in a browser'
            set valued --download
        case 'reports linting-url'
            set flags '--download'\t'fetch the report into a file, whole or not at all' '--open'\t'open the report in a browser'
            set valued --download
        case 'reports upload'
            set flags '--data'\t'Report metadata' '--type' '--file'\t'The report' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing' '--shorten'\t'shorten the address of the report too' '--open'\t'open the report in a browser' '--checksum'\t'compute the checksums of a file above 256 MiB too'
            set valued --data --type --file --body -F --field -f --raw-field
        case 'schema'
            set flags '--all'\t'every command with all that is known of it' '--json-schema'\t'the JSON Schema of what is printed'
        case 'schema-store'
            set commands 'create'\t'Store an API description for everyone to read' 'get'\t'Get a stored API description'
        case 'schema-store create'
            set flags '--spec'\t'API description, with the files it refers to' '--package-name'\t'Package name used in snippets' '--sdk-classname'\t'Class name used in snippets' '--format'\t'Form of the document' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --spec --package-name --sdk-classname --format --body -F --field -f --raw-field
        case 'schema-store get'
            set flags '--id'\t'Id of the item' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --id --body -F --field -f --raw-field
        case 'serve'
            set flags '--port'\t'the port; 0 is any that is free' '--data'\t'where it keeps its store (default: the folder of the profile local)' '--ephemeral'\t'keep everything in memory and leave nothing behind' '--fail'\t'answer with a status: \'postWorkspaceEvents=503x2\', \'*=500@20%\' (may be repeated)' '--drop'\t'cut the connection: \'uploadReport=after-request\' (may be repeated)' '--latency'\t'wait before each answer, such as 200ms'
            set valued --port --data --fail --drop --latency
        case 'short-urls'
            set commands 'create'\t'Shorten a URL'
        case 'short-urls create'
            set flags '--url'\t'The URL to shorten' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --url --body -F --field -f --raw-field
        case 'subscriptions'
            set commands 'activate'\t'Take a namespace of a subscription up again' 'ignore'\t'Ignore a namespace in a subscription'
        case 'suggest'
            set commands 'from-summary'\t'Get an overlay from a summary of an API description' 'items'\t'Get one suggestion for each item' 'openapi'\t'Get an overlay that improves an API description (deprecated)' 'registry'\t'Get an overlay that improves a document in the registry'
        case 'suggest from-summary'
            set flags '--session-id'\t'Session id, any text (default: a fresh UUID)' '--body'\t'Summary, kind of suggestion, diagnostics: JSON or YAML, @FILE or - for standard input' '--oas-summary'\t'JSON, @FILE or -' '--suggestion-type' '--diagnostics'\t'JSON, @FILE or - (may be repeated)' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --session-id --body --oas-summary --suggestion-type --diagnostics -F --field -f --raw-field
        case 'suggest items'
            set flags '--body'\t'Prompt and items: JSON or YAML, @FILE or - for standard input' '--prompt'\t'text' '--items'\t'text (may be repeated)' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --prompt --items -F --field -f --raw-field
        case 'suggest openapi'
            set flags '--session-id'\t'Session id, any text (default: a fresh UUID)' '--schema'\t'API description, with the files it refers to' '--opts'\t'Options' '--suggestion-type' '--diagnostics'\t'JSON, @FILE or - (may be repeated)' '--body'\t'All of the body: JSON or YAML, @FILE or - for standard input; flags win over it' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --session-id --schema --opts --suggestion-type --diagnostics --body -F --field -f --raw-field
        case 'suggest registry'
            set flags '--session-id'\t'Session id, any text (default: a fresh UUID)' '--body'\t'Kind of suggestion, diagnostics: JSON or YAML, @FILE or - for standard input' '--oas-summary'\t'JSON, @FILE or -' '--suggestion-type' '--diagnostics'\t'JSON, @FILE or - (may be repeated)' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --session-id --body --oas-summary --suggestion-type --diagnostics -F --field -f --raw-field
        case 'ws'
            set commands 'create'\t'Create a workspace' 'current'\t'Show the workspace and organization of the credential' 'feature-flags'\t'Feature flags of a workspace' 'get'\t'Show a workspace' 'list'\t'List the workspaces that you can access' 'settings'\t'Settings of a workspace' 'team'\t'Who may use a workspace (also: dtp team)' 'tokens'\t'Tokens of a workspace (also: dtp tokens)' 'update'\t'Change the details of a workspace'
            set aliases 'flags=feature-flags' 'feature-flag=feature-flags' 'ls=list' 'setting=settings' 'members=team' 'token=tokens'
        case 'ws create'
            set flags '--body'\t'Workspace: JSON or YAML, @FILE or - for standard input' '--created-at'\t'date and time' '--id'\t'text' '--name'\t'text' '--organization-id'\t'text' '--slug'\t'text' '--inactive'\t'true or false' '--no-inactive'\t'true or false' '--telemetry-disabled'\t'true or false' '--no-telemetry-disabled'\t'true or false' '--updated-at'\t'date and time' '--verified'\t'true or false' '--no-verified'\t'true or false' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --created-at --id --name --organization-id --slug --updated-at -F --field -f --raw-field
        case 'ws feature-flags'
            set commands 'get'\t'Show the feature flags of a workspace' 'set'\t'Set the feature flags of the current workspace'
        case 'ws feature-flags set'
            set flags '--body'\t'Feature flags: JSON or YAML, @FILE or - for standard input' '--feature-flags'\t'known:  (may be repeated' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --feature-flags -F --field -f --raw-field
        case 'ws settings'
            set commands 'get'\t'Show the settings of a workspace' 'update'\t'Change the settings of a workspace'
        case 'ws settings update'
            set flags '--body'\t'Settings: JSON or YAML, @FILE or - for standard input' '--workspace-id'\t'text' '--webhook-url'\t'text' '--created-at'\t'date and time' '--updated-at'\t'date and time' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --workspace-id --webhook-url --created-at --updated-at -F --field -f --raw-field
        case 'ws team'
            set commands 'grant'\t'Grant a user access to a workspace' 'list'\t'List the team of a workspace' 'revoke'\t'Revoke a user\'s access to a workspace'
            set aliases 'ls=list'
        case 'ws tokens'
            set commands 'create'\t'Create a token for a workspace' 'delete'\t'Delete a token of a workspace' 'list'\t'List the tokens of a workspace'
            set aliases 'rm=delete' 'ls=list'
        case 'ws tokens create'
            set flags '--body'\t'Token: JSON or YAML, @FILE or - for standard input' '--id'\t'text' '--name'\t'text' '--workspace-id'\t'text' '--alg'\t'text' '--key'\t'text' '--last-used'\t'date and time, or null' '--created-at'\t'date and time' '--created-by'\t'text, or null' '--created-by-name'\t'text, or null' '--created-by-photo-url'\t'text, or null' '--email'\t'text, or null' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
            set valued --body --id --name --workspace-id --alg --key --last-used --created-at --created-by --created-by-name --created-by-photo-url --email -F --field -f --raw-field
        case 'ws update'
            set flags '--body'\t'Workspace: JSON or YAML, @FILE or - for standard input' '--created-at'\t'date and time' '--id'\t'text' '--name'\t'text' '--organization-id'\t'text' '--slug'\t'text' '--inactive'\t'true or false' '--no-inactive'\t'true or false' '--telemetry-disabled'\t'true or false' '--no-telemetry-disabled'\t'true or false' '--updated-at'\t'date and time' '--verified'\t'true or false' '--no-verified'\t'true or false' '-F'\t'a member of the body, typed; @FILE is its text (may be repeated)' '--field'\t'a member of the body, typed; @FILE is its text (may be repeated)' '-f'\t'a member of the body, always a text (may be repeated)' '--raw-field'\t'a member of the body, always a text (may be repeated)' '--skeleton'\t'print a template of the body, and send nothing'
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
        case '* -w' '* --workspace' 'config set workspace 1'
            set kind workspaces
        case '* -o' '* --output' 'config set output 1'
            set kind words
            set choices 'table' 'json' 'yaml' 'ndjson' 'csv' 'tsv' 'name' 'raw'
        case '* -O' '* --output-file' '* --ca-cert' 'artifacts push --include' '* --schema-file' '* --download' '* --file' '* --spec' '* --schema' 'artifacts push 1' 'config set ca_cert 1' 'config trust 1' 'config untrust 1'
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
        case 'dev --data' 'serve --data' '* --man'
            set kind folder
        case '* --interaction-type'
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
