/** What is told on stderr beside errors: warnings, notes, and under -v the requests and retries. */
import type { Context } from '../context.ts';
import { visible } from '../render/sanitize.ts';
import type { Send } from '../request/http.ts';
import { redactHeaders, redactText, redactUrl } from '../request/redact.ts';
import type { Globals } from './globals.ts';

export interface Log {
  /** From now on this text is masked wherever it is told. */
  readonly hide: (secret: string) => void;
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
  readonly retry: (attempt: number, reason: string, waitMs: number) => void;
  /** `send` with a line for each request and response, where the user asked for them. */
  readonly sends: (send: Send) => Send;
}

export function openLog(context: Context, globals: Globals): Log {
  const debug = globals.debug === true || (context.env.DTP_DEBUG ?? '') !== '';
  const verbose = debug || globals.verbose === true;
  const secrets: string[] = [];
  const line = (text: string) => {
    context.stderr.write(`${visible(redactText(text, secrets))}\n`);
  };
  const headers = (mark: string, all: Readonly<Record<string, string>>) => {
    if (debug)
      for (const [name, value] of Object.entries(redactHeaders(all))) line(`${mark} ${name}: ${value}`);
  };
  return {
    hide: (secret) => {
      secrets.push(secret);
    },
    warn: (text) => line(`warning: ${text}`),
    note: line,
    retry: (attempt, reason, waitMs) => {
      if (verbose) line(`attempt ${attempt} failed (${reason}); the next in ${Math.round(waitMs)} ms`);
    },
    sends: (send) =>
      verbose
        ? async (request, options) => {
            const start = context.clock.now();
            line(`> ${request.method} ${redactUrl(request.url)}`);
            headers('>', request.headers);
            const response = await send(request, options);
            line(`< ${response.status} after ${context.clock.now() - start} ms`);
            headers('<', response.headers);
            return response;
          }
        : send,
  };
}
