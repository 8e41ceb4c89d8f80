/** Translates positions in stack traces from built files to src/, with the source maps that the build wrote. */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { attempt } from '../caught.ts';
import { builtin } from './builtin.ts';

const NAME = 'source-maps.json';

/** The relative path is the same from src/system and from dist/chunks. */
const dist = join(import.meta.dirname, '../../dist');

/** Matches a line of a stack trace, such as `    at async name (/opt/dtp/dist/chunks/tree.cjs:13:4158)`. */
const FRAME = /^(\s+at (?:async )?)(?:.* \()?(.+):(\d+):(\d+)\)?$/;

/** Returns a function that rewrites a stack trace. Positions without a map stay unchanged. */
export function openSourcePlaces(): (stack: string) => string {
  const maps = readMaps();
  const opened = new Map<string, SourceMap>();
  const open = (name: string): SourceMap | undefined => {
    const payload = maps[name];
    if (payload && !opened.has(name)) opened.set(name, new SourceMap(payload));
    return opened.get(name);
  };
  const placed = (line: string): string => {
    const [, at, file = '', row, column] = FRAME.exec(line) ?? [];
    if (!file.startsWith(dist)) return line;
    const name = file.slice(dist.length + 1).replaceAll('\\', '/');
    // Source maps count lines and columns from 0, stack traces from 1.
    const entry = open(name)?.findEntry(Number(row) - 1, Number(column) - 1);
    // Function names are minified, so they are left out.
    return entry && 'originalSource' in entry && entry.originalSource
      ? `${at}${entry.originalSource}:${entry.originalLine + 1}`
      : line;
  };
  return (stack) => stack.split('\n').map(placed).join('\n');
}

/** Returns the source maps by the path of the file below dist/. Returns no maps if they cannot be read. */
const readMaps = (): Readonly<Record<string, SourceMapPayload>> =>
  attempt(() => {
    const sea = builtin('node:sea');
    return JSON.parse(sea.isSea() ? sea.getAsset(NAME, 'utf8') : readFileSync(join(dist, NAME), 'utf8'));
  }, {});
