/** Reports the progress of a call to its client, if the client asks for it. */
import type { Context } from '../context.ts';
import { visible } from '../render/sanitize.ts';

type Notify = (params: Record<string, unknown>) => Promise<void>;

/** Returns the function that reports progress with `notify`. Undefined if the request has no token for it. */
export function reporterOf(token: string | number | undefined, signal: AbortSignal, notify: Notify): Context['report'] {
  if (token === undefined) return undefined;
  let last = -1;
  return (now) => {
    if (signal.aborted) return;
    const { text, done = 0, total, facts } = typeof now === 'string' ? { text: now } : { ...now };
    // The protocol requires that the number grows with each message.
    last = Math.max(last + 1, done);
    const message = visible([text, ...(facts ?? [])].filter(Boolean).join(', '));
    const params = { progressToken: token, progress: last, ...(total && { total: Math.max(total, last) }), message };
    // A client that has gone needs no progress.
    void notify(params).catch(() => undefined);
  };
}
