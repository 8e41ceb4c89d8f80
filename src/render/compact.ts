/** Shortens the rows of a list for a model, without leaving anything out. */
import { exactJson, isRecord } from '../json-object.ts';

/** Shorter lists stay as they are. */
const fewestRows = 10;

/**
 * Returns the fields that every row has with the same value, and the rows without them. If the rows then have only
 * scalars, all of them get the same fields, because TOON writes such rows as a table. A missing field becomes null.
 */
export function compactRows(rows: readonly unknown[]) {
  const records = rows.filter(isRecord);
  const fields = Object.entries(records[0] ?? {});
  const everyRow = Object.fromEntries(
    fields.filter(([name, value]) => {
      const text = exactJson(value);
      return records.every((row) => Object.hasOwn(row, name) && exactJson(row[name]) === text);
    }),
  );
  const cells = records.flatMap((row) => Object.entries(row)).filter(([name]) => !Object.hasOwn(everyRow, name));
  const names = [...new Set(cells.map(([name]) => name))];
  if (records.length < Math.max(rows.length, fewestRows) || names.length === 0) return { rows, everyRow: {} };
  // Rows that have little in common would make a table of nulls.
  const isTable =
    names.length * records.length <= 2 * cells.length &&
    cells.every(([, value]) => typeof value !== 'object' || value === null);
  const short = records.map((row) => {
    const present = isTable ? names : names.filter((name) => Object.hasOwn(row, name));
    return Object.fromEntries(present.map((name) => [name, Object.hasOwn(row, name) ? row[name] : null]));
  });
  return { rows: short, everyRow };
}
