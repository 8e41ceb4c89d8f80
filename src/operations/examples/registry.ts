/** Examples of the Artifacts and Subscriptions areas. */
import type { Examples } from './example.ts';

export const registry = {
  preflight: [
    { says: 'Get a token for a namespace', command: 'dtp artifacts preflight --namespace-name pets' },
    {
      says: 'The token alone, for another client',
      command: 'dtp artifacts preflight -f namespace_name=pets -r --query auth_token',
    },
  ],
  getNamespaces: [
    { says: 'List the namespaces', command: 'dtp artifacts namespaces list' },
    {
      says: 'The names of those that are public',
      command: "dtp artifacts namespaces list -r --query 'items[?public].name'",
    },
  ],
  archiveNamespace: [
    { says: 'Archive a namespace', command: 'dtp artifacts namespaces archive pets --yes' },
    { says: 'Bring it back', command: 'dtp artifacts namespaces archive pets --no-archived --yes' },
  ],
  getRevisions: [
    { says: 'The latest revisions', command: 'dtp artifacts revisions list pets' },
    {
      says: 'The digests of all, from as many pages as it takes',
      command: "dtp artifacts revisions list pets --all -r --query 'items[].digest'",
    },
  ],
  getTags: [
    { says: 'List the tags', command: 'dtp artifacts tags list pets' },
    {
      says: 'Tags and digests as CSV',
      command: 'dtp artifacts tags list pets -o csv --fields name,revision_digest',
    },
  ],
  postTags: [
    {
      says: 'Tag the latest revision',
      command: `digest=$(dtp artifacts revisions list pets -r --query 'items[0].digest')
dtp artifacts tags add pets --revision-digest "$digest" --tags stable`,
    },
    { says: 'Several tags from a file', command: 'dtp artifacts tags add pets --body @tags.json' },
  ],
  setVisibility: [
    {
      says: 'Let everyone read a namespace',
      command: 'dtp artifacts namespaces set-visibility pets --public',
    },
    { says: 'Only the workspace', command: 'dtp artifacts namespaces set-visibility pets --no-public' },
  ],
  listRemoteSources: [
    {
      says: 'What a namespace is merged from',
      command: 'dtp artifacts remote-sources list --namespace-name merged',
    },
    {
      says: 'The addresses of its inputs',
      command: `dtp artifacts remote-sources list --namespace-name merged \\
  -r --query 'inputs[].registry_url'`,
    },
  ],
  createRemoteSource: [
    {
      says: 'Merge documents, as a file says',
      command: 'dtp artifacts remote-sources create --body @source.yaml',
    },
    {
      says: 'The same by members',
      command: `dtp artifacts remote-sources create \\
  -f 'inputs[].registry_url=registry.example.com/acme/main/pets' \\
  -f output.registry_url=registry.example.com/acme/main/merged`,
    },
  ],
  getManifest: [
    { says: 'Show a manifest, byte by byte', command: 'dtp artifacts manifests get pets v1' },
    {
      says: 'The digest of its first layer',
      command: "dtp artifacts manifests get pets v1 -r --query 'layers[0].digest'",
    },
  ],
  getBlob: [
    {
      says: 'Fetch the layer of a revision; its digest is compared',
      command: `layer=$(dtp artifacts manifests get pets v1 -r --query 'layers[0].digest')
dtp artifacts blobs get pets "$layer" -O layer.zip`,
    },
    {
      says: 'All of a revision, unpacked: another command',
      command: 'dtp artifacts pull pets:v1 -O copy',
    },
  ],
  ignoreSubscriptionNamespace: [
    { says: 'Leave a namespace out of what is merged', command: 'dtp subscriptions ignore sub_3a6b pets' },
    {
      says: 'See the request first; nothing is sent',
      command: 'dtp subscriptions ignore sub_3a6b pets --dry-run',
    },
  ],
  activateSubscriptionNamespace: [
    { says: 'Take a namespace up again', command: 'dtp subscriptions activate sub_3a6b pets' },
    {
      says: 'Find the subscription first',
      command: `id=$(dtp artifacts namespaces list -r --query \\
  "items[?name=='merged'].composite_spec_metadata.subscription_id")
dtp subscriptions activate "$id" pets`,
    },
  ],
} as const satisfies Examples;
