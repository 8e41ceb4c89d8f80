/** The operations of the API's Events table. */
import { operation } from './operation.ts';
import { backoff } from './retry-policies.ts';
import { workspace } from './shared.ts';

const columns = ['id', 'interaction_type', 'created_at', 'success', 'execution_id'] as const;
const targetColumns = [
  'id',
  'generate_target',
  'last_event_interaction_type',
  'last_event_created_at',
  'success',
] as const;

const afterLastEvent = {
  in: 'query',
  kind: 'datetime',
  help: 'only targets with events after this time',
} as const;

export const searchWorkspaceEvents = operation({
  id: 'searchWorkspaceEvents',
  command: ['events', 'search'],
  summary: 'Search the events of a workspace',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/events',
  input: {
    workspace_id: workspace,
    source_revision_digest: { in: 'query', kind: 'string', help: 'digest of the source revision' },
    lint_report_digest: { in: 'query', kind: 'string', help: 'digest of the lint report' },
    openapi_diff_report_digest: { in: 'query', kind: 'string', help: 'digest of the change report' },
    interaction_type: { in: 'query', kind: 'string', record: 'InteractionType', help: 'kind of event' },
    generate_gen_lock_id: { in: 'query', kind: 'string', help: "the target's lock id" },
    execution_id: { in: 'query', kind: 'string', help: 'id shared by all events of one run' },
    success: {
      in: 'query',
      kind: 'boolean',
      help: 'only successes (with --no-success: only failures)',
    },
    limit: { in: 'query', kind: 'integer', help: 'maximum number of events' },
  },
  result: 'list',
  columns,
});

export const postWorkspaceEvents = operation({
  id: 'postWorkspaceEvents',
  command: ['events', 'post'],
  summary: 'Post events',
  method: 'POST',
  path: '/v1/workspace/{workspace_id}/events',
  input: {
    workspace_id: workspace,
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      many: true,
      record: 'CliEvent',
      help: 'events as NDJSON, an array or one object: @FILE (also .gz), - or inline',
    },
  },
  result: 'none',
  retry: backoff,
  flow: 'spool',
});

export const getWorkspaceEventsByTarget = operation({
  id: 'getWorkspaceEventsByTarget',
  command: ['events', 'list'],
  summary: 'List the events of a target',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/events/targets/{target_id}/events',
  input: {
    workspace_id: workspace,
    target_id: { in: 'path', kind: 'string', required: true, help: "target id (the target's lock id)" },
    after_created_at: { in: 'query', kind: 'datetime', help: 'only events created after this time' },
  },
  result: 'list',
  columns,
});

export const getWorkspaceTargets = operation({
  id: 'getWorkspaceTargets',
  command: ['events', 'targets', 'list'],
  summary: 'List the targets that have events',
  method: 'GET',
  path: '/v1/workspace/events/targets',
  input: { after_last_event_created_at: afterLastEvent },
  result: 'list',
  columns: targetColumns,
});

export const getWorkspaceTargetsDeprecated = operation({
  id: 'getWorkspaceTargetsDeprecated',
  command: ['events', 'targets', 'list-deprecated'],
  summary: 'List the targets of a workspace (deprecated)',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/events/targets',
  input: { workspace_id: workspace, after_last_event_created_at: afterLastEvent },
  result: 'list',
  columns: targetColumns,
  deprecated: 'events targets list',
});
