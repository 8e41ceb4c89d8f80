/** What is tested on a faulty wire: every operation, and the commands that make several requests. */
import { type ErrorCode, exitCodes } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import { effectOf } from '../../src/operations/operation.ts';
import { rows } from '../wire/rows.ts';
import type { IsOwn } from './faulty-server.ts';
import type { Row } from './wire.ts';
import type { End, Ends, Fault } from './wire-fault.ts';

export interface Subject {
  readonly name: string;
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The correct answer. */
  readonly good: Buffer;
  readonly kind: keyof Ends;
  /** Sent again by the declared retry policy. */
  readonly isRetried: boolean;
  /** Whether it posts events, each of which may be rejected. */
  readonly isPost: boolean;
  /** Events that cannot be delivered are queued, and the error reports that. */
  readonly isKept: boolean;
  readonly isOwn: IsOwn;
  /** Sent with a token that must be requested first. */
  readonly isTokened: boolean;
  /** The file that it writes. */
  readonly makes?: string;
  /** Written as it arrives: a failed command may have printed whole lines. */
  readonly streams?: true;
}

const bodyOf = ({ reply }: Row): Buffer => Buffer.from(reply[1] ?? '');

const kindOf = ({ id }: Row): keyof Ends => {
  if (id === 'getManifest') return 'digest';
  if (id === 'postWorkspaceEvents') return 'whole';
  const { result } = operations[id as keyof typeof operations];
  if (result !== 'record' && result !== 'list') return result;
  return effectOf(operations[id as keyof typeof operations]) === 'read' ? 'json' : 'written';
};

const subject = (row: Row, more: Partial<Subject> = {}): Subject => ({
  name: row.id,
  argv: row.argv,
  files: row.files ?? {},
  good: bodyOf(row),
  kind: kindOf(row),
  isRetried: ['postWorkspaceEvents', 'getWorkspaceAccess'].includes(row.id),
  isPost: row.id === 'postWorkspaceEvents',
  isKept: row.id === 'postWorkspaceEvents',
  isOwn: (line) => row.id === 'preflight' || !line.startsWith('POST /v1/artifacts/preflight '),
  isTokened: row.tokenOf !== undefined,
  ...more,
});

const ids = [...new Set(rows.map(({ id }) => id))];
/** The first line of each operation. */
export const firstRows = ids.map((id) => rows.find((row) => row.id === id) as Row);

export const everyOperation: readonly Subject[] = firstRows.map((row) => subject(row));

const named = (id: string): Row => firstRows.find((row) => row.id === id) as Row;
const events = named('postWorkspaceEvents');

/** If the events are not queued, the command exits with the failure's own code. */
export const postWithoutQueue = subject(events, {
  name: 'postWorkspaceEvents --no-queue',
  argv: [...events.argv, '--no-queue'],
  isKept: false,
});

const search = named('searchWorkspaceEvents');

/** A list whose rows are written as they arrive. */
export const rowByRow = subject(search, {
  name: 'searchWorkspaceEvents -o ndjson',
  argv: [...search.argv, '-o', 'ndjson'],
  good: Buffer.from('[{"id":"e_1"},{"id":"e_2"}]'),
  streams: true,
});

const report = named('getLintingReportSignedUrl');

/** The URL is returned correctly, but fetching it fails. */
export const download = subject(report, {
  name: 'getLintingReportSignedUrl --download r',
  argv: [...report.argv, '--download', 'r'],
  // The content whose MD5 is in the line.
  good: Buffer.from('abc'),
  kind: 'digest',
  makes: 'r',
  isOwn: (line) => line.startsWith('GET /signed'),
});

const one = (id: string): Subject => everyOperation.find(({ name }) => name === id) as Subject;

/** One command for each way that a command can send, read and print. */
export const representatives: readonly Subject[] = [
  // A list, a record, a string.
  one('getWorkspaces'),
  one('getOrganization'),
  one('getPublishingTokenTargetByID'),
  // JSON, an empty body and a form are sent. The list of samples follows later.
  one('createWorkspaceToken'),
  one('deletePublishingToken'),
  one('updatePublishingTokenExpiration'),
  one('uploadReport'),
  one('generateCodeSamplePreviewAsync'),
  // An answer without a body.
  one('checkCodehostAccess'),
  // Retried, and with a spool.
  one('getWorkspaceAccess'),
  one('postWorkspaceEvents'),
  // A separate token, and bytes with a digest; a file with a digest, from a signed URL.
  one('getManifest'),
  download,
];

/** Error codes after which undelivered events stay queued. The other codes answer the events themselves. */
const keeping: readonly End[] = ['network', 'timeout', 'server', 'bad_response', 'rate_limited'];

/** The end that the table promises for a subject. */
export function endOf({ ends, status }: Fault, { kind, isKept }: Subject): End {
  const end = ends[kind];
  return isKept && (keeping.includes(end) || status === 408) ? 'kept' : end;
}

/** The statuses that are retried (API document, limits, point 1). */
const declared: readonly unknown[] = [408, 500, 502, 503];

/** Whether the declared policy retries a request that failed this way (http layer, point 10). */
export const isSentAgain = ({ ends, status }: Fault, { isRetried }: Subject): boolean =>
  isRetried && (ends.json === 'network' || declared.includes(status));

/** The statuses after which a batch is split. */
const splitting: readonly unknown[] = [400, 409, 413, 422];

/** How often the request is sent: exactly once, or at least twice if it is retried. */
export function timesOf(fault: Fault, subject: Subject): 1 | 2 | 3 | 'more' {
  if (isSentAgain(fault, subject)) return 'more';
  // Two events that are rejected together are sent again, each alone (http layer, spool).
  if (subject.isPost && fault.ends.json === 'rejected' && splitting.includes(fault.status)) return 3;
  // A rejected token is renewed once.
  return subject.isTokened && fault.status === 401 ? 2 : 1;
}

/** Without a file, an answer that is too long for memory is rejected. With a file, it may have any length. */
export const isFor = (fault: Fault, { kind, makes }: Subject): boolean =>
  makes === undefined || fault.ends[kind] !== 'usage';

export const exitCodeFor = (end: End): number => (end === 'ok' ? 0 : exitCodes[end as ErrorCode]);
