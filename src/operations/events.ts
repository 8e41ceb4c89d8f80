/** The document's Events table. */
import { operation } from './operation.ts';
import { backoff, workspace } from './shared.ts';

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
  help: 'Only targets with events created after it',
} as const;

export const searchWorkspaceEvents = operation({
  id: 'searchWorkspaceEvents',
  command: ['events', 'search'],
  summary: 'Search the events stored for a workspace',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/events',
  input: {
    workspace_id: workspace,
    source_revision_digest: { in: 'query', kind: 'string', help: 'Digest of the source revision' },
    lint_report_digest: { in: 'query', kind: 'string', help: 'Digest of the lint report' },
    openapi_diff_report_digest: { in: 'query', kind: 'string', help: 'Digest of the change report' },
    interaction_type: { in: 'query', kind: 'string', record: 'InteractionType', help: 'Kind of interaction' },
    generate_gen_lock_id: { in: 'query', kind: 'string', help: 'Gen lock id, which identifies a target' },
    execution_id: { in: 'query', kind: 'string', help: 'Id shared by the events of one action' },
    success: {
      in: 'query',
      kind: 'boolean',
      help: 'Only successes; with --no-success only failures',
    },
    limit: { in: 'query', kind: 'integer', help: 'Number of results' },
  },
  result: 'list',
  columns,
});

export const postWorkspaceEvents = operation({
  id: 'postWorkspaceEvents',
  command: ['events', 'post'],
  summary: 'Store a batch of events for a workspace',
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
      help: 'The events: NDJSON, an array or one object; @FILE, - or in place; gzip as well',
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
    target_id: { in: 'path', kind: 'string', required: true, help: 'Target id, which is a gen lock id' },
    after_created_at: { in: 'query', kind: 'datetime', help: 'Only events created after it' },
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
  summary: 'List the targets of a workspace that have events',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/events/targets',
  input: { workspace_id: workspace, after_last_event_created_at: afterLastEvent },
  result: 'list',
  columns: targetColumns,
  deprecated: 'events targets list',
});
