/** The variables that are switches: which values turn them off, and that no code reads them in another way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInteractive } from '../../src/invocation/invocation.ts';
import { agentOf } from '../../src/output/agent.ts';
import { colorOf, supportsLinks } from '../../src/output/color.ts';
import { hasRunner } from '../../src/output/journal.ts';
import { isOn } from '../../src/settings/switches.ts';
import { dtp } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const off = ['', '0', 'false', 'no', 'off', 'False', 'NO', 'OFF', ' 0 '];
const on = ['1', 'true', 'yes', 'on', 'TRUE'];

const switches = ['DTP_AGENT', 'DTP_ALLOW_FAILURE', 'DTP_DEBUG', 'DTP_NO_INPUT', 'DTP_NO_PROGRESS', 'CI'].concat(
  'FORCE_COLOR',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
);

test('each switch is read by one function only', () => {
  const root = resolve(import.meta.dirname, '../../src');
  const read = new RegExp(`(?<=(.*))\\benv\\.(${switches.join('|')})\\b(?=(.*))`, 'g');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const uses = files.flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(read)]);
  expect(new Set(uses.map(([, , name]) => name))).toEqual(new Set(switches));
  // Whether it is set at all also counts: without a value, color and agents are detected.
  const others = /if \(env\.FORCE_COLOR\) return|return env\.DTP_AGENT \? undefined :/;
  const wrong = uses.filter(
    ([, before, name, after]) =>
      !/isOn\((context\.)?$/.test(before ?? '') && !others.test(`${before}env.${name}${after}`),
  );
  expect(wrong.map(([, before, name]) => `${before}${name}`)).toEqual([]);
});

test.each<readonly [string | undefined, boolean]>([
  [undefined, false],
  ...off.map((value) => [value, false] as const),
  ...on.map((value) => [value, true] as const),
  ['2', true],
  ['anything', true],
])('%j is on: %s', (value, expected) => {
  expect(isOn(value)).toBe(expected);
});

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
const list = (more: Record<string, string>, status = 200) =>
  dtp(['ws', 'list'], { env: { ...env, ...more }, openSend: service(() => [status, []]).openSend });

describe.each([...off.map((value) => ({ value, isSet: false })), ...on.map((value) => ({ value, isSet: true }))])(
  '"$value"',
  ({ value, isSet }) => {
    const terminal = { isTTY: true } as never;
    const person = (one: Record<string, string>) =>
      isInteractive({ env: one, stdin: terminal, stderr: terminal } as never, {});
    // Settings are checked, so that only the words for yes and no are allowed, without spaces.
    const setting = value.trim();

    test('of DTP_DEBUG', async () => {
      expect((await list({ DTP_DEBUG: value })).stderr !== '').toBe(isSet);
    });
    test('of DTP_ALLOW_FAILURE', async () => {
      expect((await list({ DTP_ALLOW_FAILURE: setting }, 503)).code).toBe(isSet ? 0 : 10);
    });
    test('of DTP_AGENT', async () => {
      expect((await agentOf({ env: { DTP_AGENT: value } }, {}))?.isAsked ?? false).toBe(isSet);
      expect((await list({ DTP_AGENT: setting })).code).toBe(0);
    });
    test('of DTP_NO_INPUT and CI', () => {
      expect([person({ DTP_NO_INPUT: value }), person({ CI: value })]).toEqual([!isSet, !isSet]);
    });
    test('of CI and FORCE_COLOR', () => {
      expect(colorOf({ env: { CI: value } }, {}, true)).toBe(!isSet);
      expect(supportsLinks({ env: { CI: value, WT_SESSION: 'x' } })).toBe(!isSet);
      expect(colorOf({ env: { FORCE_COLOR: value } }, {}, false)).toBe(isSet);
      // An empty variable counts as not set.
      expect(colorOf({ env: { FORCE_COLOR: value } }, {}, true)).toBe(isSet || value === '');
    });
    test('of GITHUB_ACTIONS', () => {
      expect(hasRunner({ env: { GITHUB_ACTIONS: value } })).toBe(isSet);
    });
    test('of NO_COLOR, which counts unless it is empty', () => {
      for (const more of [{}, { FORCE_COLOR: '1' }] as Record<string, string>[])
        expect(colorOf({ env: { NO_COLOR: value, ...more } }, {}, true)).toBe(value === '');
      expect(colorOf({ env: { NO_COLOR: value } }, { color: 'always' }, true)).toBe(true);
    });
  },
);
