/** Reports which of several selected code samples a response does not have: a service leaves out what it does not know. */
import { DtpError } from '../../errors.ts';
import { fieldsOf, isRecord, type JsonObject } from '../../json-object.ts';
import type { Input } from '../../operations/operation.ts';
import type { AnswerResult, ListResult, Result } from '../../output/result.ts';
import { fieldsIn } from '../../request/read.ts';

const place = ({ method, path }: JsonObject): unknown => method && path && `${String(method).toLowerCase()} ${path}`;

/** The fields that select code samples: what a value is called, its text, and the same text of a code sample. */
const selectors: Readonly<
  Record<string, readonly [what: string, given: (value: unknown) => unknown, of: (row: JsonObject) => unknown]>
> = {
  operation_ids: ['operation', (id) => id, ({ operationId }) => operationId],
  method_paths: ['operation', (value) => place(fieldsOf(value)), place],
  languages: ['language', (language) => language, ({ language }) => language],
};

/** Whether the user selected code samples. The response is then read as a whole. */
export const hasSelection = (input: Input): boolean => Object.keys(selectors).some((name) => input[name] !== undefined);

/**
 * Names what was selected and has no code sample in the response: as the failure `partial`, or as a note if the response
 * is empty. Code samples that do not say what they are for are not checked.
 */
export function withSelection(input: Input, result: Result): Result {
  if (result.kind !== 'answer' || !hasSelection(input)) return result;
  const { snippets } = fieldsIn(result.value);
  const rows = Array.isArray(snippets) ? snippets.filter(isRecord) : [];
  const missing = Object.entries(selectors).flatMap(([name, [what, textOf, of]]) => {
    const found = rows.map(of);
    const isClear = Array.isArray(snippets) && found.every((one) => typeof one === 'string' && one !== '');
    const given = isClear ? [input[name] ?? []].flat().map(textOf) : [];
    // A service may read commas as separators.
    const all = given.flatMap((one) => (found.includes(one) ? [] : String(one).split(',')));
    return all.flatMap((one) => (found.includes(one) ? [] : [`${what} "${one}"`]));
  });
  if (missing.length === 0) return result;
  const text = `the response has no code sample for ${[...new Set(missing)].join(', ')}`;
  if (rows.length === 0) return { ...result, notes: [...(result.notes ?? []), text] };
  return { ...result, failure: new DtpError('partial', text, { hint: 'The result has the others.' }) };
}

/** Returns the first code samples of a response that was read as a whole. */
export function firstSamples(result: AnswerResult, most: number): ListResult {
  const { snippets } = fieldsIn(result.value);
  const list: ListResult['list'] = {
    rows: async function* () {
      if (!Array.isArray(snippets)) return { value: result.value.kind === 'json' ? result.value.value : null };
      yield snippets;
      return undefined;
    },
    whole: async () => result.value,
    close: () => undefined,
  };
  return { ...result, kind: 'list', list, most };
}
