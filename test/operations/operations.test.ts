/** The operations are those of the API document, and agree with each other. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { examples } from '../../src/operations/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Field, Operation } from '../../src/operations/operation.ts';
import { enumValues, records } from '../../src/operations/records.ts';
import { responseRecords } from '../support/response-records.ts';

const all: readonly Operation[] = Object.values(operations);

/** The rows of operations.tsv, which was typed by hand from the API document. */
const documented = readFileSync(new URL('../operations.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const typeOf = (field: Field): string => {
  if (field.oneOf) return field.oneOf.join('|');
  // A file in a JSON body is a string. The batch of events is one named record.
  const one = field.kind === 'file' && field.in === 'member' ? 'string' : field.kind;
  return field.many && field.in !== 'body' ? `${one}[]` : one;
};

const rowsOf = (operation: Operation): readonly string[] =>
  [
    [
      'operation',
      operation.id,
      operation.method,
      operation.path,
      operation.auth ?? 'any',
      operation.result,
      'workspace_id' in operation.input ? 'named' : (operation.workspace ?? 'none'),
    ],
    ...Object.entries(operation.input).map(([name, field]) => [
      'input',
      operation.id,
      name,
      field.in,
      typeOf(field),
      field.required ? 'yes' : 'no',
    ]),
  ].map((row) => row.join('\t'));

test('there are 77 operations: the 74 of the document and three more', () => {
  expect(all).toHaveLength(77);
});

test.each(all.map((operation) => [operation.id, operation] as const))('%s is as documented', (id, operation) => {
  const said = documented.filter((line) => line.split('\t')[1] === id);
  expect([...rowsOf(operation)].sort()).toEqual([...said].sort());
});

test.each(all.map(({ id }) => id))('%s has two examples', (id) => {
  expect(examples[id]).toHaveLength(2);
});

test('no other operation is documented', () => {
  const ids = new Set(documented.map((line) => line.split('\t')[1]));
  expect([...ids].sort()).toEqual(all.map(({ id }) => id).sort());
});

test('only the two operations that the document names are retried', () => {
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

test('the embedded service simplifies these operations, and each note fits a line of help and a header', () => {
  const simplified = all.filter((operation) => operation.simplified !== undefined);
  expect(simplified.map(({ id }) => id)).toEqual([
    'getAccessToken',
    'getWorkspaceAccess',
    'getCodeSamples',
    'generateCodeSamplePreview',
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
    'createPublishingToken',
    'getWorkspaceSettings',
    'updateWorkspaceSettings',
    'suggestOpenAPI',
    'suggest',
    'suggestItems',
    'suggestOpenAPIRegistry',
    'listRemoteSources',
    'createRemoteSource',
  ]);
  for (const { simplified: why } of simplified) expect(why).toMatch(/^[\x20-\x7e]{1,53}$/);
});

test('no two operations share a command, and no command is the beginning of another', () => {
  const commands = all.map(({ command }) => command.join(' '));
  expect(new Set(commands).size).toBe(commands.length);
  for (const one of commands) expect(commands.filter((other) => other.startsWith(`${one} `))).toEqual([]);
});

test('every record that a field or another record names exists', () => {
  const known = new Set([...Object.keys(records), ...Object.keys(responseRecords), ...Object.keys(enumValues)]);
  const named = [
    ...all.flatMap(({ input }) => Object.values(input).flatMap(({ record }) => record ?? [])),
    ...[...Object.values(records), ...Object.values(responseRecords)].flatMap((record) =>
      Object.values(record).map((known) =>
        (typeof known === 'string' ? known : known[0]).replace(/[?[\]]|\|null/g, ''),
      ),
    ),
  ];
  const plain = /^(string|integer|boolean|datetime|json|enum\(.*\))$/;
  expect(named.filter((name) => !plain.test(name) && !known.has(name))).toEqual([]);
});

test.each(all.flatMap(({ id, screen, columns }) => (screen ? [[id, screen, columns ?? []] as const] : [])))(
  '%s: a table in a pipe has every field that a terminal shows',
  (_, screen, columns) => {
    const shown = screen.map((column) => (typeof column === 'string' ? [column] : column.from));
    expect(shown.filter((fields) => !fields.some((field) => columns.includes(field)))).toEqual([]);
  },
);
