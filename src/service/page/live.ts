/** Sends a view again whenever something has changed, as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { foreignChanges } from '../data/activity.ts';
import type { Store } from '../data/store.ts';
import { Refusal, type Reply, replyWith } from '../handler.ts';
import { secureHeaders } from './layout.ts';

/** At most one view per stream and second, however much arrives. */
const PERIOD_MS = 1000;

/** A comment keeps the connection open, and shows that it is. */
const IDLE_MS = 15_000;

const STREAMS_LIMIT = 20;

type Draw = () => Promise<{ readonly text: string; readonly isComplete: boolean }>;

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

  /** Ends all streams. */
  readonly close = (): void => this.#ended.abort();

  /**
   * Returns a stream of a view. `draw` returns its HTML, and whether it is complete; if not, it is drawn again soon.
   * Throws Refusal if too many streams are open.
   */
  stream(draw: Draw, signal: AbortSignal): Reply {
    if (this.#streams >= STREAMS_LIMIT) throw new Refusal(503, 'too many views are open. Close some of them');
    const ends = AbortSignal.any([signal, this.#ended.signal]);
    const headers = { ...secureHeaders, 'content-type': 'text/event-stream' };
    return replyWith(200, headers, this.#messages(draw, ends));
  }

  async *#messages(draw: Draw, ends: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#streams++;
    try {
      let [last, seen, idle] = ['', '', 0];
      yield Buffer.from('retry: 2000\n\n');
      while (!ends.aborted) {
        const state = `${this.#changes} ${foreignChanges(this.#store)}`;
        if (state !== seen) {
          const { text, isComplete } = await draw();
          seen = isComplete ? state : '';
          if (text !== last) {
            last = text;
            idle = 0;
            yield Buffer.from(`event: view\n${text.replace(/^/gm, 'data: ')}\n\n`);
          }
        }
        await sleep(PERIOD_MS, undefined, { signal: ends }).catch(() => undefined);
        idle += PERIOD_MS;
        if (idle < IDLE_MS || ends.aborted) continue;
        idle = 0;
        yield Buffer.from(': idle\n\n');
      }
    } finally {
      this.#streams--;
    }
  }
}
