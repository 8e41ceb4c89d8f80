/** Evaluates expressions in a separate thread. WebAssembly and JMESPath block theirs, so only another one can end them. */
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { loadJq } from 'jq-wasm';
import { attempt } from '../caught.ts';
import type { DtpError } from '../errors.ts';
import { exactJson } from '../json-object.ts';
import { parseJson } from '../request/json.ts';
import { type Call, memoryOf, type QueryAnswer } from './aside.ts';
import { compileQuery, openMeter } from './query.ts';

/** Returns a function that runs jq. After `--`, an expression such as -1 is not a flag. */
async function openJq(wasm: Uint8Array) {
  const { raw } = await loadJq({ wasmBinary: brotliDecompressSync(wasm) });
  // jq fails only if its memory or its stack is used up.
  return ({ input, expression }: Call) => attempt(() => raw(input, expression, ['-c', '--']), undefined);
}

/** Applies a JMESPath expression to each value of a list. */
function applyQuery({ input, expression, label }: Call): QueryAnswer {
  const meter = openMeter(undefined, memoryOf(input));
  try {
    const query = compileQuery(expression, label);
    return { results: exactJson((parseJson(input) as unknown[]).map((one) => query(one, meter) ?? null)) };
  } catch (error) {
    const { message, facts } = error as DtpError;
    return { message, hint: facts.hint ?? '' };
  }
}

const opening = workerData ? openJq(workerData) : applyQuery;

parentPort?.on('message', async (call: Call) => parentPort?.postMessage((await opening)(call)));
