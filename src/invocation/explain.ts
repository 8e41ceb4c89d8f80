/** Adds hints to failures, such as the source of the credential and the commands that help, and removes secrets. */
import { attempt, systemCode } from '../caught.ts';
import { changedError, DtpError, type Facts, rawHint, withFacts } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { operationsBelow, operationsFor } from '../operations/areas.ts';
import { effectOf, type Input, type Operation, readsList } from '../operations/operation.ts';
import { isRetried, readBackoff } from '../operations/retry-rules.ts';
import { timeText } from '../render/amounts.ts';
import { type Mask, maskDeep, maskOf, redactValue } from '../request/redact.ts';
import { commandLine, sameService, type Word } from '../settings/command-line.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import type { Attempt } from './connection.ts';
import { refusedCredential } from './credential-advice.ts';
import { flagsNamed, listCommandsFor, listsForMissing } from './listing.ts';
import { meantNamespace, meantValue } from './near-values.ts';

/** Returns the failure with a hint and without secrets. */
export function advise(error: unknown, attempt: Attempt): unknown {
  const help = error instanceof DtpError ? helpFor(error, attempt) : {};
  return withoutSecrets(withCertainty(error, attempt), attempt.context.secrets, help);
}

/**
 * Sets `retryable` for each failure of the network and the service. A command may have created something although it
 * failed: its request may have arrived, or what it started is still running. Repeating it would then create another
 * one. Events are stored once, however often they are sent.
 */
function withCertainty(error: unknown, attempt: Attempt): unknown {
  if (!(error instanceof DtpError)) return error;
  const { operation } = attempt;
  const { facts, code, message } = error;
  const { status = 0, retryable = code === 'timeout', hint = '' } = facts;
  const isWrite = effectOf(operation) !== 'read' && operation.flow !== 'spool';
  const isOwnWrite = isWrite && isOwn(error, attempt);
  // A web page has a hint, because it may come from a proxy that did not pass the request on.
  if (code === 'bad_response' && isOwnWrite && (hint === rawHint || (hint === '' && status >= 200 && status <= 299))) {
    const again = 'Do not repeat the command, because that would make the change again.';
    const next = listsBeside(operation, attempt);
    const look = next.length === 0 ? { hint: again } : { hint: `${again} See what is there now:`, next };
    return changedError(error, { retryable: false, ...look }, `${message}, but the change was made`);
  }
  // With 503, a service says that it has not handled the request.
  if (code === 'server' && (!isOwnWrite || status === 503)) return error;
  if (code !== 'network' && code !== 'timeout' && code !== 'server') return error;
  const isSent = (code !== 'network' || facts.status === undefined) && !isUnsent(systemCode(facts.cause) ?? '');
  if (!retryable || !isWrite || !isSent) return withFacts(error, { retryable });
  const changed = { retryable: operation.method !== 'POST' };
  // Another request, such as one that polls, changes nothing.
  if (facts.operation !== operation.id) return changedError(error, changed);
  const advice = `Check that before you run the command again. ${hint}`.trim();
  return changedError(error, { ...changed, hint: advice }, `${message}; the change may have been made`);
}

/** Returns the command that lists what the operation changes, if there is one. */
function listsBeside({ command }: Operation, { globals }: Attempt): readonly string[] {
  const place = (one: Operation) => one.command.slice(0, -1).join(' ');
  const list = Object.values(operationsBelow(command[0])).find(
    (one) => one.result === 'list' && place(one) === command.slice(0, -1).join(' ') && argumentsOf(one).length === 0,
  );
  return list ? [commandLine([...list.command, ...sameService(globals, 'workspace_id' in list.input)])] : [];
}

const isUnsent = (code: string): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH', 'EHOSTUNREACH'].includes(code);

