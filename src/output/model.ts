/** Shortens a result for a model, and adds how to get the rest. */
import { exactJson, fieldsOf } from '../json-object.ts';
import { boundValue, compactRows, usualRows, withShortStrings } from '../render/bounds.ts';
import { withFields } from '../render/fields.ts';
import type { View } from '../render/index.ts';
import { redactValue } from '../request/redact.ts';
import type { Output } from './choice.ts';
import type { Log } from './log.ts';
import type { Again } from './write-text.ts';

export { withShortStrings } from '../render/bounds.ts';

/** Only `data` and `every_row` have strings of the service, so that none of them looks like advice of this tool. */
interface Page {
  /** The fields that all rows of a long list share. The rows in `data` do not have them. */
  readonly every_row?: unknown;
  readonly data: unknown;
  /** The number of rows in `data`, if the list has more. */
  readonly shown?: number;
  /** The number of all rows, if the service sent all of them. */
  readonly total?: number | undefined;
  /** The command for the next rows, or what to do for the rest. */
  readonly more?: string;
  readonly secrets?: string;
}

type Choice = NonNullable<Output['model']> & Pick<Log, 'masked'>;

/** Returns the value without its secrets, and the page of what is selected from it. */
export function openModel(choice: Choice, whole: unknown, isSecret = false) {
  const value = isSecret && !choice.showSecrets ? '***' : openValue(whole, choice);
  const isMasked = exactJson(value) !== exactJson(whole);
  const secrets = isMasked ? 'masked as ***; shown only with --show-secrets' : undefined;
  const pageOf = async (selected: unknown, view: View, again: Again | undefined): Promise<Page> => ({
    ...(await partOf(withFields(selected, view), view, again)),
    ...(secrets && { secrets }),
  });
  return { value, secrets, pageOf };
}

/** Masks the secrets of a value before a query reads it, because a query could rename a secret field or cut a secret. */
export const openValue = (value: unknown, { showSecrets, masked }: Choice): unknown =>
  showSecrets ? value : masked(redactValue(value));

async function partOf(selected: unknown, view: View, again: Again | undefined): Promise<Page> {
  const { value, lack, rows, total, next = '' } = boundValue(withShortStrings(selected), view.rows, usualRows);
  const token = fieldsOf(selected).next_page_token;
  const isPage = typeof token === 'string' && token !== '';
  if (rows === undefined && lack !== undefined) return { data: value, more: `${lack}; -o json shows everything` };
  const counts = rows !== undefined && { shown: rows, ...(!isPage && { total }) };
  const more = await (counts ? again?.('--query', next) : isPage ? again?.('--page-token', token) : undefined);
  return { ...dataOf(value, view), ...counts, ...(more && { more }) };
}

/** Shortens the rows of a list, unless a query or --fields chose their fields. */
function dataOf(value: unknown, { isList, fields, rows: name }: View): Pick<Page, 'every_row' | 'data'> {
  const all = name === undefined ? value : fieldsOf(value)[name];
  if (!isList || fields || !Array.isArray(all)) return { data: value };
  const { rows, everyRow } = compactRows(all);
  const shared = Object.keys(everyRow).length > 0 && { every_row: everyRow };
  return { ...shared, data: name === undefined ? rows : { ...fieldsOf(value), [name]: rows } };
}
