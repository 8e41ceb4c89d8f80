/** The story's registry and subscription steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

export const registry: readonly Step[] = [
  {
    says: 'a preflight token',
    id: 'preflight',
    argv: () => ['artifacts', 'preflight', '--namespace-name', 'pets'],
    record: 'PreflightToken',
    check: (value, state) => Object.assign(state, { bearer: value.auth_token }),
  },
  { says: 'a document is pushed', push: true },
  {
    says: 'its namespace exists',
    id: 'getNamespaces',
    argv: () => ['artifacts', 'namespaces', 'list'],
    record: 'GetNamespacesResponse',
    check: (value) => expect(value.items.map((one: { name: string }) => one.name)).toContain('pets'),
  },
  {
    says: 'and its revision',
    id: 'getRevisions',
    argv: () => ['artifacts', 'revisions', 'list', 'pets'],
    record: 'GetRevisionsResponse',
    check: (value, state) => expect(value.items).toMatchObject([{ digest: state.digest, tags: ['v1'] }]),
  },
  {
    says: 'a tag is added',
    id: 'postTags',
    argv: ({ digest }) => [
      'artifacts',
      'tags',
      'add',
      'pets',
      '--revision-digest',
      digest as string,
      '--tags',
      'stable',
    ],
    empty: true,
  },
  {
    says: 'and listed',
    id: 'getTags',
    argv: () => ['artifacts', 'tags', 'list', 'pets'],
    record: 'GetTagsResponse',
    check: (value) => expect(value.items.map((one: { name: string }) => one.name).sort()).toEqual(['stable', 'v1']),
  },
  {
    says: 'the manifest by its tag, with the preflight token',
    id: 'getManifest',
    argv: ({ org_slug, workspace_slug }) => [
      'artifacts',
      'manifests',
      'get',
      'pets',
      'stable',
      '--organization-slug',
      org_slug as string,
      '--workspace-slug',
      workspace_slug as string,
    ],
    // The service does not say who owns a preflight token.
    env: ({ bearer }) => ({ DTP_API_KEY: '', DTP_TOKEN: bearer as string, DTP_WORKSPACE_ID: '' }),
    record: 'Manifest',
    check: (value, state) => Object.assign(state, { layer: value.layers[0].digest }),
  },
  {
    says: 'the blob, byte for byte, with slugs from the credential',
    id: 'getBlob',
    argv: ({ layer }) => ['artifacts', 'blobs', 'get', 'pets', layer as string],
    check: (value, state) => expect(value).toBe(state.spec),
  },
  {
    says: 'the namespace is made public',
    id: 'setVisibility',
    argv: () => ['artifacts', 'namespaces', 'set-visibility', 'pets', '--public', '--yes'],
    empty: true,
  },
  {
    says: 'and archived',
    id: 'archiveNamespace',
    argv: () => ['artifacts', 'namespaces', 'archive', 'pets', '--yes'],
    empty: true,
  },
  {
    says: 'both changes are visible',
    id: 'getNamespaces',
    argv: () => ['artifacts', 'namespaces', 'list'],
    check: (value) =>
      expect(value.items[0]).toMatchObject({
        name: 'pets',
        public: true,
        archived_at: expect.stringMatching(/^20/),
      }),
  },
  {
    says: 'and it is restored',
    id: 'archiveNamespace',
    argv: () => ['artifacts', 'namespaces', 'archive', 'pets', '--no-archived'],
    empty: true,
  },
  {
    says: 'a remote source is configured',
    id: 'createRemoteSource',
    argv: ({ org_slug, workspace_slug }) => [
      'artifacts',
      'remote-sources',
      'create',
      '--inputs',
      `{"registry_url":"registry.example.test/${org_slug}/${workspace_slug}/pets"}`,
      '--output',
      `{"registry_url":"registry.example.test/${org_slug}/${workspace_slug}/merged"}`,
    ],
    empty: true,
  },
  {
    says: 'and listed',
    id: 'listRemoteSources',
    argv: () => ['artifacts', 'remote-sources', 'list', '--namespace-name', 'merged'],
    record: 'RemoteSource',
    check: (value) => expect(value.inputs[0].registry_url).toContain('/pets'),
  },
  {
    says: 'its subscription has an id',
    id: 'getNamespaces',
    argv: () => ['artifacts', 'namespaces', 'list'],
    check: (value, state) => {
      const merged = value.items.find((one: { name: string }) => one.name === 'merged');
      Object.assign(state, { subscription: merged.composite_spec_metadata.subscription_id });
    },
  },
  {
    says: 'one of its namespaces is ignored',
    id: 'ignoreSubscriptionNamespace',
    argv: ({ subscription }) => ['subscriptions', 'ignore', subscription as string, 'pets'],
    empty: true,
  },
  {
    says: 'which is visible',
    id: 'getNamespaces',
    argv: () => ['artifacts', 'namespaces', 'list'],
    check: (value) => expect(JSON.stringify(value)).toContain('"ignored_namespaces":["pets"]'),
  },
  {
    says: 'and activated again',
    id: 'activateSubscriptionNamespace',
    argv: ({ subscription }) => ['subscriptions', 'activate', subscription as string, 'pets'],
    empty: true,
  },
];
