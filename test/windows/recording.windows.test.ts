/**
 * What every operation prints in each format, as whole processes. On Linux it is stored in the folder DTP_RECORDING, and
 * on Windows it is compared with that.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isOnWindows } from '../../src/system/platform.ts';
import { story } from '../story/index.ts';

import { petstore } from '../story/petstore.ts';
import type { State } from '../story/step.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { push } from '../support/push.ts';
import { comparer, type Printed } from '../support/recording.ts';

const recordings = process.env.DTP_RECORDING ?? '';

/** A proxy that remembers the last answer of a service. Tables shorten the values that later commands need. */
async function observe(service: Served) {
  const { hostname, port } = new URL(service.address);
  const seen: { answer?: unknown } = {};
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, method, path, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      const body = await text(answer);
      outgoing.end(body);
      try {
        seen.answer = JSON.parse(body);
      } catch {
        seen.answer = body;
      }
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A run takes as long as it does: only its end is the same everywhere. */
const isRunning = (answer: unknown): boolean =>
  /^(queued|in_progress)$/.test(String((answer as { run_status?: unknown } | undefined)?.run_status));

/** Runs the story. Returns what each of its commands printed. */
async function record(format: string): Promise<readonly Printed[]> {
  const { folder, remove } = home();
  const service = await serve(folder);
  const { seen, address, close } = await observe(service);
  writeFileSync(join(folder, 'petstore.yaml'), petstore);
  const state: State = {};
  const env = { DTP_BASE_URL: address, DTP_API_KEY: service.key, DTP_WORKSPACE_ID: service.workspace_id };
  const printed: Printed[] = [];
  try {
    for (const step of story) {
      if (step.push) state.digest = await push(service, `${state.org_slug}/${state.workspace_slug}/pets`, petstore);
      if (!step.argv) continue;
      if (step.writes) writeFileSync(join(folder, step.writes.name), step.writes.text(state));
      const argv = [
        ...step.argv(state, { address }),
        '-o',
        format,
        '--error-format',
        format === 'json' ? 'json' : 'text',
      ];
      // Commands to paste are then for a POSIX shell on Windows, too.
      const run = () => dtp(folder, argv, { env: { ...env, SHELL: 'sh', ...step.env?.(state) } });
      let ended = await run();
      while ((step.waits && ended.code === 8) || isRunning(seen.answer)) ended = await run();
      const { code, stdout, stderr } = ended;
      expect(code, `${step.says}: ${stderr}`).toBe(step.code ?? 0);
      printed.push({
        says: step.says,
        code,
        stdout: withoutPaths(stdout, folder),
        stderr: withoutPaths(stderr, folder),
      });
      // For what it remembers. What the answers must be is tested elsewhere.
      if (!step.code)
        await Promise.resolve(seen.answer)
          .then((value) => step.check?.(value, state, service))
          .catch(() => 0);
    }
    return printed;
  } finally {
    close();
    await service.stop();
    remove();
  }
}

/** The only difference that is allowed: a path of the folder starts differently, and has other slashes. */
const withoutPaths = (text: string, folder: string): string =>
  [folder, JSON.stringify(folder).slice(1, -1)]
    .reduce((rest, one) => rest.replaceAll(one, '<folder>'), text)
    .replace(/<folder>[\w.\\/-]*/g, (path) => path.replace(/\\+/g, '/'));

const wholeOf = (printed?: Printed) => (printed ? Object.values(printed).join('\n') : '');

test.concurrent.each(['json', 'table', 'yaml', 'csv', 'ndjson'])('%s', async (format) => {
  const printed = await record(format);
  expect(printed.length).toBeGreaterThan(90);
  if (recordings === '') return;
  const file = (platform: string) => join(recordings, `${format}-${platform}.json`);
  mkdirSync(recordings, { recursive: true });
  writeFileSync(file(process.platform), JSON.stringify(printed));
  if (!isOnWindows) return;
  const expected: readonly Printed[] = JSON.parse(readFileSync(file('linux'), 'utf8'));
  const differenceOf = comparer();
  const differences = printed.flatMap((now, at) => {
    const difference = differenceOf(wholeOf(expected[at]), wholeOf(now));
    return difference === undefined ? [] : `${now.says}: ${difference}`;
  });
  if (differences.length > 0) throw new Error(differences.join('\n'));
  expect(printed).toHaveLength(expected.length);
});
