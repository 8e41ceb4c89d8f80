/** Declares the usual kinds of fields, and fields that several operations share. */
import type { Field } from './operation.ts';

export const inPath = (help: string) => ({ in: 'path', kind: 'string', required: true, help }) as const;

export const inQuery = (help: string) => ({ in: 'query', kind: 'string', help }) as const;

export const inRequiredQuery = (help: string) => ({ ...inQuery(help), required: true }) as const;

export const inMember = (help: string) => ({ in: 'member', kind: 'string', required: true, help }) as const;

/** The whole JSON body, which is required. `record` describes it. */
export const inBody = (record: string, help: string) =>
  ({ in: 'body', kind: 'json', required: true, record, help }) as const;

/** The whole JSON body, which may be empty in the API document. */
export const inWantedBody = (record: string, help: string) =>
  ({ in: 'body', kind: 'json', wanted: true, record, help }) as const;

/** An API document, which is sent as one document that includes the files it refers to. */
export const apiDocument = { kind: 'file', document: true, help: 'API document, with the files it refers to' } as const;

/** The path parameter of most operations (Endpoints, conventions). Its flag defaults to the profile's workspace. */
export const workspace = inPath('workspace: id, name or slug (default: the current workspace)');

export const namespace = inPath('namespace name');

export const publishingToken = inPath('publishing token: id or name');

export const session = {
  in: 'header',
  kind: 'string',
  required: true,
  flag: 'session-id',
  help: 'session id, any string (default: a new UUID)',
} as const satisfies Field;

/** The path parameters of manifests and blobs. The settings provide defaults for the two slugs. */
export const repository = {
  organization_slug: inPath('organization slug'),
  workspace_slug: inPath('workspace slug'),
  namespace_name: namespace,
} as const satisfies Record<string, Field>;

export const org = inRequiredQuery('owner of the repository on the code host');

export const repo = inRequiredQuery('repository on the code host');

export const genLock = inRequiredQuery('lock id of the target');

/** The limitation of the embedded service for plans and prices. */
export const plan = 'nothing is billed; the limits of a free plan apply';
