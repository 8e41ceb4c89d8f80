/** An empty 2XX response: a success of every operation that changes something, and an error of every other one. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { answer, answerPreflight, guardWire, type Row, wire } from '../support/wire.ts';
import { firstRows } from '../support/wire-subjects.ts';

guardWire();

const all: readonly Operation[] = Object.values(operations);

/** Typed from the API document: what changes something, and has a record or a list as its response. */
const writes = [
  'codehostConfigureCodeSamples',
  'createOrganization',
  'createBillingAddOns',
  'createPublishingToken',
  'createWorkspace',
  'grantUserAccessToWorkspace',
  'setWorkspaceFeatureFlags',
  'createSchemaStoreItem',
  'create',
  'uploadReport',
  'generateCodeSamplePreviewAsync',
  'preflight',
];

/**
 * The other operations with content, which only read. A few of them are sent with POST. Only a blob may be empty: its
 * digest shows if it is whole.
 */
const reads = all
  .filter(({ id, result }) => !writes.includes(id) && result !== 'none')
  .filter(({ id }) => id !== 'getBlob')
  .map(({ id }) => id);

const statuses = [200, 201, 204];
const ask = async (
  { id, argv, method, path, files = {} }: Row,
  status: number,
  flags: readonly string[],
  body: string | undefined = status === 204 ? undefined : '',
) => {
  const token = id !== 'preflight' && path.startsWith('/v1/oci/v2/');
  if (token) answerPreflight();
  const seen = answer(method, path, [status, body]);
  const yes = argv.includes('--yes') ? [] : ['--yes'];
  return { ...(await wire([...argv, ...yes, ...flags], { files })), requests: seen.length };
};

test('every operation is in one list', () => {
  const others = all.filter(({ id, result }) => result === 'none' || id === 'getBlob').map(({ id }) => id);
  expect([...writes, ...reads, ...others].sort()).toEqual(all.map(({ id }) => id).sort());
  expect([writes.length, reads.length, others.length]).toEqual([12, 42, 23]);
});

describe.each(firstRows.filter(({ id }) => id !== 'postWorkspaceEvents'))('$id', (row) => {
  const { id } = row;
  const { names, command } = operations[id as keyof typeof operations] as Operation;

  test.each(statuses)('an empty %i', async (status) => {
    const ended = await ask(row, status, ['-o', 'json']);
    if (reads.includes(id)) {
      expect(ended).toMatchObject({ code: 12, stdout: '' });
      expect(JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '').error.code).toBe('bad_response');
      return;
    }
    expect([ended.code, JSON.parse(ended.stdout)], ended.stderr).toEqual([0, { ok: true, operation: id, status }]);
    const warning = `warning: dtp ${command.join(' ')} succeeded, but the service returned no record`;
    expect(ended.stderr.includes(warning)).toBe(writes.includes(id));
    expect(ended.requests).toBe(1);
  });

  if (reads.includes(id))
    test.each<readonly [flags: readonly string[], body: string]>([
      [[], ''],
      [[], ' \r\n'],
      [['-r'], '\ufeff'],
      [['-o', 'raw'], ''],
      [['-o', 'ndjson'], ''],
      [['-O', 'out'], ''],
      [['-o', 'raw', '-O', 'out'], '\n'],
    ])('is not printed or written with %j, if the body is %j', async (flags, body) => {
      const ended = await ask(row, 200, flags, body);
      expect(ended).toMatchObject({ code: 12, stdout: '' });
      expect(ended.stderr).toContain('the response is empty');
    });

  if (writes.includes(id))
    test.each(['table', 'yaml', 'ndjson', 'csv', 'tsv', 'name', 'raw'])('-o %s', async (format) => {
      if (format === 'name' && names === false) return;
      const ended = await ask(row, 204, ['-o', format]);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stderr).toContain('the service returned no record');
      if (['table', 'name', 'raw'].includes(format)) expect(ended.stdout).toBe('');
      else expect(ended.stdout).toContain(id);
    });
});

test('what needs a field of the missing record says what was done', async () => {
  const job = firstRows.find(({ id }) => id === 'generateCodeSamplePreviewAsync') as Row;
  const waiting = await ask(job, 204, ['--wait']);
  expect(waiting).toMatchObject({ code: 12, stdout: '' });
  expect(waiting.stderr).toContain('the job was accepted, but the response has no valid job_id');
  const report = firstRows.find(({ id }) => id === 'uploadReport') as Row;
  const shortened = await ask(report, 204, ['--shorten']);
  expect(shortened).toMatchObject({ code: 12, stdout: '' });
  expect(shortened.stderr).toContain('the report was uploaded, but the response has no url');
});
