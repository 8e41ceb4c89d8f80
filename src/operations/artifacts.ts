/** Declares the operations of the API's Artifacts (registry) table. The API document lacks the blob operation. */
import { defineOwn, inPath, inRequiredQuery, inWantedBody, namespace, repository } from './operation.ts';

export const preflight = defineOwn('POST /v1/artifacts/preflight', {
  command: ['artifacts', 'preflight'],
  summary: 'Get a registry token for a namespace',
  input: { body: inWantedBody('PreflightRequest', 'namespace') },
  names: 'namespace_id',
});

export const getNamespaces = defineOwn('GET /v1/artifacts/namespaces', {
  command: ['artifacts', 'namespaces', 'list'],
  summary: 'List namespaces',
  result: 'list',
  rows: 'items',
  columns: ['name', 'public', 'archived_at', 'updated_at', 'id'],
  screen: ['name', 'public', 'updated_at', 'archived_at'],
});

export const archiveNamespace = defineOwn('POST /v1/artifacts/namespaces/{namespace_name}/archive', {
  command: ['artifacts', 'namespaces', 'archive'],
  summary: 'Archive or restore a namespace',
  input: {
    namespace_name: namespace,
    archived: { in: 'member', kind: 'boolean', default: true, help: 'archive it (default: true)' },
  },
  result: 'none',
  effect: 'destroy',
});

export const getRevisions = defineOwn('GET /v1/artifacts/namespaces/{namespace_name}/revisions', {
  command: ['artifacts', 'revisions', 'list'],
  summary: 'List the revisions of a namespace',
  input: {
    namespace_name: namespace,
    next_page_token: { in: 'query', kind: 'string', help: 'token of the next page' },
  },
  result: 'list',
  rows: 'items',
  columns: ['digest', 'tags', 'created_at', 'id'],
  screen: ['digest', 'tags', 'created_at'],
  flow: 'pages',
});

export const getTags = defineOwn('GET /v1/artifacts/namespaces/{namespace_name}/tags', {
  command: ['artifacts', 'tags', 'list'],
  summary: 'List the tags of a namespace',
  input: { namespace_name: namespace },
  result: 'list',
  rows: 'items',
  columns: ['name', 'revision_digest', 'id'],
  screen: ['name', { title: 'REVISION', from: ['revision_digest'] }],
});

export const postTags = defineOwn('POST /v1/artifacts/namespaces/{namespace_name}/tags', {
  command: ['artifacts', 'tags', 'add'],
  summary: 'Add tags to an existing revision',
  input: {
    namespace_name: { ...namespace, help: 'namespace name, or NAMESPACE:TAG to name the revision too' },
    body: inWantedBody('AddTags', 'revision and tags'),
  },
  result: 'none',
});

export const setVisibility = defineOwn('POST /v1/artifacts/namespaces/{namespace_name}/visibility', {
  command: ['artifacts', 'namespaces', 'set-visibility'],
  summary: 'Make a namespace public or private',
  input: {
    namespace_name: namespace,
    // The API document also lists `tags` as required, but this body has no such field.
    public: { in: 'member', kind: 'boolean', required: true, help: 'make it readable by everyone' },
  },
  result: 'none',
});

export const listRemoteSources = defineOwn('GET /v1/artifacts/remote_sources', {
  command: ['artifacts', 'remote-sources', 'list'],
  summary: 'Show the remote sources of a namespace',
  input: { namespace_name: inRequiredQuery('namespace name') },
  names: false,
  simplified: 'only inputs in the registry of this service are read',
});

export const createRemoteSource = defineOwn('POST /v1/artifacts/remote_sources', {
  command: ['artifacts', 'remote-sources', 'create'],
  summary: 'Configure the remote source of a namespace',
  input: { body: inWantedBody('RemoteSource', 'inputs, overlays and output') },
  result: 'none',
  simplified: 'only inputs in the registry of this service are read',
});

export const getManifest = defineOwn(
  'GET /v1/oci/v2/{organization_slug}/{workspace_slug}/{namespace_name}/manifests/{revision_reference}',
  {
    command: ['artifacts', 'manifests', 'get'],
    summary: 'Get the manifest of a revision',
    input: {
      ...repository,
      revision_reference: inPath('tag, or digest (4 characters of it are enough, if unique)'),
      Accept: {
        in: 'header',
        kind: 'string',
        required: true,
        default: 'application/vnd.oci.image.manifest.v1+json',
        help: 'media type of the manifest',
      },
    },
    result: 'bytes',
    digest: { field: 'revision_reference', what: 'the manifest' },
  },
);

export const getBlob = defineOwn(
  'GET /v1/oci/v2/{organization_slug}/{workspace_slug}/{namespace_name}/blobs/{digest}',
  {
    command: ['artifacts', 'blobs', 'get'],
    summary: 'Get a blob of a revision',
    input: { ...repository, digest: inPath('full digest of the blob (sha256:…)') },
    result: 'bytes',
    digest: { field: 'digest', what: 'the blob' },
    isAnyContent: true,
  },
);
