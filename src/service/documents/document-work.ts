/** Runs a task on a document: generates code samples, an overlay or metadata, merges, checks or packs documents. */
import { isScalar } from 'yaml';
import { readTree } from '../../documents/read-tree.ts';
import { writeExact } from '../../json-object.ts';
import { DOCUMENT_LIMIT } from '../data/contents.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { applyOverlay } from './apply-overlay.ts';
import { asDocument, checkPaths, describedOperationsOf, documentText, parseAs } from './document.ts';
import { mergeDocuments, type NamedDocument } from './merge.ts';
import { documentOverlay, type SuggestOptions, type Summary, summaryOverlay } from './overlay.ts';
import type { SnippetChoice } from './snippets.ts';
import { openSource, type Source, type SourceNames } from './source.ts';
import { documentHash, type StoredNames } from './stored-names.ts';

/** What to do with a document. The service sends a task to the child process as JSON. */
export type Task =
  | ({
      readonly make: 'snippets';
      readonly choice: SnippetChoice;
      /** The stored SDK names. They are used if the request has no names. */
      readonly stored?: StoredNames;
    } & SourceNames)
  | ({ readonly make: 'overlay'; readonly options: SuggestOptions } & SourceNames)
  | { readonly make: 'summary overlay'; readonly options: SuggestOptions }
  | { readonly make: 'check'; readonly name: string; readonly format: string }
  | MergeTask
  /** Packs a file, such as `openapi.json`, into a ZIP. The same file always gives the same bytes. */
  | { readonly make: 'bundle'; readonly name: string }
  | { readonly make: 'metadata'; readonly revision: StoredRevision };

/** Merges documents into one, and packs it. The bytes of the task are all documents, followed by all overlays. */
export interface MergeTask {
  readonly make: 'merge';
  readonly documents: readonly Part[];
  readonly overlays: readonly Part[];
}

interface Part extends SourceNames {
  readonly size: number;
}

async function merged({ documents, overlays }: MergeTask, bytes: Buffer): Promise<Uint8Array> {
  let rest = bytes;
  const next = (part: Part) => {
    const own = rest.subarray(0, part.size);
    rest = rest.subarray(part.size);
    return openSource(own, part, true);
  };
  const all: NamedDocument[] = [];
  for (const part of documents) {
    const document = asDocument(await (await next(part)).whole(), part.name);
    checkPaths(document, part.name);
    all.push({ name: part.name, document });
  }
  const document = mergeDocuments(all);
  for (const part of overlays) applyOverlay(document, (await next(part)).object, part.name);
  const text = Buffer.from(`${writeExact(document, (one) => JSON.stringify(one, null, 2))}\n`);
  if (text.byteLength > DOCUMENT_LIMIT) throw new Refusal(422, `the result is larger than ${DOCUMENT_LIMIT} bytes`);
  return bundled('openapi.json', text);
}

async function bundled(name: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { zipSync } = await import('fflate');
  // Local time, as in a ZIP file, so that the bytes are the same in every time zone.
  return zipSync({ [name]: bytes }, { mtime: new Date(1980, 0, 1, 12) });
}

export async function runDocumentTask(task: Task, bytes: Buffer): Promise<string | Uint8Array> {
  if (task.make === 'summary overlay')
    return summaryOverlay(JSON.parse(bytes.toString('utf8')) as Summary, task.options);
  if (task.make === 'metadata') {
    const { revision } = task;
    return JSON.stringify(await contentsMetadata(await openSource(bytes, { name: revision.namespace }), revision));
  }
  if (task.make === 'merge') return merged(task, bytes);
  if (task.make === 'bundle') return bundled(task.name, bytes);
  if (task.make === 'check') {
    const { name, format } = task;
    asDocument(parseAs(documentText(bytes, name), format, name), name);
    return '';
  }
  const source = await openSource(bytes, task);
  asDocument(source.object, task.name);
  const document = asDocument(await source.whole(), task.name);
  checkPaths(document, task.name);
  if (task.make === 'overlay') return documentOverlay(document, task.options);
  // Only this task needs the writers of all languages, so other tasks do not load them.
  const { snippetsOf } = await import('./snippets.ts');
  const { choice, stored } = task;
  const isNamed = choice.packageName || choice.className;
  const names = isNamed ? undefined : stored?.[documentHash(source.text)];
  return JSON.stringify({ snippets: snippetsOf(document, { ...choice, ...names }) });
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Returns a field of `info` as it is written in the document: in YAML, an unquoted 1.10 is the number 1.1. */
function written(text: string, info: JsonObject, field: string): string {
  if (typeof info[field] !== 'number') return textOf(info[field]);
  const { tree } = readTree(text, 'any');
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

interface StoredRevision {
  readonly workspaceId: string;
  readonly namespace: string;
  readonly digest: string;
  readonly createdAt: string;
}

/** Returns the metadata of a document. Throws Refusal if the document is neither an overlay nor OpenAPI. */
async function contentsMetadata(
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
    hash: documentHash(text),
    created_at: createdAt,
    ...(isOverlay ? overlayFacts(document) : bundleFacts(document)),
  };
}
