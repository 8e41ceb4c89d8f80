/** Events that are queued for the embedded service, after the service has ended. */
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dtp, home, type Served, serve } from '../support/process.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
const post = ['events', 'post', '--interaction-type', 'RUN', '--timeout', '300ms'];
const down = ['--fail', 'postWorkspaceEvents=503'];

let folder: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = home());
});
afterEach(() => remove());

const dev = (argv: readonly string[], command: readonly string[]) =>
  dtp(folder, ['dev', ...argv, '--', process.execPath, bin, ...command]);

test('dtp dev reports the events that it has queued, and not those of a run with another port', async () => {
  const first = await dev(down, post);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(first.stderr.split('1 event for ')[1] ?? '') ?? [];
  expect([first.code, url !== ''], first.stderr).toEqual([75, true]);
  expect(await dev([], ['--version'])).toMatchObject({ code: 0, stderr: '' });
  const second = await dev(down, post);
  expect(second.stderr.split(' is queued in ')).toHaveLength(2);
  expect(second.stderr).not.toContain(url);
});

test('the queue of an ephemeral service ends with it, and other queues do not', async () => {
  const queued = async () => JSON.parse((await dtp(folder, ['events', 'queue', 'list', '-o', 'json'])).stdout);
  const postTo = ({ address, key, workspace_id }: Served) =>
    dtp(folder, post, { env: { DTP_BASE_URL: address, DTP_API_KEY: key, DTP_WORKSPACE_ID: workspace_id } });
  const lasting = await serve(folder, ['--data', join(folder, 'lasting'), ...down]);
  const ephemeral = await serve(folder, ['--ephemeral', ...down]);
  for (const service of [lasting, ephemeral]) expect((await postTo(service)).code).toBe(75);
  expect(await queued()).toHaveLength(2);
  for (const service of [lasting, ephemeral]) await service.stop();
  expect(await queued()).toMatchObject([{ base: lasting.address, state: 'pending' }]);
  const gone = await dev(['--ephemeral', ...down], post);
  expect(gone.stderr).toContain('1 event was not delivered and is lost, because the service is ephemeral');
  expect(await queued()).toHaveLength(1);
});
