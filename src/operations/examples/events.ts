/** Lists example commands for the Events, Reports, Schema store, Short URLs, Artifacts and Subscriptions areas. */
import type { Examples } from '../operation.ts';

export const events = {
  searchWorkspaceEvents: {
    'Search the events of one run': 'dtp events search --execution-id run-77',
    'List recent failures': `dtp events search --no-success --limit 20 \\
  -o tsv --fields created_at,interaction_type,error`,
  },
  postWorkspaceEvents: {
    'Post the events of a file (NDJSON, an array or one object)': 'dtp events post --body @events.ndjson',
    'Post one event from flags, or post the output of another program': `dtp events post --type CI_EXEC --success --duration-ms 5120
tail -n 1 events.ndjson | dtp events post --body -`,
  },
  getWorkspaceEventsByTarget: {
    'List the events of a target': 'dtp events list sdk-ts',
    'List the events of the last 24 hours, one per line': 'dtp events list sdk-ts --since 24h -o ndjson',
  },
  getWorkspaceTargets: {
    'List the targets': 'dtp events targets list',
    'List the targets whose last event failed': "dtp events targets list -r --query '[?success == `false`].id'",
  },
  getWorkspaceTargetsDeprecated: {
    'List the targets of a workspace': 'dtp events targets list-deprecated -w ws_2c81',
    'List only targets with events since January': `dtp events targets list-deprecated \\
  --since 2026-01-01T00:00:00Z`,
  },
  uploadReport: {
    'Upload a lint report': 'dtp reports upload lint.html --type linting',
    'Upload a change report and get a short URL': `dtp reports upload changes.html --type changes \\
  --shorten -r --query short_url`,
  },
  getLintingReportSignedUrl: {
    'Get a temporary URL of a report': 'dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac -r --query url',
    'Download the report': `dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac \\
  --download report.html`,
  },
  getChangesReportSignedUrl: {
    'Get a temporary URL of a report': 'dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb -r --query url',
    'Download the report and replace an older file': `dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb \\
  --download changes.html --force`,
  },
  getSchemaStoreItem: {
    'Show a stored document': 'dtp schema-store get sch_1b9f',
    'Save only the document': 'dtp schema-store get sch_1b9f -r --query spec -O stored.yaml',
  },
  createSchemaStoreItem: {
    'Store a document': `dtp schema-store create openapi.yaml --package @acme/pets \\
  --sdk-class Pets --yes`,
    'Take the other fields from a file and print the id':
      'dtp schema-store create openapi.yaml --body @package.json --yes -o name',
  },
  create: {
    'Shorten a URL': 'dtp short-urls create --url https://docs.example.com/pets?page=2',
    'Print only the short URL': `dtp short-urls create -f url=https://docs.example.com/pets \\
  -r --query short_url`,
  },
  preflight: {
    'Get a token for a namespace': 'dtp artifacts preflight --namespace pets',
    'Print only the token, for another client': 'dtp artifacts preflight -f namespace_name=pets -r --query auth_token',
  },
  getNamespaces: {
    'List the namespaces': 'dtp artifacts namespaces list',
    'Print the names of public namespaces': "dtp artifacts namespaces list -r --query 'items[?public].name'",
  },
  archiveNamespace: {
    'Archive a namespace': 'dtp artifacts namespaces archive pets --yes',
    'Restore the namespace': 'dtp artifacts namespaces archive pets --no-archived',
  },
  getRevisions: {
    'List the latest revisions': 'dtp artifacts revisions list pets',
    'Print the digests of all revisions': "dtp artifacts revisions list pets --all -r --query 'items[].digest'",
  },
  getTags: {
    'List the tags': 'dtp artifacts tags list pets',
    'Print tags and digests as CSV': 'dtp artifacts tags list pets -o csv --fields name,revision_digest',
  },
  postTags: {
    'Tag the latest revision': `digest=$(dtp artifacts revisions list pets -r --query 'items[0].digest')
dtp artifacts tags add "pets@$digest" --tag stable`,
    'Add several tags from a file': 'dtp artifacts tags add pets --body @tags.json',
  },
  setVisibility: {
    'Make a namespace public': 'dtp artifacts namespaces set-visibility pets --public --yes',
    'Make a namespace private': 'dtp artifacts namespaces set-visibility pets --no-public',
  },
  listRemoteSources: {
    'Show the sources of a namespace': 'dtp artifacts remote-sources list --namespace merged',
    'Print the URLs of the inputs': `dtp artifacts remote-sources list --namespace merged \\
  -r --query 'inputs[].registry_url'`,
  },
  createRemoteSource: {
    'Merge the documents listed in a file': 'dtp artifacts remote-sources create --body @source.yaml',
    'Set the fields with flags': `dtp artifacts remote-sources create \\
  -f 'inputs[].registry_url=registry.example.com/acme/main/pets' \\
  -f output.registry_url=registry.example.com/acme/main/merged`,
  },
  getManifest: {
    'Print a manifest byte for byte': 'dtp artifacts manifests get pets v1',
    'Print the digest of the first layer': "dtp artifacts manifests get pets v1 -r --query 'layers[0].digest'",
  },
  getBlob: {
    'Download the layer of a revision and verify its digest': `layer=$(dtp artifacts manifests get pets v1 -r --query 'layers[0].digest')
dtp artifacts blobs get pets "$layer" -O layer.zip`,
    'Unpack a whole revision instead': 'dtp artifacts pull pets:v1 -O copy',
  },
  ignoreSubscriptionNamespace: {
    'Ignore a namespace': 'dtp subscriptions ignore sub_3a6b pets',
    'Print the request without sending it': 'dtp subscriptions ignore sub_3a6b pets --dry-run',
  },
  activateSubscriptionNamespace: {
    'Stop ignoring a namespace': 'dtp subscriptions activate sub_3a6b pets',
    'Find the subscription first': `id=$(dtp artifacts namespaces list -r --query \\
  "items[?name=='merged'].composite_spec_metadata.subscription_id")
dtp subscriptions activate "$id" pets`,
  },
} as const satisfies Examples;
