/** Downloads killed at any moment: the target does not exist, is the old one, or is complete and verified. */
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { document, write } from '../support/artifacts.ts';
import { filesUnder } from '../support/disk.ts';
import { dtp, home, type Served, serve, start } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';

const KILLS = rounds(9, 200);
const AT_ONCE = 3;
/** Milliseconds that a download takes on an idle machine. */
const UNDER_WAY = 300;
const START = 500;
const TWO_DAYS = 2 * 24 * 60 * 60;

let place: ReturnType<typeof home>;
let server: Served;
beforeAll(() => {
  place = home();
});
afterAll(async () => {
  await server?.stop();
  place.remove();
});

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const envOf = () => ({
  DTP_BASE_URL: server.address,
  DTP_API_KEY: server.key,
  DTP_WORKSPACE_ID: server.workspace_id,
});
const run = async (folder: string, argv: readonly string[]) => {
  const ended = await dtp(folder, argv, { env: envOf() });
  expect(ended, argv.join(' ')).toMatchObject({ code: 0 });
  return ended.stdout;
};

/** A command, and the new files that it creates. */
interface Download {
  readonly argv: readonly string[];
  readonly whole: Readonly<Record<string, string>>;
}

const shortOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** The digests of the files at a path; undefined if nothing is there. */
function contentOf(path: string): Readonly<Record<string, string>> | undefined {
  if (!existsSync(path)) return undefined;
  const files = statSync(path).isDirectory() ? filesUnder(path) : [path];
  return Object.fromEntries(files.map((file) => [relative(path, file), shortOf(readFileSync(file))]));
}

async function published(): Promise<readonly Download[]> {
  const folder = join(place.folder, 'source');
  const large = randomBytes(4 * 1024 * 1024).toString('base64');
  const spec = { 'openapi.json': document('a.json', 'b.json'), 'a.json': `"${large}"`, 'b.json': '"b"' };
  write(join(folder, 'spec'), spec);
  writeFileSync(join(folder, 'report.html'), large);
  await run(folder, ['reports', 'upload', '--type', 'linting', '--file', 'report.html']);
  await run(folder, ['artifacts', 'push', 'spec', '--namespace', 'pets', '--tag', 'v1']);
  const layer = ['artifacts', 'manifests', 'get', 'pets', 'v1', '-r', '--query', 'layers[0].digest'];
  const digest = (await run(folder, layer)).trim();
  const md5 = createHash('md5').update(large).digest('hex');
  return [
    {
      argv: ['artifacts', 'blobs', 'get', 'pets', digest, '-O', 'target'],
      whole: { '': digest.replace('sha256:', '') },
    },
    {
      argv: ['reports', 'linting-url', md5, '--download', 'target'],
      whole: { '': shortOf(Buffer.from(large)) },
    },
    {
      argv: ['artifacts', 'pull', 'pets:v1', '-O', 'target'],
      whole: Object.fromEntries(Object.entries(spec).map(([name, text]) => [name, shortOf(Buffer.from(text))])),
    },
  ];
}

/** Starts it and kills it: every fourth time at any moment, otherwise while it writes. */
async function killed(folder: string, argv: readonly string[], kill: number, random: () => number) {
  const moment = random();
  const watcher = watch(folder);
  const begun = new Promise<void>((done) => watcher.once('change', () => done()));
  const child = start(folder, argv, { env: envOf() });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  child.stdout.resume();
  child.stderr.resume();
  if (kill % 4 === 3) await pause(moment * START);
  else await Promise.race([begun.then(() => pause(moment * UNDER_WAY)), ended]);
  child.kill('SIGKILL');
  await ended;
  watcher.close();
}

const temporaryIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.dtp-'));

test(`downloads survive ${KILLS} kills (seed ${seed})`, async () => {
  server = await serve(place.folder, ['--data', join(place.folder, 'data')]);
  const downloads = await published();
  const total = { before: 0, after: 0, amid: 0 };
  const lane = async (at: number) => {
    const random = randomOf(seed + at);
    for (const [kind, { argv, whole }] of downloads.entries()) {
      const folder = join(place.folder, `lane-${at}-${kind}`);
      const target = join(folder, 'target');
      mkdirSync(folder);
      const isFolder = '' in whole === false;
      for (let kill = at + kind * AT_ONCE; kill < KILLS; kill += AT_ONCE * downloads.length) {
        const what = `kill ${kill} of seed ${seed}: ${argv.join(' ')}`;
        const hasOld = random() < 0.5;
        rmSync(target, { recursive: true, force: true });
        if (hasOld && isFolder) mkdirSync(target);
        if (hasOld) writeFileSync(isFolder ? join(target, 'old') : target, 'old');
        const old = contentOf(target);
        const before = temporaryIn(folder).length;
        await killed(folder, hasOld ? [...argv, '--force'] : argv, kill, random);
        const now = contentOf(target);
        const isAmid = temporaryIn(folder).length > before;
        // A folder cannot be replaced in one step, so the old one may be next to it.
        const aside = temporaryIn(folder).map((name) => contentOf(join(folder, name, 'old')));
        if (now === undefined && old !== undefined && isFolder) expect(aside, what).toContainEqual(old);
        else expect([old, whole], what).toContainEqual(now);
        if (JSON.stringify(now) === JSON.stringify(whole)) total.after++;
        else total.before++;
        if (isAmid) total.amid++;
      }
      // The killed processes' files block nobody, and are removed a day later.
      const old = Date.now() / 1000 - TWO_DAYS;
      for (const name of temporaryIn(folder)) utimesSync(join(folder, name), old, old);
      await run(folder, [...argv, '--force']);
      expect(contentOf(target)).toEqual(whole);
      const left = temporaryIn(folder).filter((name) => !existsSync(join(folder, name, 'old')));
      expect(left, `left by the kills of seed ${seed}: ${argv.join(' ')}`).toEqual([]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => lane(at)));
  process.stdout.write(`downloads: ${KILLS} kills, seed ${seed}, ${JSON.stringify(total)}\n`);
  expect(total.before + total.after).toBe(KILLS);
  // In a short run there may be no such kill.
  if (KILLS > 50) expect(total.amid).toBeGreaterThan(0);
});
