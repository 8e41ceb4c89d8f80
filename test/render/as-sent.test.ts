/** A request on a terminal, and ids that are not shortened. */
import { expect, test } from 'vitest';
import { render, type View } from '../../src/render/index.ts';
import { dtp } from '../support/context.ts';

const id = '91f46bac-f57b-4744-9228-846b70fa10ee';
const now = Date.parse('2026-03-10T12:00:00Z');
const terminal: View = { color: false, width: 100, now, asSent: true };
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

const event = { id, success: true, created_at: '2026-03-10T11:59:00Z', duration_ms: 1500, error: null };

test('a single record of a body is shown as it is sent', async () => {
  expect(await render({ method: 'POST', body: [event] }, 'table', terminal)).toBe(
    lines(
      'Method  POST',
      '',
      'Body',
      `  id           ${id}`,
      '  success      true',
      '  created_at   2026-03-10T11:59:00Z',
      '  duration_ms  1500',
      '  error        null',
    ),
  );
});

test('records of a body have their own names and values, and no signs of success', async () => {
  const body = [
    { ...event, id: 'e1' },
    { ...event, id: 'e2', success: false },
  ];
  expect(await render({ body }, 'table', terminal)).toBe(
    lines(
      'Body',
      '  id  success  created_at            duration_ms  error',
      '  e1  true     2026-03-10T11:59:00Z         1500  null',
      '  e2  false    2026-03-10T11:59:00Z         1500  null',
    ),
  );
});

test('an empty string is not confused with no value', async () => {
  expect(await render({ body: { a: '', b: [], c: {} } }, 'table', terminal)).toBe(
    lines('Body', '  a  ""', '  b  []', '  c  {}'),
  );
});

test.each([
  [200, `workspace  ${id}  DTP_WORKSPACE_ID`],
  [60, `workspace  ${id}\n+1 column: --wide`],
])('at %i columns, an id is whole', async (width, row) => {
  const value = [{ setting: 'workspace', value: id, source: 'DTP_WORKSPACE_ID' }];
  const view: View = { color: false, width, now, wholeIds: true, headers: false };
  expect(await render(value, 'table', view)).toBe(`${row}\n`);
});

test.each([
  [{ tty: true, columns: 80 }, 'nothing was sent\n'],
  [{}, ''],
])('a dry run says on a terminal that nothing was sent: %j', async (world, stderr) => {
  const argv = ['orgs', 'create', '--name', 'Acme', '--dry-run'];
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k' };
  expect(await dtp(argv, { ...world, env })).toMatchObject({ code: 0, stderr });
});

test('config explain shows the id of the workspace in full', async () => {
  const { stdout } = await dtp(['config', 'explain'], {
    tty: true,
    columns: 80,
    env: { DTP_WORKSPACE_ID: id, NO_COLOR: '1' },
  });
  expect(stdout).toContain(`  ${id}  `);
});
