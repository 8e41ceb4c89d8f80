/** The line that a watched server writes for each request. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { requestLines, type Served } from '../../src/render/request-line.ts';
import { widthOf } from '../../src/render/width.ts';

const at = new Date(2026, 0, 31, 12, 4, 31).getTime();
const id = 'ea31c0de-0574-45e1-9139-9ef9b8a21958';
const events: Served = {
  at,
  method: 'POST',
  path: `/v1/workspace/${id}/events`,
  status: 204,
  ms: 3,
  operation: 'postWorkspaceEvents',
};

test.each<readonly [string, Partial<Served>, number, readonly string[]]>([
  [
    'success',
    {},
    100,
    ['12:04:31  POST    /v1/workspace/…/events                       204    3 ms  postWorkspaceEvents'],
  ],
  ['a narrow terminal', {}, 50, ['12:04:31  POST    /v1/workspace/…/events       204']],
  [
    'a reason that fits',
    { status: 401, reason: 'unknown API key' },
    140,
    [
      '12:04:31  POST    /v1/workspace/…/events                            401    3 ms  postWorkspaceEvents       unknown API key',
    ],
  ],
  [
    'a reason that does not fit',
    { status: 401, reason: 'unknown API key' },
    80,
    ['12:04:31  POST    /v1/workspace/…/events   401    3 ms  postWorkspaceEvents', '          unknown API key'],
  ],
  [
    'a dropped connection',
    { status: undefined },
    80,
    ['12:04:31  POST    /v1/workspace/…/events   ---    3 ms  postWorkspaceEvents', '          connection dropped'],
  ],
])('%s', (_, more, width, lines) => {
  expect(requestLines({ ...events, ...more }, width, false)).toEqual(lines);
});

describe('every line', () => {
  const paths = [
    events.path,
    `/v1/oci/v2/acme/main/pets/manifests/sha256:${'a'.repeat(64)}`,
    `/${'x'.repeat(300)}`,
    '/\u001b[2J\n/表/é',
    '/',
  ];
  const reasons = [undefined, 'not found', 'a long reason '.repeat(20), 'evil\u001b[2J\nreason'];
  const cases = paths.flatMap((path) => reasons.map((reason) => ({ path, reason })));

  it.each([40, 60, 71, 72, 80, 120, 200])('fits in %i columns and has no control characters', (width) => {
    for (const { path, reason } of cases)
      for (const status of [200, 404, 503])
        for (const line of requestLines({ ...events, path, reason, status }, width, false)) {
          expect(widthOf(line), line).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
  });

  it('has a color for its status, and the same words without color', () => {
    const shown = (status: number) => requestLines({ ...events, status, reason: 'why' }, 80, true);
    for (const [status, code] of [
      [204, 32],
      [404, 33],
      [500, 31],
    ] as const) {
      expect(shown(status)[0]).toContain(`\u001b[${code}m${status}\u001b[39m`);
      const plain = requestLines({ ...events, status, reason: 'why' }, 80, false);
      expect(shown(status).map((line) => stripVTControlCharacters(line))).toEqual(plain);
    }
  });
});
