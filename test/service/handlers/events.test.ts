/** The embedded service's events: stored once, searched, listed by target. */
import { expect, test } from 'vitest';
import type { Reply } from '../../../src/service/handler.ts';
import { events } from '../../../src/service/handlers/events.ts';
import { faults } from '../../support/record-shape.ts';
import { listIn, refusal, START, serviceScope, serviceSocket } from '../../support/service-scope.ts';

const event = (id: string, more: object = {}) => ({
  id,
  execution_id: 'run-1',
  speakeasy_api_key_name: 'ci',
  interaction_type: 'CI_EXEC',
  local_started_at: START,
  speakeasy_version: '1.0.0',
  success: true,
  ...more,
});

function open() {
  const { scope, stranger, wait } = serviceScope();
  const workspace_id = scope.caller.workspaceId;
  const post = (...body: unknown[]) => events.postWorkspaceEvents({ workspace_id, body }, scope);
  const search = (filter: object = {}) =>
    listIn(events.searchWorkspaceEvents({ workspace_id, ...filter }, scope) as Reply);
  const ids = (filter: object = {}) => search(filter).map(({ id }) => id);
  return { scope, stranger, wait, workspace_id, post, search, ids };
}

test('an event is stored with unknown fields, its workspace and the current time', async () => {
  const { post, search, workspace_id } = open();
  expect(await post(event('a', { anything: { nested: [1] } }))).toBeUndefined();
  expect(search()).toEqual([{ ...event('a', { anything: { nested: [1] } }), workspace_id, created_at: START }]);
  expect(faults('CliEvent[]', search())).toEqual([]);
});

test('an event with the same id and content is stored once, even if it is late or its fields are in another order', () => {
  const { post, ids, wait } = open();
  const { id, ...rest } = event('a');
  post(event('a'), event('a'));
  wait(5000);
  post({ ...rest, id }, event('b'), event('b'));
  expect(ids()).toEqual(['b', 'a']);
});

test('the same id with different content is a conflict, and the whole batch is refused', async () => {
  const { post, ids } = open();
  post(event('a'));
  expect(await refusal(() => post(event('b'), event('a', { success: false })))).toMatch(
    /^409 body\[1\]\.id is already used/,
  );
  expect(ids()).toEqual(['a']);
});

test.each([
  ['a body that is not an array', 'nothing', /^422 body must be an array/],
  ['an empty batch', [], /^422 body must be an array/],
  ['an event that is not an object', [event('a'), 7], /^422 body\[1\] must be a JSON object/],
  ['an event without id', [{}], /^422 body\[0\]\.id/],
  ['an id that is not a string', [{ id: 7 }], /^422 body\[0\]\.id/],
  ['another workspace', [event('a', { workspace_id: 'elsewhere' })], /^422 body\[0\]\.workspace_id/],
  ['an invalid time', [event('a', { created_at: 'soon' })], /^422 body\[0\]\.created_at/],
  ['a time in another format', [event('a', { created_at: 'Jan 5 2024' })], /^422 body\[0\]\.created_at/],
])('%s is refused', async (_name, body, message) => {
  const { scope, workspace_id, ids } = open();
  expect(await refusal(() => events.postWorkspaceEvents({ workspace_id, body: body as never }, scope))).toMatch(
    message,
  );
  expect(ids()).toEqual([]);
});

test('each filter finds the matching events, alone and combined', () => {
  const { post, ids } = open();
  const filters = {
    source_revision_digest: 'sha256:1',
    lint_report_digest: 'md5-1',
    openapi_diff_report_digest: 'md5-2',
    interaction_type: 'LINT',
    generate_gen_lock_id: 'lock-1',
    execution_id: 'run-2',
    success: false,
  };
  post(event('other'), event('wanted', filters));
  for (const [name, value] of Object.entries(filters)) expect(ids({ [name]: value }), name).toEqual(['wanted']);
  expect(ids(filters)).toEqual(['wanted']);
  expect(ids({ ...filters, execution_id: 'run-1' })).toEqual([]);
  expect(ids({ success: true })).toEqual(['other']);
});

test('events are sorted by time and then by arrival, newest first, and limited', async () => {
  const { post, ids } = open();
  post(
    event('noon', { created_at: '2025-01-01T12:00:00Z' }),
    event('late', { created_at: '2025-01-01T11:30:00-01:00' }),
    event('early', { created_at: '2025-01-01T12:30:00+01:00' }),
    event('noon-too', { created_at: '2025-01-01T12:00:00.000Z' }),
  );
  expect(ids()).toEqual(['late', 'noon-too', 'noon', 'early']);
  expect(ids({ limit: 2 })).toEqual(['late', 'noon-too']);
  expect(ids({ limit: 0 })).toEqual([]);
  expect(await refusal(() => ids({ limit: -1 }))).toMatch(/^422 limit/);
});

