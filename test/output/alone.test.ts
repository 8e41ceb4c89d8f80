/** A value that a person wants, such as a new key or a URL: alone on its line, with what to do with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { copyableValueOf, doneOf } from '../../src/output/done.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const id = 'ea31c0de-0574-45e1-9139-9ef9b8a21958';
const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
const key = `dtp_${'3f0c9a1e'.repeat(8)}`;

/** Runs a command at a terminal, where the credential belongs to the workspace w_1. */
const at = (argv: string, world: World = {}) => dtp(argv.split(' '), { env, own: 'w_1', tty: true, ...world });

describe('a value that a person wants', () => {
  it.each([
    ['uploadReport', { url: 'https://r.example/1' }, 'https://r.example/1'],
    ['create', { short_url: 'https://s.example/1' }, 'https://s.example/1'],
    ['createPublishingToken', { token: key }, key],
    ['create', { short_url: '' }, undefined],
    ['createWorkspace', { id }, undefined],
    ['getUser', { id }, undefined],
  ] as const)('of %s %j', (operation, value, alone) => {
    expect(copyableValueOf(operations[operation], value)).toBe(alone);
  });

  it.each([
    [
      '?expires=1795422199&signature=x',
      'Whoever has this URL can read the report until 2026-11-23 08:23 UTC. For a shorter URL, add --shorten. To open it:',
    ],
    [
      '?a=1&Expires=1795422199',
      'Whoever has this URL can read the report until 2026-11-23 08:23 UTC. For a shorter URL, add --shorten. To open it:',
    ],
    // Not a time, or not known to be one.
    ['?expires=soon', 'Whoever has this URL can read the report. For a shorter URL, add --shorten. To open it:'],
    ['?expires=3600', 'Whoever has this URL can read the report. For a shorter URL, add --shorten. To open it:'],
    ['', 'Whoever has this URL can read the report. For a shorter URL, add --shorten. To open it:'],
  ])('a URL that ends with "%s" says how long it is valid, if it is known', (query, advice) => {
    const value = { url: `https://r.example/1${query}` };
    expect(doneOf(operations.uploadReport, {}, value)?.advice).toBe(advice);
  });

  it('is alone on its line, unbroken, with the sentence before it', async () => {
    const url = `https://r.example/${'x'.repeat(200)}`;
    const { openSend } = service(() => [200, { short_url: url }]);
    const ended = await at('short-urls create --url https://a.example', { openSend, columns: 40 });
    expect(ended).toMatchObject({ code: 0, stdout: `\n  ${url}\n\n` });
    expect(ended.stderr).toContain('Created a short URL');
    expect(ended.stderr).not.toContain('To see it');
  });
});

describe('a new token', () => {
  const older = { id: 't_1', name: 'other', key: 'dtp_older', created_at: '2026-01-01T00:00:00Z' };
  const newer = { id, name: 'ci', key, created_at: '2026-01-02T00:00:00Z' };
  const tokens = () =>
    service(({ method }, call) => (method === 'POST' ? [204] : [200, call === 1 ? [older] : [older, newer]]));

  it('is shown once, alone on its line at any width, and only that of this command', async () => {
    for (const columns of [20, 80]) {
      const { openSend, asked } = tokens();
      const ended = await at('ws tokens create --name ci', { openSend, columns });
      expect(ended).toMatchObject({ code: 0, stdout: `\n  ${key}\n\n` });
      // On a narrow terminal, sentences are wrapped. The command stays in one piece.
      const said = stripVTControlCharacters(ended.stderr).replace(/\n {2}(?=\S)(?!Programs|next)/g, ' ');
      expect(said).toContain('Created token ci (ea31c0de)\n');
      expect(said).toContain('  Programs use it as DTP_API_KEY. To see it again:\n');
      expect(said).toContain('next: dtp ws tokens list -o json');
      expect(ended.stderr).not.toContain('dtp_');
      expect(asked).toHaveLength(3);
    }
  });

  it('of publishing is in the response', async () => {
    const { openSend } = service(() => [200, { id, token: key, token_name: 'release' }]);
    const line =
      'publishing-tokens create --token-name release --target-id t --target-resource document --valid-until 2030-01-01T00:00:00Z';
    const ended = await at(line, { openSend });
    expect(ended).toMatchObject({ code: 0, stdout: `\n  ${key}\n\n` });
    expect(ended.stderr).toContain('Created publishing token release (ea31c0de), valid until 2030-01-01 00:00 UTC\n');
    const cwd = temporaryFolder();
    const saved = await at(`${line} -O new.json`, { openSend, cwd });
    expect(saved).toMatchObject({ code: 0, stdout: '' });
    expect(saved.stderr).toMatch(/Wrote new\.json .*\n.*Created publishing token release/);
    expect(readFileSync(join(cwd, 'new.json'), 'utf8')).toContain(key);
    expect(JSON.parse((await at(`${line} -o json --color never`, { openSend })).stdout)).toMatchObject({
      token: key,
    });
  });
});
