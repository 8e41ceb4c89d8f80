/** The table of events, its indexes, and the migration from its older form. */

/**
 * Fields that can be searched, as separate columns. Without these, each index would extract them from the record,
 * which would be most of the work of storing an event.
 */
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

/** All columns but the row number, in the order of the table. */
export const eventColumns = [
  'workspace',
  'id',
  'created_at',
  'record',
  ...eventTexts,
  ...eventFlags,
] as const;

/** The row number of a workspace. `events` stores it instead of the id, which would take up half of most indexes. */
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

/**
 * Two workspaces hardly ever share a value of these fields, so the indexes of the fields do not start with the
 * workspace.
 */
const rare = ['source_revision_digest', 'lint_report_digest', 'openapi_diff_report_digest', 'execution_id'];

/**
 * For each target, the newest event of each set of fields (see target-events.ts). So the last known value of every field
 * is in one of a few events, however many the target has.
 */
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

/** SQLite ends each index with the row number. Only an index with a column after the row number has to name it. */
export const events: readonly string[] = [
  table,
  targetEvents,
  index('time', 'workspace, created_at'),
  ...rare.map((name) => index(name, `${name}, created_at`, `WHERE ${name} IS NOT NULL`)),
  index('lock', 'workspace, generate_gen_lock_id, created_at', 'WHERE generate_gen_lock_id IS NOT NULL'),
  index(
    'type',
    'workspace, interaction_type, created_at, seq, success',
    'WHERE interaction_type IS NOT NULL',
  ),
  index('success', 'workspace, success, created_at', 'WHERE success IS NOT NULL'),
  index('language', 'workspace, generate_target', 'WHERE generate_target IS NOT NULL'),
  // Earlier versions found the last publication of a target with it.
  'DROP INDEX IF EXISTS events_by_publishing',
];

/** Returns a row if the table is of an older version, with a digest of each event, workspace ids and string times. */
export const HAS_OLD_EVENTS = "SELECT 1 FROM pragma_table_xinfo('events') WHERE name = 'digest'";

const searched = [...eventTexts, ...eventFlags].join(', ');

/** Dropping the old table drops its indexes too, so the new ones can have the same names. */
export const moveOldEvents: readonly string[] = [
  'ALTER TABLE events RENAME TO events_before',
  table,
  `INSERT INTO events (seq, workspace, id, created_at, record, ${searched})
   SELECT events_before.seq, workspaces.seq, events_before.id,
     CAST(round(unixepoch(created_at, 'subsec') * 1000) AS INTEGER), events_before.record, ${searched}
   FROM events_before JOIN workspaces ON workspaces.id = workspace_id`,
  'DROP TABLE events_before',
];
