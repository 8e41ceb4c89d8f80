/** Generates usage snippets for the operations of a document in each requested language. */
import type { JsonObject } from '../http/fields.ts';
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

/** Without a filter, everything matches. Without languages, there are snippets in the four default ones. */
export interface SnippetChoice {
  readonly languages?: readonly string[] | undefined;
  readonly operationIds?: readonly string[] | undefined;
  readonly methodPaths?: readonly MethodPath[] | undefined;
  readonly packageName?: string | undefined;
  readonly className?: string | undefined;
}

const defaultLanguages = ['curl', 'typescript', 'python', 'go'];

/** The title of a snippet on one line. A line break in a name would end the comment. */
const titleOf = (id: string, { className, packageName }: SnippetChoice): string =>
  `${className ? `${className}.` : ''}${id}${packageName ? ` of ${packageName}` : ''}`.replace(/\s+/g, ' ');

export function snippetsOf(document: JsonObject, choice: SnippetChoice): readonly Snippet[] {
  const { operationIds, methodPaths } = choice;
  const chosen = (choice.languages ?? defaultLanguages).map(checkLanguage);
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
