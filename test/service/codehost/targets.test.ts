/** Targets have the last known value of each field, whatever kind of event it came in, and whenever that was stored. */
import { expect, test } from 'vitest';
import { targetFields } from '../../../src/service/data/target-events.ts';
import { events } from '../../../src/service/handlers/events.ts';
import { eventFlags } from '../../../src/service/schema/events.ts';
import { responseRecords } from '../../support/response-records.ts';
import { jsonOf, listIn, serviceScope } from '../../support/service-scope.ts';

const at = (second: number) => `2025-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

function open() {
  const { scope, stranger } = serviceScope();
  const post = (second: number, more: object, target: unknown = 'lock') =>
    events.postWorkspaceEvents(
      {
        workspace_id: scope.caller.workspaceId,
        body: [
          {
            id: `${second} ${JSON.stringify(more)}`,
            generate_gen_lock_id: target,
            created_at: at(second),
            ...more,
          },
        ],
      },
      scope,
    );
  const targets = () => listIn(events.getWorkspaceTargets({}, scope));
  return { scope, stranger, post, targets };
}

test('a target takes every field of its record from its events, except those about its last event', () => {
  const names = Object.keys(responseRecords.TargetSDK ?? {});
  expect(targetFields).toEqual(names.filter((name) => !/^(id$|last_)/.test(name)));
});

/** A value of the field's type. */
const sampleOf = (name: string) => (eventFlags.some((flag) => flag === name) ? true : `some ${name}`);

test.each(targetFields.filter((name) => name !== 'generate_gen_lock_id'))(
  '%s is still known after events without it',
  (name) => {
    const { post, targets } = open();
    const value = sampleOf(name);
    post(1, { interaction_type: 'TARGET_GENERATE', [name]: value });
    post(2, { interaction_type: 'PUBLISH', [name]: null });
    post(3, { interaction_type: 'LINT' });
    expect(targets()).toMatchObject([
      { id: 'lock', [name]: value, last_event_interaction_type: 'LINT', last_event_created_at: at(3) },
    ]);
  },
);

test('a newer value replaces an older one, also if the older event arrives later', () => {
  const { post, targets } = open();
  post(5, { generate_target: 'go', hostname: 'five' });
  post(7, { generate_target: 'python' });
  post(3, { generate_target: 'java', hostname: 'three', repo_label: 'three' });
  post(6, { hostname: 'six' });
  expect(targets()).toMatchObject([
    { generate_target: 'python', hostname: 'six', repo_label: 'three', last_event_created_at: at(7) },
  ]);
  // Of two events of the same time, the one that arrived last counts.
  post(7, { generate_target: 'ruby' });
  expect(targets()).toMatchObject([{ generate_target: 'ruby' }]);
});

test('an error is over once a later event has a result', () => {
  const { post, targets } = open();
  const error = () => targets()[0]?.error;
  post(1, { success: false, error: 'no such file' });
  expect(error()).toBe('no such file');
  post(2, { hostname: 'ci' });
  expect(error()).toBe('no such file');
  post(3, { success: true });
  expect(error()).toBeUndefined();
  post(4, { error: 'later' });
  expect(error()).toBe('later');
});

test('the last publication is known after any number of other events', () => {
  const { post, targets } = open();
  post(1, { generate_published: true, gh_action_run_link: 'first' });
  post(2, { generate_published: true, gh_action_run_link: 'second' });
  for (let second = 3; second < 9; second++) post(second, { generate_published: false, hostname: 'x' });
  expect(targets()).toMatchObject([
    {
      generate_published: false,
      last_publish_created_at: at(2),
      last_publish_gh_action_run_link: 'second',
    },
  ]);
});

test('a batch that is refused, and an event that is sent again, change nothing', async () => {
  const { scope, post, targets } = open();
  post(1, { hostname: 'one' });
  post(1, { hostname: 'other' });
  const before = targets();
  expect(before).toMatchObject([{ hostname: 'other' }]);
  post(1, { hostname: 'one' });
  expect(targets()).toEqual(before);
  const body = [
    { id: 'new', generate_gen_lock_id: 'lock', created_at: at(9), hostname: 'new' },
    { id: `1 ${JSON.stringify({ hostname: 'one' })}`, hostname: 'changed' },
  ];
  const { workspaceId } = scope.caller;
  await expect(events.postWorkspaceEvents({ workspace_id: workspaceId, body }, scope)).rejects.toThrow('already used');
  expect(targets()).toEqual(before);
});

test('the events of a target among many are found without reading the others', () => {
  const { scope, targets } = open();
  const { workspaceId } = scope.caller;
  const body = Array.from({ length: 3000 }, (_, index) => ({
    id: `many ${index}`,
    generate_gen_lock_id: `lock-${index % 3}`,
    ...(index < 3 && { generate_target: 'go' }),
  }));
  events.postWorkspaceEvents({ workspace_id: workspaceId, body }, scope);
  let reads = 0;
  const get: typeof scope.store.get = (sql, ...values) => {
    if (sql.includes('FROM events WHERE seq')) reads++;
    return scope.store.get(sql, ...values);
  };
  const counted = { ...scope, store: { ...scope.store, get } };
  expect(listIn(events.getWorkspaceTargets({}, counted))).toEqual(targets());
  expect(targets().map(({ generate_target }) => generate_target)).toEqual(['go', 'go', 'go']);
  expect(reads).toBeLessThan(10);
});

test('targets of large events are read in pieces, and one that needs more than a statement may read is read too', async () => {
  const { scope, post } = open();
  const raw_command = 'x'.repeat(2 ** 20 - 500);
  for (let number = 0; number < 40; number++) post(number % 60, { raw_command, number }, `lock-${number}`);
  let most = 0;
  const all: typeof scope.store.all = (sql, ...values) => {
    const rows = scope.store.all(sql, ...values);
    most = Math.max(most, JSON.stringify(rows).length);
    return rows;
  };
  const watched = { ...scope, store: { ...scope.store, all } };
  expect(await jsonOf(events.getWorkspaceTargets({}, watched))).toHaveLength(40);
  expect(most).toBeLessThan(3 * 2 ** 20);
  for (const [number, name] of targetFields.entries()) post(number, { raw_command, [name]: sampleOf(name) }, 'one');
  const found: readonly Record<string, unknown>[] = await jsonOf(events.getWorkspaceTargets({}, scope));
  expect(found.find(({ id }) => id === 'one')).toMatchObject({ hostname: expect.any(String) });
});
