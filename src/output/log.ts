/** Writes warnings and notes to stderr, and with -v also requests and retries. */

import { styleText } from 'node:util';
import type { Context } from '../context.ts';
import { withoutCommands } from '../render/annotation.ts';
import { visible } from '../render/sanitize.ts';
import { hasPlainSigns, signsFor } from '../render/signs.ts';
import { hangText } from '../render/width.ts';
import type { Send } from '../request/http.ts';
import { maskDeep, maskOf, redactHeaders, redactUrl } from '../request/redact.ts';
import type { Globals } from '../settings/global-flags.ts';
import { isOn } from '../settings/switches.ts';
import { colorOf } from './color.ts';
import { hasRunner } from './journal.ts';

export interface Log {
  /** Masks this string in everything that is logged from now on, by any log of this process. */
  readonly hide: (secret: string) => void;
  /** Returns a value without these strings, for a result that an agent reads. */
  readonly masked: <Value>(value: Value) => Value;
  readonly warn: (text: string) => void;
  /** Warns only once per process. */
  readonly warnOnce: (text: string) => void;
  readonly note: (text: string) => void;
  /** On a terminal, reports success (`✔ Created token deploy`) and the next useful command, if there is one. */
  readonly done: (text: string, next?: string) => void;
  /** Writes a less important fact in dim text, on a terminal only. */
  readonly aside: (text: string) => void;
  readonly next: (command: string) => void;
  /** Reports success like `done` on a terminal. Elsewhere, writes a note, so that scripts see it too. */
  readonly success: (text: string) => void;
  /** Shows why a request is sent again, and the milliseconds left for that. With -v, logs each attempt. */
  readonly retry: (attempt: number, reason: string, waitMs: number, leftMs?: number) => void;
  /** Returns a `send` that also records requests and responses in the journal, and logs them with -v. */
  readonly sends: (send: Send) => Send;
}

/** The failed attempt at which a log without -v reports the retries. By then, some seconds have passed. */
const patience = 8;

/** Returns a function that warns of a failed request, with a reason that only the operator can correct. */
export const faultReport =
  ({ warn }: Pick<Log, 'warn'>) =>
  (fault: string): void =>
    warn(`a request failed: ${fault}`);

export function openLog(context: Context, globals: Globals): Log {
  const debug = globals.debug === true || isOn(context.env.DTP_DEBUG);
  const verbose = debug || globals.verbose === true;
  const { hide, masked } = openMask(context);
  const signed = signsFor(context.stderr, context.env);
  const shown = (text: string) => visible(masked(text));
  const line = (text: string) => {
    const plain = signed(inLines(shown(text), widthOf(context)));
    context.stderr.write(`${hasRunner(context) ? withoutCommands(plain) : plain}\n`);
  };
  const headers = (mark: string, all: Readonly<Record<string, string>>) => {
    if (debug) for (const [name, value] of Object.entries(redactHeaders(all))) line(`${mark} ${name}: ${value}`);
  };
  const warn = (text: string) => {
    line(`warning: ${text}`);
    context.journal?.warned(shown(text));
  };
  const person = forPerson(context, globals, shown);
  return {
    hide,
    masked,
    warn,
    warnOnce: (text) => {
      if (context.warned.has(text)) return;
      context.warned.add(text);
      warn(text);
    },
    note: line,
    ...person,
    success: (text) => {
      if (context.stderr.isTTY === true) person.done(text.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase()));
      else line(text);
    },
    retry: (attempt, reason, waitMs, leftMs) => {
      const until = leftMs === undefined ? undefined : context.clock.now() + leftMs;
      const why = shown(reason.replace(/^status /, 'the service responded with status '));
      for (const display of context.displays) display({ reason: why, until });
      if (attempt === patience && !verbose && context.stderr.isTTY !== true) line(`${why}; trying again`);
      if (verbose) line(`attempt ${attempt} failed (${reason}), retrying in ${Math.round(waitMs)} ms`);
    },
    sends: (send) => async (request, options) => {
      const start = context.clock.now();
      if (verbose) line(`> ${request.method} ${redactUrl(request.url)}`);
      headers('>', request.headers);
      context.journal?.sent();
      const response = await send(request, options);
      context.journal?.answered(response.status);
      for (const display of context.displays) display(undefined);
      if (verbose) line(`< ${response.status} after ${Math.round(context.clock.now() - start)} ms`);
      headers('<', response.headers);
      return response;
    },
  };
}

/** Returns the functions that hide secrets. The mask is made again only if a secret was added. */
function openMask({ secrets }: Context): Pick<Log, 'hide' | 'masked'> {
  let [mask, size] = [maskOf([]), 0];
  return {
    hide: (secret) => void secrets.add(secret),
    masked: <Value>(value: Value): Value => {
      if (size !== secrets.size) [mask, size] = [maskOf(secrets), secrets.size];
      return maskDeep(value, mask) as Value;
    },
  };
}

/** Returns the functions that write to a terminal only. `shown` escapes and redacts text. */
function forPerson(context: Context, globals: Globals, shown: (text: string) => string) {
  const inColor = (color: 'green' | 'dim', part: string) =>
    colorOf(context, globals, true) ? styleText(color, part, { validateStream: false }) : part;
  const line = (text: string) => {
    if (context.stderr.isTTY === true) context.stderr.write(`${signsFor(context.stderr, context.env)(text)}\n`);
  };
  const aside = (text: string) => line(inColor('dim', shown(text)));
  const next = (command: string) => aside(`  next: ${command}`);
  return {
    aside,
    next,
    done: (text: string, command?: string) => {
      const sign = hasPlainSigns(context.env) ? 'ok:' : '✔';
      line(`${inColor('green', sign)} ${hangText(shown(text), sign.length + 1, widthOf(context))}`);
      if (command !== undefined) next(command);
    },
  };
}

/** Returns the width for wrapping text on a terminal. Undefined elsewhere. */
const widthOf = ({ stderr }: Context): number | undefined => (stderr.isTTY ? stderr.columns || 80 : undefined);

/** Wraps a line. Continuation lines are indented like the start of a note, or like the first word of a warning. */
function inLines(text: string, width: number | undefined): string {
  const [start = ''] = /^(?:warning: | *)/.exec(text) ?? [];
  return start + hangText(text.slice(start.length), start.length, width);
}
