/** Lists example commands for the Artifacts and Subscriptions areas. */
import type { Examples } from '../operation.ts';

export const registry = {
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
