/** Defines the flags of operations that set no known field: for the whole body, and for waiting or downloading. */
import { defaultsOf, type FlagSpecs, fieldFlags, type ValueOf } from '../declarations/flag.ts';
import { effectOf, type Operation } from '../operations/operation.ts';
import { takesBody } from './operation-flags.ts';

const polling = {
  waitTimeout: { value: 'time', default: '10m', help: 'maximum time to wait' },
  pollInterval: { value: 'time', default: '2s', help: 'polling interval' },
} as const;

const flows = {
  wait: { wait: { help: 'wait until the job is done and print its result' }, ...polling },
  run: { wait: { help: 'wait until the run has ended and print its status' }, ...polling },
  pages: {
    all: { help: 'fetch all pages as one list' },
    limit: { short: 'L', value: 'number', help: 'maximum number of rows, across pages' },
  },
  spool: {
    batchSize: { value: 'number', default: '500', help: 'events per request' },
    concurrency: { value: 'number', default: '4', help: 'parallel requests' },
    onError: { value: 'what', choices: ['stop', 'skip'], default: 'stop', help: 'what to do with an invalid event' },
    check: { isNegated: true, help: 'also send objects that have no known event field' },
    fill: { isNegated: true, help: 'do not fill in missing ids and times' },
    queue: { isNegated: true, help: 'do not queue events on disk; fail if they cannot be delivered' },
    spool: { isNegated: true, isHidden: true, isEarlier: true, help: 'same as --no-queue' },
  },
  summary: {
    schema: {
      value: 'file',
      isHidden: true,
      isEarlier: true,
      help: 'API document to make the summary from, if method names are suggested',
    },
  },
  upload: {
    shorten: { help: 'create a short URL of the report' },
    open: { help: 'open the report in a browser' },
    checksum: { help: 'print the checksums, even of files over 256 MiB' },
  },
  link: {
    download: { value: 'file', help: 'download the report to a file, atomically' },
    open: { help: 'open the report in a browser' },
  },
} as const satisfies Readonly<Record<NonNullable<Operation['flow']>, FlagSpecs>>;

/** The argument FILE. It replaces the flag --schema, which still works. */
export const summaryFile = { name: 'file', help: flows.summary.schema.help } as const;

/** Returns the flags for the flow of an operation, its special flags, and --watch. */
export const flowFlags = (operation: Operation): FlagSpecs => ({
  ...(operation.flow && flows[operation.flow]),
  ...(hasRowsToLimit(operation) && limitFlag),
  ...own[operation.id],
  ...(canBeWatched(operation) && (operation.isRun ? { watch: runWatch } : watchFlag)),
});

/** Whether `--limit` is neither a field nor a flag for pages. A list with a row for each item is never cut. */
const hasRowsToLimit = ({ result, flow, input, isPerItem }: Operation): boolean =>
  result === 'list' && flow === undefined && !('limit' in input) && !isPerItem;

const limitFlag = { limit: { short: 'L', value: 'number', help: 'maximum number of rows' } } as const;

/** Returns the values of these flags if the user passes none of them. */
export const flowDefaults = (operation: Operation): FlowValues => defaultsOf(flowFlags(operation));

/** Whether the command has --watch: it must be read-only, and its result must be something that people can watch. */
const canBeWatched = (operation: Operation): boolean =>
  effectOf(operation) === 'read' && operation.result !== 'bytes' && operation.flow !== 'link';

export const watchFlag = {
  watch: { value: 'time', preset: '2s', help: 'run again at this interval until Ctrl-C (default: 2s)' },
} as const satisfies FlagSpecs;

const runWatch = { ...watchFlag.watch, help: 'poll until the run ends; exit with 14 if it failed (default: 2s)' };

const until = { until: { value: 'when', help: 'only events created before this time' } } as const;

const period = {
  since: { value: 'when', help: 'only events created since this time: 1h, yesterday, 2026-01-31' },
  ...until,
} as const;

const outDir = { outDir: { value: 'folder', help: 'write each code sample to a file in this folder' } } as const;

const lookup = {
  lookup: { isNegated: true, help: 'do not look up the id and the key of the new token; send one request' },
} as const satisfies FlagSpecs;

const own: Readonly<Record<string, FlagSpecs>> = {
  getCodehostAction: { open: { help: 'open the run in a browser' } },
  codehostTriggerAction: { open: { help: 'with --wait: open the run in a browser' } },
  searchWorkspaceEvents: {
    ...period,
    chart: { help: 'draw a bar chart of events per day' },
    all: { help: 'show all events, not only the newest' },
  },
  getWorkspaceEventsByTarget: until,
  getOrganizationUsage: { chart: { help: 'draw a bar chart of operations per language' } },
  getCodeSamples: outDir,
  generateCodeSamplePreview: outDir,
  getCodeSamplePreviewAsync: outDir,
  createWorkspaceToken: lookup,
};

/** The flags that set a body, except `--body` and the flags of its fields. */
export const bodyFlags = (operation: Operation): FlagSpecs => (takesBody(operation) ? anyBodyFlags : {});

const skeletonFlag = { skeleton: { help: 'print a template of the body and exit' } } as const satisfies FlagSpecs;

/** The same for an operation with any body. */
export const anyBodyFlags = { ...fieldFlags, ...skeletonFlag } as const satisfies FlagSpecs;

type Flags = (typeof flows)['wait'] &
  (typeof flows)['pages'] &
  (typeof flows)['spool'] &
  (typeof flows)['summary'] &
  (typeof flows)['upload'] &
  (typeof flows)['link'] &
  typeof fieldFlags &
  typeof outDir &
  typeof period &
  typeof lookup &
  typeof skeletonFlag &
  typeof watchFlag;

/** The values that the user passed for these flags, by name in camel case. */
export type FlowValues = { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> | undefined } & {
  readonly chart?: boolean | undefined;
  /** Only for `dtp api`: whether to print the status and the headers too. */
  readonly include?: boolean | undefined;
};
