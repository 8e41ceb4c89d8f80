/** `--skeleton`: a template for the request body. */
import type { Invocation } from '../../invocation/invocation.ts';
import { type FieldType, memberTypes, typeOf } from '../../operations/field-types.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';

/** Prints JSON unless another format such as YAML is requested. Needs no service. */
export function skeleton({ output: { format } }: Invocation, operation: Operation): Result {
  return { kind: 'value', value: skeletonOf(operation), output: { format: format === 'table' ? 'json' : format } };
}

/** A value for every known field, in the form that `--body` takes. Empty if no fields are known. */
export function skeletonOf({ input }: Operation): unknown {
  const { body } = input;
  if (body) return ofType(typeOf(body));
  const fields = Object.entries(input).filter(([, { in: place }]) => place === 'member' || place === 'part');
  return Object.fromEntries(fields.map(([name, field]) => [name, ofType(typeOf(field))]));
}

function ofType(type: FieldType): unknown {
  const one = ofOne(type);
  return type.many ? [one] : one;
}

function ofOne(type: FieldType): unknown {
  if (type.is === 'plain') return simple[type.kind];
  if (type.is === 'enum') return type.values[0];
  return Object.fromEntries(memberTypes(type).map(([name, member]) => [name, ofType(member)]));
}

const simple = {
  string: '',
  integer: 0,
  boolean: false,
  datetime: '2026-01-31T12:00:00Z',
  json: {},
  file: '@FILE',
} as const;
