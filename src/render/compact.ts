/** Shortens the rows of a list for a model, without leaving anything out. */
import { exactJson, isRecord, type JsonObject } from '../json-object.ts';

/** Shorter lists stay as they are. */
const fewestRows = 10;

/**
 * Returns the fields that every row has with the same value, and the rows without them. If the rows then have only
 * scalars, all of them get the same fields, because TOON writes such rows as a table. A missing field becomes null.
 */
export function compactRows(rows: readonly unknown[]) {
  const records = rows.filter(isRecord);
  const [first = {}] = records;
  const isShared = (name: string, text = exactJson(first[name])) =>
    records.every((row) => Object.hasOwn(row, name) && exactJson(row[name]) === text);
  const everyRow = Object.fromEntries(Object.entries(first).filter(([name]) => isShared(name)));
  const cells = records.flatMap((row) => Object.entries(row)).filter(([name]) => !Object.hasOwn(everyRow, name));
  const names = [...new Set(cells.map(([name]) => name))];
  if (records.length < Math.max(rows.length, fewestRows) || names.length === 0) return { rows, everyRow: {} };
  // Rows that have little in common would make a table of nulls.
  const isFull = names.length * records.length <= 2 * cells.length;
  const missing = isFull && cells.every(([, value]) => typeof value !== 'object' || value === null) ? null : undefined;
  const valueIn = (row: JsonObject, name: string) => (Object.hasOwn(row, name) ? row[name] : missing);
  return { rows: records.map((row) => Object.fromEntries(names.map((name) => [name, valueIn(row, name)]))), everyRow };
}
