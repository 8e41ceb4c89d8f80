/** Applies jq expressions to results. */
import type { JqResult } from 'jq-wasm';
import { afterCommand, DtpError } from '../errors.ts';
import { exactJson } from '../json-object.ts';
import { parseJson, UnrepresentableNumberError } from '../request/json.ts';
import { openThread, readPart } from './aside.ts';
import type { Selection } from './query.ts';

const hint = "Use a jq expression (https://jqlang.org/manual), such as '.[].id'.";

/** Compiles an expression. Throws `usage` if it is not valid, and the reason of the signal if that is aborted. */
export async function compileJq(expression: string, interrupt: AbortSignal): Promise<Selection> {
  const thread = openThread<JqResult>(() => readPart('jq.wasm.br'));
  const run = async (input: string, signal: AbortSignal): Promise<JqResult> => {
    const result = await thread.run({ input, expression }, signal);
    if (result === undefined) throw outOfMemory();
    return result;
  };
  // Without a value, jq compiles the expression but does not apply it.
  const { stderr, exitCode } = await run('', interrupt);
  if (exitCode !== 0) throw new DtpError('usage', `--jq: ${compileError(stderr)}`, { hint });
  return async (values, { signal, note }) => {
    const input = values.map((value) => exactJson(value ?? null)).join('\n');
    const { stdout, stderr, exitCode } = await run(input, signal);
    const [messages, error] = exitCode === 0 ? [stderr, ''] : splitError(stderr);
    for (const line of messages.split('\n')) if (line !== '') note?.(line);
    if (exitCode !== 0) throw new DtpError('usage', `--jq: ${error}`, { hint: afterCommand + hint });
    return parsed(`[${stdout.replaceAll('\n', ',')}]`);
  };
}

/** The first error, in one line, such as `syntax error, unexpected end of file (line 1, column 4)`. */
const compileError = (stderr: string): string =>
  (/^jq: error: (.+)$/m.exec(stderr)?.[1] ?? stderr).replace(/ at <top-level>, (line \d+, column \d+):$/, ' ($1)');

/** Separates the messages of `debug` and `stderr` from the error. What `halt_error` prints is all of the output. */
function splitError(stderr: string): readonly [messages: string, error: string] {
  const at = Math.max(0, stderr.startsWith('jq: error') ? 0 : stderr.lastIndexOf('\njq: error') + 1);
  const error = stderr.slice(at);
  return [stderr.slice(0, at), error.replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '') || 'the expression failed'];
}

const outOfMemory = () =>
  new DtpError('usage', '--jq: the result or the expression needs more memory than jq has here (256 MiB)', {
    hint: `${afterCommand}Use --query, or pipe -o ndjson to an installed jq.`,
  });

/** jq can return numbers that are too large for a double, such as 1e1000. */
function parsed(text: string): readonly unknown[] {
  try {
    return parseJson(text) as readonly unknown[];
  } catch (error) {
    throw error instanceof UnrepresentableNumberError
      ? new DtpError('usage', `--jq: the result ${error.message}`, { hint: afterCommand + hint })
      : error;
  }
}
