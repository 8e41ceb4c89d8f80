/** Exports and imports all data of a store. It is a `Send` for the tool itself, which no client can reach. */
import { setImmediate as turn } from 'node:timers/promises';
import { messageOf } from '../caught.ts';
import type { Send } from '../request/http.ts';
import { exportStore } from './data/export.ts';
import { importStore } from './data/import.ts';
import { databaseProblem } from './data/remote-fault.ts';
import type { Store } from './data/store.ts';
import { errorResponse, replyJson, replyWith, responseOf } from './handler.ts';
import { Refusal } from './refusal.ts';

/** Returns the export of a store. If the request has a body, imports it and returns the sums of its tables. */
export const transferOf =
  (store: Store): Send =>
  async ({ body }, { signal }) => {
    try {
      if (!body || 'byteLength' in body) return responseOf(replyWith(200, {}, exported(store)));
      const sums = await importStore(store, body.open(), async () => {
        // Without a pause, a Ctrl+C would not arrive.
        await turn();
        signal.throwIfAborted();
      });
      return responseOf(replyJson(200, sums));
    } catch (error) {
      const problem = databaseProblem(error);
      if (problem) return errorResponse(503, `the database ${problem}`);
      return errorResponse(error instanceof Refusal ? error.status : 500, messageOf(error));
    }
  };

/** Reads the first line at once, so that the answer says why a store cannot be exported. */
function exported(store: Store): AsyncGenerator<Uint8Array> {
  const lines = exportStore(store);
  let next = lines.next();
  const rest = async function* () {
    try {
      for (; !next.done; next = lines.next()) yield Buffer.from(next.value);
    } finally {
      lines.return(undefined);
    }
  };
  return rest();
}
