/** `--skeleton`: a body to begin with, of all that is known of it. */
import type { Invocation } from '../../invocation/invocation.ts';
import type { Field, Operation } from '../../operations/operation.ts';
import { readType } from '../../operations/record-types.ts';
import { records, values } from '../../operations/records.ts';
import type { Result } from '../../output/result.ts';

/** The template, as JSON or, with `-o yaml`, as YAML. Nothing is sent, and no service is needed. */
export function skeleton({ output: { format } }: Invocation, operation: Operation): Result {
  return {
    kind: 'value',
    value: skeletonOf(operation),
    output: { format: format === 'table' ? 'json' : format },
  };
}

/** A value of every member: what `--body` takes back. Where nothing is known of the body, an empty object. */
export function skeletonOf({ input }: Operation): unknown {
  const { body } = input;
  if (body) return body.many ? [ofRecord(body.record)] : ofRecord(body.record);
  const members = Object.entries(input).filter(([, { in: place }]) => place === 'member' || place === 'part');
  return Object.fromEntries(members.map(([name, field]) => [name, ofField(field)]));
}

function ofField({ kind, many, oneOf, record }: Field): unknown {
  const [known] = oneOf ?? values[record ?? ''] ?? [];
  const one = known ?? (kind === 'json' ? ofRecord(record) : simple[kind]);
  return many ? [one] : one;
}

const ofRecord = (name: string | undefined): object =>
  Object.fromEntries(
    Object.entries(records[name ?? ''] ?? {}).map(([member, type]) => [member, ofType(type)]),
  );

/** A type as records.ts writes it. */
function ofType(type: string): unknown {
  const { kind, many, known, record } = readType(type);
  const one = known?.[0] ?? (record === undefined ? simple[kind] : ofRecord(record));
  return many ? [one] : one;
}

const simple = {
  string: '',
  integer: 0,
  boolean: false,
  datetime: '2026-01-31T12:00:00Z',
  json: {},
  file: '@FILE',
} as const;
