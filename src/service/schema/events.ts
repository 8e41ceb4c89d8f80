/** The table of the events, its indexes, and the way into it from the form that it had before. */

/**
 * Members that are searched by, as columns of their own: taken out of the record by each index in turn,
 * they would be most of the work of storing an event.
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

const own = ['workspace_id', 'id', 'digest', 'created_at', 'record'] as const;

/** All but the row's number, in the order of the table. */
export const eventColumns = [...own, ...eventTexts, ...eventFlags] as const;

const table = `CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY,
  ${own.map((name) => `${name} TEXT NOT NULL,`).join(' ')}
  ${eventTexts.map((name) => `${name} TEXT,`).join(' ')}
  ${eventFlags.map((name) => `${name} INTEGER,`).join(' ')}
  UNIQUE (id, workspace_id)
)`;

/** Hardly shared by two workspaces: without the workspace the index is half as large, and so is what a commit writes. */
const rare = ['source_revision_digest', 'lint_report_digest', 'openapi_diff_report_digest', 'execution_id'];

const index = (name: string, columns: string, condition = ''): string =>
  `CREATE INDEX IF NOT EXISTS events_by_${name} ON events (${columns}) ${condition}`;

/** Each index ends with the row's number by itself. */
export const events: readonly string[] = [
  table,
  index('time', 'workspace_id, created_at'),
  ...rare.map((name) => index(name, `${name}, created_at`, `WHERE ${name} IS NOT NULL`)),
  index('lock', 'workspace_id, generate_gen_lock_id, created_at', 'WHERE generate_gen_lock_id IS NOT NULL'),
  index('type', 'workspace_id, interaction_type, created_at, success', 'WHERE interaction_type IS NOT NULL'),
  index('success', 'workspace_id, success, created_at', 'WHERE success IS NOT NULL'),
  index('language', 'workspace_id, generate_target', 'WHERE generate_target IS NOT NULL'),
  index('publishing', 'workspace_id, generate_gen_lock_id, created_at', 'WHERE generate_published = 1'),
];

/** Answers a row for a table whose columns were still generated from the record. */
export const HAS_OLD_EVENTS = "SELECT 1 FROM pragma_table_xinfo('events') WHERE hidden <> 0";

/** The old table takes its indexes with it, whose names the new ones may share. */
export const moveOldEvents: readonly string[] = [
  'ALTER TABLE events RENAME TO events_before',
  table,
  `INSERT INTO events (seq, ${eventColumns.join(', ')}) SELECT seq, ${eventColumns.join(', ')} FROM events_before`,
  'DROP TABLE events_before',
];
