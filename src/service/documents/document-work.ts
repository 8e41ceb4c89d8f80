/** Generates snippets, an overlay or the metadata of a revision from a document, as a string. */
import { asDocument, checkPaths } from './document.ts';
import { contentsMetadata, type Revision } from './metadata.ts';
import { documentOperations, type OperationSummary, overlayOf, type SuggestOptions } from './overlay.ts';
import type { SnippetChoice } from './snippets.ts';
import { openSource, type SourceNames } from './source.ts';
import { documentHash, type StoredNames } from './stored-names.ts';

/** A task is sent to another process as JSON. */
export type Task =
  | ({
      readonly make: 'snippets';
      readonly choice: SnippetChoice;
      /** For a document without names in the request. */
      readonly stored?: StoredNames;
    } & SourceNames)
  | ({ readonly make: 'overlay'; readonly options: SuggestOptions } & SourceNames)
  | { readonly make: 'summary overlay'; readonly options: SuggestOptions }
  | { readonly make: 'metadata'; readonly revision: Revision };

export async function work(task: Task, bytes: Buffer): Promise<string> {
  if (task.make === 'summary overlay')
    return overlayOf(JSON.parse(bytes.toString('utf8')) as readonly OperationSummary[], task.options);
  if (task.make === 'metadata') {
    const { revision } = task;
    return JSON.stringify(
      await contentsMetadata(await openSource(bytes, { name: revision.namespace }), revision),
    );
  }
  const source = await openSource(bytes, task);
  asDocument(source.object, task.name);
  const document = asDocument(await source.whole(), task.name);
  checkPaths(document, task.name);
  if (task.make === 'overlay') return overlayOf(documentOperations(document), task.options);
  // Only this task needs the writers of all languages.
  const { snippetsOf } = await import('./snippets.ts');
  const { choice, stored } = task;
  const isNamed = choice.packageName || choice.className;
  const names = isNamed ? undefined : stored?.[documentHash(source.text)];
  return JSON.stringify({ snippets: snippetsOf(document, { ...choice, ...names }) });
}
