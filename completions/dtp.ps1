# dtp completion for PowerShell 5.1 and later. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

Register-ArgumentCompleter -Native -CommandName dtp -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # A line for each page (@), command (c), flag (f) and argument (a), its cells between tabs.
    $data = @'
@	
c	api			Call any API path
c	artifacts artifact			Push, pull and tag API documents
c	auth			Log in, log out, show who you are
c	code-samples samples code-sample			Generate usage snippets
c	codehost code-host			Connect repositories on a code host
c	completion			Print or install a shell completion script
c	config			Profiles and settings
c	dev			Run a command with the embedded service
c	doctor			Check configuration, network, credential and spool
c	events event			Post, search and follow events
c	help			Show help for a command or a topic
c	init			Connect to a service, or try everything locally
c	mcp			Run an MCP server with the operations as tools for agents
c	open			Open the last report or run in a browser
c	orgs organizations organization org			Organizations, usage and billing
c	publishing-tokens publishing-token			Tokens that authorize publishing
c	reports report			Upload and share lint reports and change reports
c	schema			Print the schema of a command as JSON
c	schema-store schemas			Public store of API documents
c	serve			Run the embedded service on loopback
c	short-urls short-url			Short URLs
c	subscriptions subscription			Subscriptions to namespaces
c	suggest suggestions			Get suggestions for an API document
c	ws workspaces workspace			Workspaces, their members and tokens
f	-V --version	-		print the version
f	--base-url	none		base URL of the service; local: is the embedded service
f	--profile	profiles		profile to use (built in: local)
f	-w --workspace	workspaces		workspace to act on: id, name or slug; '' for the credential's own workspace
f	--organization-slug	none		slug of the organization; only for manifests and blobs
f	--workspace-slug	none		slug of the workspace; only for manifests and blobs
f	-o --output	words	table json yaml ndjson csv tsv name raw	output format (default: table on a terminal, else json)
f	--json	-		same as -o json
f	--fields	none		show only these fields, such as id,name,owner.name
f	--all-fields	-		on a terminal, show empty and hidden fields too
f	--wide	-		on a terminal, show every column in full
f	--query	none		JMESPath expression to apply to the result
f	-r --raw-output	-		print strings without quotes
f	--no-headers	-		omit the header row
f	-O --output-file	file		write the result to a file, atomically
f	--force	-		overwrite the -O file if it exists
f	--no-input	-		never prompt; fail if a value is missing
f	-y --yes	-		answer yes to all prompts
f	--no-progress	-		disable progress display
f	--timeout	none		maximum duration of the command, such as 90s or 5m
f	--connect-timeout	none		maximum time to connect
f	--proxy	none		proxy for everything except loopback; '' for none
f	--ca-cert	file		file of additional trusted certificates (PEM)
f	--insecure	-		accept any certificate (prints a warning)
f	--allow-http	-		allow sending the credential over plain http
f	--retry	none		retry read-only commands up to N times (0–5)
f	--allow-failure	-		exit 0 with a warning if the service or network fails
f	--dry-run	-		print the request and exit
f	--curl	-		print the request as a curl command and exit
f	--error-format	words	auto text json	format of errors
f	--color	words	auto always never	when to use color
f	-v --verbose	-		log requests and retries to stderr
f	--debug	-		like --verbose, with headers and where errors come from
f	-h --help	-		print help
@	api
f	-X --method	words	GET POST PUT PATCH DELETE	HTTP method (default: GET, or POST with a body)
f	--body	document		body as JSON or YAML: inline, @FILE or - for stdin
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	-H --header	none		header, such as "accept: text/plain" (may be repeated)
f	--paginate	-		fetch all pages as one list
f	-i --include	-		print status and headers too: on stderr, or first on stdout with -o raw
a	1	none	
@	artifacts
c	blobs blob			Blobs
c	manifests manifest			Manifests
c	namespaces namespace			Namespaces of revisions (also: dtp namespaces)
c	preflight			Get a registry token for a namespace
c	pull			Pull a revision into a folder and verify its digests
c	push			Push an API document or a folder as a revision
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
f	--accept	none		media type of the manifest
a	1	namespaces	
a	2	revisions	
@	artifacts namespaces
c	archive			Archive or restore a namespace
c	list ls			List namespaces
c	set-visibility			Make a namespace public or private
@	artifacts namespaces archive
f	--archived	-		archive it (default: true)
f	--no-archived	-		archive it (default: true)
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
a	1	namespaces	
@	artifacts namespaces list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	artifacts namespaces set-visibility
f	--public	-		make it readable by everyone
f	--no-public	-		make it readable by everyone
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
a	1	namespaces	
@	artifacts preflight
f	--body	document		namespace: JSON or YAML, @FILE, or - for standard input
f	--namespace-name	namespaces		namespace that will be pushed to or pulled from
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	artifacts pull
a	1	reference	
@	artifacts push
f	--namespace	namespaces		namespace; created if it does not exist
f	--tag	tags		tag (default: latest; may be repeated)
f	--include	file		allow a hidden file or another file type (may be repeated)
a	1	file	
@	artifacts remote-sources
c	create			Configure the remote source of a namespace
c	list ls			Show the remote sources of a namespace
@	artifacts remote-sources create
f	--body	document		inputs, overlays and output: JSON or YAML, @FILE, or - for standard input
f	--inputs	document		documents to merge, in this order (may be repeated)
f	--overlays	document		overlays applied after the merge (may be repeated)
f	--output-value	document		where the merged document is stored
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	artifacts remote-sources list
f	--namespace-name	namespaces		namespace name
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	artifacts revisions
c	list ls			List the revisions of a namespace
@	artifacts revisions list
f	--page-token	none		token of the next page
f	--all	-		fetch all pages as one list
f	--limit	none		maximum number of rows, across pages
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	namespaces	
@	artifacts tags
c	add			Add tags to an existing revision
c	list ls			List the tags of a namespace
@	artifacts tags add
f	--body	document		revision and tags: JSON or YAML, @FILE, or - for standard input
f	--revision-digest	digests		revision to tag: digest, its beginning, or a tag
f	--tags	tags		tags to point at that revision (may be repeated)
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
a	1	namespaces	
@	artifacts tags list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	namespaces	
@	auth
c	access			Check whether the workspace may generate code
c	login			Check a credential and store it in a profile
c	logout			Delete the stored credential of a profile
c	oidc-token			Print the OIDC token of the current CI job
c	status			Check the credential and show where it comes from
c	token			Get or refresh an access token for a workspace
c	user			Show the current user
c	validate			Check the credential and show its permissions
@	auth access
f	--gen-lock-id	none		lock id of the target, or its beginning
f	--target-type	none		kind of target
f	--passive	-		skip side effects such as metrics
f	--no-passive	-		skip side effects such as metrics
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	auth login
f	--with-token	-		read the credential from stdin
f	--scheme	words	api-key bearer workspace-identifier	kind of credential
@	auth logout
@	auth oidc-token
f	--audience	none		audience of the token (default: the runner's)
f	--variable	none		variable that contains the token (GitLab: one of id_tokens)
@	auth status
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	auth token
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	auth user
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	auth validate
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	code-samples
c	get			Get usage snippets for a document in the registry
c	jobs job			Snippets generated in the background
c	preview			Generate usage snippets for a document
@	code-samples get
f	--registry-url	none		registry URL of the document
f	--operation-ids	none		only these operations (may be repeated)
f	--method-paths	document		only these operations, each as {"method":"get","path":"/pets"} (may be repeated)
f	--languages	none		only these languages (may be repeated)
f	--out-dir	folder		write each snippet to a file in this folder
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	code-samples jobs
c	create			Start a job that generates usage snippets for a document
c	get			Get the snippets of a job
@	code-samples jobs create
f	--schema-file	file		API document, with the files it refers to
f	--language	none		language of the snippets
f	--package-name	none		SDK package name, for TypeScript and Python
f	--sdk-class-name	none		SDK class name, for TypeScript and Python
f	--operation-ids	none		only these operations (may be repeated)
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--wait	-		wait until the job is done and print its result
f	--wait-timeout	none		maximum time to wait
f	--poll-interval	none		polling interval
@	code-samples jobs get
f	--wait	-		wait until the job is done and print its result
f	--wait-timeout	none		maximum time to wait
f	--poll-interval	none		polling interval
f	--out-dir	folder		write each snippet to a file in this folder
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	none	
@	code-samples preview
f	--schema-file	file		API document, with the files it refers to
f	--language	none		language of the snippets
f	--package-name	none		SDK package name, for TypeScript and Python
f	--sdk-class-name	none		SDK class name, for TypeScript and Python
f	--operation-ids	none		only these operations (may be repeated)
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--out-dir	folder		write each snippet to a file in this folder
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	codehost
c	access			Access to repositories
c	actions action			Runs of the workflow action
c	configure			Configure a repository
c	publishing-prs			Pull requests that publish a target
c	publishing-secrets			Publishing secrets
c	setup			Setup status of the integration
@	codehost access
c	check			Check whether the platform can access a repository
c	link			Link an installation on the code host to the workspace
@	codehost access check
f	--org	none		owner of the repository on the code host
f	--repo	none		repository on the code host
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	codehost access link
f	--installation-id	none		installation id on the code host
f	--codehost-org	none		organization or user on the code host
f	--codehost-oidc-token	document		OIDC token of a CI run: @FILE or - (not accepted as a plain value)
@	codehost actions
c	get			Show the latest run of the workflow action
c	trigger			Trigger the workflow action of a target
@	codehost actions get
f	--org	none		owner of the repository on the code host
f	--repo	none		repository on the code host
f	--target-name	none		name of the target in the workflow file
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	codehost actions trigger
f	--body	document		repository and target: JSON or YAML, @FILE, or - for standard input
f	--org	none		owner of the repository
f	--repo-name	none		name of the repository
f	--target-name	none		target to run (default: all)
f	--gen-lock-id	none		lock id of the target, or its beginning
f	--set-version	none		version to release instead of the computed one
f	--force-value	-		generate even if nothing changed
f	--no-force-value	-		generate even if nothing changed
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--wait	-		wait until the run has ended and print its status
f	--wait-timeout	none		maximum time to wait
f	--poll-interval	none		polling interval
@	codehost configure
c	code-samples			Configure code samples for a repository
c	docsite-repo			Configure the repository of the documentation site
c	target			Configure a repository for a target
@	codehost configure code-samples
f	--body	document		repository and target: JSON or YAML, @FILE, or - for standard input
f	--org	none		owner of the repository
f	--repo	none		name of the repository
f	--target-name	none		target whose code samples are configured
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	codehost configure docsite-repo
f	--body	document		repository, input and overlays: JSON or YAML, @FILE, or - for standard input
f	--org	none		owner of the repository
f	--repo	none		name of the repository
f	--subdirectory	none		folder of the documentation site in the repository
f	--input	none		API document the site is built from
f	--overlays	none		overlays applied to that document (may be repeated)
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	codehost configure target
f	--body	document		repository: JSON or YAML, @FILE, or - for standard input
f	--org	none		owner of the repository
f	--repo-name	none		name of the repository
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	codehost publishing-prs
c	check			Show the pull request that publishes a target
@	codehost publishing-prs check
f	--generate-gen-lock-id	none		lock id of the target, or its beginning
f	--org	none		owner of the repository on the code host
f	--repo	none		repository on the code host
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	codehost publishing-secrets
c	check			List the missing publishing secrets of a target
c	store			Store publishing secrets for a target
@	codehost publishing-secrets check
f	--generate-gen-lock-id	none		lock id of the target, or its beginning
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	codehost publishing-secrets store
f	--body	document		lock id, and the secrets as name and value pairs: JSON or YAML, @FILE, or - for standard input
f	--generate-gen-lock-id	none		lock id of the target, or its beginning
f	--secrets	document		object of secret names and values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	codehost setup
c	get			Show the setup status of a repository
@	codehost setup get
f	--org	none		owner of the repository on the code host
f	--repo	none		repository on the code host
f	--generate-gen-lock-id	none		lock id of the target, or its beginning
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	completion
f	--install	-		install the script for the current user
a	1	words	bash zsh fish powershell
@	config
c	delete			Delete a profile and its credential
c	explain			Show each setting and its source
c	get			Print a setting of the profile
c	list			List profiles
c	path			Print the path of the configuration file
c	set			Change a setting of the profile
c	trust			Trust a .dtp.json to choose where requests go
c	unset			Remove a setting from the profile
c	untrust			Stop trusting a .dtp.json
c	use			Switch to another profile
@	config delete
a	1	profiles	
@	config explain
@	config get
c	base_url			base URL of the service; local: is the embedded service
c	scheme			kind of credential: api-key, bearer or workspace-identifier
c	credential_command			command that prints the credential
c	workspace			workspace to act on
c	organization_slug			organization of the profile's credential
c	workspace_slug			workspace slug of the profile's credential
c	words.codehost			name of the code host in paths
c	words.docsite			name of the documentation site in paths
c	timeout			maximum duration of a command, in seconds
c	output			output format
c	header.api-key			header that contains the API key
c	header.workspace-identifier			header that contains the workspace identifier
c	ca_cert			file of additional trusted certificates
c	allow_http			allow sending the credential over plain http
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
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	config path
@	config set
c	base_url			base URL of the service; local: is the embedded service
c	scheme			kind of credential: api-key, bearer or workspace-identifier
c	credential_command			command that prints the credential
c	workspace			workspace to act on
c	organization_slug			organization of the profile's credential
c	workspace_slug			workspace slug of the profile's credential
c	words.codehost			name of the code host in paths
c	words.docsite			name of the documentation site in paths
c	timeout			maximum duration of a command, in seconds
c	output			output format
c	header.api-key			header that contains the API key
c	header.workspace-identifier			header that contains the workspace identifier
c	ca_cert			file of additional trusted certificates
c	allow_http			allow sending the credential over plain http
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
c	base_url			base URL of the service; local: is the embedded service
c	scheme			kind of credential: api-key, bearer or workspace-identifier
c	credential_command			command that prints the credential
c	workspace			workspace to act on
c	organization_slug			organization of the profile's credential
c	workspace_slug			workspace slug of the profile's credential
c	words.codehost			name of the code host in paths
c	words.docsite			name of the documentation site in paths
c	timeout			maximum duration of a command, in seconds
c	output			output format
c	header.api-key			header that contains the API key
c	header.workspace-identifier			header that contains the workspace identifier
c	ca_cert			file of additional trusted certificates
c	allow_http			allow sending the credential over plain http
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
f	--port	none		port; 0 picks a free one
f	--data	folder		data folder (default: the one of the profile local)
f	--ephemeral	-		keep all data in memory
f	--fail	none		answer with a status: 'postWorkspaceEvents=503x2', '*=500@20%' (may be repeated)
f	--drop	none		drop the connection: 'uploadReport=after-request' (may be repeated)
f	--latency	none		delay each response, such as 200ms
a	rest	program	
@	doctor
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	events
c	list ls			List the events of a target
c	post			Post events
c	search			Search the events of a workspace
c	spool			Events queued on disk until they are delivered
c	tail			Follow events as they arrive
c	targets target			Targets that have events
@	events list
f	--after-created-at	none		only events created after this time (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	targets	
@	events post
f	--body	document		events as NDJSON, an array or one object: @FILE (also .gz), - or inline
f	--id	none		unique id of the event (filled in if left out)
f	--execution-id	none		whole id shared by all events of one run (filled in if left out)
f	--workspace-id	none		id of the workspace the event belongs to (filled in if left out)
f	--interaction-type	words	CI_EXEC CLI_EXEC LINT OPENAPI_DIFF TARGET_GENERATE TOMBSTONE AUTHENTICATE QUICKSTART RUN CONFIGURE PUBLISH TEST	what was done
f	--local-started-at	none		start time, by the local clock (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339; filled in if left out)
f	--local-completed-at	none		end time, by the local clock (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--created-at	none		creation time of the event (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339; filled in if left out)
f	--success	-		whether it succeeded
f	--no-success	-		whether it succeeded
f	--raw-command	none		the full command line that was run
f	--duration-ms	none		duration in milliseconds
f	--continuous-integration-environment	none		name of the CI system, such as github
f	--gh-action-run-link	none		URL of the workflow run
f	--gh-action-version	none		version of the action that ran
f	--gh-action-organization	none		organization that owns the action's repository
f	--gh-pull-request	none		URL of the pull request that was opened
f	--gh-changes-committed	-		whether generated changes were committed
f	--no-gh-changes-committed	-		whether generated changes were committed
f	--gh-action-ref	none		git ref the action ran on
f	--gh-action-repository	none		repository the action ran in (owner/name)
f	--repo-label	none		label of the git repository
f	--commit-head	none		commit id of the remote head
f	--hostname	none		name of the machine
f	--git-user-name	none		user.name from git's configuration
f	--git-user-email	none		user.email from git's configuration
f	--git-remote-default-owner	none		owner of the default git remote
f	--git-remote-default-repo	none		repository name of the default git remote
f	--git-relative-cwd	none		working directory, relative to the repository's root
f	--generate-target	none		kind of target, such as typescript or terraform
f	--generate-target-name	none		the target's name in the workflow file
f	--generate-target-version	none		version of the generator for this kind of target
f	--generate-gen-lock-id	none		lock id of the target, from its lock file
f	--management-doc-checksum	none		checksum of the rendered API document
f	--management-doc-version	none		info.version of the rendered API document
f	--generate-version	none		version of the generation logic
f	--generate-output-tests	-		whether tests were generated
f	--no-generate-output-tests	-		whether tests were generated
f	--generate-config-pre-raw	none		configuration file before generation
f	--generate-config-post-raw	none		configuration file after generation
f	--generate-config-pre-version	none		SDK version before generation
f	--generate-config-post-version	none		SDK version after generation
f	--generate-config-pre-checksum	none		checksum of the configuration before generation
f	--generate-config-post-checksum	none		checksum of the configuration after generation
f	--generate-eligible-features	none		features that could be used
f	--generate-gen-lock-pre-features	none		features recorded in the lock file before generation
f	--generate-gen-lock-post-features	none		features recorded in the lock file after generation
f	--generate-gen-lock-pre-doc-version	none		info.version of the document of the previous generation
f	--generate-gen-lock-pre-doc-checksum	none		checksum of the document of the previous generation
f	--generate-gen-lock-pre-version	none		artifact version of the previous generation
f	--generate-gen-lock-pre-revision-digest	none		revision digest of the previous generation
f	--generate-gen-lock-pre-blob-digest	none		blob digest of the previous generation
f	--generate-gen-lock-pre-namespace-name	none		namespace of the previous generation
f	--generate-bump-type	words	major minor patch custom graduate prerelease none	kind of version bump
f	--generate-number-of-operations-ignored	none		operations skipped by the generator
f	--generate-number-of-operations-used	none		operations the generator used
f	--generate-number-of-terraform-resources	none		Terraform resources generated
f	--generate-published	-		whether the target was published
f	--no-generate-published	-		whether the target was published
f	--generate-repo-url	none		repository URL used in generated documentation
f	--publish-package-url	none		URL of the published package
f	--publish-package-name	none		name of the published package
f	--publish-package-version	none		version of the published package
f	--publish-package-registry-name	none		registry it was published to, such as npm
f	--source-revision-digest	none		revision digest of the source document
f	--source-blob-digest	none		blob digest of the source document
f	--source-namespace-name	none		registry namespace of the source document
f	--lint-report-digest	none		MD5 of the lint report, as printed by dtp reports upload
f	--lint-report-error-count	none		errors in the lint report
f	--lint-report-warning-count	none		warnings in the lint report
f	--lint-report-info-count	none		hints in the lint report
f	--openapi-diff-report-digest	none		checksum of the change report
f	--openapi-diff-base-source-revision-digest	none		revision digest the change report compares against
f	--openapi-diff-base-source-blob-digest	none		blob digest the change report compares against
f	--openapi-diff-base-source-namespace-name	none		namespace the change report compares against
f	--openapi-diff-breaking-changes-count	none		breaking changes in the change report
f	--openapi-diff-bump-type	words	major minor patch none	version bump the changes call for
f	--error	none		error message, if it failed
f	--mermaid-diagram	none		diagram of the run, in Mermaid
f	--last-step	none		last step that was reached
f	--test-report-raw	none		test report, as JUnit XML
f	--workflow-pre-raw	none		workflow file before the run
f	--workflow-post-raw	none		workflow file after the run
f	--workflow-lock-pre-raw	none		workflow lock file before the run
f	--workflow-lock-post-raw	none		workflow lock file after the run
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--batch-size	none		events per request
f	--concurrency	none		parallel requests
f	--on-error	words	stop skip	on an invalid event: stop or skip
f	--no-check	-		send objects without a known event field too
f	--no-fill	-		do not fill in missing ids and times
f	--no-spool	-		do not queue events on disk; fail if they cannot be delivered
@	events search
f	--source-revision-digest	none		full digest of the source revision
f	--lint-report-digest	none		full digest of the lint report
f	--openapi-diff-report-digest	none		full digest of the change report
f	--interaction-type	words	CI_EXEC CLI_EXEC LINT OPENAPI_DIFF TARGET_GENERATE TOMBSTONE AUTHENTICATE QUICKSTART RUN CONFIGURE PUBLISH TEST	kind of event
f	--generate-gen-lock-id	none		lock id of the target, or its beginning
f	--execution-id	none		whole id shared by all events of one run
f	--success	-		only successes (with --no-success: only failures)
f	--no-success	-		only successes (with --no-success: only failures)
f	--limit	none		maximum number of events
f	--chart	-		draw a bar chart of events per day
f	--all	-		show all events, not only the newest
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	events spool
c	drop			Delete queued batches
c	flush			Deliver the queued events for the current base URL
c	list			List queued batches
@	events spool drop
f	--older-than	none		batches older than this, such as 12h or 30d (a bare number is in days)
f	--rejected	-		rejected batches
f	--corrupt	-		damaged batches
f	--all	-		all batches
a	rest	none	
@	events spool flush
f	--rejected	-		send rejected events again
@	events spool list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	events tail
f	--since	none		start with earlier events: 1h, yesterday, 2026-01-31
f	--interaction-type	none		kind of event, such as LINT
f	--execution-id	none		whole id shared by all events of one run
f	--success	-		only successes (with --no-success: only failures)
f	--no-success	-		only failures
f	--poll-interval	none		polling interval
@	events targets
c	list ls			List the targets that have events
c	list-deprecated			List the targets of a workspace (deprecated)
@	events targets list
f	--after-last-event-created-at	none		only targets with events after this time (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	events targets list-deprecated
f	--after-last-event-created-at	none		only targets with events after this time (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	help
f	--all	-		show every field
f	--man	folder		write man pages for all commands to a folder
a	rest	command	
@	init
f	--local	-		use the embedded service, without an account
f	--with-token	-		read the credential from stdin
f	--scheme	words	api-key bearer workspace-identifier	kind of credential
f	--folder-file	-		write the workspace to .dtp.json in this folder
f	--completions	-		install completions for the shell in SHELL
f	--ci	words	print write	print a CI job that uses dtp, or write it to a new file
f	--no-event	-		do not post a first event
@	mcp
f	--allow-writes	-		include tools that change data
f	--tools	none		only these tools, such as ws_tokens_list or 'events_*'
f	--root	none		folder whose files a tool may send (default: the working folder)
@	open
f	--print	-		print the URL instead of opening it
@	orgs
c	add-ons addons add-on			Billing add-ons
c	create			Create an organization
c	free-trial trial			Free trial
c	get			Show an organization
c	list ls			List organizations
c	usage			Billing usage
@	orgs add-ons
c	create			Buy billing add-ons for the organization
c	delete rm			Cancel a billing add-on
c	list ls			List the billing add-ons of the organization
@	orgs add-ons create
f	--body	document		add-ons to buy: JSON or YAML, @FILE, or - for standard input
f	--add-ons	words	webhooks sdk_testing custom_code_regions snippet_ai	add-ons to buy (known: ) (may be repeated
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	orgs add-ons delete
a	1	words	webhooks sdk_testing custom_code_regions snippet_ai
@	orgs add-ons list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	orgs create
f	--body	document		organization: JSON or YAML, @FILE, or - for standard input
f	--id	none		set by the service
f	--name	none		display name
f	--slug	none		name used in URLs
f	--account-type	words	free scale-up business enterprise	plan
f	--telemetry-disabled	-		turn telemetry off for the organization
f	--no-telemetry-disabled	-		turn telemetry off for the organization
f	--created-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--updated-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--free-trial-expiry	none		set by the service, or null (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--sso-connection-id	none		id of the single sign-on connection, or null
f	--sso-activated	-		whether single sign-on is on
f	--no-sso-activated	-		whether single sign-on is on
f	--internal	-		set by the service
f	--no-internal	-		set by the service
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	orgs free-trial
c	create			Start the free trial of the organization
@	orgs free-trial create
@	orgs get
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	organizations	
@	orgs list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	orgs usage
c	get			Show the billing usage by target language
@	orgs usage get
f	--chart	-		draw a bar chart of operations per language
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	publishing-tokens
c	create			Create a publishing token for a target
c	delete rm			Delete a publishing token
c	get			Show a publishing token
c	list ls			List publishing tokens
c	metadata			Show the public metadata of a publishing token
c	target			Show the target that a publishing token is bound to
c	update			Change the expiration of a publishing token
@	publishing-tokens create
f	--target-id	none		target id, or its beginning
f	--target-resource	none		kind of resource
f	--valid-until	none		expiration time (90d is in 90 days; also tomorrow, 2026-01-31 or RFC 3339)
f	--token-name	none		name of the token
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	publishing-tokens delete
a	1	publishing-tokens	
@	publishing-tokens get
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	publishing-tokens	
@	publishing-tokens list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	publishing-tokens metadata
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	publishing-tokens	
@	publishing-tokens target
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	publishing-tokens	
@	publishing-tokens update
f	--valid-until	none		new expiration time (90d is in 90 days; also tomorrow, 2026-01-31 or RFC 3339)
f	--token-name	none		new name
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
a	1	publishing-tokens	
@	reports
c	changes-url			Get a signed URL of a change report
c	linting-url			Get a signed URL of a lint report
c	upload			Upload a lint or change report
@	reports changes-url
f	--download	file		download the report to a file, atomically
f	--open	-		open the report in a browser
a	1	none	
@	reports linting-url
f	--download	file		download the report to a file, atomically
f	--open	-		open the report in a browser
a	1	none	
@	reports upload
f	--data	document		report metadata
f	--type	words	linting changes	kind of report
f	--file	file		report file
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--shorten	-		create a short URL of the report
f	--open	-		open the report in a browser
f	--checksum	-		print the checksums, also of files above 256 MiB
@	schema
f	--all	-		print every command in full
f	--json-schema	-		print the JSON Schema of the output
a	rest	none	
@	schema-store
c	create			Store an API document publicly
c	get			Get a stored API document
@	schema-store create
f	--spec	file		API document, with the files it refers to
f	--package-name	none		SDK package name in its code samples
f	--sdk-classname	none		SDK class name in its code samples
f	--format	words	json yaml	format of the document (default: detected)
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
a	1	file	
@	schema-store get
f	--id	none		whole id of the item
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
a	1	none	
@	serve
f	--port	none		port; 0 picks a free one
f	--data	folder		data folder (default: the one of the profile local)
f	--ephemeral	-		keep all data in memory
f	--fail	none		answer with a status: 'postWorkspaceEvents=503x2', '*=500@20%' (may be repeated)
f	--drop	none		drop the connection: 'uploadReport=after-request' (may be repeated)
f	--latency	none		delay each response, such as 200ms
@	short-urls
c	create			Shorten a URL
@	short-urls create
f	--url	none		URL to shorten
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	subscriptions
c	activate			Stop ignoring a namespace in a subscription
c	ignore			Ignore a namespace in a subscription
@	subscriptions activate
a	1	none	
a	2	namespaces	
@	subscriptions ignore
a	1	none	
a	2	namespaces	
@	suggest
c	from-summary			Suggest an overlay from the summary of an API document
c	items			Get one suggestion for each item
c	openapi			Suggest an overlay for an API document (deprecated)
c	registry			Suggest an overlay for a document in the registry
@	suggest from-summary
f	--session-id	none		session id, any string (default: a new UUID)
f	--body	document		summary, kind of suggestion and diagnostics: JSON or YAML, @FILE, or - for standard input
f	--oas-summary	document		the document in brief: info and operations
f	--suggestion-type	words	method-names diagnostics-only	what to suggest
f	--diagnostics	document		problems the suggestion should fix (may be repeated)
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--schema	file		make the summary from this API document, for method names
@	suggest items
f	--body	document		prompt and items: JSON or YAML, @FILE, or - for standard input
f	--prompt	none		instruction that applies to every item
f	--items	none		items to get one suggestion each for (may be repeated)
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	suggest openapi
f	--session-id	none		session id, any string (default: a new UUID)
f	--schema	file		API document, with the files it refers to
f	--opts	document		options
f	--suggestion-type	words	method-names diagnostics-only	what to suggest
f	--diagnostics	document		problems the suggestion should fix (may be repeated)
f	--body	document		the whole request body: JSON or YAML, @FILE, or - for standard input; field flags override its values
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	suggest registry
f	--session-id	none		session id, any string (default: a new UUID)
f	--body	document		kind of suggestion and diagnostics: JSON or YAML, @FILE, or - for standard input
f	--oas-summary	document		the document in brief: info and operations
f	--suggestion-type	words	method-names diagnostics-only	what to suggest
f	--diagnostics	document		problems the suggestion should fix (may be repeated)
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
a	1	namespaces	
a	2	revisions	
@	ws
c	create			Create a workspace
c	current			Show the workspace and organization of the credential
c	feature-flags flags feature-flag			Feature flags of a workspace
c	get			Show a workspace
c	list ls			List workspaces
c	settings setting			Settings of a workspace
c	team members			Members of a workspace (also: dtp team)
c	tokens token			Tokens of a workspace (also: dtp tokens)
c	update			Change the details of a workspace
c	use			Set the default workspace of the profile
@	ws create
f	--body	document		workspace: JSON or YAML, @FILE, or - for standard input
f	--created-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--id	none		set by the service
f	--name	none		display name
f	--organization-id	none		organization it belongs to: id, name or slug
f	--slug	none		name used in URLs
f	--inactive	-		set by the service
f	--no-inactive	-		set by the service
f	--telemetry-disabled	-		deprecated: set it on the organization
f	--no-telemetry-disabled	-		deprecated: set it on the organization
f	--updated-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--verified	-		set by the service
f	--no-verified	-		set by the service
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	ws current
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws feature-flags
c	get			Show the feature flags of a workspace
c	set			Set the feature flags of the current workspace
@	ws feature-flags get
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws feature-flags set
f	--body	document		feature flags: JSON or YAML, @FILE, or - for standard input
f	--feature-flags	words	schema_registry changes_report skip_schema_registry webhooks	flags to turn on (known: ) (may be repeated
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	ws get
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws settings
c	get			Show the settings of a workspace
c	update			Change the settings of a workspace
@	ws settings get
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws settings update
f	--body	document		settings: JSON or YAML, @FILE, or - for standard input
f	--workspace-id	none		set by the service
f	--webhook-url	none		URL that is called on events
f	--created-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--updated-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	ws team
c	grant			Grant a user access to a workspace
c	list ls			List the members of a workspace
c	revoke			Revoke a user's access to a workspace
@	ws team grant
a	1	none	
@	ws team list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws team revoke
a	1	members	
@	ws tokens
c	create			Create a workspace token
c	delete rm			Delete a workspace token
c	list ls			List workspace tokens
@	ws tokens create
f	--body	document		token: JSON or YAML, @FILE, or - for standard input
f	--id	none		set by the service
f	--name	none		display name
f	--workspace-id	none		set by the service
f	--alg	none		set by the service
f	--key	none		set by the service
f	--last-used	none		set by the service, or null (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--created-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--created-by	none		set by the service, or null
f	--created-by-name	none		set by the service, or null
f	--created-by-photo-url	none		set by the service, or null
f	--email	none		set by the service, or null
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	ws tokens delete
a	1	workspace-tokens	
@	ws tokens list
f	--watch	-		run again at this interval until Ctrl-C (default: 2s)
@	ws update
f	--body	document		workspace: JSON or YAML, @FILE, or - for standard input
f	--created-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--id	none		set by the service
f	--name	none		display name
f	--organization-id	none		organization it belongs to: id, name or slug
f	--slug	none		name used in URLs
f	--inactive	-		set by the service
f	--no-inactive	-		set by the service
f	--telemetry-disabled	-		deprecated: set it on the organization
f	--no-telemetry-disabled	-		deprecated: set it on the organization
f	--updated-at	none		set by the service (1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339)
f	--verified	-		set by the service
f	--no-verified	-		set by the service
f	-F --field	member		set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)
f	-f --raw-field	none		set a body field to a string (may be repeated)
f	--skeleton	-		print a template of the body and exit
@	ws use
a	1	workspaces	
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
