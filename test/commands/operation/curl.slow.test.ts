/** `--curl`: the printed command, run with curl, sends exactly what the tool sends. */
import { execFile, execFileSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAll } from '../../../src/request/http.ts';
import { openSend } from '../../../src/transport/send.ts';
import { write } from '../../support/artifacts.ts';
import { frozenClock } from '../../support/clocks.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { trustFolderFile } from '../../support/folder-file.ts';
import type { Row } from '../../support/wire.ts';
import { rows } from '../../wire/rows.ts';

interface Came {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const came: Came[] = [];
const server = createServer(async (request, response) => {
  const body = Buffer.from((await readAll(request, 1e7)) ?? []).toString();
  came.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
  response.end('{"auth_token":"t-1"}');
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

function hasCurl(): boolean {
  try {
    return /\bcurl \d/.test(execFileSync('curl', ['--version'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

/** Runs the printed command in a shell. */
const shell = (command: string, cwd: string): Promise<void> =>
  new Promise((done, failed) => {
    // Ignores the user's curl configuration.
    const env = { PATH: process.env.PATH, HOME: cwd, DTP_API_KEY: 'k-1', DTP_TOKEN: 't-1' };
    execFile('/bin/sh', ['-c', command.replace(/^curl /, 'curl -q --noproxy "*" ')], { cwd, env }, (error) =>
      error ? failed(error) : done(),
    );
  });

/** Headers that belong to the request, not to the sender. */
function essence({ line, headers, body }: Came) {
  const { host: _, connection, 'user-agent': agent, 'accept-encoding': coding, ...rest } = headers;
  const boundary = /^multipart\/form-data; boundary=(.*)$/.exec(rest['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { line, headers: rest, body };
  const { 'content-type': __, 'content-length': ___, ...others } = rest;
  const parts = body
    .split(`--${boundary}`)
    .map((part) => part.replaceAll('%22', '\\"').toLowerCase().split('\r\n').sort().join('\n').trim())
    // curl knows the types of some files.
    .map((part) => part.replace(/^content-type: .*$/m, 'content-type'));
  return { line, headers: others, parts };
}

/** The printed command contains no secret. */
const isComparable = ({ argv, body }: Row) =>
  !argv.includes('--codehost-oidc-token') &&
  !/"[a-z_]*(token|secrets|key|webhook_url)":/.test(JSON.stringify(body ?? ''));

test.skipIf(!hasCurl()).each(rows.filter(isComparable).map((row) => [row.argv.join(' '), row] as const))(
  'dtp %s',
  async (_, row) => {
    const home = temporaryFolder();
    const run = (argv: readonly string[]) =>
      dtp(argv, {
        home,
        clock: frozenClock,
        env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1' },
        openSend: async (options) => openSend(options),
      });
    write(home, row.files ?? {});
    await trustFolderFile(home, home);
    const argv = [...row.argv, ...(row.id === 'postWorkspaceEvents' ? ['--no-queue'] : [])];
    const printed = await run([...argv, '--curl']);
    expect(printed).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') });
    expect(printed.stdout).not.toContain('k-1');
    came.length = 0;
    await shell(printed.stdout, home);
    const [byCurl] = came;
    came.length = 0;
    await run([...argv, '-o', 'json']);
    const byTool = came.at(-1);
    expect(essence(byCurl as Came)).toEqual(essence(byTool as Came));
  },
);

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string, cwd: string): readonly string[] =>
  execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DTP_API_KEY: 'k-1' },
  }).split('\0');

const hostile = [
  '\u009b31m',
  '\u202egnp.exe',
  'a\u001b[2J\u0007b',
  'a\rb\tc\nd',
  '\u2028\u2029\ufeff\u{e0041}',
  '`id` $(id) $HOME "x" \'y\' \\ !',
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const shown = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u;

test.skipIf(process.platform === 'win32').each(hostile)('%j is sent unchanged, and shown safely', async (text) => {
  const home = write(temporaryFolder(), { 'a.yaml': 'openapi: 3.1.0' });
  const printed = async (...argv: string[]) => {
    const env = { DTP_BASE_URL: address, DTP_API_KEY: 'k-1' };
    const { code, stdout, stderr } = await dtp([...argv, '--curl'], { home, env });
    expect([argv, code], stderr).toEqual([argv, 0]);
    expect(stdout).not.toMatch(shown);
    return argumentsOf(stdout, home);
  };
  const json = await printed('api', '/v1/x', '-f', `a=${text}`);
  expect(JSON.parse(json[json.indexOf('--data-binary') + 1] ?? '')).toEqual({ a: text });
  const query = await printed('ws', 'get', '-w', text.replace(/\p{Cc}/gu, '-'), '--yes');
  expect(decodeURIComponent(query.join(' '))).toContain(text.replace(/\p{Cc}/gu, '-'));
  const form = ['code-samples', 'preview', '--schema-file', 'a.yaml', '--language', 'go'];
  expect(await printed(...form, '--package-name', text)).toContain(`package_name=${text}`);
});

test('the name of a credential’s header is not run as a command', async () => {
  const home = temporaryFolder();
  for (const name of ['x-`id`', 'x-$HOME', "x-'$HOME'", 'x!y', 'x-plain']) {
    const profile = { base_url: address, 'header.api-key': name };
    write(home, { 'config/config.json': JSON.stringify({ current: 'p', profiles: { p: profile } }) });
    const { stdout, stderr } = await dtp(['ws', 'list', '--curl'], { home, env: { DTP_API_KEY: 'k-1' } });
    expect(argumentsOf(stdout, home), stderr).toContain(`${name.toLowerCase()}: k-1`);
  }
});
