/** Value → the names of what it holds, a line each: what another command takes for an argument. */
import { visible } from './sanitize.ts';
import { isRecord, rowsOf, type View } from './view.ts';

/** The id, or what stands for one; nothing for what has none. */
export function names(value: unknown, view: View): string {
  return (rowsOf(value, view) ?? [value]).map((row) => nameOf(row, view)).join('');
}

function nameOf(value: unknown, { columns = [] }: View): string {
  const one = isRecord(value)
    ? [...columns.slice(0, 1), ...usual].map((name) => value[name]).find(isName)
    : value;
  return isName(one) ? `${visible(String(one))}\n` : '';
}

const usual = ['id', 'name', 'slug', 'digest', 'url'];

const isName = (value: unknown) => value !== '' && ['string', 'number', 'bigint'].includes(typeof value);
