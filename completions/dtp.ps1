# dtp completion for PowerShell 5.1 and later. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

Register-ArgumentCompleter -Native -CommandName dtp -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # A line for each page (@), command (c), flag (f) and argument (a), its cells between tabs.
    $data = @'
@	
c	api			Call any path of the service, with the credential
c	artifacts artifact			The artifact registry
c	auth			Credentials and access
c	code-samples samples code-sample			Usage snippets for an API
c	codehost code-host			The integration with a code host
c	completion			Print the completion script of a shell, or install it
c	config			Profiles and settings
c	dev			Run a command with the embedded service beside it: dtp dev -- COMMAND…
c	doctor			Check configuration, network, credential and spool, and say what mends them
c	events event			Events and targets
c	help			Print the help of a command or a topic
c	mcp			Serve the operations as tools to an agent, over standard input and output
c	orgs organizations organization org			Organizations, usage and billing
c	publishing-tokens publishing-token			Tokens that authorize publishing
c	reports report			Lint and change reports
c	schema			Print what a command takes and does, for programs
c	schema-store schemas			The public store of API descriptions
c	serve			Run the embedded service on loopback until it is interrupted
c	short-urls short-url			Short URLs
c	subscriptions subscription			Subscriptions to namespaces
c	suggest suggestions			Suggestions for an API description
c	ws workspaces workspace			Workspaces
f	-V --version	-		print the version
f	--base-url	none		the service's address; local: is the embedded service
f	--profile	profiles		the profile to use; local is built in
f	-w --workspace	workspaces		the workspace; '' for the credential's own
f	--organization-slug	none		the organization, for manifests and blobs
f	--workspace-slug	none		the workspace, for manifests and blobs
f	-o --output	words	table json yaml ndjson csv tsv name raw	table on a terminal, else json
f	--json	-		short for -o json
f	--fields	none		only these members, such as id,name,owner.name
f	--query	none		a JMESPath expression over the result
f	-r --raw-output	-		print strings and lists of strings without quotes
f	--no-headers	-		no titles of columns
f	-O --output-file	file		write the result to a file, whole or not at all
f	--force	-		let -O replace a file that is there
f	--no-input	-		never ask; fail with what is missing
f	-y --yes	-		answer yes to what would be asked
f	--no-progress	-		show no movement while something takes long
f	--timeout	none		the longest the command may take, such as 90s or 5m
f	--connect-timeout	none		the longest a connection may take
f	--proxy	none		the proxy for all but loopback; '' for none
f	--ca-cert	file		trust these certificates too (PEM)
f	--insecure	-		accept any certificate, with a warning
f	--allow-http	-		send the credential over plain http
f	--retry	none		send a command that only reads again, at most so often
f	--allow-failure	-		end with 0, and a warning, where the service or the way to it failed
f	--dry-run	-		print the request and send nothing
f	--curl	-		print the request as a curl command and send nothing
f	--error-format	words	auto text json	how errors are written
f	--color	words	auto always never	when there is color
f	-v --verbose	-		tell of requests and retries on stderr
f	--debug	-		tell of headers too, and where errors come from
f	-h --help	-		print help
@	api
f	-X --method	words	GET POST PUT PATCH DELETE	GET, or POST where there is a body
f	--body	document		JSON or YAML, @FILE or - for standard input
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	-H --header	none		a header, such as "accept: text/plain" (may be repeated)
f	--paginate	-		all pages, as one list
f	-i --include	-		tell the status and the headers too: with -o raw first on stdout, else on stderr
a	1	none	
@	artifacts
c	blobs blob			Blobs
c	manifests manifest			Manifests
c	namespaces namespace			Namespaces, which hold revisions (also: dtp namespaces)
c	preflight			Get a token for the distribution endpoint of a namespace
c	pull			Pull a revision into a folder, each part compared with its digest
c	push			Push a document with the files that it refers to, or a folder, as a revision
c	remote-sources remote-source			Remote sources of a namespace
c	revisions revision			Revisions of a namespace (also: dtp revisions)
c	tags tag			Tags of revisions (also: dtp tags)
@	artifacts blobs
c	get			Get a blob of a revision
@	artifacts blobs get
a	1	namespaces	
a	2	none	
@	artifacts manifests
c	get			Get the manifest of a revision
@	artifacts manifests get
f	--accept	none		Media type of the manifest
a	1	namespaces	
a	2	revisions	
@	artifacts namespaces
c	archive			Archive a namespace, or with --no-archived bring it back
c	list ls			List the namespaces, each of which holds revisions
c	set-visibility			Make a namespace public, or with --no-public private
@	artifacts namespaces archive
f	--archived	-		Whether it is archived (default: true)
f	--no-archived	-		Whether it is archived (default: true)
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
a	1	namespaces	
@	artifacts namespaces list
@	artifacts namespaces set-visibility
f	--public	-		Whether everyone may read it
f	--no-public	-		Whether everyone may read it
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
a	1	namespaces	
@	artifacts preflight
f	--body	document		Namespace: JSON or YAML, @FILE or - for standard input
f	--namespace-name	namespaces		text
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	artifacts pull
a	1	reference	
@	artifacts push
f	--namespace	namespaces		the namespace, made where it is absent
f	--tag	tags		a tag, latest where none is given (may be repeated)
f	--include	file		allow a hidden file, or one of another type, that the document refers to (may be repeated)
a	1	file	
@	artifacts remote-sources
c	create			Configure the remote source of a namespace
c	list ls			Show the remote sources of a namespace
@	artifacts remote-sources create
f	--body	document		Inputs, overlays and output: JSON or YAML, @FILE or - for standard input
f	--inputs	document		JSON, @FILE or - (may be repeated)
f	--overlays	document		JSON, @FILE or - (may be repeated)
f	--output-value	document		JSON, @FILE or -
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	artifacts remote-sources list
f	--namespace-name	namespaces		Namespace name
@	artifacts revisions
c	list ls			List the revisions of a namespace, a page at a time
@	artifacts revisions list
f	--page-token	none		Token of the next page
f	--all	-		all pages, as one list
f	--limit	none		at most so many rows, from as many pages as it takes
a	1	namespaces	
@	artifacts tags
c	add			Add tags to an existing revision
c	list ls			List the tags of a namespace
@	artifacts tags add
f	--body	document		Revision and tags: JSON or YAML, @FILE or - for standard input
f	--revision-digest	digests		text
f	--tags	tags		text (may be repeated)
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
a	1	namespaces	
@	artifacts tags list
a	1	namespaces	
@	auth
c	access			Check whether generation is permitted
c	login			Check a credential and keep it in a profile
c	logout			Forget the credential of a profile
c	oidc-token			Print the OIDC token of the CI job that this runs in
c	status			Say which credential is used and whether it is valid: 0 where it is, else 4
c	token			Get or refresh an access token for a workspace; needs no credential
c	user			Show the current user
c	validate			Check the credential of this request and show what it may do
@	auth access
f	--gen-lock-id	none		Gen lock id
f	--target-type	none		Kind of target
f	--passive	-		Skip side effects such as incrementing metrics
f	--no-passive	-		Skip side effects such as incrementing metrics
@	auth login
f	--with-token	-		read the credential from standard input
f	--scheme	words	api-key bearer workspace-identifier	what the credential is
@	auth logout
@	auth oidc-token
f	--audience	none		whom the token is for; else what the runner takes
f	--variable	none		the variable that holds the token, such as one of id_tokens on GitLab
@	auth status
@	auth token
@	auth user
@	auth validate
@	code-samples
c	get			Get usage snippets for a document in the registry
c	jobs job			Snippets made in the background
c	preview			Generate usage snippets for a document and wait for them
@	code-samples get
f	--registry-url	none		Registry address of the document
f	--operation-ids	none		Only these operations (may be repeated)
f	--method-paths	document		Only these operations, each as {"method":"get","path":"/pets"} (may be repeated)
f	--languages	none		Only these languages (may be repeated)
@	code-samples jobs
c	create			Start a job that generates usage snippets for a document
c	get			Get the snippets of a job, or learn that it still runs
@	code-samples jobs create
f	--schema-file	file		API description, with the files it refers to
f	--language	none		Language of the snippets
f	--package-name	none		Package name used in the snippets
f	--sdk-class-name	none		Class name used in the snippets
f	--operation-ids	none		Only these operations (may be repeated)
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
f	--wait	-		wait until the job is done, and print its result
f	--wait-timeout	none		the longest to wait
f	--poll-interval	none		the time between two looks
@	code-samples jobs get
f	--wait	-		wait until the job is done, and print its result
f	--wait-timeout	none		the longest to wait
f	--poll-interval	none		the time between two looks
a	1	none	
@	code-samples preview
f	--schema-file	file		API description, with the files it refers to
f	--language	none		Language of the snippets
f	--package-name	none		Package name used in the snippets
f	--sdk-class-name	none		Class name used in the snippets
f	--operation-ids	none		Only these operations (may be repeated)
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	codehost
c	access			Access to repositories
c	actions action			The workflow action
c	configure			Configure a repository
c	publishing-prs			Pull requests that publish
c	publishing-secrets			Secrets for publishing
c	setup			How far the integration is set up
@	codehost access
c	check			Check that the platform may access a repository
c	link			Link an installation on the code host to the workspace
@	codehost access check
f	--org	none		Owner of the repository on the code host
f	--repo	none		Repository on the code host
@	codehost access link
f	--installation-id	none		Installation id on the code host
f	--codehost-org	none		Owner on the code host
f	--codehost-oidc-token	document		OIDC token of a CI run: @FILE or - (a secret has no place on a command line)
@	codehost actions
c	get			Show the latest run of the workflow action
c	trigger			Trigger the workflow action of a target
@	codehost actions get
f	--org	none		Owner of the repository on the code host
f	--repo	none		Repository on the code host
f	--target-name	none		Target name of the workflow target
@	codehost actions trigger
f	--body	document		Repository and target: JSON or YAML, @FILE or - for standard input
f	--org	none		text
f	--repo-name	none		text
f	--target-name	none		text
f	--gen-lock-id	none		text
f	--set-version	none		text
f	--force-value	-		true or false
f	--no-force-value	-		true or false
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	codehost configure
c	code-samples			Configure code samples for a repository
c	docsite-repo			Configure a repository for the docs site
c	target			Configure a repository for a target
@	codehost configure code-samples
f	--body	document		Repository and target: JSON or YAML, @FILE or - for standard input
f	--org	none		text
f	--repo	none		text
f	--target-name	none		text
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	codehost configure docsite-repo
f	--body	document		Repository, input and overlays: JSON or YAML, @FILE or - for standard input
f	--org	none		text
f	--repo	none		text
f	--subdirectory	none		text
f	--input	none		text
f	--overlays	none		text (may be repeated)
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	codehost configure target
f	--body	document		Repository: JSON or YAML, @FILE or - for standard input
f	--org	none		text
f	--repo-name	none		text
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	codehost publishing-prs
c	check			Show the pull request that would publish a target
@	codehost publishing-prs check
f	--generate-gen-lock-id	none		Gen lock id, which identifies a target
f	--org	none		Owner of the repository on the code host
f	--repo	none		Repository on the code host
@	codehost publishing-secrets
c	check			List the publishing secrets that a target lacks
c	store			Store publishing secrets for a target
@	codehost publishing-secrets check
f	--generate-gen-lock-id	none		Gen lock id, which identifies a target
@	codehost publishing-secrets store
f	--body	document		Gen lock id and secrets by name: JSON or YAML, @FILE or - for standard input
f	--generate-gen-lock-id	none		text
f	--secrets	document		JSON, @FILE or -
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	codehost setup
c	get			Show how far the integration of a repository is set up
@	codehost setup get
f	--org	none		Owner of the repository on the code host
f	--repo	none		Repository on the code host
f	--generate-gen-lock-id	none		Gen lock id, which identifies a target
@	completion
f	--install	-		write it where the shell looks for it, for this user
a	1	words	bash zsh fish powershell
@	config
c	delete			Delete a profile and its credential
c	explain			Show each setting and where it comes from
c	get			Show a setting of the profile
c	list			List the profiles
c	path			Show where the profiles are kept
c	set			Change a setting of the profile
c	trust			Let a folder file decide where requests go
c	unset			Forget a setting of the profile
c	untrust			Stop trusting a folder file
c	use			Make a profile the current one
@	config delete
a	1	profiles	
@	config explain
@	config get
c	base_url			the service's address; local: is the embedded service
c	scheme			api-key, bearer or workspace-identifier
c	credential_command			a command that prints the credential
c	workspace			the workspace
c	organization_slug			the organization of the profile's own credential
c	workspace_slug			the slug of the workspace of the profile's own credential
c	words.codehost			the word for the code host in paths
c	words.docsite			the word for the documentation site in paths
c	timeout			seconds until a command gives up
c	output			the output format
c	header.api-key			the header that carries an API key
c	header.workspace-identifier			the header that carries a workspace identifier
c	ca_cert			a file of certificates to trust as well
c	allow_http			send the credential over plain http too
@	config get base_url
@	config get scheme
@	config get credential_command
@	config get workspace
@	config get organization_slug
@	config get workspace_slug
@	config get words.codehost
@	config get words.docsite
@	config get timeout
@	config get output
@	config get header.api-key
@	config get header.workspace-identifier
@	config get ca_cert
@	config get allow_http
@	config list
@	config path
@	config set
c	base_url			the service's address; local: is the embedded service
c	scheme			api-key, bearer or workspace-identifier
c	credential_command			a command that prints the credential
c	workspace			the workspace
c	organization_slug			the organization of the profile's own credential
c	workspace_slug			the slug of the workspace of the profile's own credential
c	words.codehost			the word for the code host in paths
c	words.docsite			the word for the documentation site in paths
c	timeout			seconds until a command gives up
c	output			the output format
c	header.api-key			the header that carries an API key
c	header.workspace-identifier			the header that carries a workspace identifier
c	ca_cert			a file of certificates to trust as well
c	allow_http			send the credential over plain http too
@	config set base_url
a	1	none	
@	config set scheme
a	1	words	api-key bearer workspace-identifier
@	config set credential_command
a	1	none	
@	config set workspace
a	1	workspaces	
@	config set organization_slug
a	1	none	
@	config set workspace_slug
a	1	none	
@	config set words.codehost
a	1	none	
@	config set words.docsite
a	1	none	
@	config set timeout
a	1	none	
@	config set output
a	1	words	table json yaml ndjson csv tsv name raw
@	config set header.api-key
a	1	none	
@	config set header.workspace-identifier
a	1	none	
@	config set ca_cert
a	1	file	
@	config set allow_http
a	1	words	true false
@	config trust
a	1	file	
@	config unset
c	base_url			the service's address; local: is the embedded service
c	scheme			api-key, bearer or workspace-identifier
c	credential_command			a command that prints the credential
c	workspace			the workspace
c	organization_slug			the organization of the profile's own credential
c	workspace_slug			the slug of the workspace of the profile's own credential
c	words.codehost			the word for the code host in paths
c	words.docsite			the word for the documentation site in paths
c	timeout			seconds until a command gives up
c	output			the output format
c	header.api-key			the header that carries an API key
c	header.workspace-identifier			the header that carries a workspace identifier
c	ca_cert			a file of certificates to trust as well
c	allow_http			send the credential over plain http too
@	config unset base_url
@	config unset scheme
@	config unset credential_command
@	config unset workspace
@	config unset organization_slug
@	config unset workspace_slug
@	config unset words.codehost
@	config unset words.docsite
@	config unset timeout
@	config unset output
@	config unset header.api-key
@	config unset header.workspace-identifier
@	config unset ca_cert
@	config unset allow_http
@	config untrust
a	1	file	
@	config use
a	1	profiles	
@	dev
f	--port	none		the port; 0 is any that is free
f	--data	folder		where it keeps its store (default: the folder of the profile local)
f	--ephemeral	-		keep everything in memory and leave nothing behind
f	--fail	none		answer with a status: 'postWorkspaceEvents=503x2', '*=500@20%' (may be repeated)
f	--drop	none		cut the connection: 'uploadReport=after-request' (may be repeated)
f	--latency	none		wait before each answer, such as 200ms
a	rest	program	
@	doctor
@	events
c	list ls			List the events of a target
c	post			Store a batch of events for a workspace
c	search			Search the events stored for a workspace
c	spool			Events that are kept until they are delivered
c	targets target			Targets that have events
@	events list
f	--after-created-at	none		Only events created after it
a	1	targets	
@	events post
f	--body	document		The events: NDJSON, an array or one object; @FILE, - or in place; gzip as well
f	--id	none		text
f	--execution-id	none		text
f	--workspace-id	none		text
f	--interaction-type	words	CI_EXEC CLI_EXEC LINT OPENAPI_DIFF TARGET_GENERATE TOMBSTONE AUTHENTICATE QUICKSTART RUN CONFIGURE PUBLISH TEST	
f	--local-started-at	none		date and time
f	--local-completed-at	none		date and time
f	--created-at	none		date and time
f	--success	-		true or false
f	--no-success	-		true or false
f	--raw-command	none		text
f	--duration-ms	none		whole number
f	--continuous-integration-environment	none		text
f	--gh-action-run-link	none		text
f	--gh-action-version	none		text
f	--gh-action-organization	none		text
f	--gh-pull-request	none		text
f	--gh-changes-committed	-		true or false
f	--no-gh-changes-committed	-		true or false
f	--gh-action-ref	none		text
f	--gh-action-repository	none		text
f	--repo-label	none		text
f	--commit-head	none		text
f	--hostname	none		text
f	--git-user-name	none		text
f	--git-user-email	none		text
f	--git-remote-default-owner	none		text
f	--git-remote-default-repo	none		text
f	--git-relative-cwd	none		text
f	--generate-target	none		text
f	--generate-target-name	none		text
f	--generate-target-version	none		text
f	--generate-gen-lock-id	none		text
f	--management-doc-checksum	none		text
f	--management-doc-version	none		text
f	--generate-version	none		text
f	--generate-output-tests	-		true or false
f	--no-generate-output-tests	-		true or false
f	--generate-config-pre-raw	none		text
f	--generate-config-post-raw	none		text
f	--generate-config-pre-version	none		text
f	--generate-config-post-version	none		text
f	--generate-config-pre-checksum	none		text
f	--generate-config-post-checksum	none		text
f	--generate-eligible-features	none		text
f	--generate-gen-lock-pre-features	none		text
f	--generate-gen-lock-post-features	none		text
f	--generate-gen-lock-pre-doc-version	none		text
f	--generate-gen-lock-pre-doc-checksum	none		text
f	--generate-gen-lock-pre-version	none		text
f	--generate-gen-lock-pre-revision-digest	none		text
f	--generate-gen-lock-pre-blob-digest	none		text
f	--generate-gen-lock-pre-namespace-name	none		text
f	--generate-bump-type	words	major minor patch custom graduate prerelease none	
f	--generate-number-of-operations-ignored	none		whole number
f	--generate-number-of-operations-used	none		whole number
f	--generate-number-of-terraform-resources	none		whole number
f	--generate-published	-		true or false
f	--no-generate-published	-		true or false
f	--generate-repo-url	none		text
f	--publish-package-url	none		text
f	--publish-package-name	none		text
f	--publish-package-version	none		text
f	--publish-package-registry-name	none		text
f	--source-revision-digest	none		text
f	--source-blob-digest	none		text
f	--source-namespace-name	none		text
f	--lint-report-digest	none		text
f	--lint-report-error-count	none		whole number
f	--lint-report-warning-count	none		whole number
f	--lint-report-info-count	none		whole number
f	--openapi-diff-report-digest	none		text
f	--openapi-diff-base-source-revision-digest	none		text
f	--openapi-diff-base-source-blob-digest	none		text
f	--openapi-diff-base-source-namespace-name	none		text
f	--openapi-diff-breaking-changes-count	none		whole number
f	--openapi-diff-bump-type	words	major minor patch none	
f	--error	none		text
f	--mermaid-diagram	none		text
f	--last-step	none		text
f	--test-report-raw	none		text
f	--workflow-pre-raw	none		text
f	--workflow-post-raw	none		text
f	--workflow-lock-pre-raw	none		text
f	--workflow-lock-post-raw	none		text
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
f	--batch-size	none		events in one request
f	--concurrency	none		requests under way at a time
f	--on-error	words	stop skip	at a bad event: end there, or leave it out
f	--no-check	-		also send objects without a known event field
f	--no-fill	-		send events as they are, without an id or a time of ours
f	--no-spool	-		keep nothing on the disk: what cannot be delivered is an error
@	events search
f	--source-revision-digest	none		Digest of the source revision
f	--lint-report-digest	none		Digest of the lint report
f	--openapi-diff-report-digest	none		Digest of the change report
f	--interaction-type	words	CI_EXEC CLI_EXEC LINT OPENAPI_DIFF TARGET_GENERATE TOMBSTONE AUTHENTICATE QUICKSTART RUN CONFIGURE PUBLISH TEST	Kind of interaction
f	--generate-gen-lock-id	none		Gen lock id, which identifies a target
f	--execution-id	none		Id shared by the events of one action
f	--success	-		Only successes; with --no-success only failures
f	--no-success	-		Only successes; with --no-success only failures
f	--limit	none		Number of results
f	--chart	-		draw the events of each day as a bar
@	events spool
c	drop			Remove batches for good
c	flush			Deliver what is kept for the current base address
c	list			List the batches that are kept
@	events spool drop
f	--older-than	none		those that are older
f	--rejected	-		those that were rejected
f	--corrupt	-		those that were damaged
f	--all	-		all of them
a	rest	none	
@	events spool flush
f	--rejected	-		send what was rejected once more
@	events spool list
@	events targets
c	list ls			List the targets that have events
c	list-deprecated			List the targets of a workspace that have events (deprecated)
@	events targets list
f	--after-last-event-created-at	none		Only targets with events created after it
@	events targets list-deprecated
f	--after-last-event-created-at	none		Only targets with events created after it
@	help
f	--man	folder		write the manual into a folder instead, a page for each command
a	rest	command	
@	mcp
f	--allow-writes	-		also the tools that change things; else those that only read
f	--tools	none		only these tools, such as ws_tokens_list or 'events_*'
f	--root	none		folders whose files a tool may send (default: the working folder)
@	orgs
c	add-ons addons add-on			Billing add-ons
c	create			Create an organization
c	free-trial trial			The free trial
c	get			Show an organization
c	list ls			List the organizations that you can access
c	usage			Billing usage
@	orgs add-ons
c	create			Buy billing add-ons for the organization
c	delete rm			Cancel a billing add-on
c	list ls			List the billing add-ons of the organization
@	orgs add-ons create
f	--body	document		Add-ons: JSON or YAML, @FILE or - for standard input
f	--add-ons	words	webhooks sdk_testing custom_code_regions snippet_ai	known:  (may be repeated
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	orgs add-ons delete
a	1	words	webhooks sdk_testing custom_code_regions snippet_ai
@	orgs add-ons list
@	orgs create
f	--body	document		Organization: JSON or YAML, @FILE or - for standard input
f	--id	none		text
f	--name	none		text
f	--slug	none		text
f	--account-type	words	free scale-up business enterprise	
f	--telemetry-disabled	-		true or false
f	--no-telemetry-disabled	-		true or false
f	--created-at	none		date and time
f	--updated-at	none		date and time
f	--free-trial-expiry	none		date and time, or null
f	--sso-connection-id	none		text, or null
f	--sso-activated	-		true or false
f	--no-sso-activated	-		true or false
f	--internal	-		true or false
f	--no-internal	-		true or false
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	orgs free-trial
c	create			Start the free trial of the organization
@	orgs free-trial create
@	orgs get
a	1	organizations	
@	orgs list
@	orgs usage
c	get			Show the billing usage by target language
@	orgs usage get
f	--chart	-		draw the operations of each language as a bar
@	publishing-tokens
c	create			Create a token that authorizes publishing to a target
c	delete rm			Delete a publishing token
c	get			Show a publishing token
c	list ls			List the publishing tokens of the current workspace
c	metadata			Show the public metadata of a publishing token
c	target			Show the target that a publishing token is bound to
c	update			Change when a publishing token expires
@	publishing-tokens create
f	--target-id	none		Target id
f	--target-resource	none		Kind of resource
f	--valid-until	none		When it expires
f	--token-name	none		Name
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	publishing-tokens delete
a	1	publishing-tokens	
@	publishing-tokens get
a	1	publishing-tokens	
@	publishing-tokens list
@	publishing-tokens metadata
a	1	publishing-tokens	
@	publishing-tokens target
a	1	publishing-tokens	
@	publishing-tokens update
f	--valid-until	none		New expiration
f	--token-name	none		New name
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
a	1	publishing-tokens	
@	reports
c	changes-url			Get a signed address of a change report
c	linting-url			Get a signed address of a lint report
c	upload			Upload a lint or change report
@	reports changes-url
f	--download	file		fetch the report into a file, whole or not at all
f	--open	-		open the report in a browser
a	1	none	
@	reports linting-url
f	--download	file		fetch the report into a file, whole or not at all
f	--open	-		open the report in a browser
a	1	none	
@	reports upload
f	--data	document		Report metadata
f	--type	words	linting changes	
f	--file	file		The report
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
f	--shorten	-		shorten the address of the report too
f	--open	-		open the report in a browser
f	--checksum	-		compute the checksums of a file above 256 MiB too
@	schema
f	--all	-		every command with all that is known of it
f	--json-schema	-		the JSON Schema of what is printed
a	rest	none	
@	schema-store
c	create			Store an API description for everyone to read
c	get			Get a stored API description
@	schema-store create
f	--spec	file		API description, with the files it refers to
f	--package-name	none		Package name used in snippets
f	--sdk-classname	none		Class name used in snippets
f	--format	words	json yaml	Form of the document
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	schema-store get
f	--id	none		Id of the item
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	serve
f	--port	none		the port; 0 is any that is free
f	--data	folder		where it keeps its store (default: the folder of the profile local)
f	--ephemeral	-		keep everything in memory and leave nothing behind
f	--fail	none		answer with a status: 'postWorkspaceEvents=503x2', '*=500@20%' (may be repeated)
f	--drop	none		cut the connection: 'uploadReport=after-request' (may be repeated)
f	--latency	none		wait before each answer, such as 200ms
@	short-urls
c	create			Shorten a URL
@	short-urls create
f	--url	none		The URL to shorten
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	subscriptions
c	activate			Take a namespace of a subscription up again
c	ignore			Ignore a namespace in a subscription
@	subscriptions activate
a	1	none	
a	2	namespaces	
@	subscriptions ignore
a	1	none	
a	2	namespaces	
@	suggest
c	from-summary			Get an overlay from a summary of an API description
c	items			Get one suggestion for each item
c	openapi			Get an overlay that improves an API description (deprecated)
c	registry			Get an overlay that improves a document in the registry
@	suggest from-summary
f	--session-id	none		Session id, any text (default: a fresh UUID)
f	--body	document		Summary, kind of suggestion, diagnostics: JSON or YAML, @FILE or - for standard input
f	--oas-summary	document		JSON, @FILE or -
f	--suggestion-type	words	method-names diagnostics-only	
f	--diagnostics	document		JSON, @FILE or - (may be repeated)
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	suggest items
f	--body	document		Prompt and items: JSON or YAML, @FILE or - for standard input
f	--prompt	none		text
f	--items	none		text (may be repeated)
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	suggest openapi
f	--session-id	none		Session id, any text (default: a fresh UUID)
f	--schema	file		API description, with the files it refers to
f	--opts	document		Options
f	--suggestion-type	words	method-names diagnostics-only	
f	--diagnostics	document		JSON, @FILE or - (may be repeated)
f	--body	document		All of the body: JSON or YAML, @FILE or - for standard input; flags win over it
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	suggest registry
f	--session-id	none		Session id, any text (default: a fresh UUID)
f	--body	document		Kind of suggestion, diagnostics: JSON or YAML, @FILE or - for standard input
f	--oas-summary	document		JSON, @FILE or -
f	--suggestion-type	words	method-names diagnostics-only	
f	--diagnostics	document		JSON, @FILE or - (may be repeated)
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
a	1	namespaces	
a	2	revisions	
@	ws
c	create			Create a workspace
c	current			Show the workspace and organization of the credential
c	feature-flags flags feature-flag			Feature flags of a workspace
c	get			Show a workspace
c	list ls			List the workspaces that you can access
c	settings setting			Settings of a workspace
c	team members			Who may use a workspace (also: dtp team)
c	tokens token			Tokens of a workspace (also: dtp tokens)
c	update			Change the details of a workspace
@	ws create
f	--body	document		Workspace: JSON or YAML, @FILE or - for standard input
f	--created-at	none		date and time
f	--id	none		text
f	--name	none		text
f	--organization-id	none		text
f	--slug	none		text
f	--inactive	-		true or false
f	--no-inactive	-		true or false
f	--telemetry-disabled	-		true or false
f	--no-telemetry-disabled	-		true or false
f	--updated-at	none		date and time
f	--verified	-		true or false
f	--no-verified	-		true or false
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	ws current
@	ws feature-flags
c	get			Show the feature flags of a workspace
c	set			Set the feature flags of the current workspace
@	ws feature-flags get
@	ws feature-flags set
f	--body	document		Feature flags: JSON or YAML, @FILE or - for standard input
f	--feature-flags	words	schema_registry changes_report skip_schema_registry webhooks	known:  (may be repeated
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	ws get
@	ws list
@	ws settings
c	get			Show the settings of a workspace
c	update			Change the settings of a workspace
@	ws settings get
@	ws settings update
f	--body	document		Settings: JSON or YAML, @FILE or - for standard input
f	--workspace-id	none		text
f	--webhook-url	none		text
f	--created-at	none		date and time
f	--updated-at	none		date and time
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	ws team
c	grant			Grant a user access to a workspace
c	list ls			List the team of a workspace
c	revoke			Revoke a user's access to a workspace
@	ws team grant
a	1	none	
@	ws team list
@	ws team revoke
a	1	members	
@	ws tokens
c	create			Create a token for a workspace
c	delete rm			Delete a token of a workspace
c	list ls			List the tokens of a workspace
@	ws tokens create
f	--body	document		Token: JSON or YAML, @FILE or - for standard input
f	--id	none		text
f	--name	none		text
f	--workspace-id	none		text
f	--alg	none		text
f	--key	none		text
f	--last-used	none		date and time, or null
f	--created-at	none		date and time
f	--created-by	none		text, or null
f	--created-by-name	none		text, or null
f	--created-by-photo-url	none		text, or null
f	--email	none		text, or null
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
@	ws tokens delete
a	1	workspace-tokens	
@	ws tokens list
@	ws update
f	--body	document		Workspace: JSON or YAML, @FILE or - for standard input
f	--created-at	none		date and time
f	--id	none		text
f	--name	none		text
f	--organization-id	none		text
f	--slug	none		text
f	--inactive	-		true or false
f	--no-inactive	-		true or false
f	--telemetry-disabled	-		true or false
f	--no-telemetry-disabled	-		true or false
f	--updated-at	none		date and time
f	--verified	-		true or false
f	--no-verified	-		true or false
f	-F --field	member		a member of the body, typed; @FILE is its text (may be repeated)
f	-f --raw-field	none		a member of the body, always a text (may be repeated)
f	--skeleton	-		print a template of the body, and send nothing
'@
    $pages = @{}
    foreach ($line in $data -split "`n") {
        $cells = $line.TrimEnd("`r") -split "`t"
        if ($cells[0] -eq '@') {
            $rows = New-Object System.Collections.ArrayList
            $pages[$cells[1]] = $rows
        } else {
            [void]$rows.Add($cells)
        }
    }

    $found = New-Object System.Collections.ArrayList
    $offer = {
        param($text, $help)
        if (-not $text.StartsWith($cur, [System.StringComparison]::Ordinal)) { return }
        # What means something to the shell is quoted.
        $shown = $text
        if ($text -notmatch '^[\w./:=+-][\w./:@=+-]*$') { $shown = "'" + $text.Replace("'", "''") + "'" }
        if (-not $help) { $help = $text }
        [void]$found.Add([System.Management.Automation.CompletionResult]::new($shown, $text, 'ParameterValue', $help))
    }
    $ask = {
        param($kind, $of)
        $tool = Get-Command dtp -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
        if (-not $tool) { return }
        foreach ($line in @(& $tool __complete @settings $kind $of 2>$null)) {
            $cells = "$line" -split "`t"
            . $offer ($before + $cells[0]) $cells[1]
        }
    }
    $files = {
        param($folders)
        foreach ($one in [System.Management.Automation.CompletionCompleters]::CompleteFilename($cur.Substring($before.Length))) {
            if ($folders -and $one.ResultType -ne 'ProviderContainer') { continue }
            . $offer ($before + $one.CompletionText.Trim("'").Replace("''", "'")) $one.ToolTip
        }
    }

    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
        })
    $cur = "$wordToComplete".TrimStart([char[]](39, 34))
    $path = ''
    $flag = ''
    $namespace = ''
    $ended = $false
    $helping = $false
    $given = @()
    $settings = @()
    $note = {
        param($name, $value)
        if (@('--profile', '--base-url', '--ca-cert', '--proxy') -ccontains $name) { $settings += @($name, $value) }
        if (@('-w', '--workspace') -ccontains $name) { $settings += @('--workspace', $value) }
        if (@('--namespace', '--namespace-name') -ccontains $name) { $namespace = $value }
    }
    foreach ($word in ($words | Select-Object -Skip 1)) {
        if ($flag) {
            . $note $flag $word
            $flag = ''
        } elseif (-not $ended -and $word -match '^-.') {
            if ($word -eq '--') { $ended = $true }
            elseif ($word -match '^(--[^=]*)=(.*)') { . $note $Matches[1] $Matches[2] }
            elseif (@($pages[$path]) + @($pages['']) | Where-Object { $_[0] -eq 'f' -and $_[2] -ne '-' -and ($_[1] -split ' ') -ccontains $word }) { $flag = $word }
        } else {
            $command = @($pages[$path] | Where-Object { $given.Count -eq 0 -and $_[0] -eq 'c' -and ($_[1] -split ' ') -ccontains $word })
            if ($command.Count -eq 0) {
                $given += $word
            } else {
                $path = ($path + ' ' + ($command[0][1] -split ' ')[0]).Trim()
                if ($path -eq 'help') { $helping = $true; $path = '' }
            }
        }
    }

    $before = ''
    $slot = $null
    $commands = @($pages[$path] | Where-Object { $_[0] -eq 'c' })
    $name = $flag
    if (-not $flag -and -not $ended -and $cur -match '^(--[^=]*)=') {
        $name = $Matches[1]
        $before = $Matches[0]
    }
    if ($name) {
        $slot = @($pages[$path]) + @($pages['']) | Where-Object { $_[0] -eq 'f' -and ($_[1] -split ' ') -ccontains $name } | Select-Object -First 1
    } elseif (-not $ended -and $cur.StartsWith('-')) {
        foreach ($row in @($pages[$path]) + @(if ($path) { $pages[''] }) | Where-Object { $_[0] -eq 'f' }) {
            foreach ($one in $row[1] -split ' ') { . $offer $one $row[4] }
        }
    } elseif ($commands.Count -gt 0) {
        if ($given.Count -eq 0) {
            foreach ($row in $commands) { . $offer (($row[1] -split ' ')[0]) $row[4] }
            # Other names are for those who try them.
            if ($found.Count -eq 0) { foreach ($row in $commands) { foreach ($one in $row[1] -split ' ') { . $offer $one $row[4] } } }
        }
    } elseif (-not $helping) {
        $slot = $pages[$path] | Where-Object { $_[0] -eq 'a' -and ($_[1] -eq "$($given.Count + 1)" -or $_[1] -eq 'rest') } | Select-Object -First 1
    }

    if ($slot) {
        $value = $cur.Substring($before.Length)
        switch -CaseSensitive ($slot[2]) {
            'words' { foreach ($one in $slot[3] -split ' ') { . $offer ($before + $one) '' } }
            'file' { . $files $false }
            'folder' { . $files $true }
            'document' { if ($value.StartsWith('@')) { $before += '@'; . $files $false } }
            'member' { if ($value -match '^[^=]*=@') { $before += $Matches[0]; . $files $false } }
            'reference' {
                if ($value -match '^([^/:@]*)([:@])') {
                    $before += $Matches[0]
                    . $ask $(if ($Matches[2] -eq ':') { 'tags' } else { 'digests' }) $Matches[1]
                } elseif ($value -notmatch '/') {
                    . $ask 'namespaces' ''
                }
            }
            { @('-', 'none', 'command', 'program') -ccontains $_ } { }
            default { . $ask $_ $(if ($namespace) { $namespace } else { "$($given | Select-Object -First 1)" }) }
        }
    }
    # Without a result PowerShell would offer files.
    if ($found.Count -gt 0) { $found } else { '' }
}
