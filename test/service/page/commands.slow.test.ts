/** The commands that the page shows for a request send the same request again. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSend } from '../../../src/transport/send.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { requestOf, rows } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { type Received, type ServedPage, servedPage } from '../../support/page-service.ts';

const run = promisify(execFile);
const received: Received[] = [];
let service: ServedPage;
let values: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await servedPage(undefined, received);
  ({ values } = await fillService(service));
});
afterAll(() => service.close());

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The commands of the newest request, by their programs. */
async function newestCommands(): Promise<Readonly<Record<string, string>>> {
  const { text: list } = await service.see('/-/requests');
  const { text } = await service.see(/\/-\/requests\/\d+/.exec(list)?.[0] ?? '');
  const boxes = text.matchAll(/aria-label="Send it again with (\w+)">(.*?)<\/pre>/gs);
  return Object.fromEntries([...boxes].map(([, name = '', line = '']) => [name, unescaped(line)]));
}

/** The words of a line, as a shell reads them. */
const wordsOf = async (line: string): Promise<readonly string[]> =>
  (await run('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`])).stdout.split('\0').slice(0, -1);

/** A request whose JSON has sorted fields, and whose query is sorted. */
function comparable({ method, path, body }: Received) {
  const { pathname, searchParams } = new URL(path, 'http://a');
  searchParams.sort();
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort()
        .map(([name, one]) => [name, sorted(one)]),
    );
  };
  return {
    method,
    path: decodeURIComponent(pathname),
    query: searchParams.toString(),
    body: body === '' ? '' : sorted(JSON.parse(body)),
  };
}

/** What is sent while `work` runs. */
async function sentBy(work: () => Promise<unknown>) {
  const before = received.length;
  await work();
  return received.slice(before);
}

type Sent = NonNullable<Parameters<ServedPage['call']>[2]>;

const others: Readonly<Record<string, { readonly method: string; readonly path: string; readonly sent: Sent }>> = {
  'a path with escapes': { method: 'GET', path: '/v1/artifacts/namespaces/a%20c%27%24/tags', sent: {} },
  'a query with escapes': { method: 'GET', path: '/v1/nothing?x=%26%3D+%25&y=', sent: {} },
  'a path of no operation': { method: 'POST', path: '/v1/nothing?a=1&a=2', sent: { json: { a: "it's $HOME `x`" } } },
  'another secret in front of the key': { method: 'GET', path: '/v1/user', sent: { headers: { cookie: 'a=b' } } },
  'the registry': { method: 'GET', path: '/v2/local/default/pets/tags/list', sent: {} },
  'exact numbers': {
    ...{ method: 'PUT', path: '/v1/nothing' },
    sent: { body: '{"n":12345678901234567890}', headers: { 'content-type': 'application/json' } },
  },
};

/** A secret in a body is not shown, so it is not sent again. */
const masked = (one: Received): Received => ({ ...one, body: one.body.replace('npm_other', '***') });

test.each([...Object.keys(rows), ...Object.keys(others)])('%s', async (id) => {
  const { method, path, sent } = others[id] ?? requestOf(id, service.workspaceId, values);
  const [first] = await sentBy(() =>
    service.plain(method, path, { ...sent, headers: { ...sent.headers, 'x-api-key': service.key } }),
  );
  if (!first) throw new Error('nothing was sent');
  const { curl = '', dtp: line = '' } = await newestCommands();
  expect(curl + line).not.toContain(service.key);
  expect(curl).toContain('-H "x-api-key: $DTP_API_KEY"');
  if (first.body.startsWith('--')) {
    // Only its original client has the file.
    expect([curl, line]).toEqual([expect.stringMatching(/ --data-binary @FILE$/), expect.stringMatching(/ FILE$/)]);
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'FILE'), first.body);
    const env = { ...process.env, DTP_API_KEY: service.key };
    const again = await sentBy(() => run('sh', ['-c', curl], { cwd, env }).catch(() => undefined));
    expect(again.map(({ body }) => body)).toEqual([first.body]);
    return;
  }
  const original = comparable(masked(first));
  const env = { DTP_BASE_URL: service.address, DTP_API_KEY: service.key };
  const byCurl = await sentBy(() =>
    run('sh', ['-c', curl], { env: { ...process.env, ...env } }).catch(() => undefined),
  );
  expect([curl, byCurl.map(comparable)]).toEqual([curl, [original]]);
  const [, ...argv] = await wordsOf(line);
  let ended: unknown;
  const byDtp = await sentBy(async () => {
    ended = await dtp([...argv, '--yes'], { env, openSend: async (options) => openSend(options) });
  });
  if (id === 'exact numbers') {
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be represented exactly') });
    return;
  }
  // Some commands first look up what they need.
  const same = byDtp.map(comparable).filter((one) => one.method === method && one.path === original.path);
  expect([line, ended, same]).toEqual([line, ended, [original]]);
});
