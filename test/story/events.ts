/** The story's event and target steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

const at = (second: number) => `2026-01-31T12:00:0${second}.000Z`;
const event = (id: string, second: number, more: object) => ({
  id,
  execution_id: 'run-1',
  interaction_type: 'TARGET_GENERATE',
  local_started_at: at(second),
  created_at: at(second),
  success: true,
  generate_target: 'typescript',
  generate_gen_lock_id: 'lock-1',
  generate_number_of_operations_used: 7,
  ...more,
});
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();
export const events: readonly Step[] = [
  {
    says: 'events are posted',
    id: 'postWorkspaceEvents',
    writes: {
      name: 'events.json',
      text: () =>
        JSON.stringify([
          event('e1', 1, {}),
          event('e2', 2, { success: false, colour: 'red' }),
          event('e3', 3, { generate_gen_lock_id: 'lock-2', generate_target: 'go' }),
        ]),
    },
    argv: () => ['events', 'post', '--no-fill', '--body', '@events.json'],
    check: (value) => expect(value).toMatchObject({ accepted: 3, delivered: 3 }),
  },
  {
    says: 'posting them again changes nothing',
    id: 'postWorkspaceEvents',
    argv: () => ['events', 'post', '--no-fill', '--body', '@events.json'],
    check: (value) => expect(value).toMatchObject({ accepted: 3, delivered: 3 }),
  },
  {
    says: 'they are found unchanged',
    id: 'searchWorkspaceEvents',
    argv: () => ['events', 'search', '--execution-id', 'run-1', '--no-success'],
    check: (value) => expect(value).toMatchObject([{ id: 'e2', colour: 'red' }]),
  },
  {
    says: 'all events of the run',
    id: 'searchWorkspaceEvents',
    argv: () => ['events', 'search', '--execution-id', 'run-1'],
    check: (value) => expect(ids(value)).toEqual(['e1', 'e2', 'e3']),
  },
  {
    says: 'a limited number',
    id: 'searchWorkspaceEvents',
    argv: () => ['events', 'search', '--limit', '1'],
    check: (value) => expect(value).toHaveLength(1),
  },
  {
    says: 'events of a target after a given time',
    id: 'getWorkspaceEventsByTarget',
    argv: () => ['events', 'list', 'lock-1', '--after-created-at', '2026-01-31T13:00:01+01:00'],
    check: (value) => expect(ids(value)).toEqual(['e2']),
  },
  {
    says: 'the targets',
    id: 'getWorkspaceTargets',
    argv: () => ['events', 'targets', 'list'],
    record: 'TargetSDK[]',
    check: (value) => expect(ids(value)).toEqual(['lock-1', 'lock-2']),
  },
  {
    says: 'the targets by the deprecated path',
    id: 'getWorkspaceTargetsDeprecated',
    argv: () => ['events', 'targets', 'list-deprecated', '--after-last-event-created-at', at(2)],
    record: 'TargetSDK[]',
    check: (value) => expect(ids(value)).toEqual(['lock-2']),
  },
  {
    says: 'usage counts the languages',
    id: 'getOrganizationUsage',
    argv: () => ['orgs', 'usage', 'get'],
    record: 'OrganizationUsageResponse',
    check: (value) =>
      expect(value.usage.map((one: { language: string }) => one.language).sort()).toEqual(['go', 'typescript']),
  },
  {
    says: 'generation is allowed',
    id: 'getWorkspaceAccess',
    argv: () => ['auth', 'access', '--passive', '--target-type', 'go'],
    record: 'AccessDetails',
    check: (value) => expect(value.generation_allowed).toBe(true),
  },
];
