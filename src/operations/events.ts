/** Declares the operations of the API's Events table. */
import { defineOperation, defineOwn, inPath, inQuery, workspace } from './operation.ts';
import { defaultRetryPolicy } from './retry-rules.ts';

/** In a pipe, a table has the fields that a terminal shows, after those that scripts read. */
const events = {
  result: 'list',
  columns: [
    ...(['id', 'interaction_type', 'created_at', 'success', 'execution_id'] as const),
    ...(['generate_target', 'duration_ms', 'gh_action_repository', 'error'] as const),
  ],
  // A terminal shows `success` as a sign at the start of each row.
  screen: [
    'success',
    { title: 'WHEN', from: ['created_at'] },
    { title: 'TYPE', from: ['interaction_type'] },
    { title: 'TARGET', from: ['generate_target_name', 'generate_target'] },
    { title: 'TOOK', from: ['duration_ms'], isLesser: true },
    {
      title: 'BRANCH/REPO',
      from: ['gh_action_repository', 'git_remote_default_owner/git_remote_default_repo', 'repo_label', 'gh_action_ref'],
      isLesser: true,
    },
    { title: 'ERROR', from: ['error'] },
  ],
} as const;
const targets = {
  result: 'list',
  columns: [
    ...(['id', 'generate_target', 'generate_gen_lock_id', 'last_event_interaction_type'] as const),
    ...(['last_event_created_at', 'success', 'gh_action_repository'] as const),
  ],
  screen: [
    'success',
    { title: 'TARGET', from: ['generate_target_name', 'generate_target'] },
    { title: 'LAST EVENT', from: ['last_event_interaction_type'] },
    { title: 'WHEN', from: ['last_event_created_at'] },
    { title: 'REPO', from: ['gh_action_repository', 'repo_label'], isLesser: true },
    { title: 'GENERATION LOCK ID', from: ['generate_gen_lock_id'] },
  ],
} as const;

const afterLastEvent = { in: 'query', kind: 'datetime', help: 'only targets with events after this time' } as const;

export const searchWorkspaceEvents = defineOperation('GET /v1/workspace/{workspace_id}/events', {
  command: ['events', 'search'],
  summary: 'Search the events of a workspace',
  input: {
    workspace_id: workspace,
    source_revision_digest: inQuery('full digest of the source revision'),
    lint_report_digest: inQuery('full digest of the lint report'),
    openapi_diff_report_digest: inQuery('full digest of the change report'),
    interaction_type: { in: 'query', kind: 'string', record: 'InteractionType', help: 'kind of event' },
    generate_gen_lock_id: inQuery('lock id of the target'),
    execution_id: inQuery('full id that all events of one run share'),
    success: { in: 'query', kind: 'boolean', help: 'only successful events (with --no-success: only failed ones)' },
    limit: { in: 'query', kind: 'integer', help: 'maximum number of events' },
  },
  ...events,
  hasNewest: true,
});

export const postWorkspaceEvents = defineOperation('POST /v1/workspace/{workspace_id}/events', {
  command: ['events', 'post'],
  summary: 'Post events',
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
  retry: defaultRetryPolicy,
  flow: 'spool',
});

export const getWorkspaceEventsByTarget = defineOperation(
  'GET /v1/workspace/{workspace_id}/events/targets/{target_id}/events',
  {
    command: ['events', 'list'],
    summary: 'List the events of a target',
    input: {
      workspace_id: workspace,
      target_id: inPath('lock id of the target'),
      after_created_at: { in: 'query', kind: 'datetime', help: 'only events created after this time' },
    },
    ...events,
  },
);

export const getWorkspaceTargets = defineOwn('GET /v1/workspace/events/targets', {
  command: ['events', 'targets', 'list'],
  summary: 'List the targets that have events',
  input: { after_last_event_created_at: afterLastEvent },
  ...targets,
});

export const getWorkspaceTargetsDeprecated = defineOperation('GET /v1/workspace/{workspace_id}/events/targets', {
  command: ['events', 'targets', 'list-deprecated'],
  summary: 'List the targets of a workspace',
  input: { workspace_id: workspace, after_last_event_created_at: afterLastEvent },
  ...targets,
  deprecated: 'events targets list',
});
