/** Formats a request that a server has answered as one line, for somebody who watches the server. */
import { Chalk } from 'chalk';
import { durationText, localText } from './amounts.ts';
import { visible } from './sanitize.ts';
import { cut, widthOf, wrapWords } from './width.ts';

/** An answered request. Without a status, the connection was dropped. */
export interface Served {
  readonly at: number;
  readonly method: string;
  /** Without its query, which may contain secrets. */
  readonly path: string;
  readonly status?: number | undefined;
  readonly ms: number;
  readonly operation?: string | undefined;
  /** The reason that the service gives for an error. */
  readonly reason?: string | undefined;
}

/** The columns of the method, the duration and the operation. */
const [methodWidth, timeWidth, nameWidth] = [6, 6, 24];

/** Below this width, a line has no duration and no operation. */
const narrow = 72;

/** `12:04:31  POST    /v1/workspace/…/events  204    3 ms  postWorkspaceEvents`. A reason may follow on lines below. */
export function requestLines(served: Served, width: number, isColored: boolean): readonly string[] {
  const { dim, green, yellow, red } = new Chalk({ level: isColored ? 1 : 0 });
  const { status, ms, operation = '', reason } = served;
  const isNarrow = width < narrow;
  const time = localText(served.at).slice(11);
  const method = visible(served.method).padEnd(methodWidth);
  const duration = isNarrow ? '' : `  ${durationText(ms).padStart(timeWidth)}  `;
  const name = isNarrow ? '' : cut(operation, nameWidth);
  const state = status === undefined ? '---' : String(status);
  const taken = [time, method, state].reduce((sum, part) => sum + part.length + 2, 0) + duration.length;
  const room = Math.max(8, Math.min(48, width - taken - (isNarrow ? 0 : nameWidth)));
  const path = cut(shortPath(visible(served.path)), room);
  const color = status === undefined || status >= 500 ? red : status >= 400 ? yellow : green;
  const start = `${dim(time)}  ${method}  ${path}${' '.repeat(Math.max(0, room - widthOf(path)))}  ${color(state)}${dim(duration)}`;
  const said = status === undefined ? 'connection dropped' : reason && visible(reason);
  const left = width - taken - room;
  if (!said) return [`${start}${name}`.trimEnd()];
  if (!isNarrow && nameWidth + 2 + widthOf(said) <= left) return [`${start}${name.padEnd(nameWidth)}  ${color(said)}`];
  const indent = ' '.repeat(Math.min(10, Math.floor(width / 4)));
  const below = wrapWords(said, width - indent.length).map((line) => `${indent}${color(line)}`);
  return [`${start}${name}`.trimEnd(), ...below];
}

/** Shortens ids, digests and other long parts of a path to `…`. */
const shortPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^[a-z_.-]{1,20}$|^[\w.-]{1,12}$/.test(part) || part === '' ? part : '…'))
    .join('/');
