import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answers } from '../../src/operations/answers.ts';
import { operations } from '../../src/operations/index.ts';
import type { Field, Operation } from '../../src/operations/operation.ts';
import { records, values } from '../../src/operations/records.ts';

const all: readonly Operation[] = Object.values(operations);

/** The witness: typed by hand from the API document. */
const witness = readFileSync(new URL('../operations.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const typeOf = (field: Field): string => {
  if (field.oneOf) return field.oneOf.join('|');
  // A file that is a member is a JSON string; the batch of events is one named record.
  const one = field.kind === 'file' && field.in === 'member' ? 'string' : field.kind;
  return field.many && field.in !== 'body' ? `${one}[]` : one;
};

const rowsOf = (operation: Operation): readonly string[] =>
  [
    ['operation', operation.id, operation.method, operation.path, operation.auth ?? 'any', operation.result],
    ...Object.entries(operation.input).map(([name, field]) => [
      'input',
      operation.id,
      name,
      field.in,
      typeOf(field),
      field.required ? 'yes' : 'no',
    ]),
  ].map((row) => row.join('\t'));

test('there are the 74 operations of the document and three more', () => {
  expect(all).toHaveLength(77);
});

test.each(all.map((operation) => [operation.id, operation] as const))(
  '%s is as the witness says',
  (id, operation) => {
    const said = witness.filter((line) => line.split('\t')[1] === id);
    expect([...rowsOf(operation)].sort()).toEqual([...said].sort());
  },
);

test('the witness names no other operation', () => {
  const ids = new Set(witness.map((line) => line.split('\t')[1]));
  expect([...ids].sort()).toEqual(all.map(({ id }) => id).sort());
});

test('only the two operations of the document are sent again', () => {
  const retried = all.filter((operation) => operation.retry);
  expect(retried.map(({ id }) => id).sort()).toEqual(['getWorkspaceAccess', 'postWorkspaceEvents']);
  for (const { retry } of retried)
    expect(retry).toEqual({
      initialMs: 100,
      maxMs: 2000,
      elapsedMs: 60_000,
      exponent: 1.5,
      statuses: [408, 500, 502, 503],
    });
});

test('these the embedded service simplifies, and tells it in a line of help and of a header', () => {
  const simplified = all.filter((operation) => operation.simplified !== undefined);
  expect(simplified.map(({ id }) => id)).toEqual([
    'getAccessToken',
    'getWorkspaceAccess',
    'generateCodeSamplePreviewAsync',
    'getCodeSamplePreviewAsync',
    'getCodehostSetupState',
    'checkCodehostAccess',
    'linkCodehostAccess',
    'codehostCheckPublishingPRs',
    'codehostCheckPublishingSecrets',
    'codehostStorePublishingSecrets',
    'codehostConfigureCodeSamples',
    'codehostConfigureDocsiteRepo',
    'codehostConfigureTarget',
    'codehostTriggerAction',
    'getCodehostAction',
    'createOrganization',
    'createFreeTrial',
    'getOrganizationUsage',
    'createBillingAddOns',
    'getBillingAddOns',
    'deleteBillingAddOn',
    'suggestOpenAPI',
    'suggest',
    'suggestItems',
    'suggestOpenAPIRegistry',
    'listRemoteSources',
    'createRemoteSource',
    'ignoreSubscriptionNamespace',
    'activateSubscriptionNamespace',
  ]);
  for (const { simplified: why } of simplified) expect(why).toMatch(/^[\x20-\x7e]{1,58}$/);
});

test('no two operations share a command, and none is the beginning of another', () => {
  const commands = all.map(({ command }) => command.join(' '));
  expect(new Set(commands).size).toBe(commands.length);
  for (const one of commands) expect(commands.filter((other) => other.startsWith(`${one} `))).toEqual([]);
});

test('every record that a field or a record names is known', () => {
  const known = new Set([...Object.keys(records), ...Object.keys(answers), ...Object.keys(values)]);
  const named = [
    ...all.flatMap(({ input }) => Object.values(input).flatMap(({ record }) => record ?? [])),
    ...[...Object.values(records), ...Object.values(answers)].flatMap((record) =>
      Object.values(record).map((known) =>
        (typeof known === 'string' ? known : known[0]).replace(/[?[\]]|\|null/g, ''),
      ),
    ),
  ];
  const plain = /^(string|integer|boolean|datetime|json|enum\(.*\))$/;
  expect(named.filter((name) => !plain.test(name) && !known.has(name))).toEqual([]);
});
