/** Declares fields that several operations share. */
import type { Field } from './operation.ts';

/** The path parameter of most operations (Endpoints, conventions). Its flag defaults to the profile's workspace. */
export const workspace = {
  in: 'path',
  kind: 'string',
  required: true,
  help: 'workspace: id, name or slug (default: the current workspace)',
} as const satisfies Field;

export const namespace = {
  in: 'path',
  kind: 'string',
  required: true,
  help: 'namespace name',
} as const satisfies Field;

export const publishingToken = {
  in: 'path',
  kind: 'string',
  required: true,
  help: 'publishing token: id or name',
} as const satisfies Field;

export const session = {
  in: 'header',
  kind: 'string',
  required: true,
  flag: 'session-id',
  help: 'session id, any string (default: a new UUID)',
} as const satisfies Field;

/** The path parameters of manifests and blobs. The settings provide defaults for the two slugs. */
export const repository = {
  organization_slug: { in: 'path', kind: 'string', required: true, help: 'organization slug' },
  workspace_slug: { in: 'path', kind: 'string', required: true, help: 'workspace slug' },
  namespace_name: namespace,
} as const satisfies Record<string, Field>;

export const org = {
  in: 'query',
  kind: 'string',
  required: true,
  help: 'owner of the repository on the code host',
} as const satisfies Field;

export const repo = {
  in: 'query',
  kind: 'string',
  required: true,
  help: 'repository on the code host',
} as const satisfies Field;

export const genLock = {
  in: 'query',
  kind: 'string',
  required: true,
  help: 'lock id of the target',
} as const satisfies Field;

/** The limitation of the embedded service for plans and prices. */
export const plan = 'nothing is billed; the limits of a free plan apply';
