/** The types of fields: how their notation is parsed, and which types the operations' fields have. */
import { describe, expect, test } from 'vitest';
import { type FieldType, memberTypes, parseType, typeOf, valuesOf } from '../../src/operations/field-types.ts';
import { allOperations } from '../../src/operations/index.ts';
import type { Field } from '../../src/operations/operation.ts';
import { enumValues, records } from '../../src/operations/records.ts';
import { responseRecords } from '../support/response-records.ts';

const one = { many: false, nullable: false, required: true };
const plain = (kind: string) => ({ is: 'plain', kind });
const record = (name: string) => ({ is: 'record', kind: 'json', record: name });
const inline = (...all: readonly string[]) => ({
  is: 'enum',
  kind: 'string',
  values: all,
  isClosed: false,
  isNamed: false,
});
const level = {
  is: 'enum',
  kind: 'string',
  values: enumValues.AccountType,
  isClosed: false,
  isNamed: true,
};

const texts: readonly (readonly [text: string, type: object])[] = [
  ['string', { ...plain('string'), ...one }],
  ['integer', { ...plain('integer'), ...one }],
  ['boolean', { ...plain('boolean'), ...one }],
  ['datetime', { ...plain('datetime'), ...one }],
  ['json', { ...plain('json'), ...one }],
  ['string?', { ...plain('string'), ...one, required: false }],
  ['string[]', { ...plain('string'), ...one, many: true }],
  ['string|null', { ...plain('string'), ...one, nullable: true }],
  ['datetime|null?', { ...plain('datetime'), ...one, nullable: true, required: false }],
  ['json[]|null?', { ...plain('json'), many: true, nullable: true, required: false }],
  ['enum(a,b)', { ...inline('a', 'b'), ...one }],
  ['enum(linting)?', { ...inline('linting'), ...one, required: false }],
  ['enum(string,json)[]', { ...inline('string', 'json'), ...one, many: true }],
  ['AccountType', { ...level, ...one }],
  ['AccountType[]?', { ...level, ...one, many: true, required: false }],
  ['Diagnostic[]', { ...record('Diagnostic'), ...one, many: true }],
  ['OASInfo', { ...record('OASInfo'), ...one }],
];

test.each(texts)('%s', (text, type) => {
  expect(parseType(text)).toEqual(type);
});

const field = { in: 'member', kind: 'string', help: '' } as const;

const fields: readonly (readonly [what: string, field: Field, type: object])[] = [
  ['a string', field, { ...plain('string'), ...one, required: false }],
  ['a required file', { ...field, kind: 'file', required: true }, { ...plain('file'), ...one }],
  ['a list', { ...field, many: true }, { ...plain('string'), ...one, many: true, required: false }],
  [
    'the only values',
    { ...field, oneOf: ['a', 'b'] },
    { ...inline('a', 'b'), ...one, isClosed: true, required: false },
  ],
  ['a named enum', { ...field, record: 'AccountType' }, { ...level, ...one, required: false }],
  ['a record', { ...field, kind: 'json', record: 'Workspace' }, { ...record('Workspace'), ...one, required: false }],
];

test.each(fields)('a field of an operation: %s', (_, given, type) => {
  expect(typeOf(given)).toEqual(type);
});

test('a record has fields with types, and no other type does', () => {
  expect(memberTypes(parseType('AddTags[]?'))).toEqual([
    [
      'revision_digest',
      { ...plain('string'), ...one },
      'revision to tag: tag, or digest (4 characters of it are enough, if unique)',
      undefined,
    ],
    ['tags', { ...plain('string'), ...one, many: true }, 'tags to point at that revision', undefined],
  ]);
  expect(memberTypes(parseType('string'))).toEqual([]);
  expect(memberTypes(parseType('AccountType'))).toEqual([]);
});

test('an enum has values, and no other type does', () => {
  expect(valuesOf(parseType('enum(a,b)'))).toEqual(['a', 'b']);
  expect(valuesOf(parseType('AddTags'))).toBeUndefined();
});

describe('the records and the operations', () => {
  const known = { ...records, ...responseRecords };
  const types = Object.entries(known).flatMap(([name, members]) =>
    Object.entries(members).map(
      ([member, text]) => [`${name}.${member}`, parseType(typeof text === 'string' ? text : text[0])] as const,
    ),
  );
  const isKnown = (type: FieldType, all: object) => type.is !== 'record' || type.record in all;

  test('every name in a type is a record or an enum', () => {
    expect(types.length).toBeGreaterThan(300);
    expect(types.filter(([, type]) => !isKnown(type, known)).map(([name]) => name)).toEqual([]);
  });

  test('requests consist only of records with descriptions', () => {
    const sent = Object.values(records).flatMap((members) => Object.values(members).map(([type]) => parseType(type)));
    expect(sent.filter((type) => !isKnown(type, records))).toEqual([]);
  });

  test('the type of a field is of the kind that the field declares', () => {
    const all = allOperations.flatMap(({ id, input }) =>
      Object.entries(input).map(([name, one]) => ({ name: `${id}.${name}`, one })),
    );
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ one: { kind }, one }) => typeOf(one).kind !== kind)).toEqual([]);
    expect(all.filter(({ one }) => !isKnown(typeOf(one), records))).toEqual([]);
  });
});
