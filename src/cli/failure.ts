/** What ends a command → what is told of it, and the exit code. */
import type { Command } from 'commander';
import { systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError, type ErrorCode, ExitCode, exitCodeOf, exitCodes } from '../errors.ts';
import { colorOf } from '../output/color.ts';
import { hasRunner, type OpenJournal } from '../output/journal.ts';
import { withoutCommands } from '../render/annotation.ts';
import type { Globals } from '../settings/global-flags.ts';

/** Faults of the service, or of the way to it: a build need not break over them. */
const allowable: readonly ErrorCode[] = ['rate_limited', 'server', 'network', 'kept', 'timeout'];

/** What ended. */
interface Ended {
  readonly program: Command;
  readonly argv: readonly string[];
  readonly journal: OpenJournal;
}

/** Whether stacks are shown, and what rewrites their places. */
interface Debug {
  readonly debug: boolean;
  readonly placed?: (stack: string) => string;
}

/** Tells the failure on stderr; the exit code. A pipe that was closed early is none. */
export async function tellFailure(
  context: Context,
  error: unknown,
  { program, argv, journal }: Ended,
): Promise<number> {
  if (error instanceof ExitCode) return error.code;
  if (closedPipe(error)) return 0;
  const { messageText, messageJson } = await import('../render/message.ts');
  const globals: Globals = program.opts();
  const known = error instanceof DtpError ? await corrected(error, program, argv) : unexpected(error);
  const allowed = allowable.includes(known.code) ? allowedBy(context, globals) : undefined;
  const color = colorOf(context, globals, context.stderr.isTTY === true);
  const { isErrorJson } = await import('./error-format.ts');
  const text = (await isErrorJson(context, globals))
    ? messageJson(known, allowed !== undefined)
    : messageText(known, { color, ...(await debugOf(globals)), ...widthOf(context) });
  context.stderr.write(hasRunner(context) ? withoutCommands(text) : text);
  journal.failed(known, allowed !== undefined);
  if (allowed === undefined) return exitCodeOf(known);
  const code = `${exitCodes[known.code]} (${known.code})`;
  context.stderr.write(`warning: THE COMMAND FAILED with ${code}; ${allowed} lets it end with 0\n`);
  return 0;
}

/** With the line that was meant, where a value of it was another. */
async function corrected(error: DtpError, program: Command, argv: readonly string[]): Promise<DtpError> {
  const { meant } = error.facts;
  if (!meant) return error;
  const { lineWith } = await import('./suggest/command-line.ts');
  return new DtpError(error.code, error.message, { ...error.facts, next: [lineWith(program, argv, meant)] });
}

/** The maps of the source are read only here, when there is a stack to show. */
async function debugOf({ debug }: Globals): Promise<Debug> {
  if (!debug) return { debug: false };
  const { openSourcePlaces } = await import('../system/source-maps.ts');
  return { debug: true, placed: openSourcePlaces() };
}

/** A terminal breaks lines in the middle of words. */
const widthOf = ({ stderr }: Context): { readonly width?: number } =>
  stderr.isTTY ? { width: stderr.columns || 80 } : {};

const closedPipe = (error: unknown) => systemCode(error) === 'EPIPE';

function unexpected(error: unknown): DtpError {
  const cause = error instanceof Error ? error : new Error(String(error));
  const failure = new DtpError('error', cause.message, { cause });
  if (cause.stack !== undefined) failure.stack = cause.stack;
  return failure;
}

/** What the user said that lets a failure pass. */
function allowedBy({ env }: Context, { allowFailure }: Globals): string | undefined {
  if (allowFailure) return '--allow-failure';
  return /^(1|true|yes)$/i.test(env.DTP_ALLOW_FAILURE ?? '') ? 'DTP_ALLOW_FAILURE' : undefined;
}
