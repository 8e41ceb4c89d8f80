/** Lists example commands for the Artifacts and Subscriptions areas. */
import type { Examples } from './example.ts';

export const registry = {
  preflight: [
    { says: 'Get a token for a namespace', command: 'dtp artifacts preflight --namespace pets' },
    {
      says: 'Print only the token, for another client',
      command: 'dtp artifacts preflight -f namespace_name=pets -r --query auth_token',
    },
  ],
  getNamespaces: [
    { says: 'List the namespaces', command: 'dtp artifacts namespaces list' },
    {
      says: 'Print the names of public namespaces',
      command: "dtp artifacts namespaces list -r --query 'items[?public].name'",
    },
  ],
  archiveNamespace: [
    { says: 'Archive a namespace', command: 'dtp artifacts namespaces archive pets --yes' },
    { says: 'Restore the namespace', command: 'dtp artifacts namespaces archive pets --no-archived' },
  ],
  getRevisions: [
    { says: 'List the latest revisions', command: 'dtp artifacts revisions list pets' },
    {
      says: 'Print the digests of all revisions',
      command: "dtp artifacts revisions list pets --all -r --query 'items[].digest'",
    },
  ],
  getTags: [
    { says: 'List the tags', command: 'dtp artifacts tags list pets' },
    {
      says: 'Print tags and digests as CSV',
      command: 'dtp artifacts tags list pets -o csv --fields name,revision_digest',
    },
  ],
  postTags: [
    {
      says: 'Tag the latest revision',
      command: `digest=$(dtp artifacts revisions list pets -r --query 'items[0].digest')
dtp artifacts tags add "pets@$digest" --tag stable`,
    },
    { says: 'Add several tags from a file', command: 'dtp artifacts tags add pets --body @tags.json' },
  ],
  setVisibility: [
    {
      says: 'Make a namespace public',
      command: 'dtp artifacts namespaces set-visibility pets --public --yes',
    },
    { says: 'Make a namespace private', command: 'dtp artifacts namespaces set-visibility pets --no-public' },
  ],
  listRemoteSources: [
    {
      says: 'Show the sources of a namespace',
      command: 'dtp artifacts remote-sources list --namespace merged',
    },
    {
      says: 'Print the URLs of the inputs',
      command: `dtp artifacts remote-sources list --namespace merged \\
  -r --query 'inputs[].registry_url'`,
    },
  ],
  createRemoteSource: [
    {
      says: 'Merge the documents listed in a file',
      command: 'dtp artifacts remote-sources create --body @source.yaml',
    },
    {
      says: 'Set the fields with flags',
      command: `dtp artifacts remote-sources create \\
  -f 'inputs[].registry_url=registry.example.com/acme/main/pets' \\
  -f output.registry_url=registry.example.com/acme/main/merged`,
    },
  ],
  getManifest: [
    { says: 'Print a manifest byte for byte', command: 'dtp artifacts manifests get pets v1' },
    {
      says: 'Print the digest of the first layer',
      command: "dtp artifacts manifests get pets v1 -r --query 'layers[0].digest'",
    },
  ],
  getBlob: [
    {
      says: 'Download the layer of a revision and verify its digest',
      command: `layer=$(dtp artifacts manifests get pets v1 -r --query 'layers[0].digest')
dtp artifacts blobs get pets "$layer" -O layer.zip`,
    },
    {
      says: 'Unpack a whole revision instead',
      command: 'dtp artifacts pull pets:v1 -O copy',
    },
  ],
  ignoreSubscriptionNamespace: [
    { says: 'Ignore a namespace', command: 'dtp subscriptions ignore sub_3a6b pets' },
    {
      says: 'Print the request without sending it',
      command: 'dtp subscriptions ignore sub_3a6b pets --dry-run',
    },
  ],
  activateSubscriptionNamespace: [
    { says: 'Stop ignoring a namespace', command: 'dtp subscriptions activate sub_3a6b pets' },
    {
      says: 'Find the subscription first',
      command: `id=$(dtp artifacts namespaces list -r --query \\
  "items[?name=='merged'].composite_spec_metadata.subscription_id")
dtp subscriptions activate "$id" pets`,
    },
  ],
} as const satisfies Examples;
