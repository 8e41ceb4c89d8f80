/** Shows a result that changes. A terminal shows only the latest result. Elsewhere, each result is printed in turn. */
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type Context, changeContext } from '../context.ts';
import { amount } from '../render/amounts.ts';
import { signsFor } from '../render/signs.ts';
import { cut, widthOf } from '../render/width.ts';
import { isOn } from '../settings/switches.ts';
import { write } from './write.ts';

/** The output of one run of a command. */
export interface Frame {
  /** The context of the run. Its output streams are collected. */
  readonly context: Context;
  /** What the run has written to stdout. `notes` is what it has written to stderr. */
  readonly out: () => string;
  readonly notes: () => string;
}

/** Shows a frame. On a terminal, `before` is an earlier frame, whose result is shown above the notes of `frame`. */
type ShowFrame = (frame: Frame, before?: Frame) => Promise<void>;

/** `heading` returns the first line on a terminal. `isLines`: no blank line between results, as with NDJSON. */
export function openFrames(context: Context, heading: () => string, isLines: boolean) {
  const { env, stdout, agent } = context;
  const isInPlace = stdout.isTTY === true && !!stdout.columns && env.TERM !== 'dumb' && !isOn(env.CI) && !agent;
  return { begin: () => beginFrame(context), show: isInPlace ? inPlace(context, heading) : oneByOne(context, isLines) };
}

function beginFrame(context: Context): Frame {
  const [out, notes] = [collector(context.stdout), collector(context.stderr)];
  // Disable the spinner, because it would become part of the frame.
  const env = { ...context.env, DTP_NO_PROGRESS: '1' };
  return {
    context: changeContext(context, { env, stdout: out.stream, stderr: notes.stream }),
    out: out.text,
    notes: notes.text,
  };
}

/** Returns a stream that looks like the given one to writers, and a function that returns what they have written. */
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

/** Prints each result that differs from the previous one, and notes that have changed. */
function oneByOne(context: Context, isLines: boolean): ShowFrame {
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
 * Writes each frame over the previous one with a single write, so that the screen does not flicker, and clears the rest
 * of the previous frame. A frame is never higher than the terminal, so the cursor can always return to its first line.
 */
function inPlace(context: Context, heading: () => string): ShowFrame {
  let before: readonly string[] = [];
  return async (frame, last) => {
    // A terminal of unknown size has 0 columns and rows.
    const [columns, rows] = [context.stdout.columns || 80, context.stdout.rows || 24];
    const text = (last?.out() ?? frame.out()) + frame.notes();
    const all = [cut(heading(), columns), '', ...text.trimEnd().split('\n')];
    const lines = fitting(all, columns, rows - 1).map(signsFor(context.stdout, context.env));
    const up = before.reduce((sum, line) => sum + heightOf(line, columns), 0);
    const back = up === 0 ? '' : `\u001b[${up}A`;
    // If a line fills the width, the cursor is still on its last character, which clearing would erase.
    const ended = lines.map((line) => (plainWidth(line) % columns === 0 && line !== '' ? line : `${line}\u001b[K`));
    await write(context, `${back}${ended.join('\n')}\n\u001b[J`);
    before = lines;
  };
}

const plainWidth = (line: string): number => widthOf(stripVTControlCharacters(line));

const heightOf = (line: string, columns: number): number => Math.max(1, Math.ceil(plainWidth(line) / columns));

/** Returns the lines that fit in `rows` rows. If some are left out, the last row shows how many. */
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
