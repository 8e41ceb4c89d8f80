/** Canary secrets through every operation: no error, log or dry run shows one, whatever the service answers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import type { HttpResponse, Send } from '../../src/request/http.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { sampled, seed } from '../support/random.ts';
import { rows } from '../wire/rows.ts';

const canary = 'Canary-5eC7E7';
/** In upper and lower case. */
const shown = expect.stringMatching(new RegExp(canary, 'i'));

const echo = (status: number): HttpResponse => ({
  status,
  headers: { 'set-cookie': canary, 'x-request-id': 'r_1' },
  body: (async function* () {
    yield Buffer.from(
      JSON.stringify({
        message: `no ${canary.toLowerCase()} here`,
        token: canary,
        nested: [{ secret: canary }],
      }),
    );
  })(),
});

const answers: Readonly<Record<string, Send>> = {
  'a 401 that repeats it': async () => echo(401),
  'a 500 that repeats it': async () => echo(500),
  'a lost connection': async () => {
    throw new DtpError('network', `lost after ${canary}`);
  },
  'a fault of ours': async () => {
    throw new TypeError(`cannot read ${canary}`);
  },
};

const variables = [['DTP_API_KEY'], ['DTP_TOKEN'], ['DTP_WORKSPACE_IDENTIFIER']] as const;

async function prepared(files: Readonly<Record<string, string>> = {}): Promise<{ home: string; cwd: string }> {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  await trustFolderFile(cwd, cwd);
  return { home: cwd, cwd };
}

const base = { DTP_BASE_URL: 'https://api.example.test' };
const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };

/** Command lines of the wire tests. */
const lines = sampled(rows, 25).map((row) => [`${row.id} ${row.argv.join(' ')}`, row] as const);

test.each(lines)(`%s, seed ${seed}`, async (_, row) => {
  for (const [what, send] of Object.entries(answers)) {
    for (const [name] of variables) {
      const world = {
        env: { ...base, [name]: canary },
        ...(await prepared(row.files)),
        // A retry would wait forever, so the declared one is shortened.
        clock: { ...clock, sleep: () => Promise.reject(new DtpError('timeout', 'over')) },
        openSend: async () => ({ send, close: async () => undefined }),
      };
      for (const format of ['text', 'json']) {
        const { code, stdout, stderr } = await dtp([...row.argv, '--debug', '--error-format', format], world);
        expect([code, stdout]).toEqual([expect.any(Number), '']);
        expect(code).not.toBe(0);
        if (!row.anonymous) expect(stderr, what).not.toEqual(shown);
      }
    }
  }
});

test.each(lines)(`--dry-run %s, seed ${seed}`, async (_, row) => {
  for (const [name] of variables) {
    const { code, stdout, stderr } = await dtp([...row.argv, '--dry-run', '--debug', '-o', 'json'], {
      env: { ...base, [name]: canary },
      ...(await prepared(row.files)),
    });
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toEqual(shown);
    expect(JSON.parse(stdout)).toMatchObject({ method: row.method });
  }
});

test('secrets in bodies and queries are masked in a dry run', async () => {
  const run = async (...argv: string[]) =>
    (
      await dtp([...argv, '--dry-run', '-o', 'json'], {
        env: { ...base, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' },
        stdin: canary,
      })
    ).stdout;
  for (const out of [
    await run('codehost', 'publishing-secrets', 'store', '--secrets', `{"NPM_TOKEN":"${canary}"}`),
    await run('ws', 'tokens', 'create', '--name', 'n', '--key', canary),
    await run('codehost', 'access', 'link', '--codehost-oidc-token', '-'),
    await run('codehost', 'access', 'link', '--codehost-oidc-token', canary),
  ]) {
    expect(out).toContain('***');
    expect(out).not.toEqual(shown);
  }
});

test('config explain shows no password of a URL', async () => {
  const address = `http://me:${canary}@proxy.example.test`;
  const env = { DTP_BASE_URL: address, HTTPS_PROXY: address };
  const { code, stdout } = await dtp(['config', 'explain', '-o', 'json'], { env });
  expect([code, stdout.match(/http:..\*\*\*@proxy/g)?.length]).toEqual([0, 2]);
  expect(stdout).not.toEqual(shown);
});
