/** A value is read in the same way wherever it comes from: a flag, a variable, .dtp.json, or `dtp config set`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';

const explain = ['config', 'explain', '-o', 'json'];

/** What is wrong with a value of a setting, by where it comes from. */
async function faultsOf(key: string, value: string, places: readonly string[]) {
  const variable = `DTP_${key.toUpperCase()}`;
  const flag = `--${key.replace('_', '-')}`;
  const home = temporaryFolder();
  const cwd = temporaryFolder();
  if (places.includes('.dtp.json')) writeFileSync(join(cwd, '.dtp.json'), JSON.stringify({ [key]: value }));
  const runs = {
    flag: () => dtp(['ws', 'list', '--dry-run', `${flag}=${value}`], { home }),
    variable: () => dtp(['ws', 'list', '--dry-run'], { home, env: { [variable]: value } }),
    '.dtp.json': () => dtp(['ws', 'list', '--dry-run', '--base-url', 'https://api.example.test'], { home, cwd }),
    set: () => dtp(['config', 'set', key, value], { home }),
  };
  const found = places.map(async (place) => {
    const { stderr } = await runs[place as keyof typeof runs]();
    return /must be [^\n]*?(?=, not |\n|"|$)/.exec(stderr)?.[0];
  });
  return Promise.all(found);
}

const time = 'must be a time above 0 and up to 24 days, such as 90s or 5m';
const all = ['flag', 'variable', '.dtp.json', 'set'];

describe.each<readonly [key: string, places: readonly string[], fault: string, good: string[], bad: string[]]>([
  [
    'timeout',
    all,
    time,
    ['90s', '90', '1.5m', '500ms', '24d', '1h30m'],
    ['0', '0s', '25d', '90x', 'soon', '-1', '1e3', '9'.repeat(30)],
  ],
  ['connect_timeout', ['flag', 'variable'], time, ['90s', '90', '500ms'], ['0', '25d', 'soon']],
  [
    'base_url',
    ['flag', 'variable', 'set'],
    'must be a URL',
    ['https://api.example.test', 'local:'],
    ['api', 'ftp://a'],
  ],
  ['output', all, 'must be table', ['json', 'yaml'], ['xml', 'JSON']],
])('%s', (key, places, fault, good, bad) => {
  test.each(good)('%s is accepted everywhere', async (value) => {
    expect(await faultsOf(key, value, places)).toEqual(places.map(() => undefined));
  });
  test.each(bad)('%s is refused everywhere, with the same words', async (value) => {
    const faults = await faultsOf(key, value, places);
    expect(new Set(faults).size).toBe(1);
    expect(faults[0]).toContain(fault);
  });
});

test.each([
  ['--timeout', ['ws', 'list', '--timeout', '25d']],
  ['--poll-interval', ['events', 'tail', '--poll-interval', '25d']],
  ['--wait-timeout', ['code-samples', 'jobs', 'get', 'j_1', '--wait', '--wait-timeout', '0']],
  ['--watch', ['ws', 'list', '--watch=25d']],
  ['--latency', ['serve', '--ephemeral', '--latency', '0']],
])('%s names its range', async (flag, argv) => {
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const { code, stderr } = await dtp(argv, { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} ${time}`)]);
});

test.each([
  ['timeout', '90s', 90],
  ['timeout', '90', 90],
  ['timeout', '1.5m', 90],
  ['timeout', '500ms', 0.5],
  ['allow_http', 'true', true],
  ['allow_http', 'yes', true],
  ['allow_http', '1', true],
  ['allow_http', 'on', true],
  ['allow_http', 'FALSE', false],
  ['allow_http', 'off', false],
  ['workspace', '90', '90'],
])('dtp config set %s %s stores %j, and reads it again', async (key, value, stored) => {
  const home = temporaryFolder();
  expect((await dtp(['config', 'set', key, value], { home })).code).toBe(0);
  const file = readFileSync(join(home, 'config', 'config.json'), 'utf8');
  expect(JSON.parse(file).profiles.default[key]).toBe(stored);
  const rows = JSON.parse((await dtp(explain, { home })).stdout) as { setting: string; value: string }[];
  expect(rows.find(({ setting }) => setting === key)?.value).toBe(String(stored));
});

// What a person or an older version has written.
test.each([[90], ['90'], ['90s'], ['1m30s']])('a stored timeout of %j is used', async (timeout) => {
  const home = temporaryFolder();
  expect((await dtp(['config', 'set', 'workspace', 'w_1'], { home })).code).toBe(0);
  const file = join(home, 'config', 'config.json');
  writeFileSync(file, JSON.stringify({ profiles: { default: { workspace: 'w_1', timeout } } }));
  const { code, stdout } = await dtp(explain, { home });
  const rows = JSON.parse(stdout) as { setting: string; value: string; source: string }[];
  expect([code, rows.find(({ setting }) => setting === 'timeout')?.value]).toEqual([0, String(timeout)]);
});
