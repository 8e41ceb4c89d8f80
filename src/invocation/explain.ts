/** Adds to a failure what only the command line knows: where the credential came from, and which command helps. */
import { DtpError, type Facts, isRepeated } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { readBackoff } from '../operations/shared.ts';
import { timeText } from '../render/amounts.ts';
import { redactDeep, redactText, redactValue } from '../request/redact.ts';
import { commandLine, sameService } from '../settings/command-line.ts';
import type { Attempt } from './attempt.ts';
import { refusedCredential } from './credential-advice.ts';
import { listsFor } from './listing.ts';

/** The same failure, with a hint and without a secret. */
export function advise(error: unknown, attempt: Attempt): unknown {
  const help = error instanceof DtpError ? helpFor(error, attempt) : {};
  return withoutSecrets(error, attempt.connection.secrets, help);
}

/** The same failure without a secret, whoever repeated it; what `help` knows besides is told where the failure knows nothing. */
export function withoutSecrets(error: unknown, secrets: readonly string[], help: Facts = {}): unknown {
  const hide = (text: string) => redactText(text, secrets);
  if (!(error instanceof DtpError)) return hidden(error, hide);
  const { why, ...known }: Facts = { ...help, ...error.facts };
  const facts: Facts =
    why === undefined ? known : { ...known, hint: [why, known.hint].filter(Boolean).join(' ') };
  const said: Facts = {
    ...(facts.request_id !== undefined && { request_id: hide(facts.request_id) }),
    ...(facts.details !== undefined && { details: shownDetails(facts.details, secrets) }),
  };
  hideCauses(error.facts.cause, hide);
  const told = new DtpError(error.code, hide(error.message), { ...facts, ...said });
  if (error.stack !== undefined) told.stack = hide(error.stack);
  return told;
}

/** Details that are nested deeper than a stack is are left out. */
function shownDetails(details: unknown, secrets: readonly string[]): unknown {
  try {
    return redactDeep(redactValue(details), secrets);
  } catch {
    return '(nested too deeply to be shown)';
  }
}

/** Under --debug they are told too. */
function hideCauses(cause: unknown, hide: (text: string) => string): void {
  if (!(cause instanceof Error)) return;
  hidden(cause, hide);
  hideCauses(cause.cause, hide);
}

/** A fault of ours keeps its identity, and loses what it may have quoted. */
function hidden(error: unknown, hide: (text: string) => string): unknown {
  if (!(error instanceof Error)) return error;
  error.message = hide(error.message);
  if (error.stack !== undefined) error.stack = hide(error.stack);
  return error;
}

function helpFor(error: DtpError, attempt: Attempt): Facts {
  const { operation, input, globals } = attempt;
  if (error.facts.isTooLong) return { hint: waysOn(operation) };
  switch (error.code) {
    case 'auth':
      return error.facts.status === 401 ? refusedCredential(attempt) : {};
    case 'not_found': {
      // What was asked before the operation itself is not about its parameters.
      const isOwn = (error.facts.operation ?? operation.id) === operation.id;
      const lists = isOwn ? listsFor(error, attempt) : [];
      return lists.length > 0
        ? { hint: 'List what exists with:', next: lists.map(commandLine) }
        : { hint: 'Check the value and the workspace. Show the settings with: dtp config explain' };
    }
    case 'forbidden':
      return {
        hint: 'Show which credential was used:',
        next: [commandLine(['auth', 'status', ...sameService(globals, false)])],
      };
    case 'server':
    case 'rate_limited':
      return { hint: `${again(error.facts.waitMs)}${mayRetry(error, attempt) ? retryHint : ''}.` };
    case 'rejected':
      return input ? { hint: 'To see what is sent, run the same command with --dry-run.' } : {};
    case 'pending':
      return { hint: 'Run the same command again later, or add --wait.' };
    default:
      return {};
  }
}

const retryHint = ', or add --retry 3 to retry automatically';

/** Whether --retry would help: the command reads, does not retry already, and the service answered what is retried. */
const mayRetry = ({ facts }: DtpError, { operation, globals }: Attempt): boolean =>
  operation.method === 'GET' &&
  operation.retry === undefined &&
  globals.retry === undefined &&
  facts.status !== undefined &&
  isRepeated(readBackoff, facts);

const again = (waitMs: number | undefined): string =>
  waitMs === undefined ? 'Try again later' : `Try again in ${timeText(waitMs / 1000)}`;

/** How to get an answer that is too long to be held. A page of a list has no other length. */
function waysOn({ id, input, result, rows, flow }: Operation): string {
  const isPage = flow === 'pages';
  const isList = (result === 'list' || rows !== undefined) && !isPage;
  const ways = [
    ...('limit' in input && !isPage ? ['ask for fewer rows with --limit N'] : []),
    ...(isList ? ['print rows as they arrive with -o ndjson'] : []),
    `save ${isPage ? 'one page' : 'the answer'} as it is with -o raw -O FILE`,
  ];
  const merging = isPage ? (id === 'api' ? '--paginate, ' : '--all, --limit, ') : '';
  const all = [ways.slice(0, -1).join(', '), ways.at(-1)].filter(Boolean).join(', or ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}. Leave out ${merging}--query and --retry.`;
}
