/** Profiles and settings: only the requested change is made, and the first source with a value wins. */
import { deepStrictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { settingKeys } from '../../src/settings/keys.ts';
import { openProfiles, type Profile } from '../../src/store/profiles.ts';
import { wallClock } from '../support/clocks.ts';
import { dtp } from '../support/context.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { json, property, text } from '../support/property.ts';

const root = mkdtempSync(join(tmpdir(), 'dtp-properties-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function within<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(root, 'one-'));
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

const holder = { ...wallClock, pid: process.pid, isAlive: () => true, beganAt: () => undefined };
const anyProfile = fc.dictionary(text, json, { noNullPrototype: true, maxKeys: 4 });
const anyName = fc.oneof(text, fc.constantFrom('local', 'default', '__proto__', 'constructor'));

property(
  'a change of the profiles keeps every unknown field, exactly as JSON has it',
  [
    fc.array(fc.tuple(anyName, anyProfile), { maxLength: 4 }),
    fc.array(fc.tuple(text, json), { maxLength: 3 }),
    // The built-in profile's name is stored as it is found, and never written.
    anyName.filter((name) => name !== 'local'),
    anyProfile,
  ],
  (profiles, others, name, profile) =>
    within(async (folder) => {
      const stored = {
        ...Object.fromEntries(others.filter(([key]) => key !== 'profiles')),
        profiles: Object.fromEntries(profiles),
      };
      writeFileSync(join(folder, 'config.json'), JSON.stringify(stored));
      const store = openProfiles(folder, holder);
      deepStrictEqual(store.read(), JSON.parse(JSON.stringify(stored)));
      await store.update((now) => ({
        ...now,
        profiles: Object.fromEntries([...Object.entries(now.profiles), [name, profile as Profile]]),
      }));
      const expected = { ...stored, profiles: Object.fromEntries([...profiles, [name, profile]]) };
      const file = join(folder, 'config.json');
      deepStrictEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(expected)));
      deepStrictEqual(openProfiles(folder, holder).read(), JSON.parse(JSON.stringify(expected)));
      expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    }),
  60,
);

property(
  'a failed change leaves the old content',
  [fc.array(fc.tuple(anyName, anyProfile), { maxLength: 3 })],
  (profiles) =>
    within(async (folder) => {
      const file = join(folder, 'config.json');
      const before = JSON.stringify({ profiles: Object.fromEntries(profiles) });
      writeFileSync(file, before);
      const store = openProfiles(folder, holder);
      await expect(
        store.update(() => {
          throw new Error('not now');
        }),
      ).rejects.toThrow('not now');
      expect(readFileSync(file, 'utf8')).toBe(before);
    }),
  60,
);

/** Settings that may come from any source, with valid values; each source has a different one. */
const values = {
  workspace: ['w_flag', 'w_env', 'w_file', 'w_profile'],
  organization_slug: ['o-flag', 'o-env', 'o-file', 'o-profile'],
  workspace_slug: ['s-flag', 's-env', 's-file', 's-profile'],
  base_url: ['https://flag.test', 'https://env.test', 'https://file.test', 'https://profile.test'],
  timeout: ['61s', '62s', '63s', '64'],
} as const;
type Key = keyof typeof values;
const keys = Object.keys(values) as Key[];

/** The order of the contract. */
const places = ['flag', 'env', 'file', 'profile'] as const;
const flagName = (key: Key) => `--${key.replaceAll('_', '-')}`;

const given = fc.record(
  Object.fromEntries(keys.map((key) => [key, fc.subarray([...places])])) as Record<
    Key,
    fc.Arbitrary<(typeof places)[number][]>
  >,
);
const naming = fc.constantFrom('current', 'env', 'file', 'flag');

property(
  'flag, environment, folder, profile, default: the first with a value wins, and explain says so',
  [given, naming, fc.boolean()],
  (chosen, by, isEmpty) =>
    within(async (home) => {
      const at = (place: (typeof places)[number]) =>
        keys
          .filter((key) => chosen[key].includes(place))
          .map((key) => [key, values[key][places.indexOf(place)] as string] as const);
      mkdirSync(join(home, 'config'), { mode: 0o700 });
      const profile = Object.fromEntries(
        at('profile').map(([key, value]) => [key, key === 'timeout' ? Number(value) : value]),
      );
      const current = by === 'current' ? { current: 'mine' } : {};
      writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ ...current, profiles: { mine: profile } }), {
        mode: 0o600,
      });
      const folder = { ...Object.fromEntries(at('file')), ...(by === 'file' && { profile: 'mine' }) };
      writeFileSync(join(home, '.dtp.json'), JSON.stringify(folder));
      await trustFolderFile(home, home);
      const variables: Readonly<Record<Key, string>> = {
        workspace: 'DTP_WORKSPACE_ID',
        organization_slug: 'DTP_ORGANIZATION_SLUG',
        workspace_slug: 'DTP_WORKSPACE_SLUG',
        base_url: 'DTP_BASE_URL',
        timeout: 'DTP_TIMEOUT',
      };
      const empty = isEmpty ? keys.map((key) => [variables[key], '']) : [];
      const env = Object.fromEntries([
        ...empty,
        ...at('env').map(([key, value]) => [variables[key], value]),
        ...(by === 'env' ? [['DTP_PROFILE', 'mine']] : []),
      ]);
      const flags = at('flag').flatMap(([key, value]) => [flagName(key), value]);
      const named = by === 'flag' ? ['--profile', 'mine'] : [];
      const ended = await dtp([...named, ...flags, 'config', 'explain', '-o', 'json'], { home, env });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const rows: readonly { setting: string; value: string | null; source: string }[] = JSON.parse(ended.stdout);
      // A profile named by a flag ranks like a flag (README, settings).
      const order = by === 'flag' ? (['flag', 'profile', 'env', 'file'] as const) : places;
      for (const key of keys) {
        // A profile's slugs belong to its credential, which this one does not have.
        const first = order.find((one) => chosen[key].includes(one));
        const place = key.endsWith('_slug') && first === 'profile' ? undefined : first;
        const source = {
          flag: flagName(key),
          env: variables[key],
          file: join(home, '.dtp.json'),
          profile: 'profile mine',
        };
        const expected =
          place === undefined
            ? { value: null, source: 'not set' }
            : { value: values[key][places.indexOf(place)], source: source[place] };
        expect(rows.find(({ setting }) => setting === key)).toEqual({ setting: key, ...expected });
      }
      expect(rows.map(({ setting }) => setting)).toEqual(['profile', ...settingKeys, 'credential']);
      expect(rows.find(({ setting }) => setting === 'connect_timeout')).toMatchObject({
        value: '10s',
        source: 'default',
      });
    }),
  100,
);
