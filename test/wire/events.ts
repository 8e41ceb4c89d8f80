/** The Events operations on the wire. */
import { asksJson, lines, posted, type Row, sendsJson } from '../support/wire.ts';

export const events: readonly Row[] = [
  {
    id: 'searchWorkspaceEvents',
    argv: ['events', 'search', '-w', 'w_1'],
    method: 'GET',
    path: '/v1/workspace/w_1/events',
    headers: asksJson,
    reply: [200, '[{"id":"e_1"}]'],
    stdout: lines('[', '  {', '    "id": "e_1"', '  }', ']'),
  },
  {
    id: 'searchWorkspaceEvents',
    argv: [
      ...['events', 'search', '-w', 'w_1', '--limit', '100', '--success', '--execution-id', 'x 1'],
      ...['--generate-gen-lock-id', 'g_1', '--interaction-type', 'CI_EXEC'],
      ...['--openapi-diff-report-digest', 'd', '--lint-report-digest', 'l'],
      ...['--source-revision-digest', 'sha256:abc/é x'],
    ],
    method: 'GET',
    path:
      '/v1/workspace/w_1/events?source_revision_digest=sha256%3Aabc%2F%C3%A9%20x&lint_report_digest=l' +
      '&openapi_diff_report_digest=d&interaction_type=CI_EXEC&generate_gen_lock_id=g_1&execution_id=x%201' +
      '&success=true&limit=100',
    headers: asksJson,
    reply: [200, '[]'],
    stdout: lines('[]'),
  },
  {
    id: 'searchWorkspaceEvents',
    argv: ['events', 'search', '-w', 'w_1', '--no-success', '--interaction-type', 'NOT KNOWN', '--limit', '1'],
    method: 'GET',
    path: '/v1/workspace/w_1/events?interaction_type=NOT%20KNOWN&success=false&limit=1',
    headers: asksJson,
    reply: [200, '[]'],
    stdout: lines('[]'),
  },
  {
    id: 'postWorkspaceEvents',
    argv: [
      ...['events', 'post', '-w', 'w_1', '--no-fill'],
      ...['--body', '[{"id":"e_1","unknown":{"a":"é"}},{"id":"e_2"}]'],
    ],
    method: 'POST',
    path: '/v1/workspace/w_1/events',
    headers: sendsJson,
    body: [{ id: 'e_1', unknown: { a: 'é' } }, { id: 'e_2' }],
    reply: [204],
    stdout: posted({ accepted: 2, delivered: 2, bytes: 48 }),
  },
  {
    id: 'postWorkspaceEvents',
    argv: [
      ...['events', 'post', '-w', 'w_1', '--body', '@batch.json', '--no-success', '--duration-ms', '12'],
      ...['--execution-id', 'x', '--no-fill'],
    ],
    files: { 'batch.json': '[{"id":"e_1","success":true},{"id":"e_2"}]' },
    method: 'POST',
    path: '/v1/workspace/w_1/events',
    headers: sendsJson,
    body: [
      { id: 'e_1', success: false, duration_ms: 12, execution_id: 'x' },
      { id: 'e_2', success: false, duration_ms: 12, execution_id: 'x' },
    ],
    reply: [200],
    stdout: posted({ accepted: 2, delivered: 2, bytes: 131 }),
  },
  {
    id: 'postWorkspaceEvents',
    argv: ['events', 'post', '-w', 'w_1', '--id', 'e_1', '--interaction-type', 'CI_EXEC', '--success'],
    method: 'POST',
    path: '/v1/workspace/w_1/events',
    headers: sendsJson,
    body: [
      {
        workspace_id: 'w_1',
        execution_id: '019c13ec-9e00-7000-8000-000000000000',
        created_at: '2026-01-31T12:00:00.000Z',
        local_started_at: '2026-01-31T12:00:00.000Z',
        id: 'e_1',
        interaction_type: 'CI_EXEC',
        success: true,
      },
    ],
    reply: [200],
    stdout: posted({ bytes: 219 }),
  },
  {
    id: 'getWorkspaceEventsByTarget',
    argv: ['events', 'list', 'gen lock/1', '-w', 'w_1', '--after-created-at', '2026-01-31T12:00:00.000Z'],
    method: 'GET',
    path: '/v1/workspace/w_1/events/targets/gen%20lock%2F1/events?after_created_at=2026-01-31T12%3A00%3A00.000Z',
    headers: asksJson,
    reply: [200, '[]'],
    stdout: lines('[]'),
  },
  {
    id: 'getWorkspaceTargets',
    argv: [...['events', 'targets', 'list'], ...['--after-last-event-created-at', '2026-01-31T12:00:00+01:00']],
    method: 'GET',
    path: '/v1/workspace/events/targets?after_last_event_created_at=2026-01-31T12%3A00%3A00%2B01%3A00',
    headers: asksJson,
    reply: [200, '[{"id":"t_1"}]'],
    stdout: lines('[', '  {', '    "id": "t_1"', '  }', ']'),
  },
  {
    id: 'getWorkspaceTargets',
    argv: ['events', 'targets', 'list'],
    method: 'GET',
    path: '/v1/workspace/events/targets',
    headers: asksJson,
    reply: [200, '[]'],
    stdout: lines('[]'),
  },
  {
    id: 'getWorkspaceTargetsDeprecated',
    argv: [
      ...['events', 'targets', 'list-deprecated', '-w', 'w_1'],
      ...['--after-last-event-created-at', '2026-01-31T12:00:00Z'],
    ],
    method: 'GET',
    path: '/v1/workspace/w_1/events/targets?after_last_event_created_at=2026-01-31T12%3A00%3A00Z',
    headers: asksJson,
    reply: [200, '[]'],
    stdout: lines('[]'),
  },
];
