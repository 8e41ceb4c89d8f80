/** The topic `environment` lists exactly the variables that the tree reads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { credentialVariables, variables } from '../../src/declarations/variables.ts';
import { helpTextOf } from '../../src/describe/help/print.ts';
import { topicFor } from '../../src/describe/help/topics.ts';
import { settingRows } from '../../src/settings/keys.ts';

const root = resolve(import.meta.dirname, '../../src');

/** Every `env.NAME` and every quoted DTP_ name in the code, without its tables and comments. */
const read = new Set(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^declarations|examples/.test(name))
    .flatMap((name) => {
      const code = readFileSync(join(root, name), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
      return [
        ...[...code.matchAll(/\benv\??\.([A-Z_]+)\b/g)].map(([, one]) => one as string),
        ...[...code.matchAll(/'(DTP_[A-Z_]+|XDG_[A-Z_]+|(?:LOCAL)?APPDATA)'/g)].map(([, one]) => one as string),
      ];
    }),
);
/** The variables that are read by iterating over the tables. */
const settings = [...Object.values(settingRows).flatMap(({ env = [] }) => env), ...Object.keys(credentialVariables)];

test('the search finds variables', () => {
  expect(read.size).toBeGreaterThan(25);
  expect(read).toContain('DTP_API_KEY');
});

test('each variable is listed', () => {
  const text = helpTextOf(topicFor('environment'), { width: 200, heading: (one) => one });
  const told = [...text.matchAll(/^ {2}(\S+(?:, \S+)*) {2,}/gm)].flatMap(([, names]) => (names as string).split(', '));
  for (const name of [...read, ...settings])
    expect(
      told.map((one) => one.toLowerCase()),
      name,
    ).toContain(name.toLowerCase());
});

test('each listed variable is read', () => {
  expect(Object.keys(variables).filter((name) => !read.has(name) && !settings.some((one) => one === name))).toEqual([]);
});
