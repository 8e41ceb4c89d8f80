/** Writes the journal of a command: annotations for GitHub Actions, and a record in the file of DTP_OUTPUT_FILE. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemCode } from '../caught.ts';
import type { Context, Journal } from '../context.ts';
import type { DtpError } from '../errors.ts';
import { operations } from '../operations/index.ts';
import { annotation, withoutCommands } from '../render/annotation.ts';
import { jsonText, visible } from '../render/sanitize.ts';
import { hanging } from '../render/width.ts';

export interface OpenJournal extends Journal {
  /** Sets the command, such as `ws tokens list`. */
  readonly began: (command: string) => void;
  /** Records the failure. `allowed` means that the command still exits with 0. */
  readonly failed: (error: DtpError, allowed: boolean) => void;
  /** Writes the record. Later calls do nothing. If the record cannot be written, the command does not fail. */
  readonly end: (exitCode: number) => void;
}

/** Whether the command runs in GitHub Actions, which executes workflow commands that it finds in the output. */
export const hasRunner = ({ env }: Pick<Context, 'env'>): boolean => env.GITHUB_ACTIONS === 'true';

export function openJournal(
  context: Pick<Context, 'env' | 'cwd' | 'clock' | 'date' | 'stderr'>,
): OpenJournal {
  const { env, clock, date, stderr } = context;
  const [began, start] = [date(), clock.now()];
  const annotated = new Set<string>();
  let command = '';
  let attempts = 0;
  let status: number | undefined;
  let failure: { readonly error: DtpError; readonly allowed: boolean } | undefined;
  let isEnded = false;

  const annotate = (kind: 'error' | 'warning', text: string) => {
    if (!hasRunner(context) || annotated.has(text)) return;
    annotated.add(text);
    stderr.write(annotation(kind, `dtp ${command}`.trim(), text));
  };
  const warned = (text: string) => annotate('warning', text);
  const write = (path: string, exitCode: number) => {
    // `resolve` throws if the current directory was deleted.
    const fault = append(() => resolve(context.cwd, path), `${jsonText(record(exitCode))}\n`);
    if (fault === undefined) return;
    const text = `DTP_OUTPUT_FILE: cannot write to ${visible(path)} (${fault})`;
    const said = hanging(text, 9, stderr.isTTY ? stderr.columns || 80 : undefined);
    stderr.write(`warning: ${hasRunner(context) ? withoutCommands(said) : said}\n`);
    warned(text);
  };
  /** Returns the record. It contains no results and no flags, because both may contain secrets. */
  const record = (exitCode: number) => ({
    schema_version: 1,
    command,
    operation: Object.values(operations).find((one) => one.command.join(' ') === command)?.id,
    exit_code: exitCode,
    code: failure?.error.code ?? nameOf(exitCode),
    ...(failure?.allowed && { allowed_failure: true }),
    started_at: began.toISOString(),
    duration_ms: Math.round(clock.now() - start),
    status: failure?.error.facts.status ?? status,
    ...(attempts > 0 && { attempts }),
    request_id: failure?.error.facts.request_id,
    retryable: failure?.error.facts.retryable,
    message: failure?.error.message,
  });

  return {
    warned,
    sent: () => {
      attempts++;
    },
    answered: (now) => {
      status = now;
    },
    began: (words) => {
      command = words;
    },
    failed: (error, allowed) => {
      failure = { error, allowed };
      const { hint, next = [] } = error.facts;
      const lines = [
        error.message,
        ...(hint === undefined ? [] : [hint]),
        ...next.map((one) => `try: ${one}`),
      ];
      annotate(allowed ? 'warning' : 'error', lines.map((line) => visible(line)).join('\n'));
    },
    end: (exitCode) => {
      if (isEnded) return;
      isEnded = true;
      if (env.DTP_OUTPUT_FILE) write(env.DTP_OUTPUT_FILE, exitCode);
    },
  };
}

/** Returns the name of an exit code without an error: success, a signal, or a command that `dtp dev` ran. */
function nameOf(exitCode: number): string {
  if (exitCode === 0) return 'ok';
  return exitCode > 128 ? 'signal' : 'command';
}

/** Appends a line in a single write, so that lines of several processes do not mix. Returns the fault, if any. */
function append(path: () => string, line: string): string | undefined {
  // Without O_NONBLOCK, opening a pipe that has no reader would block the command.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
  try {
    const file = openSync(path(), flags, 0o600);
    try {
      const bytes = Buffer.from(line);
      return writeSync(file, bytes) === bytes.byteLength ? undefined : 'only a part was written';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return systemCode(error) ?? String(error);
  }
}
