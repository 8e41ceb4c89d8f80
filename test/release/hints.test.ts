/**
 * Every command, flag and variable that dtp suggests, in an error, a note or after a success, can be used in the state
 * in which it is printed. A new hint fails this test until a state prints it.
 */
import { beforeAll, expect, test, vi } from 'vitest';
import { readLine } from '../../src/tree/line.ts';
import { mentionsFlag } from '../support/hints/advice.ts';
import { hintsWithoutState, notFollowed } from '../support/hints/elsewhere.ts';
import { commandsIn, shellWords } from '../support/hints/extract.ts';
import { follow, type Outcome } from '../support/hints/follow.ts';
import type { State } from '../support/hints/run.ts';
import { allHints, type Hint, mentionsFlagOrVariable } from '../support/hints/sources.ts';
import { flagStates } from '../support/hints/states-flags.ts';
import { keychainStates } from '../support/hints/states-keychain.ts';
import { openTlsStates, otherStates } from '../support/hints/states-others.ts';
import { placeStates } from '../support/hints/states-places.ts';
import { promptStates } from '../support/hints/states-prompts.ts';
import { settingStates } from '../support/hints/states-settings.ts';
import { answerStates, usageStates } from '../support/hints/states-usage.ts';

/** The lines of src that have built a command. */
const builders = new Set<string>();

vi.mock('../../src/settings/command-line.ts', async (original) => {
  const real = await original<typeof import('../../src/settings/command-line.ts')>();
  const commandLine: typeof real.commandLine = (...words) => {
    const { stack = '' } = new Error('where');
    for (const [, file, line] of stack.matchAll(/\/src\/([\w/-]+\.ts):(\d+)/g)) builders.add(`${file}:${line}`);
    return real.commandLine(...words);
  };
  return { ...real, commandLine };
});

const isCommand = (text: string): boolean => commandsIn(text.replaceAll('…', 'x')).length > 0;

const outcomes: Outcome[] = [];
const hints = allHints().filter(({ is, text, file }) => is === 'call' || isCommand(text) || file === 'output/done.ts');
let missing: readonly Hint[] = [];

/** Matches the line that is printed for a string of the source: its first line with a command. Values may be anything. */
function patternOf(text: string): RegExp {
  const line = text.split('\n').find(isCommand) ?? text;
  const parts = line.split(/…|\{=?\w+\}|\[[^\]]*\]/);
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?'));
}

const isPrinted = (text: string, lines: readonly string[]): boolean => {
  const pattern = patternOf(text);
  return lines.some((line) => pattern.test(line));
};

const keyOf = ({ file, text }: Hint): string => `${file}: ${text}`;

/** A state that does not end is a fault too. */
async function withLimit(state: State): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const endless = new Promise<Outcome>((done) => {
    const ended = { code: 1, stdout: '', stderr: 'it does not end' };
    timer = setTimeout(
      () => done({ state, ended, followed: [{ command: '', ended, fault: ended.stderr }], heeded: [] }),
      300_000,
    );
  });
  const work = follow(state).catch((error) => {
    throw new Error(state.name, { cause: error });
  });
  return Promise.race([work, endless]).finally(() => clearTimeout(timer));
}

beforeAll(async () => {
  const tls = await openTlsStates();
  for (const state of [
    ...usageStates,
    ...settingStates,
    ...keychainStates,
    ...answerStates,
    ...promptStates,
    ...otherStates,
    ...flagStates,
    ...placeStates,
    ...tls.states,
  ])
    outcomes.push(await withLimit(state));
  tls.close();
  const printed = [...new Set(outcomes.flatMap(({ ended }) => ended.stderr.split('\n')))];
  missing = hints.filter(({ is, file, line, text }) =>
    is === 'call' ? !builders.has(`${file}:${line}`) : !isPrinted(text, printed),
  );
});

