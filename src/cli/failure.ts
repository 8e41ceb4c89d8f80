/** Reports the failure of a command and returns its exit code. */

import { systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { changedError, DtpError, type ErrorCode, ExitCode, exitCodeOf, exitCodes } from '../errors.ts';
import { colorOf } from '../output/color.ts';
import { hasRunner, type OpenJournal } from '../output/journal.ts';
import { withoutCommands } from '../render/annotation.ts';
import { hasPlainSigns, signsFor } from '../render/signs.ts';
import { hangText } from '../render/width.ts';
import type { Globals } from '../settings/global-flags.ts';
import { isOn } from '../settings/switches.ts';

/** Failures of the service or the network. With --allow-failure, the command exits with 0 after them. */
const allowable: readonly ErrorCode[] = ['rate_limited', 'server', 'network', 'kept', 'timeout'];

interface Failed {
  readonly globals: Globals;
  readonly argv: readonly string[];
  readonly journal: OpenJournal;
}

/** Writes the failure to stderr and returns the exit code. A pipe that the reader closed early is not a failure. */
export async function reportFailure(context: Context, error: unknown, { globals, argv, journal }: Failed) {
  if (error instanceof ExitCode) return error.code;
  if (systemCode(error) === 'EPIPE') return 0;
  const { messageText, messageJson } = await import('../render/message.ts');
  const full = error instanceof DtpError ? await corrected(error, argv) : unexpected(error);
  const known = withFewCommands(isOn(context.env.CI) ? forCi(full) : full);
  const allowed = allowable.includes(known.code) ? allowedBy(context, globals) : undefined;
  const color = colorOf(context, globals, context.stderr.isTTY === true);
  const plainSigns = hasPlainSigns(context.env);
  const { isErrorJson } = await import('./error-format.ts');
  const text = (await isErrorJson(context, globals))
    ? messageJson(known, allowed !== undefined)
    : messageText(known, { color, plainSigns, ...(await debugOf(globals)), ...widthOf(context) });
  const signed = signsFor(context.stderr, context.env)(text);
  context.stderr.write(hasRunner(context) ? withoutCommands(signed) : signed);
  journal.failed(known, allowed !== undefined);
  if (allowed === undefined) return exitCodeOf(known);
  const code = `${exitCodes[known.code]} (${known.code})`;
  const said = `THE COMMAND FAILED with ${code}, but exits with 0 because of ${allowed}`;
  context.stderr.write(`warning: ${hangText(said, 9, widthOf(context).width)}\n`);
  return 0;
}

/** Adds the corrected command line if the error has the value that the user probably meant. */
async function corrected(error: DtpError, argv: readonly string[]): Promise<DtpError> {
  const { meant } = error.facts;
  if (!meant) return error;
  const { lineWith } = await import('../suggest/command-line.ts');
  return changedError(error, { next: [lineWith(argv, meant)] });
}

/** Removes suggestions to log in, because nobody can log in in CI, and uses the hint for CI. */
function forCi(error: DtpError): DtpError {
  const { next = [], hint, ciHint = hint } = error.facts;
  const others = next.filter((command) => !/^dtp auth login\b/.test(command));
  return others.length === next.length && ciHint === hint
    ? error
    : changedError(error, { ...(ciHint !== undefined && { hint: ciHint }), next: others });
}

/** The maximum number of commands to suggest. With more, the reader would have to choose. */
const mostCommands = 3;

const withFewCommands = (error: DtpError): DtpError =>
  (error.facts.next?.length ?? 0) > mostCommands
    ? changedError(error, { next: error.facts.next?.slice(0, mostCommands) ?? [] })
    : error;

/** Returns how to show stack traces. Source maps are only loaded with --debug, as nothing else shows stack traces. */
async function debugOf({ debug }: Globals) {
  if (!debug) return { debug: false };
  const { openSourcePlaces } = await import('../system/source-maps.ts');
  return { debug: true, placed: openSourcePlaces() };
}

/** Returns the width of the terminal, if stderr is one. Errors are wrapped there so that no line breaks in a word. */
const widthOf = ({ stderr }: Context): { readonly width?: number } =>
  stderr.isTTY ? { width: stderr.columns || 80 } : {};

function unexpected(error: unknown): DtpError {
  const cause = error instanceof Error ? error : new Error(String(error));
  const failure = new DtpError('error', cause.message, { cause });
  if (cause.stack !== undefined) failure.stack = cause.stack;
  return failure;
}

/** Returns the flag or variable that lets the command exit with 0 in spite of the failure. */
function allowedBy({ env }: Context, { allowFailure }: Globals): string | undefined {
  if (allowFailure) return '--allow-failure';
  return isOn(env.DTP_ALLOW_FAILURE) ? 'DTP_ALLOW_FAILURE' : undefined;
}
