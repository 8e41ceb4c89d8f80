/** The flags of a command beside those of its fields: of its body, and of its flow where it makes more than one request. */
import type { Option } from 'commander';
import type { Operation } from '../operations/operation.ts';
import { type FlagSpecs, optionOf, type ValueOf } from './flag-spec.ts';

const flows = {
  wait: {
    wait: { help: 'wait until the job is done, and print its result' },
    waitTimeout: { value: 'time', default: '10m', help: 'the longest to wait' },
    pollInterval: { value: 'time', default: '2s', help: 'the time between two looks' },
  },
  pages: {
    all: { help: 'all pages, as one list' },
    limit: { value: 'number', help: 'at most so many rows, from as many pages as it takes' },
  },
  spool: {
    batchSize: { value: 'number', default: '500', help: 'events in one request' },
    concurrency: { value: 'number', default: '4', help: 'requests under way at a time' },
    onError: {
      value: 'what',
      choices: ['stop', 'skip'],
      default: 'stop',
      help: 'at a bad event: end there, or leave it out',
    },
    check: { isNegated: true, help: 'also send objects without a known event field' },
    fill: { isNegated: true, help: 'send events as they are, without an id or a time of ours' },
    spool: { isNegated: true, help: 'keep nothing on the disk: what cannot be delivered is an error' },
  },
  upload: {
    shorten: { help: 'shorten the address of the report too' },
    open: { help: 'open the report in a browser' },
    checksum: { help: 'compute the checksums of a file above 256 MiB too' },
  },
  link: {
    download: { value: 'file', help: 'fetch the report into a file, whole or not at all' },
    open: { help: 'open the report in a browser' },
  },
} as const satisfies Readonly<Record<NonNullable<Operation['flow']>, FlagSpecs>>;

const optionsOf = (flags: FlagSpecs): readonly Option[] =>
  Object.entries(flags).map(([name, flag]) => optionOf(name, flag));

/** Made anew for each command: commander keeps state in them. */
export const flowOptions = ({ flow, id }: Operation): readonly Option[] => [
  ...(flow === undefined ? [] : optionsOf(flows[flow])),
  ...(charts[id] === undefined ? [] : optionsOf({ chart: { help: charts[id] } })),
];

const charts: Readonly<Record<string, string>> = {
  searchWorkspaceEvents: 'draw the events of each day as a bar',
  getOrganizationUsage: 'draw the operations of each language as a bar',
};

/** The ways to give a body, beside `--body` and the flags of its members. */
export const bodyOptions = (): readonly Option[] => optionsOf({ ...fieldFlags, ...skeletonFlag });

/** Those that `dtp api` takes too. */
export const fieldFlags = {
  field: {
    short: 'F',
    value: 'name=value',
    many: true,
    help: 'a member of the body, typed; @FILE is its text (may be repeated)',
  },
  rawField: {
    short: 'f',
    value: 'name=value',
    many: true,
    help: 'a member of the body, always a text (may be repeated)',
  },
} as const satisfies FlagSpecs;

const skeletonFlag = {
  skeleton: { help: 'print a template of the body, and send nothing' },
} as const satisfies FlagSpecs;

type Flags = (typeof flows)['wait'] &
  (typeof flows)['pages'] &
  (typeof flows)['spool'] &
  (typeof flows)['upload'] &
  (typeof flows)['link'] &
  typeof fieldFlags &
  typeof skeletonFlag;

/** What these flags say, by their names. */
export type FlowValues = { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> | undefined } & {
  readonly chart?: boolean | undefined;
  /** Of `dtp api`: the status and the headers too. */
  readonly include?: boolean | undefined;
};
