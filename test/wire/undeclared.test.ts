/** Operations without a declared body: what a service sends all the same is the result, and never an error. */

import { describe, expect, test } from 'vitest';
import { parse as load } from 'yaml';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { firsts } from '../support/subjects.ts';
import { answer, done, guardWire, posted, type Reply, type Row, wire } from '../support/wire.ts';

guardWire();

const all: readonly Operation[] = Object.values(operations);
const none = all.filter(({ result, flow }) => result === 'none' && flow !== 'spool').map(({ id }) => id);
const rowOf = (id: string): Row => firsts.find((row) => row.id === id) as Row;

const ask = async (row: Row, reply: Reply, format: readonly string[], tty = false) => {
  answer(row.method, row.path, reply);
  const argv = [...row.argv, ...(tty && !row.argv.includes('--yes') ? ['--yes'] : []), ...format];
  return wire(argv, { files: row.files ?? {}, tty });
};

test('there are as many as the document has', () => {
  // Typed from its tables: 2XX, or 200, with no body; and the two of records.md. The events are apart.
  expect(none.sort()).toEqual(
    [
      ...['checkCodehostAccess', 'linkCodehostAccess', 'codehostStorePublishingSecrets'],
      ...['codehostConfigureDocsiteRepo', 'codehostConfigureTarget', 'codehostTriggerAction'],
      ...[
        'createFreeTrial',
        'deleteBillingAddOn',
        'updatePublishingTokenExpiration',
        'deletePublishingToken',
      ],
      ...['updateWorkspaceDetails', 'updateWorkspaceSettings'],
      ...['revokeUserAccessToWorkspace', 'createWorkspaceToken', 'deleteWorkspaceToken'],
      ...['archiveNamespace', 'postTags', 'setVisibility', 'createRemoteSource'],
      ...['ignoreSubscriptionNamespace', 'activateSubscriptionNamespace'],
    ].sort(),
  );
});

const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
const html = { 'content-type': 'text/html; charset=utf-8' };

/** The body, and the result that it is; undefined for the tool's own. */
const bodies: readonly (readonly [name: string, reply: Reply, result: unknown])[] = [
  ['an object', [201, '{"id":"t_1","key":"k-2"}'], { id: 't_1', key: 'k-2' }],
  ['a list', [200, '[{"id":1},{"id":2}]'], [{ id: 1 }, { id: 2 }]],
  ['a number', [200, '7'], 7],
  ['a string', [200, '"done"'], 'done'],
  ['a text', [202, 'accepted, thank you'], 'accepted, thank you'],
  ['a text of lines', [200, 'one\ntwo\n'], 'one\ntwo'],
  ['JSON that is cut', [200, '{"id":'], '{"id":'],
  ['JSON that is nested too deeply', [200, deep], deep],
  ['a number beyond all doubles', [200, '{"n":1e999}'], '{"n":1e999}'],
  ['bytes that are no UTF-8', [200, Buffer.from([0x61, 0xff])], 'a\ufffd'],
  ['nothing', [200], undefined],
  ['nothing, with 204', [204], undefined],
  ['white space', [200, ' \r\n'], undefined],
  ['a web page', [200, '{"id":1}', html], undefined],
  ['a web page of no type', [200, '\n<!DOCTYPE html><html>hello</html>'], undefined],
];

describe.each(bodies)('%s', (_, reply, result) => {
  test.each(none)('from %s', async (id) => {
    const ended = await ask(rowOf(id), reply, ['-o', 'json']);
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    if (result === undefined) expect(ended.stdout).toBe(done(id, reply[0]));
    else expect(JSON.parse(ended.stdout)).toEqual(result);
  });
});

const token: Reply = [201, '{"id":"t_1","key":"k-2"}'];

test.each(['checkCodehostAccess', 'createWorkspaceToken', 'deletePublishingToken'])(
  '%s: every format but name has it',
  async (id) => {
    const row = rowOf(id);
    const shown = async (...format: string[]) => (await ask(row, token, format)).stdout;
    expect(load(await shown('-o', 'yaml'))).toEqual({ id: 't_1', key: 'k-2' });
    expect(await shown('-o', 'ndjson')).toBe('{"id":"t_1","key":"k-2"}\n');
    expect(await shown('-o', 'csv')).toBe('id,key\nt_1,k-2\n');
    expect(await shown('-o', 'tsv')).toBe('id\tkey\nt_1\tk-2\n');
    expect(await shown('-o', 'raw')).toBe('{"id":"t_1","key":"k-2"}');
    expect(await shown('-o', 'table')).toContain('k-2');
    expect(await shown('--query', 'key', '-r')).toBe('k-2\n');
    // On a terminal the table is the default.
    expect(await ask(row, token, [], true)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('k-2'),
    });
  },
);

test('the events have a summary of their own, whatever is sent back', async () => {
  const row = rowOf('postWorkspaceEvents');
  const ended = await ask(row, [200, '{"stored":2}'], ['-o', 'json']);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ...JSON.parse(posted({ accepted: 2, delivered: 2, bytes: 48 })),
    elapsed_ms: expect.any(Number),
  });
});
