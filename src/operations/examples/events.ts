/** Lists example commands for the Events, Reports, Schema store and Short URLs areas. */
import type { Examples } from './example.ts';

export const events = {
  searchWorkspaceEvents: [
    { says: 'Search the events of one run', command: 'dtp events search --execution-id run-77' },
    {
      says: 'List recent failures',
      command: `dtp events search --no-success --limit 20 \\
  -o tsv --fields created_at,interaction_type,error`,
    },
  ],
  postWorkspaceEvents: [
    {
      says: 'Post the events of a file (NDJSON, an array or one object)',
      command: 'dtp events post --body @events.ndjson',
    },
    {
      says: 'Post one event from flags, or post the output of another program',
      command: `dtp events post --type CI_EXEC --success --duration-ms 5120
tail -n 1 events.ndjson | dtp events post --body -`,
    },
  ],
  getWorkspaceEventsByTarget: [
    { says: 'List the events of a target', command: 'dtp events list sdk-ts' },
    {
      says: 'List the events of the last 24 hours, one per line',
      command: 'dtp events list sdk-ts --since 24h -o ndjson',
    },
  ],
  getWorkspaceTargets: [
    { says: 'List the targets', command: 'dtp events targets list' },
    {
      says: 'List the targets whose last event failed',
      command: "dtp events targets list -r --query '[?success == `false`].id'",
    },
  ],
  getWorkspaceTargetsDeprecated: [
    { says: 'List the targets of a workspace', command: 'dtp events targets list-deprecated -w ws_2c81' },
    {
      says: 'List only targets with events since January',
      command: `dtp events targets list-deprecated \\
  --since 2026-01-01T00:00:00Z`,
    },
  ],
  uploadReport: [
    { says: 'Upload a lint report', command: 'dtp reports upload --type linting --file lint.html' },
    {
      says: 'Upload a change report and get a short URL',
      command: `dtp reports upload --type changes --file changes.html \\
  --shorten -r --query short_url`,
    },
  ],
  getLintingReportSignedUrl: [
    {
      says: 'Get a temporary URL of a report',
      command: 'dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac -r --query url',
    },
    {
      says: 'Download the report',
      command: `dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac \\
  --download report.html`,
    },
  ],
  getChangesReportSignedUrl: [
    {
      says: 'Get a temporary URL of a report',
      command: 'dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb -r --query url',
    },
    {
      says: 'Download the report and replace an older file',
      command: `dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb \\
  --download changes.html --force`,
    },
  ],
  getSchemaStoreItem: [
    { says: 'Show a stored document', command: 'dtp schema-store get sch_1b9f' },
    {
      says: 'Save only the document',
      command: 'dtp schema-store get sch_1b9f -r --query spec -O stored.yaml',
    },
  ],
  createSchemaStoreItem: [
    {
      says: 'Store a document',
      command: `dtp schema-store create openapi.yaml --package @acme/pets \\
  --sdk-class Pets --yes`,
    },
    {
      says: 'Take the other fields from a file and print the id',
      command: 'dtp schema-store create openapi.yaml --body @package.json --yes -o name',
    },
  ],
  create: [
    {
      says: 'Shorten a URL',
      command: 'dtp short-urls create --url https://docs.example.com/pets?page=2',
    },
    {
      says: 'Print only the short URL',
      command: `dtp short-urls create -f url=https://docs.example.com/pets \\
  -r --query short_url`,
    },
  ],
} as const satisfies Examples;
