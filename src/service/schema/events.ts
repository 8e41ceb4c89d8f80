/** Defines the table of events and its indexes. */

/** The string fields that can be searched. Extracting them from the record for each index would take too long. */
export const eventTexts = [
  'source_revision_digest',
  'lint_report_digest',
  'openapi_diff_report_digest',
  'interaction_type',
  'generate_gen_lock_id',
  'execution_id',
  'generate_target',
] as const;

export const eventFlags = ['success', 'generate_published'] as const;

/** All columns except the row number, in the order of the table. */
export const eventColumns = ['workspace', 'id', 'created_at', 'record', ...eventTexts, ...eventFlags] as const;

/** Selects the row number of a workspace. `events` stores it instead of the id, which would double most indexes. */
export const WORKSPACE = '(SELECT seq FROM workspaces WHERE id = ?1)';

/** `created_at` is in milliseconds since the epoch. */
const table = `CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  record TEXT NOT NULL,
  ${eventTexts.map((name) => `${name} TEXT,`).join(' ')}
  ${eventFlags.map((name) => `${name} INTEGER,`).join(' ')}
  UNIQUE (id, workspace)
)`;

/** Fields whose values two workspaces rarely share. Their indexes therefore do not start with the workspace. */
const rare = ['source_revision_digest', 'lint_report_digest', 'openapi_diff_report_digest', 'execution_id'];

/** The newest event of each target and set of fields (see target-events.ts): few events, with all newest values. */
const targetEvents = `CREATE TABLE IF NOT EXISTS target_events (
  workspace INTEGER NOT NULL,
  target TEXT NOT NULL,
  fields INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (workspace, target, fields)
) WITHOUT ROWID`;

const index = (name: string, columns: string, condition = ''): string =>
  `CREATE INDEX IF NOT EXISTS events_by_${name} ON events (${columns}) ${condition}`;

/** SQLite adds the row number to the end of each index. An index names it only if another column follows. */
export const events: readonly string[] = [
  table,
  targetEvents,
  index('time', 'workspace, created_at'),
  ...rare.map((name) => index(name, `${name}, created_at`, `WHERE ${name} IS NOT NULL`)),
  index('lock', 'workspace, generate_gen_lock_id, created_at', 'WHERE generate_gen_lock_id IS NOT NULL'),
  index('type', 'workspace, interaction_type, created_at, seq, success', 'WHERE interaction_type IS NOT NULL'),
  index('success', 'workspace, success, created_at', 'WHERE success IS NOT NULL'),
  index('language', 'workspace, generate_target', 'WHERE generate_target IS NOT NULL'),
];
