/** The recipes of docs/many-machines.md: the events of each run arrive once and in order, even if a worker is killed. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { listening } from '../support/sockets.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/many-machines.md'), 'utf8');
const [split = '', post = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body]) => body);
const job = parse(/^```yaml\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
const container = job.spec.template.spec.containers[0];

const PARTS = 8;
const [RUNS, EVENTS] = [41, 100];

const { folder, remove } = home();
let service: Served;
let number = 0;
let place = '';
let variables: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  service = await serve(folder, ['--ephemeral']);
  mkdirSync(join(folder, 'bin'));
  // Writes its process id to a file with the name of its part, which is its last argument.
  const tool = join(root, 'bin/dtp.cjs');
  const script = `#!/bin/sh\nfor last; do :; done\necho $$ > "$PIDS/$(basename "$last")"\nexec '${process.execPath}' '${tool}' "$@"\n`;
  writeFileSync(join(folder, 'bin/dtp'), script, { mode: 0o755 });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  remove();
});

/**
 * The events have no time, so the service gives them that of their arrival, and a search returns the last one first. An
 * attempt that filled in times would send another event with the same id.
 */
const idOf = (run: number, at: number) => `w${number}-r${run}-e${at}`;
const eventOf = (run: number, at: number) => ({
  execution_id: `w${number}-run-${run}`,
  id: idOf(run, at),
  ...{ interaction_type: 'CI_EXEC', success: true },
});
const lines = () =>
  Array.from({ length: RUNS * EVENTS }, (_, at) => JSON.stringify(eventOf(at % RUNS, Math.floor(at / RUNS))));

beforeEach(() => {
  number++;
  place = join(folder, `place${number}`);
  mkdirSync(join(place, 'pids'), { recursive: true });
  writeFileSync(join(place, 'events.ndjson'), `${lines().join('\n')}\n`);
  variables = {
    DTP_BASE_URL: service.address,
    DTP_API_KEY: service.key,
    DTP_WORKSPACE_ID: service.workspace_id,
    PIDS: join(place, 'pids'),
  };
});

const shell = (script: string, env: Readonly<Record<string, string>> = {}) => {
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
  const child = spawn('sh', ['-c', script], { cwd: place, env: { HOME: place, ...variables, PATH, ...env } });
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => text.push(String(data)));
  return new Promise<{ code: number; text: string }>((done) =>
    child.on('close', (code) => done({ code: code ?? -1, text: text.join('') })),
  );
};

const partsIn = () => readdirSync(place).filter((name) => name.startsWith('part-'));

/** Every event arrived once, and those of a run in order. */
async function expectAll() {
  for (let run = 0; run < RUNS; run++) {
    const query = `execution_id=w${number}-run-${run}&limit=1000`;
    const url = `${service.address}/v1/workspace/${service.workspace_id}/events?${query}`;
    const events = await (await fetch(url, { headers: { 'x-api-key': service.key } })).json();
    const ids = (events as { id: string }[]).map(({ id }) => id);
    expect(ids.reverse()).toEqual(Array.from({ length: EVENTS }, (_, at) => idOf(run, at)));
  }
}

const others = ['gawk', 'busybox'].filter((name) => spawnSync(name, ['--help']).status === 0);

test.each(['awk', ...others])('the parts have every line once, each run in one part, split by %s', (name) => {
  const script = split.replace('awk', name === 'busybox' ? 'busybox awk' : name);
  execFileSync('sh', ['-e', '-c', script], { cwd: place });
  const parts = partsIn().map((part) => readFileSync(join(place, part), 'utf8').trimEnd().split('\n'));
  expect(parts).toHaveLength(PARTS);
  expect(parts.flat().sort()).toEqual(lines().sort());
  const runs = parts.map((part) => new Set(part.map((line) => JSON.parse(line).execution_id)));
  expect(runs.reduce((sum, { size }) => sum + size, 0)).toBe(RUNS);
  expect(Math.max(...runs.map(({ size }) => size))).toBe(Math.ceil(RUNS / PARTS));
});

