/** The connection is cut at 64 points of a push and of a pull. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, leftovers, registry, startCuttingProxy, write } from '../support/artifacts.ts';
import { hastyClock } from '../support/clocks.ts';

const places = 64;

/** Bytes that cannot be compressed, always the same. */
function noise(size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let count = 0; count * 64 < size; count++) pieces.push(createHash('sha512').update(String(count)).digest());
  return Buffer.concat(pieces).subarray(0, size);
}

const files = {
  'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Big, version: 1.0.0 }\npaths: {}\n',
  // More than one chunk of an upload.
  'a/noise.bin': noise(4_300_000),
  'b.txt': 'x'.repeat(10_000),
};

test(`a push that is cut at ${places} points recovers by itself, or with the command that it names`, async () => {
  const { service, home, run } = await registry();
  const { 'a/noise.bin': _, ...few } = files;
  const specs = { spec: write(join(home, 'spec'), files), small: write(join(home, 'small'), few) };
  const proxy = await startCuttingProxy(service.address);
  const world = { env: { DTP_BASE_URL: proxy.address }, clock: hastyClock };
  const sizeOf = async (spec: string) => {
    proxy.cutAfter(Number.POSITIVE_INFINITY, 0);
    expect((await run(['push', spec, '--namespace', `whole-${spec}`], world)).code).toBe(0);
    return proxy.seen();
  };
  const whole = { spec: await sizeOf('spec'), small: await sizeOf('small') };
  expect(whole.spec).toBeGreaterThan(4_300_000);

  let resumed = 0;
  for (let place = 0; place < places; place++) {
    // Most cuts are in the small requests around the chunks, where most can go wrong.
    const spec = place % 4 === 0 ? 'spec' : 'small';
    const argv = ['push', spec, '--namespace', `cut-${place}`];
    proxy.cutAfter(Math.floor((place * whole[spec]) / places) + 1, 1 + (place % 3));
    const { code, stdout, stderr } = await run(argv, world);
    if (code === 0) {
      resumed++;
      expect(JSON.parse(stdout).uploaded).toBeGreaterThanOrEqual(0);
    } else {
      expect([place, code, stdout, stderr]).toEqual([
        place,
        11,
        '',
        expect.stringContaining(`try: dtp artifacts ${argv.join(' ')}\n`),
      ]);
      proxy.cutAfter(Number.POSITIVE_INFINITY, 0);
      expect((await run(argv, world)).code).toBe(0);
    }
    if (place % 8 > 1) continue;
    expect((await run(['pull', `cut-${place}`])).code).toBe(0);
    expect(filesOf(join(home, `cut-${place}`))).toEqual(filesOf(specs[spec]));
  }
  process.stderr.write(`interrupted pushes that recovered by themselves: ${resumed} of ${places}\n`);
  // The exception: the token request, which comes before the first upload.
  expect(resumed).toBeGreaterThan(places / 2);
});

test(`a pull that is cut at ${places} points leaves the whole folder, or nothing`, async () => {
  const { service, home, run } = await registry();
  const spec = write(join(home, 'spec'), files);
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const proxy = await startCuttingProxy(service.address);
  const world = { env: { DTP_BASE_URL: proxy.address }, clock: hastyClock };
  proxy.cutAfter(Number.POSITIVE_INFINITY, 0);
  expect((await run(['pull', 'pets', '-O', 'whole'], world)).code).toBe(0);
  const whole = proxy.seen();

  write(join(home, 'old'), { 'mine.txt': 'mine' });
  const old = filesOf(join(home, 'old'));
  let recovered = 0;
  for (let place = 0; place < places; place++) {
    const at = place % 2 === 0 ? (place * whole) / places : (place * 4000) / places;
    const argv = ['pull', 'pets', '-O', place % 4 === 0 ? 'old' : 'new', ...(place % 4 === 0 ? ['--force'] : [])];
    proxy.cutAfter(Math.floor(at) + 1, 1);
    const { code, stdout, stderr } = await run(argv, world);
    // A reused connection that ended before the answer is replaced by a new one.
    if (code === 0) {
      recovered++;
      const folder = join(home, argv.includes('old') ? 'old' : 'new');
      expect(filesOf(folder)).toEqual(filesOf(spec));
      rmSync(folder, { recursive: true });
      write(join(home, 'old'), { 'mine.txt': 'mine' });
      continue;
    }
    expect([place, code, stdout, stderr]).toEqual([
      place,
      11,
      '',
      // A user who pastes a suggestion must not overwrite a folder.
      expect.stringContaining(`try: dtp artifacts ${argv.filter((word) => word !== '--force').join(' ')}\n`),
    ]);
    expect(existsSync(join(home, 'new'))).toBe(false);
    expect(filesOf(join(home, 'old'))).toEqual(old);
    expect(leftovers(home)).toEqual([]);
  }
  expect(recovered).toBeLessThan(places / 2);
  expect((await run(['pull', 'pets', '-O', 'old', '--force'], world)).code).toBe(0);
  expect(filesOf(join(home, 'old'))).toEqual(filesOf(spec));
  expect(readdirSync(home).sort()).toEqual(['old', 'spec', 'whole']);
});

test('if the registry stays away, a push ends with the command that resumes it, and does not send again what arrived', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), files);
  const proxy = await startCuttingProxy(service.address);
  const world = { env: { DTP_BASE_URL: proxy.address }, clock: hastyClock };
  proxy.cutAfter(2_000_000, 1000);
  const cut = await run(['push', 'spec', '--namespace', 'pets'], world);
  expect([cut.code, cut.stdout]).toEqual([11, '']);
  expect(cut.stderr).toContain('closed the connection');
  expect(cut.stderr).toContain('try: dtp artifacts push spec --namespace pets\n');
  proxy.cutAfter(Number.POSITIVE_INFINITY, 0);
  const first = JSON.parse((await run(['push', 'spec', '--namespace', 'pets'], world)).stdout);
  expect(first.uploaded).toBe(first.size + 2);
  const second = JSON.parse((await run(['push', 'spec', '--namespace', 'pets', '--tag', 'v2'], world)).stdout);
  expect(second).toEqual({ ...first, reference: 'local/default/pets:v2', tags: ['v2'], uploaded: 0 });
});

test('an interrupt leaves no files', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), files);
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const { ExitCode } = await import('../../src/errors.ts');
  const { openSend } = await import('../../src/transport/send.ts');
  for (const [what, when] of [
    ['manifests', 'before'],
    ['blobs', 'before'],
    ['blobs', 'within its answer'],
  ] as const) {
    const interrupt = new AbortController();
    const ended = await run(['pull', 'pets'], {
      env: { DTP_BASE_URL: service.address },
      signal: interrupt.signal,
      openSend: async (options) => {
        const sender = openSend(options);
        return {
          ...sender,
          send: async (request, given) => {
            if (!request.url.includes(`/${what}/`)) return sender.send(request, given);
            const sent = when === 'before' ? undefined : await sender.send(request, given);
            interrupt.abort(new ExitCode(130));
            return sent ?? sender.send(request, given);
          },
        };
      },
    });
    expect([what, ended.code, ended.stdout, ended.stderr]).toEqual([what, 130, '', '']);
    expect(readdirSync(home)).toEqual(['spec']);
  }
});
