/** A batch, or a folder of batches, that cannot be read: it stays where it is, and does not block the others. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { events, ndjson, receiver, refusal } from '../../support/event-service.ts';
import { onDisk } from '../../support/spool-world.ts';
import { deny } from '../../support/unreadable-files.ts';

/** Two posts that queued their events in batches of ten: events `a` in two batches, and events `b` in one. */
async function queued() {
  const home = temporaryFolder();
  for (const [prefix, count] of [
    ['a', 20],
    ['b', 10],
  ] as const) {
    const argv = ['post', '--body', '-', '--batch-size', '10', '--concurrency', '1'];
    const { openSend } = receiver(() => refusal);
    await events(argv, { home, stdin: ndjson(count, 1, prefix), openSend });
  }
  const batches = onDisk(join(home, 'state'));
  const batch = batches.find(({ ids }) => ids?.includes('a_0'))?.path ?? '';
  return { home, paths: { batch, folder: dirname(batch) } };
}

const others = { batch: { a: 10, b: 10 }, folder: { a: 0, b: 10 } };
const countsIn = (all: readonly { readonly id: string }[]) => ({
  a: all.filter(({ id }) => id.startsWith('a')).length,
  b: all.filter(({ id }) => id.startsWith('b')).length,
});

for (const what of ['batch', 'folder'] as const)
  for (const [code, why] of [
    ['EACCES', 'permission denied'],
    ['EIO', 'the disk failed'],
  ] as const) {
    const name = `an unreadable ${what} (${code})`;
    test(`${name} is reported by a flush, which sends the rest`, async () => {
      const { home, paths } = await queued();
      const undo = deny(paths[what], code);
      const service = receiver();
      const env = { DTP_ERROR_FORMAT: 'json' };
      const flushed = await events(['queue', 'flush'], { home, env, openSend: service.openSend });
      expect(flushed).toMatchObject({ code: 75, stdout: '' });
      expect(flushed.stderr).toContain(`warning: cannot read ${paths[what]}: ${why}\n`);
      const { error } = JSON.parse(flushed.stderr.split('\n').at(-2) ?? '');
      expect(error.message).toBe('1 queued batch or folder could not be read');
      const sent = others[what].a + others[what].b;
      expect(error.details).toMatchObject({ delivered: sent, pending: 0, unreadable: 1 });
      expect(countsIn(service.events())).toEqual(others[what]);
      undo();
      const again = receiver();
      expect((await events(['queue', 'flush'], { home, openSend: again.openSend })).code).toBe(0);
      expect(countsIn([...service.events(), ...again.events()])).toEqual({ a: 20, b: 10 });
    });

    test(`${name} does not stop a post`, async () => {
      const { home, paths } = await queued();
      deny(paths[what], code);
      const service = receiver();
      const post = ['post', '--body', '{"id":"new"}'];
      const posted = await events(post, { home, openSend: service.openSend });
      expect(posted.code, posted.stderr).toBe(0);
      expect(posted.stderr).toContain(`were not sent: cannot read ${paths[what]}: ${why}\n`);
      expect(service.events().at(-1)).toMatchObject({ id: 'new' });
      expect(countsIn(service.events())).toEqual(others[what]);
    });

    test(`${name} is listed, found by doctor, and other batches can be dropped`, async () => {
      const { home, paths } = await queued();
      deny(paths[what], code);
      const reason = `cannot read ${paths[what]}: ${why}`;
      const list = await events(['queue', 'list'], { home });
      const entries: { id: string; state: string }[] = JSON.parse(list.stdout);
      const [unreadable, ...rest] = entries;
      expect(unreadable).toMatchObject({ state: 'unreadable', reason });
      expect(new Set(rest.map(({ state }) => state))).toEqual(new Set(['pending']));
      const doctor = await dtp(['doctor', '--profile', 'local', '-o', 'json'], { home });
      expect([doctor.code, JSON.parse(doctor.stdout)]).toEqual([
        3,
        expect.arrayContaining([expect.objectContaining({ check: 'queue', status: 'fail', message: reason })]),
      ]);
      const drop = (id: string) => events(['queue', 'drop', id, '--yes'], { home });
      expect(await drop(rest.at(-1)?.id ?? '')).toMatchObject({ code: 0 });
      const all = await drop('--all');
      // Deleting a file needs no permission to read it.
      if (what === 'batch') expect([all.code, onDisk(join(home, 'state'))]).toEqual([0, []]);
      else {
        expect(all).toMatchObject({ code: 3, stderr: expect.stringContaining(`${paths.folder}: ${why}`) });
        expect(existsSync(paths.batch)).toBe(true);
      }
    });
  }
