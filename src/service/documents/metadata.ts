/** Builds the RevisionContentsMetadata record, which describes the document of a revision. */
import { createHash } from 'node:crypto';
import { isScalar } from 'yaml';
import { readTree } from '../../documents/tree.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import { asDocument, describedOperationsOf } from './document.ts';
import type { Source } from './source.ts';

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Returns a field of `info` as it is written in the document: in YAML, an unquoted 1.10 is the number 1.1. */
function written(text: string, info: JsonObject, field: string): string {
  if (typeof info[field] !== 'number') return textOf(info[field]);
  const { tree } = readTree(text, false);
  const fields = tree instanceof Map ? tree.get('info') : undefined;
  const scalar = fields instanceof Map ? fields.get(field) : undefined;
  return (isScalar(scalar) && scalar.source) || textOf(info[field]);
}

function overlayFacts(overlay: JsonObject) {
  const actions = listOf(overlay.actions);
  return {
    type: 'OPENAPI_OVERLAY',
    tags: [],
    operation_ids: [],
    num_overlay_actions: actions.length,
    contains_code_samples: JSON.stringify(actions).includes('"x-codeSamples"'),
  };
}

function bundleFacts(document: JsonObject) {
  const operations = describedOperationsOf(document).map(({ operation }) => operation);
  const own = listOf(document.tags)
    .filter(isRecord)
    .map(({ name }) => name);
  const used = operations.flatMap(({ tags }) => listOf(tags));
  return {
    type: 'OPENAPI_BUNDLE',
    tags: [...new Set([...own, ...used].map(textOf))],
    operation_ids: operations.map(({ operationId }) => textOf(operationId)).filter((id) => id !== ''),
    num_overlay_actions: 0,
    contains_code_samples: operations.some((operation) => operation['x-codeSamples'] !== undefined),
  };
}

export interface StoredRevision {
  readonly workspaceId: string;
  readonly namespace: string;
  readonly digest: string;
  readonly createdAt: string;
}

/** Returns the metadata of a document. Throws Refusal if the document is neither an overlay nor OpenAPI. */
export async function contentsMetadata(
  { text, object, whole }: Source,
  { workspaceId, namespace, digest, createdAt }: StoredRevision,
): Promise<JsonObject> {
  const isOverlay = object.overlay !== undefined;
  // A document with a broken reference can be pushed, but then the metadata covers only the main file.
  const document = isOverlay ? object : await whole().catch(() => object);
  if (!isOverlay) asDocument(document, namespace);
  const info = fieldsOf(document.info);
  return {
    workspace_id: workspaceId,
    namespace,
    revision_digest: digest,
    title: written(text, info, 'title'),
    description: written(text, info, 'description'),
    version: written(text, info, 'version'),
    hash: createHash('sha256').update(text).digest('hex'),
    created_at: createdAt,
    ...(isOverlay ? overlayFacts(document) : bundleFacts(document)),
  };
}