test.each([
  ['no id', '{"execution_id":"x"}'],
  ['no execution id', '{"id":"x"}'],
])('the split stops at a line with %s', (_, line) => {
  writeFileSync(join(place, 'events.ndjson'), `${lines()[0]}\n${line}\n`);
  const { status, stdout } = spawnSync('sh', ['-c', split], { cwd: place, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, 'line 2: no id or no execution_id\n']);
});

test('a run whose lines have different spaces stays in one part', () => {
  const text = ['{"id":"a","execution_id":"x"}', '{"id":"b","execution_id":"y"}', '{"id": "c", "execution_id": "x"}'];
  writeFileSync(join(place, 'events.ndjson'), `${text.join('\n')}\n`);
  execFileSync('sh', ['-e', '-c', split], { cwd: place });
  expect(readFileSync(join(place, 'part-0.ndjson'), 'utf8')).toBe(`${text[0]}\n${text[2]}\n`);
});

test('four workers post the parts', async () => {
  const { code, text } = await shell(`set -e\n${split}\n${post}`);
  expect(code, text).toBe(0);
  expect(partsIn().sort()).toEqual(Array.from({ length: PARTS }, (_, at) => `part-${at}.ndjson.done`));
  await expectAll();
});

test('a worker that is killed is started again, without duplicates', async () => {
  execFileSync('sh', ['-e', '-c', split], { cwd: place });
  // Carries out the second request of part 3, and kills its worker before the answer.
  const runs = new Set(
    readFileSync(join(place, 'part-3.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).execution_id),
  );
  let requests = 0;
  let bodies = 0;
  const door = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { method = '', url = '', headers } = request;
    bodies++;
    const [first] = JSON.parse(body.toString() || '[]');
    const isKilled = runs.has(first?.execution_id) && ++requests === 2;
    const onward = http.request(new URL(url, service.address), { method, headers }, (answer) => {
      if (isKilled) process.kill(Number(readFileSync(join(place, 'pids/@part-3.ndjson'), 'utf8')), 'SIGKILL');
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  });
  const base = `http://${await listening(door, () => door.closeAllConnections())}`;
  const first = await shell(post, { DTP_BASE_URL: base });
  expect([first.code, first.text]).toEqual([123, expect.stringMatching(/killed/i)]);
  expect(partsIn().filter((name) => !name.endsWith('.done'))).toEqual(['part-3.ndjson']);
  const before = bodies;
  const second = await shell(post, { DTP_BASE_URL: base });
  expect(second.code, second.text).toBe(0);
  expect(bodies - before).toBeGreaterThan(1);
  await expectAll();
});

/** What the kubelet does with the variables of a container. */
const expanded = (text: string, env: Readonly<Record<string, string>>) =>
  text.replace(/\$\((\w+)\)/g, (whole, name: string) => env[name] ?? whole);

test('the Job posts the same parts, one for each index', async () => {
  const { spec } = job;
  expect([spec.completionMode, spec.completions, spec.template.spec.restartPolicy]).toEqual([
    'Indexed',
    PARTS,
    'Never',
  ]);
  execFileSync('sh', ['-e', '-c', split], { cwd: place });
  const { PIDS: _, ...env } = variables;
  const run = (index: number) => {
    const [{ mountPath }] = container.volumeMounts;
    const argv = container.args.map((text: string) =>
      expanded(text, { JOB_COMPLETION_INDEX: String(index) }).replace(mountPath, place),
    );
    return dtp(place, argv, { env });
  };
  const ended = await Promise.all(Array.from({ length: spec.completions }, (_, index) => run(index)));
  // A pod may be started twice for an index.
  ended.push(await run(5));
  for (const { code, stderr } of ended) expect(code, stderr).toBe(0);
  await expectAll();
});

test('the Job does not stop at once if another attempt may succeed', () => {
  const [{ action, onExitCodes }] = job.spec.podFailurePolicy.rules;
  expect([action, onExitCodes.operator]).toEqual(['FailJob', 'In']);
  const passing = [1, 8, 9, 10, 11, 12, 75, 124, 129, 130, 137, 143];
  expect(onExitCodes.values.filter((code: number) => passing.includes(code))).toEqual([]);
});
