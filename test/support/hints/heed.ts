/** Applies advice to the command line that printed it, and runs it again. */
import { join } from 'node:path';
import { shellLine } from '../../../src/shell.ts';
import { flagNameIn, flagsAt, needsValue, readLine } from '../../../src/tree/line.ts';
import { wallClock, yieldingClock } from '../clocks.ts';
import { type Choice, choicesIn, type Step } from './advice.ts';
import { shellWords } from './extract.ts';
import {
  base,
  ctrlCSoon,
  type Followed,
  faultOf,
  type Place,
  placeholderValues,
  plain,
  run,
  type State,
} from './run.ts';

export interface Heeded extends Followed {
  /** The line with the advice. */
  readonly line: string;
}

interface Seen {
  readonly state: State;
  readonly place: Place;
  readonly argv: readonly string[];
}

type Env = Readonly<Record<string, string>>;
interface Typed {
  readonly argv: readonly string[];
  readonly env: Env;
}

/** What a person would choose, by flag and variable. */
const values: Readonly<Record<string, string>> = {
  '-O': 'fresh',
  '-o': 'json',
  '-w': 'w_1',
  '--older-than': '1s',
  '--page-token': 'p_2',
  '--timeout': '60s',
  '--connect-timeout': '60s',
  '--fields': 'id',
  '--query': '[].id',
  '--jq': '.[].id',
  '--limit': '4',
  '--profile': 'other',
  '--port': '0',
  '--base-url': base,
  '--out-dir': 'fresh',
  DTP_API_KEY: 'k-2',
  DTP_BASE_URL: base,
  DTP_TOKEN: 't-1',
  DTP_PROFILE: 'other',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_QUEUE_MAX_BYTES: '100000000',
};

/** A line without the quotes and the name of a field in JSON. */
const unquoted = (line: string): string => line.trim().replace(/^"\w+": "(.*)",?$/, '$1');

/** The work of each choice in the output: run the command again, changed as the choice says. */
export function rerunsFor(seen: Seen, printed: string): readonly (() => Promise<Heeded>)[] {
  const lines = [...new Set(printed.split('\n').map(unquoted))];
  const found = lines.flatMap((line) =>
    choicesIn(line).flatMap((choice) => {
      const typed = applied(seen, choice);
      return typed ? [{ line, typed }] : [];
    }),
  );
  return found.map(
    ({ line, typed }) =>
      () =>
        heed(seen, line, typed),
  );
}

async function heed({ state, place }: Seen, line: string, { argv, env }: Typed): Promise<Heeded> {
  const { command: found } = readLine(argv);
  const words = found.words.join(' ');
  const lasts = /^(serve|events tail|mcp)$/.test(words) || argv.some((word) => word.startsWith('--watch'));
  const signal = lasts ? ctrlCSoon() : AbortSignal.timeout(30_000);
  const command = shellLine([
    ...Object.entries(env).flatMap(([name, value]) => (state.env?.[name] === value ? [] : [`${name}=${value}`])),
    'dtp',
    ...argv,
  ]);
  const { isReal, ...rest } = state;
  const again: State = { ...rest, env, ...(isReal === true && { isReal }) };
  const ended = await run(again, place, argv, state.later ?? state.answer, {
    signal,
    ...(lasts ? { clock: wallClock } : !state.world?.clock && { clock: yieldingClock }),
  });
  const isLater = state.fails?.test(ended.stderr) === true;
  const isRepeated = `${plain(ended.stderr)}\n${ended.stdout}`.split('\n').map(unquoted).includes(line);
  const fault = isRepeated ? 'says the same again' : isLater ? undefined : faultOf(words, ended, lasts);
  return { line, command, ended, ...(fault !== undefined && { fault }) };
}

/** The command line and the environment after a choice. Undefined if there is nothing to leave out. */
function applied({ state, place, argv }: Seen, choice: Choice): Typed | undefined {
  let typed: Typed = {
    argv: state.instead === undefined ? argv : shellWords(state.instead),
    env: state.env ?? {},
  };
  let isChanged = false;
  for (const step of choice) {
    const isVariable = /^[A-Z]+_/.test(step.name);
    const next = isVariable ? withVariable(typed, step, state, place) : withFlag(typed, step, state);
    isChanged ||= next !== typed;
    typed = next;
  }
  return isChanged ? typed : undefined;
}

function withFlag(typed: Typed, { name, isAdded, value }: Step, { fill = {} }: State): Typed {
  const { argv, env } = typed;
  const { command, roles } = readLine(argv);
  const flag = flagsAt(command).find((one) => one.name === name || one.short === name);
  const rest = argv.filter((word, at) => {
    const role = roles[at];
    return role !== undefined && 'flag' in role ? role.flag !== flag : word !== name && flagNameIn(word) !== name;
  });
  if (!isAdded) return rest.length === argv.length ? typed : { argv: rest, env };
  const placed =
    value !== undefined && !/^[A-Z][A-Z-]*$/.test(value)
      ? value
      : (fill[name] ?? fill[value ?? ''] ?? values[name] ?? placeholderValues[value ?? ''] ?? 'x_1');
  const added = flag && needsValue(flag) ? [name, placed] : [name];
  const end = rest.indexOf('--');
  return { argv: end < 0 ? [...rest, ...added] : rest.toSpliced(end, 0, ...added), env };
}

function withVariable(typed: Typed, { name, isAdded, value }: Step, { fill = {} }: State, place: Place): Typed {
  if (isAdded)
    return {
      ...typed,
      env: { ...typed.env, [name]: value ?? fill[name] ?? values[name] ?? join(place.home, 'fresh', name) },
    };
  if (typed.env[name] === undefined) return typed;
  const { [name]: _, ...env } = typed.env;
  return { ...typed, env };
}
