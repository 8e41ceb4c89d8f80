/** Rules that the compiler cannot check: no two settings share a flag or a variable, and their order is defined. */
import { expect, test } from 'vitest';
import { allRows, loginKeys } from '../../src/declarations/settings.ts';
import { credentialVariables, variables } from '../../src/declarations/variables.ts';
import { choicesOf, faultOf, profileSettings, settingKeys } from '../../src/settings/keys.ts';

const rows = Object.entries(allRows);
const flags = new Map(rows.flatMap(([, { flag }]) => (flag === undefined ? [] : [[flag.name, flag]])));

const twice = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) !== index);

test('no letter or variable is used twice', () => {
  expect(flags.size).toBeGreaterThan(25);
  expect(twice([...flags.values()].flatMap(({ short }) => short ?? []))).toEqual([]);
  const named = rows.flatMap(([, { env = [] }]) => env);
  expect(named.length).toBeGreaterThan(10);
  expect(twice([...named, ...Object.keys(credentialVariables), ...Object.keys(variables)])).toEqual([]);
});

test('no setting has a key that a login stores', () => {
  expect(loginKeys.filter((key) => Object.hasOwn(allRows, key))).toEqual([]);
});

// Without the flag, the parser would set the value to true.
test('no setting has a flag that begins with --no-', () => {
  expect(rows.filter(([, { kind, flag }]) => kind && flag?.name.startsWith('no-'))).toEqual([]);
});

test('each default is a value that its row permits', () => {
  const defaults = rows.flatMap(([key, row]) => (row.kind && row.default ? [[key, row.default] as const] : []));
  expect(defaults.length).toBeGreaterThan(3);
  expect(defaults.filter(([key, value]) => faultOf(key, value) !== undefined)).toEqual([]);
});

test('each choice of a setting is valid, and nothing else is', () => {
  expect(choicesOf('scheme')).toEqual(['api-key', 'bearer', 'workspace-identifier']);
  expect(choicesOf('workspace')).toEqual([]);
  for (const [key] of rows) {
    const choices = choicesOf(key);
    expect(choices.filter((choice) => faultOf(key, choice) !== undefined)).toEqual([]);
    if (choices.length > 0)
      expect(faultOf(key, `${choices[0]}x`)).toBe(`must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
  }
});

test('a setting that is listed after another one comes right after it', () => {
  const lists = { listed: settingKeys, stored: profileSettings.map(({ key }) => key) };
  const followers = rows.flatMap(([key, row]) =>
    Object.entries((row.kind && row.after) ?? {}).map(([list, before]) => [key, list, before] as const),
  );
  expect(followers.length).toBeGreaterThan(0);
  for (const [key, list, before] of followers) {
    const keys: readonly string[] = lists[list as keyof typeof lists];
    expect(keys[keys.indexOf(key) - 1], `${key} in ${list}`).toBe(before);
  }
});
