/** A value of the wrong type in an event is refused before anything is sent, and by the embedded service. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventFields } from '../../../src/operations/event-fields.ts';
import { eventTypeFault, eventTypes } from '../../../src/operations/event-types.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const good = { string: ['', 'x'], integer: [0, -3, 12], boolean: [true, false] } as const;
const bad = {
  string: [1, true, ['x'], { a: 1 }],
  integer: ['1', true, 1.5, [1], {}],
  boolean: ['yes', 'true', 0, 1, [true], {}],
} as const;

test('every field of an event has a type, and other fields may have any value', () => {
  expect([...eventTypes.keys()]).toEqual(Object.keys(eventFields));
  expect(eventTypeFault({ more: [{}], __proto__: 1, constructor: 3 })).toBeUndefined();
  for (const [name, type] of eventTypes) {
    for (const value of [...good[type], null]) expect(eventTypeFault({ [name]: value })).toBeUndefined();
    for (const value of bad[type]) expect(eventTypeFault({ id: 'e', [name]: value })).toContain(`${name} must be `);
  }
});

const whole = {
  id: 'e_1',
  workspace_id: 'w_1',
  execution_id: 'run-1',
  created_at: '2026-01-31T12:00:00.000Z',
  local_started_at: '2026-01-31T12:00:00.000Z',
};

async function post(text: string, ...flags: readonly string[]) {
  const home = temporaryFolder();
  writeFileSync(join(home, 'x.ndjson'), text);
  const sent: string[] = [];
  const { openSend } = service(({ method }) => {
    sent.push(method);
    return [200, undefined];
  });
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const argv = ['events', 'post', '--body', '@x.ndjson', ...flags];
  return { ...(await dtp(argv, { home, cwd: home, own: 'w_1', openSend, env })), sent };
}

// Complete events are not parsed, and events with missing fields are.
const cases = [...eventTypes].flatMap(([name, type]) =>
  [whole, { type: 'LINT' }].map(
    (rest) => [name, 'type' in rest ? 'filled in' : 'complete', { ...rest, [name]: bad[type][0] }] as const,
  ),
);

test.each(cases)('%s, in an event that is %s', async (name, _, event) => {
  const text = `${JSON.stringify({ ...whole, more: [1], success: true })}\n${JSON.stringify(event)}\n`;
  const { code, stderr, sent } = await post(text);
  expect([code, sent]).toEqual([2, []]);
  expect(stderr).toContain(`line 2 has a value of the wrong type: ${name} must be `);
});

test('it can be sent with --no-check, skipped, or replaced by a flag', async () => {
  const text = `${JSON.stringify({ ...whole, success: 'yes' })}\n`;
  expect(await post(text, '--no-check')).toMatchObject({ code: 0, sent: ['POST'] });
  expect(await post(text, '--success')).toMatchObject({ code: 0, sent: ['POST'] });
  expect(await post(text, '--on-error', 'skip')).toMatchObject({ code: 14, sent: [] });
  expect(await post(JSON.stringify({ ...whole, success: null, duration_ms: 3 }))).toMatchObject({ code: 0 });
});

test.each(['-F success=yes', '-f success=true', '-F duration_ms=1.5', '--success yes'])(
  'dtp events post %s',
  async (line) => {
    const home = temporaryFolder();
    const argv = ['--profile', 'local', 'events', 'post', '--type', 'LINT', ...line.split(' ')];
    expect(await dtp(argv, { home })).toMatchObject({ code: 2, stdout: '' });
  },
);

test.each(cases)('the embedded service refuses %s, in an event that is %s', async (name, _, event) => {
  const home = temporaryFolder();
  const body = JSON.stringify([{ id: 'e_1', ...event, workspace_id: undefined, [name]: event[name as never] }]);
  const path = '/v1/workspace/{workspace_id}/events';
  const { code, stderr } = await dtp(['--profile', 'local', 'api', '-X', 'POST', path, '--body', body], { home });
  expect(code).toBe(7);
  expect(stderr).toContain(name === 'id' || name === 'workspace_id' ? name : `body[0].${name} must be `);
});
