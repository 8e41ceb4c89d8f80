/** Many processes change the configuration at once: no change is lost. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dtp, home } from '../support/process.ts';
import { rounds } from '../support/random.ts';

const PROCESSES = rounds(8, 20);
const KEYS = rounds(5, 10);
const ROUNDS = rounds(1, 20);

let place: ReturnType<typeof home>;
beforeAll(() => {
  place = home();
});
afterAll(() => place.remove());

const keys = [
  'workspace',
  'organization_slug',
  'workspace_slug',
  'words.codehost',
  'words.docsite',
  'header.api-key',
  'header.workspace-identifier',
  'credential_command',
  'ca_cert',
  'base_url',
].slice(0, KEYS);

test(`${PROCESSES} processes with ${KEYS} keys each, ${ROUNDS} rounds: nothing is lost`, async () => {
  let storedChanges = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const value = (key: string, at: number) =>
      key === 'base_url' ? `https://p${at}r${round}.example` : `p${at}r${round}`;
    const change = async (at: number) => {
      for (const key of keys) {
        const ended = await dtp(place.folder, ['--profile', `p${at}`, 'config', 'set', key, value(key, at)]);
        expect(ended, `${key} of process ${at} in round ${round}`).toMatchObject({ code: 0 });
      }
    };
    const all = Array.from({ length: PROCESSES }, (_, at) => at);
    await Promise.all(all.map(change));
    const { profiles } = JSON.parse(readFileSync(join(place.folder, 'config', 'config.json'), 'utf8'));
    const expected = all.map((at) => [`p${at}`, Object.fromEntries(keys.map((key) => [key, value(key, at)]))]);
    expect(profiles).toEqual(Object.fromEntries(expected));
    expect(readdirSync(join(place.folder, 'config'))).toEqual(['config.json']);
    storedChanges += PROCESSES * KEYS;
  }
  process.stdout.write(`configuration: ${storedChanges} of ${PROCESSES * KEYS * ROUNDS} changes stored\n`);
});
