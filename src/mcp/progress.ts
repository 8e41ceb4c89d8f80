/** Reports the progress of a call to its client, if the client asks for it. */
import type { Context } from '../context.ts';
import { visible } from '../render/sanitize.ts';

/** What a request of the protocol has for this. */
interface Request {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly signal: AbortSignal;
  readonly notify: (notification: {
    readonly method: 'notifications/progress';
    readonly params: Record<string, unknown>;
  }) => Promise<void>;
}

/** Returns the function that reports progress. Undefined if the request has no token for it. */
export function reporterOf({ _meta, signal, notify }: Request): Context['report'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return (now) => {
    if (signal.aborted) return;
    const { text, done = 0, total, facts } = typeof now === 'string' ? { text: now } : { ...now };
    // The protocol requires that the number grows with each message.
    last = Math.max(last + 1, done);
    const message = visible([text, ...(facts ?? [])].filter(Boolean).join(', '));
    const params = { progressToken, progress: last, ...(total && last <= total && { total }), message };
    // A client that has gone needs no progress.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
