/** Runs a command in a state, then everything that it suggests, each in a copy of that state. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from '../clocks.ts';
import type { Ended } from '../context.ts';
import { commandsIn, shellWords } from './extract.ts';
import { type Heeded, rerunsFor } from './heed.ts';
import { ctrlCSoon, type Followed, followOne, type Place, plain, run, type State } from './run.ts';

export interface Outcome {
  readonly state: State;
  readonly ended: Ended;
  readonly followed: readonly Followed[];
  /** The same command with the flags and variables that its output names. */
  readonly heeded: readonly Heeded[];
}

export async function follow(state: State): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-hints-'));
  try {
    const place = { home: join(folder, 'home'), cwd: join(folder, 'home', 'work') };
    mkdirSync(place.cwd, { recursive: true });
    writeFileSync(join(place.cwd, 'sample.html'), '<title>a sample</title>');
    writeFileSync(
      join(place.cwd, 'openapi.yaml'),
      'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n',
    );
    await state.prepare?.(place);
    const argv = typeof state.line === 'string' ? shellWords(state.line) : state.line;
    const signal = state.lasts && { signal: ctrlCSoon(), clock: wallClock };
    const ended = await run(state, place, argv, state.answer, signal || {});
    const printed = plain(ended.stderr) + (argv[0] === 'doctor' ? ended.stdout : '') + spokenIn(argv, ended);
    const text = `${plain(ended.stderr)}\n${ended.stdout}\n${spokenIn(argv, ended)}`;
    const followed: Followed[] = [];
    for (const command of commandsIn(printed))
      followed.push(await inCopy(place, () => followOne(state, place, command)));
    const onScreen = state.world?.tty ? `\n${plain(ended.stdout)}` : '';
    const heeded: Heeded[] = [];
    for (const work of rerunsFor({ state, place, argv }, printed + onScreen)) heeded.push(await inCopy(place, work));
    return { state, ended: { ...ended, stderr: text }, followed, heeded };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does some work and restores the files. The path stays the same, because messages and stored values contain it. */
async function inCopy<Done>({ home }: Place, work: () => Promise<Done>): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-hints-'));
  const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;
  try {
    cpSync(home, join(folder, 'home'), options);
    return await work();
  } finally {
    rmSync(home, { recursive: true, force: true });
    cpSync(join(folder, 'home'), home, options);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the tools of `dtp mcp` returned: strings in JSON, which often contain JSON again. */
function spokenIn([command]: readonly string[], { stdout }: Ended): string {
  if (command !== 'mcp') return '';
  const texts = stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line): readonly string[] =>
      (JSON.parse(line).result?.content ?? []).map((one: { readonly text: string }) => one.text),
    );
  return texts.map((text) => `${text.startsWith('{"error"') ? (JSON.parse(text).error.hint ?? '') : text}\n`).join('');
}
