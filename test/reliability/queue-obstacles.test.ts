/** Whatever lies in place of a folder, a lock or a temporary file of the queue, the queued events are delivered. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { events, receiver } from '../support/event-service.ts';
import { queued } from '../support/queued.ts';

const env = { DTP_ERROR_FORMAT: 'json' };

/** What may lie in place of a folder or a lock of the queue. `outside` is a folder with a queued batch. */
const inTheWay: Readonly<Record<string, (path: string, outside: string) => void>> = {
  'a file': (path) => writeFileSync(path, 'x'),
  'a folder': (path) => mkdirSync(path, { mode: 0o700 }),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a file': (path, outside) => symlinkSync(join(outside, '0000001.batch'), path),
  'a link to a folder': (path, outside) => symlinkSync(outside, path),
  'a link to nothing': (path, outside) => symlinkSync(join(outside, 'none'), path),
  'a link to itself': (path) => symlinkSync(path, path),
};

/** The content of all files in a folder. */
const contentOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [`${one.name}: ${readFileSync(join(one.parentPath, one.name), 'utf8')}`] : [one.name],
  );

/** 30 queued events, one of which the service rejects. If `isDamaged`, a batch of 10 others is damaged. */
async function obstructed(name: string, lay: (path: string, outside: string) => void, isDamaged: boolean) {
  const { home, state, run } = await queued();
  const outside = temporaryFolder();
  copyFileSync(join(run, '0000001.batch'), join(outside, '0000001.batch'));
  const batch = join(run, '0000002.batch');
  if (isDamaged) writeFileSync(batch, readFileSync(batch, 'utf8').replace('"check":"', '"check":"0'));
  const path = join(state, name.replace('RUN', basename(run)));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  lay(path, outside);
  const [before, beforeQueue] = [contentOf(outside), contentOf(state)];
  const service = receiver((body) => (body.includes('"e_25"') ? 422 : 200));
  return {
    run: (...argv: readonly string[]) => events(argv, { home, env, openSend: service.openSend }),
    doctor: () => dtp(['doctor', '-o', 'json'], { home }),
    sent: service.events,
    isUnchanged: () => contentOf(state).toString() === beforeQueue.toString(),
    expectNoLoss: () => {
      expect(contentOf(outside)).toEqual(before);
      const all = [...contentOf(state), ...service.events().map(({ id }) => `"${id}"`)].toString();
      for (let event = 0; event < 30; event++) expect(all).toContain(`"e_${event}"`);
    },
  };
}

const places = [
  'corrupt',
  'rejected',
  'RUN.lock',
  'corrupt.lock',
  'rejected.lock',
  'mabc_0123ab',
  'mabc_0123ab.lock',
  'RUN/.dtp-0000003',
];

describe
  .skipIf(process.platform === 'win32')
  .each(places.flatMap((name) => Object.entries(inTheWay).map(([what, lay]) => [what, name, lay] as const)))(
  '%s in place of %s',
  (what, name, lay) => {
    // Only a file may be a lock, of a process that has not written it yet. What it locks stays in the queue.
    const isLocked = (place: string) => what === 'a file' && name === `${place}.lock`;

    test.each([false, true])('the others are delivered, none is lost (one batch is damaged: %s)', async (isDamaged) => {
      const { run, doctor, sent, isUnchanged, expectNoLoss } = await obstructed(name, lay, isDamaged);
      const list = async () =>
        JSON.parse((await run('queue', 'list')).stdout).map(({ state }: { state: string }) => state);
      expect(await list()).toHaveLength(3);
      expect((await doctor()).stdout).toContain('in the queue: ');
      expect(isUnchanged()).toBe(true);
      const { code, stderr } = await run('queue', 'flush', '-o', 'json');
      expect([code, sent().length], stderr).toEqual(isLocked('RUN') ? [75, 0] : [14, isDamaged ? 19 : 29]);
      expectNoLoss();
      const corrupt = isDamaged ? ['corrupt'] : [];
      if (isLocked('RUN')) expect(await list()).toEqual(['busy', isDamaged ? 'corrupt' : 'busy', 'busy']);
      else expect(await list()).toEqual(['rejected', ...corrupt]);
      expectNoLoss();
      const again = await run('queue', 'flush', '--rejected', '-o', 'json');
      expect(again.code, again.stderr).toBe(isLocked('RUN') || isLocked('rejected') ? 75 : 7);
      expectNoLoss();
      const left = isLocked('RUN')
        ? ['busy', 'busy', 'busy']
        : isLocked('rejected')
          ? ['busy']
          : isLocked('corrupt')
            ? corrupt
            : [];
      expect((await run('queue', 'drop', '--all', '--yes')).code).toBe(left.length > 0 ? 75 : 0);
      expect(await list()).toHaveLength(left.length);
    });

    test.each([false, true])('a post delivers the others too (one batch is damaged: %s)', async (isDamaged) => {
      const { run, sent, expectNoLoss } = await obstructed(name, lay, isDamaged);
      const { code, stderr } = await run('post', '--body', '{"id":"new"}');
      expect([code, sent().length], stderr).toEqual([0, isLocked('RUN') ? 1 : isDamaged ? 20 : 30]);
      expectNoLoss();
    });
  },
);

const files = ['corrupt/RUN-0000002.batch', 'rejected/RUN-0000003.422.batch', 'rejected/RUN-0000003.why'];

test
  .skipIf(process.platform === 'win32')
  .each(files.flatMap((name) => Object.entries(inTheWay).map(([what, lay]) => [what, name, lay] as const)))(
  '%s in place of %s: the others are delivered, none is lost',
  async (_, name, lay) => {
    const { run, sent, expectNoLoss } = await obstructed(name, lay, true);
    const { code, stderr } = await run('queue', 'flush', '-o', 'json');
    expect([code, sent().length], stderr).toEqual([14, 19]);
    expectNoLoss();
    const { stdout } = await run('queue', 'list');
    const states = JSON.parse(stdout).map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(['corrupt', 'rejected']);
    expectNoLoss();
  },
);
