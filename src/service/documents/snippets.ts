/** Usage snippets: each operation of a document in each language that was asked for. */
import type { Members } from '../http/members.ts';
import { operationsOf } from './document.ts';
import { checkLanguage } from './languages.ts';
import { sampleCall } from './sample-call.ts';
import { writers } from './writers.ts';

export interface Snippet {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly language: string;
  readonly code: string;
}

export interface MethodPath {
  readonly method: string;
  readonly path: string;
}

/** What is left out is not narrowed; of the languages, the first four are given. */
export interface SnippetChoice {
  readonly languages?: readonly string[] | undefined;
  readonly operationIds?: readonly string[] | undefined;
  readonly methodPaths?: readonly MethodPath[] | undefined;
  readonly packageName?: string | undefined;
  readonly className?: string | undefined;
}

const first = ['curl', 'typescript', 'python', 'go'];

/** What the snippet shows, in one line: a line break in a name would end the comment. */
const titleOf = (id: string, { className, packageName }: SnippetChoice): string =>
  `${className ? `${className}.` : ''}${id}${packageName ? ` of ${packageName}` : ''}`.replace(/\s+/g, ' ');

export function snippetsOf(document: Members, choice: SnippetChoice): readonly Snippet[] {
  const { operationIds, methodPaths } = choice;
  const chosen = (choice.languages ?? first).map(checkLanguage);
  return operationsOf(document)
    .filter(({ id }) => !operationIds || operationIds.includes(id))
    .filter(
      ({ method, path }) =>
        !methodPaths ||
        methodPaths.some((each) => each.method.toLowerCase() === method && each.path === path),
    )
    .flatMap((entry) => {
      const call = sampleCall(document, entry);
      const { path, method, id: operationId } = entry;
      return chosen.map((language) => {
        const { write, comment } = writers[language];
        const code = `${comment} ${titleOf(operationId, choice)}\n${write(call)}`;
        return { path, method, operationId, language, code };
      });
    });
}
