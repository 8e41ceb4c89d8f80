/**
 * Operations without a declared body: if a service sends one anyway, it is the result. A web page is an error
 * for every operation.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse as load } from 'yaml';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { temporaryFolder } from '../support/context.ts';
import { onDisk } from '../support/spool-world.ts';
import { answer, answerPreflight, done, guardWire, posted, type Reply, type Row, wire } from '../support/wire.ts';
import { firstRows } from '../support/wire-subjects.ts';

guardWire();

const all: readonly Operation[] = Object.values(operations);
const none = all.filter(({ result, flow }) => result === 'none' && flow !== 'spool').map(({ id }) => id);
const rowOf = (id: string): Row => firstRows.find((row) => row.id === id) as Row;

const ask = async (row: Row, reply: Reply, format: readonly string[], tty = false) => {
  answer(row.method, row.path, reply);
  const argv = [...row.argv, ...(tty && !row.argv.includes('--yes') ? ['--yes'] : []), ...format];
  return wire(argv, { files: row.files ?? {}, tty });
};

test('there are as many as in the document', () => {
  // Typed from its tables: 2XX, or 200, with no body; and the two of records.md. Events are tested separately.
  expect(none.sort()).toEqual(
    [
      ...['checkCodehostAccess', 'linkCodehostAccess', 'codehostStorePublishingSecrets'],
      ...['codehostConfigureDocsiteRepo', 'codehostConfigureTarget', 'codehostTriggerAction'],
      ...['createFreeTrial', 'deleteBillingAddOn', 'updatePublishingTokenExpiration', 'deletePublishingToken'],
      ...['updateWorkspaceDetails', 'updateWorkspaceSettings'],
      ...['revokeUserAccessToWorkspace', 'createWorkspaceToken', 'deleteWorkspaceToken'],
      ...['archiveNamespace', 'postTags', 'setVisibility', 'createRemoteSource'],
      ...['ignoreSubscriptionNamespace', 'activateSubscriptionNamespace'],
    ].sort(),
  );
});

const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
const html = { 'content-type': 'text/html; charset=utf-8' };

/** The body, and the result that it becomes; undefined if the tool prints its usual result. */
const bodies: readonly (readonly [name: string, reply: Reply, result: unknown])[] = [
  ['an object', [201, '{"id":"t_1","key":"k-2"}'], { id: 't_1', key: 'k-2' }],
  ['a list', [200, '[{"id":1},{"id":2}]'], [{ id: 1 }, { id: 2 }]],
  ['a number', [200, '7'], 7],
  ['a string', [200, '"done"'], 'done'],
  ['a string', [202, 'accepted, thank you'], 'accepted, thank you'],
  ['a string with lines', [200, 'one\ntwo\n'], 'one\ntwo'],
  ['truncated JSON', [200, '{"id":'], '{"id":'],
  ['JSON that is nested too deeply', [200, deep], deep],
  ['a number too large for a double', [200, '{"n":1e999}'], '{"n":1e999}'],
  ['bytes that are not UTF-8', [200, Buffer.from([0x61, 0xff])], 'a\ufffd'],
  ['nothing', [200], undefined],
  ['nothing, with 204', [204], undefined],
  ['white space', [200, ' \r\n'], undefined],
  ['nothing, labeled as a web page', [200, '\r\n', html], undefined],
];

/** Pages that a login, a captive portal or a proxy sends instead of the service. */
const pages: readonly (readonly [name: string, reply: Reply])[] = [
  ['labeled as HTML', [200, 'Log in first', html]],
  ['labeled as XHTML', [200, 'Log in first', { 'content-type': 'application/xhtml+xml' }]],
  ['without a type', [200, '\n<!DOCTYPE html><html>hello</html>']],
  ['labeled as plain text', [201, '<html><body>hello', { 'content-type': 'text/plain' }]],
  ['labeled as JSON', [200, '<HEAD><title>x</title>', { 'content-type': 'application/json' }]],
  ['in XHTML', [200, '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">']],
  ['after a comment', [203, '\ufeff<!-- x --><p>hello']],
  ['that is cut off', [200, '<html']],
  ['that cannot be decoded', [200, 'hello', { ...html, 'content-encoding': 'zstd' }]],
];

describe.each(bodies)('%s', (_, reply, result) => {
  test.each(none)('from %s', async (id) => {
    const ended = await ask(rowOf(id), reply, ['-o', 'json']);
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    if (result === undefined) expect(ended.stdout).toBe(done(id, reply[0]));
    else expect(JSON.parse(ended.stdout)).toEqual(result);
  });
});

describe.each(pages)('a web page %s', (_, reply) => {
  const begins = /<(!doctype|html|head)/i.test(String(reply[1]));
  // An overlay is one whatever its content type says, so only its content makes it a page.
  const isPage = ({ id }: Row) => reply[1] !== 'Log in first' || !id.startsWith('suggest') || id === 'suggestItems';
  test.each(firstRows.filter(isPage).map((row) => [row.id, row] as const))('from %s is an error', async (id, row) => {
    if (row.tokenOf !== undefined) answerPreflight();
    const ended = await ask(row, reply, ['-o', 'json']);
    expect([id, ended.code, ended.stdout], ended.stderr).toEqual([id, isQueued(id) ? 75 : 12, '']);
    if (begins) expect(ended.stderr).toContain('the response is a web page, not data from the service');
  });
});

/** Events wait for the service itself. */
const isQueued = (id: string) => id === 'postWorkspaceEvents';

test('events answered with a web page stay in the queue, and are delivered later', async () => {
  const home = temporaryFolder();
  const body = '[{"id":"e_1"},{"id":"e_2"}]';
  const post = ['events', 'post', '-w', 'w_1', '--no-fill', '--body', body];
  for (const [, reply] of pages) {
    answer('POST', '/v1/workspace/w_1/events', reply);
    expect((await wire([...post, '--no-queue'], { home })).code).toBe(12);
    expect(onDisk(join(home, 'state'))).toEqual([]);
  }
  answer('POST', '/v1/workspace/w_1/events', pages[0]?.[1] as Reply);
  expect((await wire(post, { home })).code).toBe(75);
  answer('POST', '/v1/workspace/w_1/events', pages[2]?.[1] as Reply);
  expect((await wire(['events', 'queue', 'flush'], { home })).code).toBe(75);
  expect(onDisk(join(home, 'state'))).toMatchObject([{ state: 'pending', ids: ['e_1', 'e_2'] }]);
  answer('POST', '/v1/workspace/w_1/events', [200]);
  expect((await wire(['events', 'queue', 'flush'], { home })).code).toBe(0);
  expect(onDisk(join(home, 'state'))).toEqual([]);
});

const token: Reply = [201, '{"id":"t_1","key":"k-2"}'];

test.each(['checkCodehostAccess', 'createWorkspaceToken', 'deletePublishingToken'])(
  '%s: printed in every format except name',
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
    // On a terminal, the default is the table.
    expect(await ask(row, token, [], true)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('k-2'),
    });
  },
);

test('the events print their summary, whatever the answer is', async () => {
  const row = rowOf('postWorkspaceEvents');
  const ended = await ask(row, [200, '{"stored":2}'], ['-o', 'json']);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ...JSON.parse(posted({ accepted: 2, delivered: 2, bytes: 48 })),
    elapsed_ms: expect.any(Number),
  });
});
