/** Sends a view again whenever something has changed, as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../data/store.ts';
import { Refusal, type Reply, replyWith } from '../handler.ts';
import { secureHeaders } from './layout.ts';

/** At most one view per stream and second, however much arrives. */
const PERIOD_MS = 1000;

/** A comment keeps the connection open, and shows that it is. */
const IDLE_PERIODS = 15;

const STREAMS_LIMIT = 20;

/** The open streams of a server. */
export class Live {
  readonly #store: Store;
  readonly #ended = new AbortController();
  #changes = 0;
  #streams = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Something has changed. */
  readonly note = (): void => {
    this.#changes++;
  };

  readonly close = (): void => this.#ended.abort();

  /** Returns a stream of a view. `draw` returns its HTML. Throws Refusal if too many streams are open. */
  stream(draw: () => Promise<string>, signal: AbortSignal): Reply {
    if (this.#streams >= STREAMS_LIMIT) throw new Refusal(503, 'too many views are open. Close some of them');
    const ends = AbortSignal.any([signal, this.#ended.signal]);
    return replyWith(200, { ...secureHeaders, 'content-type': 'text/event-stream' }, this.#messages(draw, ends));
  }

  async *#messages(draw: () => Promise<string>, ends: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#streams++;
    try {
      let [text, state] = ['', ''];
      yield Buffer.from('retry: 2000\n\n');
      for (let idle = 0; !ends.aborted; idle++) {
        const [before, seen] = [text, state];
        // The version changes when another process has changed the database.
        state = `${this.#changes} ${this.#store.get('PRAGMA data_version')?.data_version}`;
        if (state !== seen) text = await draw();
        if (text !== before) yield Buffer.from(`event: view\n${text.replace(/^/gm, 'data: ')}\n\n`);
        else if (idle % IDLE_PERIODS === 0) yield Buffer.from(': idle\n\n');
        await sleep(PERIOD_MS, undefined, { signal: ends }).catch(() => undefined);
      }
    } finally {
      this.#streams--;
    }
  }
}
