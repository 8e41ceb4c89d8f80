/** Shortens a result for a model, and adds how to get the rest. */
import { exactJson, fieldsOf } from '../json-object.ts';
import { boundValue, usualRows, withShortStrings } from '../render/bounds.ts';
import { withFields } from '../render/fields.ts';
import type { View } from '../render/index.ts';
import { redactValue } from '../request/redact.ts';
import type { Output } from './choice.ts';
import type { Again } from './write-text.ts';

export { withShortStrings } from '../render/bounds.ts';

/** Only `data` has strings of the service, so that none of them looks like advice of this tool. */
interface Page {
  readonly data: unknown;
  /** The number of rows in `data`, if the list has more. */
  readonly shown?: number;
  /** The number of all rows, if the service sent all of them. */
  readonly total?: number | undefined;
  /** The command for the next rows, or what to do for the rest. */
  readonly more?: string;
  readonly secrets?: string;
}

type Choice = NonNullable<Output['model']>;

interface ModelView {
  /** The value without its secrets. Queries read it, because they could rename a secret field. */
  readonly value: unknown;
  /** Returns the page of what is selected from the value. */
  readonly pageOf: (selected: unknown, view: View, again: Again | undefined) => Promise<Page>;
}

export function openModel(choice: Choice, whole: unknown, isSecret = false): ModelView {
  const value = isSecret && !choice.showSecrets ? '***' : openValue(whole, choice);
  const isMasked = exactJson(value) !== exactJson(whole);
  return {
    value,
    pageOf: async (selected, view, again) => ({
      ...(await partOf(withFields(selected, view), view, again)),
      ...(isMasked && { secrets: 'masked as ***; shown only with --show-secrets' }),
    }),
  };
}

/** Masks the secrets of a value. */
export const openValue = (value: unknown, { showSecrets }: Choice): unknown =>
  showSecrets ? value : redactValue(value);

async function partOf(selected: unknown, view: View, again: Again | undefined): Promise<Page> {
  const { value, lack, rows, total, next = '' } = boundValue(withShortStrings(selected), view.rows, usualRows);
  const token = fieldsOf(selected).next_page_token;
  const isPage = typeof token === 'string' && token !== '';
  if (rows === undefined && lack !== undefined) return { data: value, more: `${lack}; -o json shows everything` };
  if (rows === undefined) return { data: value, ...(isPage && (await moreOf(again?.('--page-token', token)))) };
  const counts = { shown: rows, ...(!isPage && { total }) };
  return { data: value, ...counts, ...(await moreOf(again?.('--query', next))) };
}

async function moreOf(line: Promise<string> | undefined): Promise<Pick<Page, 'more'>> {
  const more = await line;
  return more === undefined ? {} : { more };
}
