/** Runs expressions in a thread, which a deadline, an interrupt or a cancellation ends at any time. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemCode } from '../caught.ts';
import { builtin } from '../system/builtin.ts';

/** The values as JSON text, and the expression to apply to each. jq reads one value after another, JMESPath a list. */
export interface Call {
  readonly input: string;
  readonly expression: string;
  /** The flag or the input with the expression, for the messages of JMESPath. */
  readonly label?: string;
}

/** The results of a JMESPath expression as the JSON text of a list, or why it has failed. */
export type QueryAnswer = { readonly results: string } | { readonly message: string; readonly hint: string };

/** The memory that a value takes in the thread, in bytes: its text, and the value itself. */
export const memoryOf = (text: string): number => 4 * text.length;

/**
 * Returns a function that runs expressions in a thread, which starts at the first call and after one that failed, and a
 * function that ends the thread. With `wasm`, the thread runs jq, otherwise JMESPath. The answer is undefined if the
 * memory is used up. The thread gets no environment variables. jq has its own file system in memory, which is empty.
 */
export function openThread<Answer>(wasm?: () => Uint8Array) {
  let worker: Worker | undefined;
  const end = () => {
    void worker?.terminate();
    worker = undefined;
  };
  const run = async (call: Call, signal: AbortSignal): Promise<Answer | undefined> => {
    signal.throwIfAborted();
    worker ??= startThread(wasm?.());
    const thread = worker;
    thread.ref();
    try {
      const answer = once(thread, 'message', { signal });
      thread.postMessage(call);
      const [result] = await answer;
      return result;
    } catch (error) {
      end();
      if (systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') return undefined;
      throw signal.aborted ? signal.reason : error;
    } finally {
      // An idle thread does not keep the process running.
      thread.unref();
    }
  };
  return { run, end };
}

function startThread(workerData: Uint8Array | undefined): Worker {
  // Both languages end an expression before this limit, which would end the process.
  const resourceLimits = { maxOldGenerationSizeMb: 2048 };
  const options = { workerData, env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits };
  return new Worker(readPart('thread.cjs').toString(), { ...options, eval: true });
}

/** Returns a file of dist/expressions/ or of the executable. The relative path is the same from dist/chunks/. */
export function readPart(name: string): Uint8Array {
  const sea = builtin('node:sea');
  if (sea.isSea()) return Buffer.from(sea.getRawAsset(`expressions/${name}`) as ArrayBuffer);
  return readFileSync(join(import.meta.dirname, '../../dist/expressions', name));
}
