/** A service whose database is gone at its start, refuses it, or accepts each token only for some seconds. */
import { execSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ask, batchOf } from '../support/poster.ts';
import { dtp, home, type Served, serve, start } from '../support/process.ts';
import { execute, expectClear, LIMIT_MS, statusOf, untilReady } from '../support/readiness.ts';
import { freePort, hasSqld, openSqld } from '../support/sqld.ts';

/** Starts a service whose database is gone, and waits until it listens. */
async function serveEarly(folder: string, url: string, env: Record<string, string> = {}) {
  const child = start(folder, ['serve', '-o', 'json', '--database', url], { env });
  const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)));
  let [printed, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const address = await new Promise<string>((done) =>
    child.stderr.on('data', (chunk) => {
      errors += chunk;
      const [, found] = /the service listens on (\S+),/.exec(errors) ?? [];
      if (found) done(found);
    }),
  );
  return { child, ended, address, printed: () => printed, errors: () => errors };
}

/**
 * Creates a pair of keys. Returns the path of the public one, and a command that prints a token which ends after some
 * seconds.
 */
function keysIn(folder: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [pem, script] = ['key.pem', 'token.mjs'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  const secret = JSON.stringify(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(
    script,
    `import { sign } from 'node:crypto';
    const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const end = Math.floor(Date.now() / 1000) + Number(process.argv[2]);
    const text = base64({ alg: 'EdDSA', typ: 'JWT' }) + '.' + base64({ exp: end, a: process.argv[3] });
    process.stdout.write(text + '.' + sign(undefined, Buffer.from(text), ${secret}).toString('base64url'));`,
  );
  return { pem, command: (seconds: number, access = 'rw') => `${process.execPath} ${script} ${seconds} ${access}` };
}

describe.skipIf(!hasSqld)('a service and its database', () => {
  test('a service whose database is gone at its start answers, and works as soon as it is there', async () => {
    const [own, port] = [home(), await freePort()];
    const early = await serveEarly(own.folder, `http://127.0.0.1:${port}`);
    expect(await statusOf('/healthz', early)).toBe(200);
    expect(await ask(`${early.address}/readyz`)).toMatchObject({
      status: 503,
      text: '{"status":"unavailable","message":"the database cannot be reached"}',
    });
    for (const method of ['GET', 'POST'])
      expectClear(await ask(`${early.address}/v1/workspaces`, { method, key: 'any' }));
    expect(early.printed()).toBe('');
    const late = await openSqld({ port });
    try {
      await expect.poll(early.printed, { timeout: LIMIT_MS }).toMatch(/^\{.*\}\n$/);
      const facts: Served = JSON.parse(early.printed());
      expect(facts.address).toBe(early.address);
      await untilReady(200, facts);
      const path = `/v1/workspace/${facts.workspace_id}/events`;
      const answer = await ask(facts.address + path, { method: 'POST', key: facts.key, body: batchOf('late', 1) });
      expect(answer.status).toBe(204);
      early.child.kill('SIGTERM');
      expect(await early.ended).toBe(0);
      expect(early.errors()).not.toContain(facts.key);
    } finally {
      await late.remove();
      own.remove();
    }
  });

  test.each([
    ['refuses the token', 4, 'status 401'],
    ['has newer tables', 3, 'its tables have version 7'],
  ])('a service whose database %s when it comes ends with %i', async (_, code, message) => {
    const [own, port] = [home(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), 'late-'));
    const tables = await openSqld({ port, folder });
    await execute(tables, 'CREATE TABLE meta (key, value)', "INSERT INTO meta VALUES ('schema', '7')");
    await tables.kill();
    const early = await serveEarly(own.folder, tables.url);
    const { pem } = keysIn(own.folder);
    const late = await openSqld({ port, folder, flags: code === 4 ? ['--auth-jwt-key-file', pem] : [] });
    expect([await early.ended, early.printed(), early.errors()]).toEqual([code, '', expect.stringContaining(message)]);
    await late.remove();
    own.remove();
  });

  test.each([
    ['no credential command', 'exit 3', 'the credential command exited with 3'],
    ['no token', 'true', 'the output of DTP_DATABASE_TOKEN_COMMAND must be visible ASCII characters'],
    ['two tokens', 'echo one; echo two', 'the output of DTP_DATABASE_TOKEN_COMMAND must be visible ASCII characters'],
    ['another server', 'echo one', 'the server that answers is not a libSQL server'],
  ])('a service with %s says once why it waits', async (_, command, reason) => {
    const own = home();
    const other = http.createServer((request, response) => void request.resume().on('end', () => response.end('<p>')));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const env = { DTP_DATABASE_TOKEN_COMMAND: command };
    const waiting = await serveEarly(own.folder, url, env);
    await expect.poll(waiting.errors).toContain(`the database cannot be reached: ${reason}`);
    waiting.child.kill('SIGTERM');
    expect([await waiting.ended, waiting.printed()]).toEqual([143, '']);
    expect(waiting.errors().split(reason)).toHaveLength(2);
    other.closeAllConnections();
    other.close();
    own.remove();
  });

  test('a message of TLS that differs each time is reported once, and without source files', async () => {
    const [own, other] = [home(), await openSqld()];
    const waiting = await serveEarly(own.folder, other.url.replace('http:', 'https:'));
    await expect.poll(() => waiting.errors()).toContain('the database cannot be reached: wrong version number\n');
    await sleep(2000);
    expect(waiting.errors().split('cannot be reached')).toHaveLength(2);
    waiting.child.kill('SIGTERM');
    await waiting.ended;
    await other.remove();
    own.remove();
  });

  test('a token that only permits reading is refused at the start', async () => {
    const own = home();
    const { pem, command } = keysIn(own.folder);
    const guarded = await openSqld({ flags: ['--auth-jwt-key-file', pem] });
    const argv = ['serve', '--database', guarded.url];
    const env = { DTP_DATABASE_TOKEN_COMMAND: command(3600, 'ro') };
    for (const more of [[], ['--check']]) {
      const { code, stderr } = await dtp(own.folder, [...argv, ...more], { env });
      expect([code, stderr]).toEqual([4, expect.stringContaining('status 403')]);
    }
    await guarded.remove();
    own.remove();
  });

  test('SIGTERM ends a service that waits for its database', async () => {
    const own = home();
    const waiting = await serveEarly(own.folder, 'http://127.0.0.1:1');
    waiting.child.kill('SIGTERM');
    expect([await waiting.ended, waiting.printed()]).toEqual([143, '']);
    own.remove();
  });

  test('a token that expires is renewed by its command, and a service works again without a restart', async () => {
    const own = home();
    const { pem, command } = keysIn(own.folder);
    const guarded = await openSqld({ flags: ['--auth-jwt-key-file', pem] });
    const file = join(own.folder, 'token');
    writeFileSync(file, execSync(command(3600)));
    const env = { DTP_DATABASE_TOKEN_COMMAND: `cat ${file}` };
    const started = await serve(own.folder, ['--database', guarded.url], env);
    try {
      await untilReady(200, started);
      // The database takes another key, as if the token had expired at once.
      const other = keysIn(own.folder);
      await guarded.start();
      expect(await untilReady(503, started)).toBeLessThan(LIMIT_MS);
      const path = `/v1/workspace/${started.workspace_id}/events`;
      expectClear(await ask(started.address + path, { method: 'POST', key: started.key, body: batchOf('a', 1) }));
      writeFileSync(file, execSync(other.command(3600)));
      expect(await untilReady(200, started)).toBeLessThan(LIMIT_MS);
    } finally {
      await started.stop();
      await guarded.remove();
      own.remove();
      rmSync(file, { force: true });
    }
  });

  test('while tokens expire again and again, no request fails', async () => {
    const own = home();
    const { pem, command } = keysIn(own.folder);
    const runs = join(own.folder, 'runs');
    const guarded = await openSqld({ flags: ['--auth-jwt-key-file', pem] });
    // The server accepts a token until a minute after its end.
    const env = { DTP_DATABASE_TOKEN_COMMAND: `echo run >> ${runs}; ${command(5 - 60)}` };
    const started = await serve(own.folder, ['--database', guarded.url], env);
    const url = `${started.address}/v1/workspace/${started.workspace_id}/events`;
    const renewals = () => readFileSync(runs, 'utf8').split('\n').length - 2;
    const client = async (at: number) => {
      for (let count = 0; renewals() < 3; count++) {
        const answer = await ask(url, { method: 'POST', key: started.key, body: batchOf(`${at}-${count}`, 3) });
        expect(answer.status, answer.text).toBe(204);
        expect(answer.time).toBeLessThan(LIMIT_MS);
      }
    };
    try {
      await Promise.all(Array.from({ length: 8 }, (_, at) => client(at)));
    } finally {
      await started.stop();
      await guarded.remove();
      own.remove();
    }
  });
});
