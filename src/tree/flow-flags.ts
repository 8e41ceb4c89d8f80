/** The flags of a command beside those of its fields: of its body, and of its flow where it makes more than one request. */
import { Option } from 'commander';
import type { Operation } from '../operations/operation.ts';
import { type FlagSpecs, optionOf } from './flag-spec.ts';

/** What these flags say, by commander's names. */
export interface FlowValues {
  readonly wait?: boolean | undefined;
  readonly waitTimeout?: string | undefined;
  readonly pollInterval?: string | undefined;
  readonly all?: boolean | undefined;
  readonly limit?: string | undefined;
  readonly batchSize?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly onError?: string | undefined;
  readonly check?: boolean | undefined;
  readonly fill?: boolean | undefined;
  readonly spool?: boolean | undefined;
  readonly shorten?: boolean | undefined;
  readonly open?: boolean | undefined;
  readonly checksum?: boolean | undefined;
  readonly download?: string | undefined;
  readonly chart?: boolean | undefined;
  readonly field?: readonly string[] | undefined;
  readonly rawField?: readonly string[] | undefined;
  readonly skeleton?: boolean | undefined;
  /** Of `dtp api`: the status and the headers too. */
  readonly include?: boolean | undefined;
}

const options: Readonly<Record<NonNullable<Operation['flow']>, () => readonly Option[]>> = {
  wait: () => [
    new Option('--wait', 'wait until the job is done, and print its result'),
    new Option('--wait-timeout <time>', 'the longest to wait').default('10m'),
    new Option('--poll-interval <time>', 'the time between two looks').default('2s'),
  ],
  pages: () => [
    new Option('--all', 'all pages, as one list'),
    new Option('--limit <number>', 'at most so many rows, from as many pages as it takes'),
  ],
  spool: () => [
    new Option('--batch-size <number>', 'events in one request').default('500'),
    new Option('--concurrency <number>', 'requests under way at a time').default('4'),
    new Option('--on-error <what>', 'at a bad event: end there, or leave it out')
      .choices(['stop', 'skip'])
      .default('stop'),
    new Option('--no-check', 'also send objects without a known event field'),
    new Option('--no-fill', 'send events as they are, without an id or a time of ours'),
    new Option('--no-spool', 'keep nothing on the disk: what cannot be delivered is an error'),
  ],
  upload: () => [
    new Option('--shorten', 'shorten the address of the report too'),
    new Option('--open', 'open the report in a browser'),
    new Option('--checksum', 'compute the checksums of a file above 256 MiB too'),
  ],
  link: () => [
    new Option('--download <file>', 'fetch the report into a file, whole or not at all'),
    new Option('--open', 'open the report in a browser'),
  ],
};

/** Made anew for each command: commander keeps state in them. */
export const flowOptions = ({ flow, id }: Operation): readonly Option[] => [
  ...(flow === undefined ? [] : options[flow]()),
  ...(charts[id] === undefined ? [] : [new Option('--chart', charts[id])]),
];

const charts: Readonly<Record<string, string>> = {
  searchWorkspaceEvents: 'draw the events of each day as a bar',
  getOrganizationUsage: 'draw the operations of each language as a bar',
};

/** The ways to give a body, beside `--body` and the flags of its members. */
export const bodyOptions = (): readonly Option[] => [
  ...Object.entries(fieldFlags).map(([name, flag]) => optionOf(name, flag)),
  new Option('--skeleton', 'print a template of the body, and send nothing'),
];

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
