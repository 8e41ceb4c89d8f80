/** Runs jq in a separate thread. WebAssembly blocks its thread, so only another one can end an endless expression. */
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { loadJq } from 'jq-wasm';
import { attempt } from '../caught.ts';
import type { JqCall } from './jq.ts';

const loading = loadJq({ wasmBinary: brotliDecompressSync(workerData) });

// After `--`, an expression such as -1 is not a flag. jq fails only if its memory or its stack is used up.
parentPort?.on('message', async ({ input, expression }: JqCall) => {
  const { raw } = await loading;
  parentPort?.postMessage(attempt(() => raw(input, expression, ['-c', '--']), undefined));
});
