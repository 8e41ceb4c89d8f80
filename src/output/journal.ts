/** Writes the journal of a command: to DTP_OUTPUT_FILE, and to GitHub Actions as annotations and a summary row. */
import type { Context } from '../context.ts';
import type { DtpError, ErrorCode } from '../errors.ts';
import { operationsBelow } from '../operations/areas.ts';
import { annotation, withoutCommands } from '../render/annotation.ts';
import type { Deed } from '../render/job-summary.ts';
import { jsonText, visible } from '../render/sanitize.ts';
import { hangText } from '../render/width.ts';
import { isOn } from '../settings/switches.ts';

export type OpenJournal = Awaited<ReturnType<typeof openJournal>>;

/** Whether the command runs in GitHub Actions, which executes workflow commands that it finds in the output. */
export const hasRunner = ({ env }: Pick<Context, 'env'>): boolean => isOn(env.GITHUB_ACTIONS);

/** The commands with a row in the summary of a job, and those that have one if they wait for an end. */
const [summarized, summarizedIfFollowed] = [
  ['events post', 'reports upload', 'artifacts push'],
  ['codehost actions trigger', 'codehost actions get', 'code-samples jobs create', 'code-samples jobs get'],
];

/** The maximum size of a summary in bytes. GitHub discards a larger one. */
const mostOfSummary = 1024 * 1024;

/** Opens the journal. The code that writes it is loaded now, because the end of a process cannot wait for it. */
export async function openJournal(context: Pick<Context, 'env' | 'cwd' | 'home' | 'clock' | 'date' | 'stderr'>) {
  const { env, clock, date, stderr } = context;
  const summaryFile = env.GITHUB_STEP_SUMMARY;
  const writer = env.DTP_OUTPUT_FILE || summaryFile ? await import('../files/append.ts') : undefined;
  const summary = summaryFile ? await import('../render/job-summary.ts') : undefined;
  const [began, start] = [date(), clock.now()];
  const annotated = new Set<string>();
  let command = '';
  let attempts = 0;
  let status: number | undefined;
  let failure: { readonly error: DtpError; readonly allowed: boolean } | undefined;
  let deed: Deed | undefined;
  let isSummarized = false;
  let isEnded = false;

  const annotate = (kind: 'error' | 'warning', text: string) => {
    if (!hasRunner(context) || annotated.has(text)) return;
    annotated.add(text);
    stderr.write(annotation(kind, `dtp ${command}`.trim(), text));
  };
  const warned = (text: string) => annotate('warning', text);
  const write = (variable: 'DTP_OUTPUT_FILE' | 'GITHUB_STEP_SUMMARY', lines: string) => {
    const path = env[variable] ?? '';
    const runner = variable === 'GITHUB_STEP_SUMMARY' ? { most: mostOfSummary } : undefined;
    const fault = writer?.appendLine(context, path, lines, runner);
    if (fault === undefined) return;
    const text = `${variable}: cannot write to ${visible(path)} (${fault})`;
    const said = hangText(text, 9, stderr.isTTY ? stderr.columns || 80 : undefined);
    stderr.write(`warning: ${hasRunner(context) ? withoutCommands(said) : said}\n`);
    warned(text);
  };
  /** Returns the table for the summary. Undefined if there is nothing to report. */
  const table = (exitCode: number): string | undefined => {
    if (!isSummarized || (exitCode === 0 && !failure && !deed)) return undefined;
    const outcome = failure?.allowed ? 'allowed' : exitCode === 0 ? 'done' : 'failed';
    const what = failure?.error.message ?? (exitCode === 0 ? deed?.what : `exited with ${exitCode}`) ?? '';
    return summary?.summaryTable(outcome, command, { ...deed, what });
  };
  /** Returns the record, without anything from the user, files or the service: it may be secret, and scripts run it. */
  const record = (exitCode: number) => ({
    schema_version: 1,
    command,
    operation: Object.values(operationsBelow(command.split(' ')[0])).find((one) => one.command.join(' ') === command)
      ?.id,
    exit_code: exitCode,
    code: failure?.error.code ?? nameOf(exitCode),
    ...(failure?.allowed && { allowed_failure: true }),
    started_at: began.toISOString(),
    duration_ms: Math.round(clock.now() - start),
    status: failure?.error.facts.status ?? status,
    ...(attempts > 0 && { attempts }),
    request_id: safeId(failure?.error.facts.request_id),
    retryable: failure?.error.facts.retryable,
    message: failure && sentences[failure.error.code],
  });

  return {
    warned,
    sent: () => {
      attempts++;
    },
    answered: (now: number) => {
      status = now;
    },
    did: (now: Deed) => {
      deed = now;
    },
    /** Sets the command, such as `ws tokens list`. `isFollowed` means that it waits for the end of a run or a job. */
    began: (words: string, isFollowed: boolean) => {
      command = words;
      isSummarized = summarized.includes(words) || (isFollowed && summarizedIfFollowed.includes(words));
    },
    /** Records the failure. `allowed` means that the command still exits with 0. */
    failed: (error: DtpError, allowed: boolean) => {
      failure = { error, allowed };
      const { hint, next = [] } = error.facts;
      const lines = [error.message, ...(hint === undefined ? [] : [hint]), ...next.map((one) => `try: ${one}`)];
      annotate(allowed ? 'warning' : 'error', lines.map((line) => visible(line)).join('\n'));
    },
    /** Writes the record. Later calls do nothing. If the record cannot be written, the command does not fail. */
    end: (exitCode: number) => {
      if (isEnded) return;
      isEnded = true;
      if (env.DTP_OUTPUT_FILE) write('DTP_OUTPUT_FILE', `${jsonText(record(exitCode))}\n`);
      const lines = summary && table(exitCode);
      if (lines !== undefined) write('GITHUB_STEP_SUMMARY', lines);
    },
  };
}

/** Returns the name of an exit code without an error: success, a signal, or a command that `dtp dev` ran. */
function nameOf(exitCode: number): string {
  if (exitCode === 0) return 'ok';
  return exitCode > 128 ? 'signal' : 'command';
}

/** The message of each error code. The error itself quotes values, which do not belong into a record. */
const sentences: Readonly<Record<ErrorCode, string>> = {
  error: 'The command failed.',
  usage: 'The command line or the input is invalid.',
  config: 'The configuration is invalid or incomplete.',
  auth: 'The service did not accept the credential.',
  forbidden: 'The credential does not allow this.',
  not_found: 'The service did not find it.',
  rejected: 'The service rejected the request.',
  pending: 'The job is still running.',
  rate_limited: 'The service received too many requests.',
  server: 'The service failed.',
  network: 'The service cannot be reached.',
  bad_response: 'The response of the service is invalid.',
  partial: 'Only a part was done.',
  cancelled: 'The command was cancelled.',
  kept: 'Events are queued. They were not delivered.',
  timeout: 'The command took too long.',
};

/** Returns an id that the service sent, unless it contains characters that mean something to a shell. */
const safeId = (id: string | undefined): string | undefined =>
  id !== undefined && /^[\w.:=+/-]{1,200}$/.test(id) ? id : undefined;
