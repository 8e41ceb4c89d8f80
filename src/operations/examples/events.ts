/** Examples of the Events, Reports, Schema store and Short URLs areas. */
import type { Examples } from './example.ts';

export const events = {
  searchWorkspaceEvents: [
    { says: 'The events of one run', command: 'dtp events search --execution-id run-77' },
    {
      says: 'What failed lately, as a list',
      command: `dtp events search --no-success --limit 20 \\
  -o tsv --fields created_at,interaction_type,error`,
    },
  ],
  postWorkspaceEvents: [
    {
      says: 'Post the events of a file: NDJSON, an array or one object',
      command: 'dtp events post --body @events.ndjson',
    },
    {
      says: 'Post one by flags, and what another program writes',
      command: `dtp events post --interaction-type CI_EXEC --success --duration-ms 5120
tail -n 1 events.ndjson | dtp events post --body -`,
    },
  ],
  getWorkspaceEventsByTarget: [
    { says: 'The events of a target', command: 'dtp events list sdk-ts' },
    {
      says: 'Those since January, a line each',
      command: 'dtp events list sdk-ts --after-created-at 2026-01-01T00:00:00Z -o ndjson',
    },
  ],
  getWorkspaceTargets: [
    { says: 'List the targets', command: 'dtp events targets list' },
    {
      says: 'The targets whose last event failed',
      command: "dtp events targets list -r --query '[?success == `false`].id'",
    },
  ],
  getWorkspaceTargetsDeprecated: [
    { says: 'List the targets of a workspace', command: 'dtp events targets list-deprecated -w ws_2c81' },
    {
      says: 'Only those with events since January',
      command: `dtp events targets list-deprecated \\
  --after-last-event-created-at 2026-01-01T00:00:00Z`,
    },
  ],
  uploadReport: [
    { says: 'Upload a lint report', command: 'dtp reports upload --type linting --file lint.html' },
    {
      says: 'Upload a change report, and share it',
      command: `dtp reports upload --type changes --file changes.html \\
  --shorten -r --query short_url`,
    },
  ],
  getLintingReportSignedUrl: [
    {
      says: 'Where a report can be read, for a while',
      command: 'dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac -r --query url',
    },
    {
      says: 'Fetch it',
      command: `dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac \\
  --download report.html`,
    },
  ],
  getChangesReportSignedUrl: [
    {
      says: 'Where a report can be read, for a while',
      command: 'dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb -r --query url',
    },
    {
      says: 'Fetch it, in the place of an older one',
      command: `dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb \\
  --download changes.html --force`,
    },
  ],
  getSchemaStoreItem: [
    { says: 'Show what is stored', command: 'dtp schema-store get --id sch_1b9f' },
    {
      says: 'The document alone, into a file',
      command: 'dtp schema-store get --id sch_1b9f -r --query spec -O stored.yaml',
    },
  ],
  createSchemaStoreItem: [
    {
      says: 'Store a document',
      command: `dtp schema-store create --spec openapi.yaml --format yaml \\
  --package-name @acme/pets --sdk-classname Pets`,
    },
    {
      says: 'The rest from a file, and its id for another command',
      command: `dtp schema-store create --body @package.json --spec openapi.yaml \\
  --format yaml -o name`,
    },
  ],
  create: [
    {
      says: 'Shorten an address',
      command: 'dtp short-urls create --url https://docs.example.com/pets?page=2',
    },
    {
      says: 'The short one alone',
      command: `dtp short-urls create -f url=https://docs.example.com/pets \\
  -r --query short_url`,
    },
  ],
} as const satisfies Examples;
