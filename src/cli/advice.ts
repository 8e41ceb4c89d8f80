/** Adds to a failure what only the command line knows: where the credential came from, and which command helps. */
import { DtpError, type Facts } from '../errors.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { redactDeep, redactText, redactUrl, redactValue } from '../request/redact.ts';
import { proxyShown } from '../transport/proxy.ts';
import { timeText } from './amounts.ts';
import type { Connection } from './connection.ts';
import type { Globals } from './globals.ts';
import type { Settings } from './settings.ts';

/** The same failure, with a hint and without a secret. */
export function advise(
  error: unknown,
  operation: Operation,
  settings: Settings,
  connection: Connection,
): unknown {
  const help = error instanceof DtpError ? helpFor(error, operation, settings, connection) : {};
  return withoutSecrets(error, connection.secrets, help);
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

/** A command line that can be pasted into a shell, save for what is secret in it. */
export const commandLine = (argv: readonly string[]): string => shellLine(['dtp', ...argv.map(shownWord)]);

/** A proxy's address may be one without a scheme, and have a password all the same. */
function shownWord(word: string, index: number, argv: readonly string[]): string {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
  const isProxy = flag === '--proxy=' || argv[index - 1] === '--proxy';
  return flag + (isProxy ? proxyShown(value) : redactUrl(value));
}

export const shellLine = (words: readonly string[]): string =>
  words
    .map((word) => (/^[\w@%+=:,./{}[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');

/** The flags by which a later command reaches the same service. */
export function sameService(globals: Globals): readonly string[] {
  const { baseUrl, profile, workspace, proxy, caCert, insecure, allowHttp } = globals;
  const texts = { 'base-url': baseUrl, profile, workspace, proxy, 'ca-cert': caCert };
  const marks = { insecure, 'allow-http': allowHttp };
  return [
    ...Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...Object.entries(marks).flatMap(([name, isGiven]) => (isGiven ? [`--${name}`] : [])),
  ];
}

/** The same command without the time that was too short. */
export function withoutTimeout(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => /^--timeout(=|$)/.test(word));
  return at < 0 ? argv : argv.toSpliced(at, argv[at] === '--timeout' ? 2 : 1);
}

function helpFor(error: DtpError, operation: Operation, settings: Settings, connection: Connection): Facts {
  const { profile } = settings;
  const named = profile.source === '--profile' ? ['--profile', profile.value] : [];
  const source = connection.credentialSource();
  if (error.code === 'auth' && error.facts.status === 401)
    return {
      hint: /^DTP_/.test(source)
        ? `The credential came from ${source}: set it to a valid one, or unset it and log in:`
        : `The credential came from ${source}. Get a new one, then:`,
      next: [commandLine(['auth', 'login', '--base-url', connection.target.base, ...named])],
    };
  if (error.code === 'not_found') {
    const list = listBeside(operation);
    return list
      ? { hint: 'List what is there with:', next: [commandLine([...list, ...named])] }
      : { hint: 'Look whether the name is right, and the workspace: dtp config explain' };
  }
  if (error.code === 'forbidden')
    return { hint: 'See whose credential it is:', next: [commandLine(['auth', 'status', ...named])] };
  if (error.code === 'server' || error.code === 'rate_limited')
    return {
      hint: `${again(error.facts.waitMs)}${operation.method === 'GET' ? '; --retry 3 does so by itself' : ''}.`,
    };
  if (error.code === 'rejected') return { hint: 'See what would be sent: the same command with --dry-run.' };
  if (error.code === 'pending') return { hint: 'Ask again later with the same command.' };
  return {};
}

const again = (waitMs: number | undefined): string =>
  waitMs === undefined ? 'Try again later' : `Try again in ${timeText(waitMs / 1000)}`;

/** The nearest command that lists: of the same noun, then of the nouns above it. */
function listBeside(operation: Operation): readonly string[] | undefined {
  // What is missing is the namespace, whatever was asked of it.
  if ('namespace_name' in operation.input) return operations.getNamespaces.command;
  for (let length = operation.command.length - 1; length > 0; length--) {
    const noun = operation.command.slice(0, length).join(' ');
    const found = Object.values(operations).find(
      (one) => one.id !== operation.id && one.command.join(' ') === `${noun} list`,
    );
    if (found) return found.command;
  }
  return undefined;
}
