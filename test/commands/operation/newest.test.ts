/** `events search` on a terminal: a bound and a count. Pipes get what was asked for. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { dtp, type World } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

/** Runs `events search`, with as many stored events as `count`, the oldest first. */
async function search(flags: string, count: number, world: World = {}) {
  const limits: (string | null)[] = [];
  const { openSend } = service(({ url }) => {
    const limit = new URL(url).searchParams.get('limit');
    limits.push(limit);
    const stored = Array.from({ length: Math.min(count, Number(limit ?? count)) }, (_, at) => ({
      interaction_type: `N${at}`,
      created_at: new Date(at * 1000).toISOString(),
      success: at % 2 === 0,
    }));
    return [200, stored];
  });
  const argv = ['events', 'search', ...flags.split(' ').filter(Boolean)];
  const ended = await dtp(argv, { env, own: 'w_1', openSend, tty: true, ...world });
  return { ...ended, limits, lines: ended.stdout.trimEnd().split('\n') };
}

describe('on a terminal', () => {
  it.each([
    [180, 51, '50 of 180 events; more with --limit or --all\n'],
    [1001, 51, '50 of more than 1,000 events; more with --limit or --all\n'],
    [51, 51, '50 of 51 events; more with --limit or --all\n'],
    [50, 51, '50 events in workspace w_1\n'],
    [3, 4, '3 events in workspace w_1\n'],
    [0, 1, 'no results\n'],
  ])('of %i events, the newest 50 are shown', async (count, lines, note) => {
    const ended = await search('', count);
    expect(ended).toMatchObject({ code: 0, limits: ['1001'] });
    expect(stripVTControlCharacters(ended.stderr)).toBe(note);
    expect(ended.lines).toHaveLength(lines);
    if (count > 50) expect(ended.lines[1]).toMatch(new RegExp(`N${count - 1}$`));
  });

  it('a limit is sent as it is', async () => {
    const ended = await search('--limit 4', 180);
    expect(ended).toMatchObject({
      limits: ['4'],
      stderr: 'there may be more events: use a higher --limit, or --all\n',
    });
    expect(ended.lines).toHaveLength(5);
    const fewer = await search('--limit 4', 3);
    expect(fewer.limits).toEqual(['4']);
    expect(stripVTControlCharacters(fewer.stderr)).toBe('3 events in workspace w_1\n');
  });

  it.each(['--all', '--all --no-success'])('%s shows all', async (flags) => {
    const ended = await search(flags, 180);
    expect(ended.limits).toEqual([null]);
    expect(stripVTControlCharacters(ended.stderr)).toBe('180 events in workspace w_1\n');
    expect(ended.lines).toHaveLength(181);
  });
});

it.each(['', '--limit 4', '--all'])('a pipe gets what was asked for: %s', async (flags) => {
  const ended = await search(flags, 180, { piped: true });
  expect(ended.limits).toEqual([flags === '--limit 4' ? '4' : null]);
  expect(JSON.parse(ended.stdout)).toHaveLength(flags === '--limit 4' ? 4 : 180);
});

it.each(['-o json', '--query []', '--chart', '-o csv'])('nor does %s on a terminal have a bound', async (flags) => {
  expect((await search(flags, 60)).limits).toEqual([null]);
});