/** Returns the failure without secrets. Adds the facts in `help` that the failure does not have. */
export function withoutSecrets(error: unknown, secrets: Iterable<string>, help: Facts = {}): unknown {
  const hide = maskOf(secrets);
  if (!(error instanceof DtpError)) return hidden(error, hide);
  const { why, ...known }: Facts = { ...help, ...error.facts };
  const facts: Facts = why === undefined ? known : { ...known, hint: [why, known.hint].filter(Boolean).join(' ') };
  const redacted: Facts = {
    ...(facts.request_id !== undefined && { request_id: hide(facts.request_id) }),
    ...(facts.path !== undefined && { path: hide(facts.path) }),
    ...(facts.hint !== undefined && { hint: hide(facts.hint) }),
    ...(facts.next !== undefined && { next: facts.next.map(hide) }),
    ...(facts.details !== undefined && { details: shownDetails(facts.details, hide) }),
  };
  hidden(error.facts.cause, hide);
  const shown = new DtpError(error.code, hide(error.message), { ...facts, ...redacted });
  if (error.stack !== undefined) shown.stack = hide(error.stack);
  return shown;
}

/** Masks the secrets in details. Details that are nested too deeply to process are left out. */
const shownDetails = (details: unknown, hide: Mask): unknown =>
  attempt(() => maskDeep(redactValue(details), hide), '(nested too deeply to be shown)');

/**
 * Masks the secrets in an internal error and its causes, because `--debug` prints them too. The error is changed in
 * place, so that it stays the same object.
 */
function hidden(error: unknown, hide: Mask): unknown {
  if (!(error instanceof Error)) return error;
  error.message = hide(error.message);
  if (error.stack !== undefined) error.stack = hide(error.stack);
  hidden(error.cause, hide);
  return error;
}

function helpFor(error: DtpError, attempt: Attempt): Facts {
  const { operation, input, globals } = attempt;
  if (error.facts.isTooLong) return { hint: smallerAnswers(operation) };
  const isRefused = error.code === 'not_found' || error.code === 'rejected';
  const namespace = isRefused && input && isOwn(error, attempt) ? meantNamespace(operation, input) : undefined;
  if (namespace) {
    const { given, ...meant } = namespace;
    return { hint: `"${given}" is a revision. This command takes only its namespace:`, meant };
  }
  switch (error.code) {
    case 'auth':
      return error.facts.status === 401 ? refusedCredential(attempt) : {};
    case 'not_found':
      return (
        versionTwice(attempt) ??
        setupFor(error, attempt) ??
        listing(isOwn(error, attempt) ? listCommandsFor(error, attempt) : [], attempt) ?? {
          hint: 'Check the ids and names that you passed, and the workspace. Show the settings with: dtp config explain',
        }
      );
    case 'forbidden':
      return {
        hint: 'Check which credential was used:',
        next: [commandLine(['auth', 'status', ...sameService(globals, false)])],
      };
    case 'server':
    case 'rate_limited':
      if (error.facts.retryable === false) return {};
      return { hint: `${again(error.facts.waitMs)}${mayRetry(error, attempt) ? retryHint : ''}.` };
    case 'rejected': {
      const setup = setupFor(error, attempt);
      if (setup) return setup;
      if (!input) return {};
      const missing = isOwn(error, attempt) ? listing(listsForMissing(error, attempt), attempt) : undefined;
      return missing ?? refusedValues(error, operation, input);
    }
    case 'pending':
      return { hint: 'Run the same command again later, or add --wait.' };
    default:
      return {};
  }
}

/** Returns the advice for a base URL such as `https://api.example.com/v1`, to which `/v1/…` is added. */
function versionTwice({ connection: { target } }: Attempt): Facts | undefined {
  if (!/\/v[12]$/.test(target.base)) return undefined;
  return { hint: `Leave ${target.base.slice(-3)} out of the base URL ${target.base}: each path begins with it.` };
}

/** Whether the request of the operation itself failed, and not an earlier request with other parameters. */
const isOwn = ({ facts }: DtpError, { operation }: Attempt): boolean =>
  (facts.operation ?? operation.id) === operation.id;

