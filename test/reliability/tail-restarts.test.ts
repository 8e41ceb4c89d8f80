/** `dtp events tail` while four clients post and the service is killed and restarted twice: each event exactly once. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { home, serve, start } from '../support/process.ts';
import { rounds } from '../support/random.ts';
import { until } from '../support/stubborn-processes.ts';

const CLIENTS = 4;
const EVENTS = rounds(10_000, 100_000);
/** Events that a client hands over at once. */
const STEP = 50;
/** Milliseconds between two steps, so that the service is killed in the middle. */
const PAUSE = 60;
/** Memory for the ids of the last two minutes, and for garbage. In MB. */
const mostGrowth = 50;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** In MB, if the system has /proc. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}

test(`${EVENTS} events, posted by ${CLIENTS} clients`, async () => {
  const place = home();
  onTestFinished(place.remove);
  let service = await serve(place.folder);
  onTestFinished(async () => {
    await service.stop();
  });
  const env = {
    DTP_BASE_URL: service.address,
    DTP_API_KEY: service.key,
    DTP_WORKSPACE_ID: service.workspace_id,
  };
  const { port } = new URL(service.address);

  const tail = start(place.folder, ['events', 'tail', '--since', '1h', '--poll-interval', '500ms'], { env });
  onTestFinished(() => {
    tail.kill('SIGKILL');
  });
  const shown = new Map<string, number>();
  createInterface({ input: tail.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line);
    shown.set(id, (shown.get(id) ?? 0) + 1);
  });
  let notices = '';
  tail.stderr.on('data', (chunk) => {
    notices += chunk;
  });

  const noticed = (what: RegExp) => notices.match(what)?.length ?? 0;

  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const post = start(place.folder, ['events', 'post', '--body', '-', '--no-progress'], { env });
    const errors: string[] = [];
    post.stderr.on('data', (chunk) => errors.push(String(chunk)));
    post.stdout.resume();
    const ended = once(post, 'close');
    for (let sent = 0; sent < EVENTS / CLIENTS; sent += STEP) {
      const lines = Array.from({ length: STEP }, (_, index) => {
        const event = { id: `${client}-${sent + index}`, interaction_type: 'LINT', success: index % 9 > 0 };
        return `${JSON.stringify(event)}\n`;
      });
      if (!post.stdin.write(lines.join(''))) await once(post.stdin, 'drain');
      await pause(PAUSE);
    }
    post.stdin.end();
    const [code] = await ended;
    expect(code, errors.join('')).toBe(0);
  });

  const memory: number[] = [];
  for (const part of [1, 2, 3]) {
    await until(() => shown.size >= (EVENTS * part) / 4 || tail.exitCode !== null);
    expect(tail.exitCode, notices).toBeNull();
    memory.push(memoryOf(tail.pid ?? 0));
    if (part === 3) continue;
    process.kill(service.pid, 'SIGKILL');
    await service.ended;
    await until(() => noticed(/cannot get events/g) === part || tail.exitCode !== null);
    service = await serve(place.folder, ['--port', port]);
    await until(() => noticed(/the service responds again/g) === part || tail.exitCode !== null);
  }
  await Promise.all(clients);
  await until(() => shown.size === EVENTS || tail.exitCode !== null);
  memory.push(memoryOf(tail.pid ?? 0));
  const ended = once(tail, 'close');
  tail.kill('SIGINT');
  const [code] = await ended;

  expect([...shown.values()].filter((count) => count !== 1)).toEqual([]);
  expect(shown.size).toBe(EVENTS);
  expect(code, notices).toBe(0);
  expect(notices).toContain(`${EVENTS.toLocaleString('en')} events, `);
  const [early = 0, ...later] = memory;
  expect(Math.max(...later) - early, memory.join(' ')).toBeLessThan(mostGrowth);
});
