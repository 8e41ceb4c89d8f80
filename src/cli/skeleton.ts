/** `--skeleton`: a body to begin with, of all that is known of it. */
import type { Context } from '../context.ts';
import type { Field, Operation } from '../operations/operation.ts';
import { readType } from '../operations/record-types.ts';
import { records, values } from '../operations/records.ts';
import { checkOutput, emitResult } from './emit.ts';
import type { Globals } from './globals.ts';
import { openLog } from './log.ts';
import { outputOf } from './output.ts';
import { resolveSettings } from './settings.ts';

/** Prints the template, as JSON or, with `-o yaml`, as YAML. Nothing is sent, and no service is needed. */
export async function emitSkeleton(context: Context, operation: Operation, globals: Globals): Promise<void> {
  const settings = await resolveSettings(context, globals, { mending: true });
  const output = await outputOf(context, globals, settings);
  await checkOutput(output);
  const format = output.format === 'table' ? 'json' : output.format;
  await emitResult(context, skeletonOf(operation), { ...output, format }, {}, openLog(context, globals));
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
