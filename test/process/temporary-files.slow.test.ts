/** A killed process leaves nothing in the folder for temporary files. */
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dtp, home, type Served, serve, start } from '../support/process.ts';
import { stalling } from '../support/stalling.ts';
import { until } from '../support/stubborn-processes.ts';

describe.runIf(process.platform === 'linux')('the folder for temporary files', () => {
  const { folder, remove } = home();
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  writeFileSync(join(folder, 'openapi.yaml'), `openapi: 3.1.0\n# ${'y'.repeat(300_000)}\n`);
  let service: Served;
  let env: Readonly<Record<string, string>> = {};
  let held = 0;
  const server = http.createServer((request, response) => handle(request, response));
  let handle: http.RequestListener = () => undefined;

  beforeAll(async () => {
    service = await serve(folder, ['--ephemeral'], { TMPDIR: temporary });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    handle = stalling(
      service.address,
      own,
      ({ method = '', url = '' }) =>
        /^(PATCH|PUT)$/.test(method) && url.includes('/uploads/') ? 'request' : undefined,
      () => held++,
    );
    env = {
      DTP_BASE_URL: own,
      DTP_API_KEY: service.key,
      DTP_WORKSPACE_ID: service.workspace_id,
      TMPDIR: temporary,
    };
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await service.stop();
    remove();
  });

  /** Deleted files of the folder that a process still has open. */
  const nameless = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).filter((one) => {
      try {
        const to = readlinkSync(`/proc/${pid}/fd/${one}`);
        return to.startsWith(temporary) && to.endsWith(' (deleted)');
      } catch {
        return false;
      }
    });

  const argv = ['artifacts', 'push', 'openapi.yaml', '--namespace', 'pets'];

  test('is empty while a bundle is pushed, and after the push is killed', async () => {
    const push = start(folder, argv, { env });
    const ended = new Promise((done) => push.on('close', done));
    push.stdin.end();
    await until(() => held > 0);
    const seen = [nameless(push.pid as number).length, readdirSync(temporary)];
    push.kill('SIGKILL');
    await ended;
    expect([...seen, readdirSync(temporary)]).toEqual([1, [], []]);
  });

  test('is empty after a push, and after a failed one', async () => {
    const good = { ...env, DTP_BASE_URL: service.address };
    const pushed = await dtp(folder, argv, { env: good });
    expect(pushed.code, pushed.stderr).toBe(0);
    const refused = await dtp(folder, argv, { env: { ...good, DTP_API_KEY: 'wrong' } });
    expect(refused.code).toBe(4);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('is empty while the service receives an upload, and after it is killed', async () => {
    const own = await serve(folder, ['--ephemeral'], { TMPDIR: temporary });
    const boundary = 'b';
    const request = http.request(`${own.address}/v1/reports`, {
      method: 'POST',
      headers: {
        'x-api-key': own.key,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'transfer-encoding': 'chunked',
      },
    });
    request.on('error', () => undefined);
    request.write(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.html"\r\n\r\n${'x'.repeat(100_000)}`,
    );
    await until(() => nameless(own.pid).length > 0);
    expect(readdirSync(temporary)).toEqual([]);
    process.kill(own.pid, 'SIGKILL');
    await own.ended;
    request.destroy();
    expect(readdirSync(temporary)).toEqual([]);
  });
});
