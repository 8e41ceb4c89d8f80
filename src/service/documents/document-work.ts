/** Generates snippets, an overlay or the metadata of a revision from a document, as a string. */
import { asDocument, checkPaths, parseAs } from './document.ts';
import { contentsMetadata, type Revision } from './metadata.ts';
import { documentOverlay, type SuggestOptions, type Summary, summaryOverlay } from './overlay.ts';
import type { SnippetChoice } from './snippets.ts';
import { openSource, type SourceNames } from './source.ts';

/** A task is sent to another process as JSON. */
export type Task =
  | ({ readonly make: 'snippets'; readonly choice: SnippetChoice } & SourceNames)
  | ({ readonly make: 'overlay'; readonly options: SuggestOptions } & SourceNames)
  | { readonly make: 'summary overlay'; readonly options: SuggestOptions }
  | { readonly make: 'check'; readonly name: string; readonly format: string }
  | { readonly make: 'metadata'; readonly revision: Revision };

export async function work(task: Task, bytes: Buffer): Promise<string> {
  if (task.make === 'summary overlay')
    return summaryOverlay(JSON.parse(bytes.toString('utf8')) as Summary, task.options);
  if (task.make === 'metadata') {
    const { revision } = task;
    return JSON.stringify(
      await contentsMetadata(await openSource(bytes, { name: revision.namespace }), revision),
    );
  }
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
  // Loading the snippet library takes longer than processing most documents.
  const { snippetsOf } = await import('./snippets.ts');
  return JSON.stringify({ snippets: snippetsOf(document, task.choice) });
}
