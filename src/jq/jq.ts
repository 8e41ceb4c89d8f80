/** Applies jq expressions to results. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { JqResult } from 'jq-wasm';
import { afterCommand, DtpError } from '../errors.ts';
import { exactJson } from '../json-object.ts';
import type { Selection } from '../render/query.ts';
import { parseJson, UnrepresentableNumberError } from '../request/json.ts';
import { builtin } from '../system/builtin.ts';

/** The values to read as JSON text, one after another, and the expression to apply to each. */
export interface JqCall {
  readonly input: string;
  readonly expression: string;
}

const hint = "Use a jq expression (https://jqlang.org/manual), such as '.[].id'.";

/** Compiles an expression. Throws `usage` if it is not valid, and the reason of the signal if that is aborted. */
export async function compileJq(expression: string, interrupt: AbortSignal): Promise<Selection> {
  const run = openThread();
  // Without a value, jq compiles the expression but does not apply it.
  const { stderr, exitCode } = await run({ input: '', expression }, interrupt);
  if (exitCode !== 0) throw new DtpError('usage', `--jq: ${compileError(stderr)}`, { hint });
  return async (values, { signal, note }) => {
    const input = values.map((value) => exactJson(value ?? null)).join('\n');
    const { stdout, stderr, exitCode } = await run({ input, expression }, signal);
    const [messages, error] = exitCode === 0 ? [stderr, ''] : splitError(stderr);
    for (const line of messages.split('\n')) if (line !== '') note(line);
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

/**
 * Returns a function that runs jq in a thread, which starts at the first call and after a call that was aborted. The
 * thread gets no environment variables. jq has its own file system in memory, which is empty.
 */
function openThread(): (call: JqCall, signal: AbortSignal) => Promise<JqResult> {
  let worker: Worker | undefined;
  return async (call, signal) => {
    signal.throwIfAborted();
    worker ??= startThread();
    const thread = worker;
    thread.ref();
    try {
      const answer = once(thread, 'message', { signal });
      thread.postMessage(call);
      const [result] = await answer;
      if (result === undefined) throw outOfMemory();
      return result;
    } catch (error) {
      worker = undefined;
      void thread.terminate();
      throw signal.aborted ? signal.reason : error;
    } finally {
      // An idle thread does not keep the process running.
      thread.unref();
    }
  };
}

function startThread(): Worker {
  const options = { workerData: readPart('jq.wasm.br'), env: {}, execArgv: [], stdout: true, stderr: true };
  return new Worker(readPart('thread.cjs').toString(), { ...options, eval: true });
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

/** Returns a file of dist/jq/ or of the executable. The relative path is the same from src/jq/ and dist/chunks/. */
function readPart(name: string): Uint8Array {
  const sea = builtin('node:sea');
  if (sea.isSea()) return Buffer.from(sea.getRawAsset(`jq/${name}`) as ArrayBuffer);
  return readFileSync(join(import.meta.dirname, '../../dist/jq', name));
}
