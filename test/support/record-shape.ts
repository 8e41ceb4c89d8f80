/** Whether a value has the shape of a named record: required fields exist, and each field has its type. */

import { enumValues, records } from '../../src/operations/records.ts';
import { responseRecords } from './response-records.ts';

/** What is wrong, as paths with a reason; empty if the value is valid. `type` is written as in records.ts. */
export function faults(type: string, value: unknown, path = '$'): readonly string[] {
  const optional = type.endsWith('?');
  const bare = optional ? type.slice(0, -1) : type;
  if (value === undefined) return optional ? [] : [`${path} is missing`];
  if (bare.endsWith('|null')) return value === null ? [] : faults(bare.replace('|null', ''), value, path);
  if (bare.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${path} is not an array`];
    return value.flatMap((one, index) => faults(bare.slice(0, -2), one, `${path}[${index}]`));
  }
  const record = records[bare] ?? responseRecords[bare];
  if (record) {
    if (typeof value !== 'object' || value === null) return [`${path} is not of type ${bare}`];
    return Object.entries(record).flatMap(([name, inner]) =>
      faults(typeof inner === 'string' ? inner : inner[0], (value as Record<string, unknown>)[name], `${path}.${name}`),
    );
  }
  return isPlain(bare, value) ? [] : [`${path} is not of type ${bare}: ${JSON.stringify(value)}`];
}

function isPlain(type: string, value: unknown): boolean {
  if (type === 'json') return value !== null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'datetime') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));
  const known = /^enum\((.*)\)$/.exec(type)?.[1]?.split(',') ?? enumValues[type];
  return known ? known.includes(String(value)) : type === 'string' && typeof value === 'string';
}
