/** Generates code samples for the operations of a document in each requested language. */
import type { JsonObject } from '../http/fields.ts';
import { type DescribedOperation, describedOperationsOf } from './document.ts';
import { checkLanguage, type Language } from './languages.ts';
import { sampleCall, sampleInput } from './sample-call.ts';
import { isSeen } from './sample-text.ts';
import { packageOf, type SdkNames, sdkMethods } from './sdk-names.ts';
import { csharp } from './write-csharp.ts';
import { curl } from './write-curl.ts';
import { go } from './write-go.ts';
import { java } from './write-java.ts';
import { python } from './write-python.ts';
import { ruby } from './write-ruby.ts';
import { sdkWriters } from './write-sdk.ts';
import { swift } from './write-swift.ts';
import { typescript } from './write-typescript.ts';
import type { Write } from './writer.ts';

/** A code sample, with the operation that it is for. */
export type Snippet = ReturnType<typeof snippetsOf>[number];

export type MethodPath = Pick<DescribedOperation, 'method' | 'path'>;

/** Selects operations and languages. Without filters, every operation matches. Four languages are the default. */
export interface SnippetChoice extends SdkNames {
  readonly languages?: readonly string[] | undefined;
  readonly operationIds?: readonly string[] | undefined;
  readonly methodPaths?: readonly MethodPath[] | undefined;
}

const defaultLanguages = ['curl', 'typescript', 'python', 'go'];

const writers: Readonly<Record<Language, Write>> = { csharp, curl, go, java, python, ruby, swift, typescript };
const commentedWithHash: readonly Language[] = ['curl', 'python', 'ruby'];

/** Turns a string into a safe, visible line. In comments, Java obeys `\u000a`, and Python and Ruby obey `coding:`. */
const commentText = (text: string): string =>
  [...text.replace(/\s+/g, ' ')]
    .filter(isSeen)
    .join('')
    .trim()
    .replaceAll('\\', '\\\\')
    .replace(/(coding\s*)[:=]/g, '$1-');

/** Returns the title of a code sample. If the request has SDK names but the language has no SDK, the title says so. */
function titleOf(id: string, language: Language, names: SdkNames): string {
  const isPlain = hasNames(names) && !sdkWriters.has(language);
  return commentText(isPlain ? `${id}, as plain HTTP without ${packageOf(names)}` : id);
}

const hasNames = ({ packageName, className }: SdkNames): boolean => Boolean(packageName || className);

const isOf = ({ method, path }: MethodPath, entry: MethodPath): boolean =>
  method.toLowerCase() === entry.method && path === entry.path;

export function snippetsOf(document: JsonObject, choice: SnippetChoice) {
  const { operationIds, methodPaths } = choice;
  const chosen = (choice.languages ?? defaultLanguages).map(checkLanguage);
  const all = describedOperationsOf(document);
  // Methods get their names before the filters apply, so that the filters do not change the names.
  const methods = hasNames(choice) ? sdkMethods(all) : [];
  return all
    .map((entry, index) => ({ entry, sdk: methods[index] }))
    .filter(({ entry: { id } }) => !operationIds || operationIds.includes(id))
    .filter(({ entry }) => !methodPaths || methodPaths.some((one) => isOf(one, entry)))
    .flatMap(({ entry, sdk }) => {
      const input = sampleInput(document, entry);
      const call = sampleCall(document, entry, input);
      const { path, method, id: operationId } = entry;
      return chosen.map((language) => {
        const comment = commentedWithHash.includes(language) ? '#' : '//';
        const writeSdk = sdk && sdkWriters.get(language);
        const body = writeSdk ? writeSdk({ names: choice, method: sdk, document, input }) : writers[language](call);
        const code = `${comment} ${titleOf(operationId, language, choice)}\n${body}`;
        return { path, method, operationId, language, code };
      });
    });
}
