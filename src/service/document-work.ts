/** What is made of a document, as text: snippets, an overlay, the metadata of a revision. */
import { parseDocument } from './document.ts';
import { contentsMetadata, type Revision } from './metadata.ts';
import { documentOperations, type OperationSummary, overlayOf, type SuggestOptions } from './overlay.ts';
import type { SnippetChoice } from './snippets.ts';

/** `name` is what a refusal calls the document. All of it must survive JSON. */
export type Task =
  | { readonly make: 'snippets'; readonly name: string; readonly choice: SnippetChoice }
  | { readonly make: 'overlay'; readonly name: string; readonly options: SuggestOptions }
  | { readonly make: 'summary overlay'; readonly options: SuggestOptions }
  | { readonly make: 'metadata'; readonly revision: Revision };

export async function work(task: Task, source: string): Promise<string> {
  if (task.make === 'metadata') return JSON.stringify(contentsMetadata(source, task.revision));
  if (task.make === 'overlay')
    return overlayOf(documentOperations(parseDocument(source, task.name)), task.options);
  if (task.make === 'summary overlay')
    return overlayOf(JSON.parse(source) as readonly OperationSummary[], task.options);
  // The snippet library takes longer to load than most documents.
  const { snippetsOf } = await import('./snippets.ts');
  return JSON.stringify({ snippets: snippetsOf(parseDocument(source, task.name), task.choice) });
}
