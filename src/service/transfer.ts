/** Exports and imports all data of a store, as answers to requests that no client can send. */
import { setImmediate as turn } from 'node:timers/promises';
import { messageOf } from '../caught.ts';
import type { Send } from '../request/http.ts';
import { exportStore } from './data/export.ts';
import { importStore } from './data/import.ts';
import { databaseProblem } from './data/remote-fault.ts';
import type { Store } from './data/store.ts';
import { errorResponse, replyJson, replyWith, responseOf } from './handler.ts';
import { Refusal } from './refusal.ts';

/** Returns an export, or reads the one in the body and returns the sums of the tables. */
export const transferOf =
  (store: Store): Send =>
  async ({ body }, { signal }) => {
    if (!body || 'byteLength' in body) return responseOf(replyWith(200, {}, exported(store)));
    try {
      const sums = await importStore(store, body.open(), async () => {
        // Otherwise an interrupt would not arrive.
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

async function* exported(store: Store): AsyncGenerator<Uint8Array> {
  for (const line of exportStore(store)) yield Buffer.from(line);
}
