/** The service refuses values that no filter can match, and keeps every digit of an event. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventFlags, eventTexts } from '../../src/service/schema/events.ts';
import { type Served, send, served } from '../support/embedded-service.ts';

let service: Served;
beforeAll(async () => {
  service = await served();
});
afterAll(() => service.close());

const ask = (method: string, path: string, body?: string) =>
  send(service.address, method, `/v1/workspace/${service.workspaceId}/${path}`, {
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });

const event = (fields: string, id: string) => `{"id":"${id}"${fields ? `,${fields}` : ''}}`;

describe.each([...eventTexts, ...eventFlags])('%s', (name) => {
  const isFlag = (eventFlags as readonly string[]).includes(name);
  const [right, wrong] = isFlag ? ['true', '"true"'] : ['"x"', 'true'];
  test.each([wrong, '7', '["x"]', '{"a":1}', '12345678901234567890'])(
    '%s is refused, and nothing is stored',
    async (value) => {
      const id = `${name}-${value.length}`;
      const refused = await ask('POST', 'events', `[${event('', `${id}-first`)},${event(`"${name}":${value}`, id)}]`);
      expect([refused.status, refused.json.message]).toEqual([
        422,
        `body[1].${name} must be ${isFlag ? 'true or false' : 'a string'}`,
      ]);
      expect((await ask('GET', 'events')).text).not.toContain(id);
    },
  );

  test.each([right, 'null'])('%s is stored', async (value) => {
    const id = `ok-${name}-${value}`.replaceAll('"', '');
    expect((await ask('POST', 'events', `[${event(`"${name}":${value}`, id)}]`)).status).toBe(204);
    expect((await ask('GET', 'events')).text).toContain(`"${name}":${value}`);
  });
});

test('unknown strings are stored, and found by the filters', async () => {
  await ask('POST', 'events', `[${event('"interaction_type":"DEPLOY"', 'open')}]`);
  expect((await ask('GET', 'events?interaction_type=DEPLOY')).json).toMatchObject([{ id: 'open' }]);
});

describe('digits', () => {
  const long = '12345678901234567890';
  const fields = `"duration_ms":${long},"generate_gen_lock_id":"t","generate_number_of_operations_used":-${long},"more":{"a":[${long}1]}`;
  const short = event(fields, 'digits');

  test('a list, a search and the targets have them, from one part of a list or several', async () => {
    const many = Array.from({ length: 1500 }, (_, at) => event('"generate_gen_lock_id":"u"', `many-${at}`));
    for (const body of [`[${short}]`, `[\n ${short} ,${many.join(',')},${event(fields, 'last')}]`])
      expect((await ask('POST', 'events', body)).status).toBe(204);
    for (const path of ['events', 'events?generate_gen_lock_id=t', 'events/targets/t/events']) {
      const { text } = await ask('GET', path);
      expect(text).toContain(fields.replaceAll(' ', ''));
    }
    expect((await ask('GET', 'events/targets')).text).toContain(`"generate_number_of_operations_used":-${long}`);
  });

  test('an event is the same only if all digits are', async () => {
    expect((await ask('POST', 'events', `[${short}]`)).status).toBe(204);
    expect((await ask('POST', 'events', `[ ${short.replace(',', ' , ')}]`)).status).toBe(204);
    const other = await ask('POST', 'events', `[${short.replace(`${long},`, `${long.slice(0, -1)}1,`)}]`);
    expect(other.status).toBe(409);
  });

  test.each(['1e400', '-1e999', '1'.repeat(1001)])('%s cannot be kept and is refused', async (number) => {
    const { status, json } = await ask('POST', 'events', `[${event(`"more":${number}`, 'too-long')}]`);
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^the body contains (the|a) number/)]);
  });
});
