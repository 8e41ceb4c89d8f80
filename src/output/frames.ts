/** Shows a result that changes: in place on a terminal, elsewhere one result after the other. */

import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type Context, changed } from '../context.ts';
import { amount } from '../render/amounts.ts';
import { cut, widthOf } from '../render/width.ts';
import { write } from './write.ts';

/** What one run of a command writes. */
export interface Frame {
  /** The context of the run. Its streams are collected. */
  readonly context: Context;
  /** What it has written to stdout, and to stderr. */
  readonly out: () => string;
  readonly notes: () => string;
}

export interface Frames {
  readonly begin: () => Frame;
  /** Shows a frame. In place, `before` is the frame whose result stays visible above the notes. */
  readonly show: (frame: Frame, before?: Frame) => Promise<void>;
}

/** `heading` is the first line on a terminal. `isLines` if results need nothing between them, as with NDJSON. */
export function openFrames(context: Context, heading: () => string, isLines: boolean): Frames {
  const { env, stdout } = context;
  const isInPlace = stdout.isTTY === true && !!stdout.columns && env.TERM !== 'dumb' && !env.CI;
  return {
    begin: () => beginFrame(context),
    show: isInPlace ? inPlace(context, heading) : oneByOne(context, isLines),
  };
}

function beginFrame(context: Context): Frame {
  const [out, notes] = [collector(context.stdout), collector(context.stderr)];
  // A spinner would be part of the frame.
  const env = { ...context.env, DTP_NO_PROGRESS: '1' };
  return {
    context: changed(context, { env, stdout: out.stream, stderr: notes.stream }),
    out: out.text,
    notes: notes.text,
  };
}

/** A stream that looks like the given one to its writers, and what they have written. */
function collector({ isTTY, columns, rows }: Context['stdout']) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const size = { ...(columns !== undefined && { columns }), ...(rows !== undefined && { rows }) };
  return {
    stream: Object.assign(stream, { isTTY: isTTY === true, ...size }),
    text: () => Buffer.concat(chunks).toString(),
  };
}

/** Prints each result that differs from the one before, and each new note. */
function oneByOne(context: Context, isLines: boolean): Frames['show'] {
  let [shown, noted]: (string | undefined)[] = [];
  return async (frame) => {
    const [out, notes] = [frame.out(), frame.notes()];
    if (notes !== noted && notes !== '') context.stderr.write(notes);
    noted = notes;
    if (out === shown || out === '') return;
    await write(context, shown === undefined || isLines ? out : `\n${out}`);
    shown = out;
  };
}

/**
 * Writes each frame over the previous one with a single write, so that it does not flicker, and clears the rest of the
 * previous one. A frame is never higher than the terminal, so the cursor can always go back to its first line.
 */
function inPlace(context: Context, heading: () => string): Frames['show'] {
  let before: readonly string[] = [];
  return async (frame, last) => {
    // A terminal without a known size has 0 columns and rows.
    const [columns, rows] = [context.stdout.columns || 80, context.stdout.rows || 24];
    const text = (last?.out() ?? frame.out()) + frame.notes();
    const lines = fitting([cut(heading(), columns), '', ...text.trimEnd().split('\n')], columns, rows - 1);
    const up = before.reduce((sum, line) => sum + heightOf(line, columns), 0);
    const back = up === 0 ? '' : `\u001b[${up}A`;
    // At the right edge, the cursor is still on the last character, which would be cleared.
    const ended = lines.map((line) =>
      plainWidth(line) % columns === 0 && line !== '' ? line : `${line}\u001b[K`,
    );
    await write(context, `${back}${ended.join('\n')}\n\u001b[J`);
    before = lines;
  };
}

const plainWidth = (line: string): number => widthOf(stripVTControlCharacters(line));

/** The rows of the terminal that a line takes. */
const heightOf = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(plainWidth(line) / columns));

/** The lines that fit in `rows` rows. If some are left out, the last row says how many. */
function fitting(lines: readonly string[], columns: number, rows: number): readonly string[] {
  let left = rows;
  const count = lines.findIndex((line) => {
    left -= heightOf(line, columns);
    return left < 0;
  });
  if (count < 0) return lines;
  const shown = lines.slice(0, Math.max(1, count - 1));
  return [...shown, `… ${amount(lines.length - shown.length, 'more line')}`];
}