test('every suggested command succeeds, or asks only for what it names', () => {
  const faults = outcomes.flatMap(({ state, followed }) =>
    followed.flatMap(({ command, fault }) =>
      fault === undefined ? [] : [`${state.name}\n  suggests ${command}\n  ${fault}`],
    ),
  );
  const count = outcomes.reduce((sum, { followed }) => sum + followed.length, 0);
  const kinds = new Set(outcomes.flatMap(({ followed }) => followed.map(({ command }) => command)));
  process.stdout.write(
    `hints with a command in src: ${hints.length}; printed here: ${hints.length - missing.length}; ` +
      `states: ${outcomes.length}; commands run: ${count} (${kinds.size} different); failed: ${faults.length}\n`,
  );
  expect(faults.join('\n\n')).toBe('');
  expect(count).toBeGreaterThan(200);
});

test('no command ends with an internal error', () => {
  const broken = outcomes.filter(({ state, ended, followed }) =>
    [...(state.exits === 1 ? [] : [ended]), ...followed.map((one) => one.ended)].some(({ code }) => code === 1),
  );
  expect(broken.map(({ state, ended }) => `${state.name}: ${ended.stderr}`)).toEqual([]);
});

test('every hint with a command is printed in a state, or is listed with the reason', () => {
  const listed = new Set(hintsWithoutState.flatMap(([, keys]) => keys));
  expect(missing.map(keyOf).filter((key) => !listed.has(key))).toEqual([]);
  // A listed hint that is printed here, or that is gone, is no longer listed.
  const open = new Set(missing.map(keyOf));
  expect([...listed].filter((key) => !open.has(key))).toEqual([]);
});

/** The verbs that delete, revoke, publish or cost money, by command. */
const harmful: Readonly<Record<string, string>> = {
  'ws tokens delete': 'delete',
  'ws team revoke': 'revoke',
  'publishing-tokens delete': 'delete',
  'artifacts namespaces archive': 'archive',
  'artifacts namespaces set-visibility': '--public',
  'schema-store create': 'create',
  'orgs create': 'create',
  'orgs free-trial create': 'create',
  'orgs add-ons create': 'create',
  'orgs add-ons delete': 'delete',
  'config delete': 'delete',
  'events queue drop': 'drop',
};

/** The user keeps nothing of what these delete: a profile without effect, and copies of events that were refused. */
const allowed = ['dtp config delete local', 'dtp events queue drop --rejected'];

test('no suggestion deletes, revokes, publishes or costs money, unless the user typed that', () => {
  const harms = outcomes.flatMap(({ state, followed }) => {
    const typed = typeof state.line === 'string' ? shellWords(state.line) : state.line;
    return followed.flatMap(({ command }) => {
      const words = shellWords(command).slice(1);
      const verb = harmful[readLine(words).command.words.join(' ')];
      const isHelp = words.includes('--help');
      const isHarm = verb !== undefined && !isHelp && (verb !== '--public' || words.includes(verb));
      return isHarm && !typed.includes(verb) && !allowed.includes(command) ? [`${state.name} → ${command}`] : [];
    });
  });
  expect(harms).toEqual([]);
});

/** Matches the line that is printed for a hint. It may begin a sentence, and values may be anything. */
function advicePattern(text: string): RegExp {
  const parts = text.trim().split(/…|\{=?\w+\}/);
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?'), 'i');
}

test('every flag and variable that is suggested works', () => {
  const faults = outcomes.flatMap(({ state, heeded }) =>
    heeded.flatMap(({ command, line, fault }) =>
      fault === undefined ? [] : [`${state.name}\n  says ${line}\n  ${command}\n  ${fault}`],
    ),
  );
  const heeded = outcomes.flatMap((one) => one.heeded);
  const lines = [...new Set(heeded.map(({ line }) => line))].filter(mentionsFlag);
  const advice = allHints().filter(
    ({ is, text, file }) => is === 'text' && mentionsFlagOrVariable(text) && file !== 'output/done.ts',
  );
  const open = advice.filter(({ text }) => !lines.some((line) => advicePattern(text).test(line)));
  process.stdout.write(
    `hints with a flag or variable in src: ${advice.length}; followed here: ${advice.length - open.length}; ` +
      `commands run: ${heeded.length}; failed: ${faults.length}\n`,
  );
  expect(faults.join('\n\n')).toBe('');
  expect(open.map(keyOf).toSorted()).toEqual(notFollowed.flatMap(([, keys]) => keys).toSorted());
});
