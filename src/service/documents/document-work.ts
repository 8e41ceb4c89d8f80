/** Runs a task on a document: generates code samples, an overlay or metadata, merges documents, or checks a document. */
import { applyOverlay } from './apply-overlay.ts';
import { asDocument, checkPaths, parseAs } from './document.ts';
import { mergeDocuments, type NamedDocument } from './merge.ts';
import { contentsMetadata, type StoredRevision } from './metadata.ts';
import { documentOverlay, type SuggestOptions, type Summary, summaryOverlay } from './overlay.ts';
import type { SnippetChoice } from './snippets.ts';
import { openSource, type SourceNames } from './source.ts';
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
  | { readonly make: 'metadata'; readonly revision: StoredRevision };

/** The bytes of the task are all documents, followed by all overlays. */
export interface MergeTask {
  readonly make: 'merge';
  readonly documents: readonly Part[];
  readonly overlays: readonly Part[];
}

interface Part extends SourceNames {
  readonly size: number;
}

async function merged({ documents, overlays }: MergeTask, bytes: Buffer): Promise<string> {
  let from = 0;
  const next = (part: Part) => {
    const start = from;
    from += part.size;
    return openSource(bytes.subarray(start, from), part);
  };
  const all: NamedDocument[] = [];
  for (const part of documents) {
    const document = asDocument(await (await next(part)).whole(), part.name);
    checkPaths(document, part.name);
    all.push({ name: part.name, document });
  }
  const document = mergeDocuments(all);
  for (const part of overlays) applyOverlay(document, (await next(part)).object, part.name);
  return `${JSON.stringify(document, null, 2)}\n`;
}

export async function runDocumentTask(task: Task, bytes: Buffer): Promise<string> {
  if (task.make === 'summary overlay')
    return summaryOverlay(JSON.parse(bytes.toString('utf8')) as Summary, task.options);
  if (task.make === 'metadata') {
    const { revision } = task;
    return JSON.stringify(await contentsMetadata(await openSource(bytes, { name: revision.namespace }), revision));
  }
  if (task.make === 'merge') return merged(task, bytes);
  if (task.make === 'check') {
    const { name, format } = task;
    asDocument(parseAs(bytes.toString('utf8'), format, name), name);
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