/** Returns the list commands. If a value was looked up in one of these lists in vain, says what was probably meant. */
function listing(lists: readonly (readonly Word[])[], { connection, input, settings }: Attempt): Facts | undefined {
  if (lists.length === 0) return undefined;
  const values = [...Object.values({ ...fieldsOf(input?.body), ...input }), settings.values.workspace?.value];
  const commands = lists.map((words) => commandLine(words));
  const isListed = (list: string) => commands.some((command) => `${command} `.startsWith(`dtp ${list} `));
  const miss = [...connection.misses].find(([list, { value }]) => isListed(list) && values.includes(value))?.[1];
  const { hint, next } = miss?.advice ?? { hint: 'List what exists:', next: [] };
  return { hint, next: [...next, ...commands] };
}

/** Returns the advice for a rejected request. Only the statuses 400 and 422 are about values in the request. */
function refusedValues({ facts }: DtpError, operation: Operation, input: Input): Facts {
  const dryRun = 'To see the request, run the same command with --dry-run.';
  if (facts.status !== 400 && facts.status !== 422) return { hint: dryRun };
  const meant = meantValue(operation, input);
  if (meant) return { hint: `Did you mean "${meant.value}"?`, meant };
  const named = flagsNamed(facts.details, operation);
  const hint = named.length === 0 ? dryRun : `Check ${named.join(' and ')}.`;
  return { hint: `${hint} To see what each flag takes:`, next: [commandLine([...operation.command, '--help'])] };
}

/** Returns the advice for a 404 or 409 about a repository that may not be set up yet. Undefined for other failures. */
function setupFor({ facts }: DtpError, { operation, input, globals }: Attempt): Facts | undefined {
  if (operation.command[0] !== 'codehost' || (facts.status !== 404 && facts.status !== 409)) return undefined;
  const given: Input = { ...fieldsOf(input?.body), ...input };
  const { org, repo_name: repo = given.repo, gen_lock_id: lock = given.generate_gen_lock_id } = given;
  if (typeof org !== 'string' || typeof repo !== 'string') return undefined;
  const { getCodehostSetupState, linkCodehostAccess, codehostConfigureTarget } = operationsFor('codehost');
  const place: Word = ['-R', `${org}/${repo}`];
  const repair: readonly Word[] =
    facts.status === 404
      ? [...linkCodehostAccess.command, ['--codehost-org', org]]
      : [...codehostConfigureTarget.command, place];
  const show: readonly Word[] = [...getCodehostSetupState.command, place, ['--lock-id', String(lock)]];
  const isShown = typeof lock === 'string';
  const what = facts.status === 404 ? 'link its owner' : 'configure a target';
  return {
    hint: isShown ? `See what is set up for the repository, then ${what}:` : `To ${what}:`,
    next: [...(isShown ? [show] : []), repair].map((one) => commandLine([...one, ...sameService(globals)])),
  };
}

const retryHint = ', or add --retry 3 to retry automatically';

/** Whether to suggest --retry: the command only reads, does not retry yet, and failed with a status that it covers. */
const mayRetry = ({ facts }: DtpError, { operation, globals }: Attempt): boolean =>
  operation.method === 'GET' &&
  operation.retry === undefined &&
  globals.retry === undefined &&
  facts.status !== undefined &&
  isRetried(readBackoff, facts);

const again = (waitMs: number | undefined): string =>
  waitMs === undefined ? 'Try again later' : `Try again in ${timeText(waitMs / 1000)}`;

/** Returns how to get a response that is too large for memory. The size of a page cannot be changed. */
function smallerAnswers(operation: Operation): string {
  const { id, input, flow } = operation;
  const isPage = flow === 'pages';
  const ways = [
    ...('limit' in input && !isPage ? ['ask for fewer rows with --limit N'] : []),
    ...(readsList(operation) ? ['print rows as they arrive with -o ndjson'] : []),
    `save ${isPage ? 'one page' : 'the response'} unchanged with -o raw -O FILE`,
  ];
  const merging = isPage ? (id === 'api' ? '--paginate, ' : '--all, --limit, ') : '';
  const all = [ways.slice(0, -1).join(', '), ways.at(-1)].filter(Boolean).join(', or ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}. Leave out ${merging}--query, --jq and --retry.`;
}
