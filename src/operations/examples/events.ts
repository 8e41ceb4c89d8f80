/** Lists example commands for the Events, Reports, Schema store and Short URLs areas. */
import type { Examples } from '../operation.ts';

export const events = {
  searchWorkspaceEvents: {
    'Search the events of one run': 'dtp events search --execution-id run-77',
    'List recent failures': `dtp events search --no-success --limit 20 \\
  -o tsv --fields created_at,interaction_type,error`,
  },
  postWorkspaceEvents: {
    'Post the events of a file (NDJSON, an array or one object)': 'dtp events post --body @events.ndjson',
    'Post one event from flags, or post the output of another program': `dtp events post --type CI_EXEC --success --duration-ms 5120
tail -n 1 events.ndjson | dtp events post --body -`,
  },
  getWorkspaceEventsByTarget: {
    'List the events of a target': 'dtp events list sdk-ts',
    'List the events of the last 24 hours, one per line': 'dtp events list sdk-ts --since 24h -o ndjson',
  },
  getWorkspaceTargets: {
    'List the targets': 'dtp events targets list',
    'List the targets whose last event failed': "dtp events targets list -r --query '[?success == `false`].id'",
  },
  getWorkspaceTargetsDeprecated: {
    'List the targets of a workspace': 'dtp events targets list-deprecated -w ws_2c81',
    'List only targets with events since January': `dtp events targets list-deprecated \\
  --since 2026-01-01T00:00:00Z`,
  },
  uploadReport: {
    'Upload a lint report': 'dtp reports upload lint.html --type linting',
    'Upload a change report and get a short URL': `dtp reports upload changes.html --type changes \\
  --shorten -r --query short_url`,
  },
  getLintingReportSignedUrl: {
    'Get a temporary URL of a report': 'dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac -r --query url',
    'Download the report': `dtp reports linting-url 3febb4a4b1926e8cdd80062ab06112ac \\
  --download report.html`,
  },
  getChangesReportSignedUrl: {
    'Get a temporary URL of a report': 'dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb -r --query url',
    'Download the report and replace an older file': `dtp reports changes-url 843f9e1f1d9a859cb5b2d430e4fae5fb \\
  --download changes.html --force`,
  },
  getSchemaStoreItem: {
    'Show a stored document': 'dtp schema-store get sch_1b9f',
    'Save only the document': 'dtp schema-store get sch_1b9f -r --query spec -O stored.yaml',
  },
  createSchemaStoreItem: {
    'Store a document': `dtp schema-store create openapi.yaml --package @acme/pets \\
  --sdk-class Pets --yes`,
    'Take the other fields from a file and print the id':
      'dtp schema-store create openapi.yaml --body @package.json --yes -o name',
  },
  create: {
    'Shorten a URL': 'dtp short-urls create --url https://docs.example.com/pets?page=2',
    'Print only the short URL': `dtp short-urls create -f url=https://docs.example.com/pets \\
  -r --query short_url`,
  },
} as const satisfies Examples;