test('events of a target are listed after a given time', async () => {
  const { scope, workspace_id, post } = open();
  post(
    event('a', { generate_gen_lock_id: 'lock', created_at: '2025-01-01T00:00:00Z' }),
    event('b', { generate_gen_lock_id: 'lock', created_at: '2025-01-02T00:00:00Z' }),
    event('c', { generate_gen_lock_id: 'lock-2', created_at: '2025-01-03T00:00:00Z' }),
  );
  const list = (after?: string) =>
    listIn(
      events.getWorkspaceEventsByTarget(
        { workspace_id, target_id: 'lock', ...(after && { after_created_at: after }) },
        scope,
      ),
    );
  expect(list().map(({ id }) => id)).toEqual(['b', 'a']);
  expect(list('2025-01-01T01:00:00+01:00').map(({ id }) => id)).toEqual(['b']);
  expect(list('2025-01-02T00:00:00Z')).toEqual([]);
  expect(await refusal(() => list('yesterday'))).toMatch(/^422 after_created_at/);
});

test('targets are derived from the events of each gen lock id', () => {
  const { scope, stranger, workspace_id, post } = open();
  const base = { generate_gen_lock_id: 'lock-1', generate_target: 'python' };
  post(
    event('1', {
      ...base,
      created_at: '2025-01-01T00:00:00Z',
      generate_published: true,
      gh_action_run_link: 'link',
    }),
    event('2', {
      ...base,
      created_at: '2025-01-02T00:00:00Z',
      success: false,
      hostname: 'here',
      raw_command: 'x',
    }),
    event('3', { generate_gen_lock_id: 'lock-2', created_at: '2025-01-03T00:00:00Z' }),
    event('4'),
  );
  const targets = listIn(events.getWorkspaceTargets({}, scope));
  expect(targets.map(({ id }) => id)).toEqual(['lock-2', 'lock-1']);
  expect(faults('TargetSDK[]', targets)).toEqual([]);
  expect(targets[0]).toMatchObject({ generate_target: '', last_event_id: '3' });
  expect(targets[1]).toEqual({
    id: 'lock-1',
    ...base,
    last_event_id: '2',
    last_event_created_at: '2025-01-02T00:00:00.000Z',
    last_event_interaction_type: 'CI_EXEC',
    success: false,
    hostname: 'here',
    generate_published: true,
    gh_action_run_link: 'link',
    last_publish_created_at: '2025-01-01T00:00:00.000Z',
    last_publish_gh_action_run_link: 'link',
  });
  const after = { after_last_event_created_at: '2025-01-02T00:00:00Z' };
  expect(listIn(events.getWorkspaceTargets(after, scope)).map(({ id }) => id)).toEqual(['lock-2']);
  expect(listIn(events.getWorkspaceTargetsDeprecated({ workspace_id }, scope))).toEqual(targets);
  expect(listIn(events.getWorkspaceTargets({}, stranger))).toEqual([]);
});

test.each([
  ['execution_id', 'execution_id'],
  ['source_revision_digest', 'source_revision_digest'],
  ['lint_report_digest', 'lint_report_digest'],
  ['openapi_diff_report_digest', 'openapi_diff_report_digest'],
  ['generate_gen_lock_id', 'lock'],
  ['interaction_type', 'type'],
  ['success', 'success'],
  ['limit', 'time'],
])('a search by %s uses the index by %s and does not sort', (name, index) => {
  const { scope, workspace_id } = open();
  const plans: unknown[] = [];
  const all: typeof scope.store.all = (sql, ...values) => {
    plans.push(...scope.store.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail));
    return scope.store.all(sql, ...values);
  };
  const value = name === 'success' ? true : name === 'limit' ? 9 : 'x';
  events.searchWorkspaceEvents({ workspace_id, [name]: value }, { ...scope, store: { ...scope.store, all } });
  expect(plans.filter((detail) => String(detail).includes('events'))).toEqual([
    expect.stringMatching(new RegExp(`^SEARCH events USING INDEX events_by_${index} `)),
  ]);
  expect(plans.join()).not.toContain('TEMP B-TREE');
});

test('over a socket: events are posted, searched, listed by target, and refused with the Error record', async () => {
  const { ask, send, first, stranger } = await serviceSocket();
  const path = `/v1/workspace/${first.workspaceId}/events`;
  const posted = await send('POST', path, [
    event('a', { generate_gen_lock_id: 'l/1' }),
    event('b', { success: false }),
  ]);
  expect([posted.status, await posted.text()]).toEqual([204, '']);
  const ids = async (query: string) =>
    (await (await ask('GET', path + query)).json()).map(({ id }: { id: string }) => id);
  expect(await ids('?success=false&limit=5')).toEqual(['b']);
  expect(await ids('?limit=1')).toEqual(['b']);
  expect(await ids('/targets/l%2F1/events?after_created_at=2020-01-01T00%3A00%3A00Z')).toEqual(['a']);
  const targets = await (await ask('GET', '/v1/workspace/events/targets')).json();
  expect(targets).toMatchObject([{ id: 'l/1', last_event_id: 'a' }]);
  expect(await (await ask('GET', `${path}/targets`)).json()).toEqual(targets);
  const conflict = await send('POST', path, [event('a', { success: false })]);
  expect(conflict.status).toBe(409);
  expect(faults('Error', await conflict.json())).toEqual([]);
  expect((await send('POST', path, {})).status).toBe(422);
  expect((await ask('GET', path, undefined, { 'x-api-key': 'wrong' })).status).toBe(401);
  expect((await ask('GET', '/v1/workspace/none/events')).status).toBe(404);
  expect(stranger.caller.workspaceId).not.toBe(first.workspaceId);
});
