/** Draws combinations of a command, runs them, and holds each run against the laws. */
import { randomOf } from '../support/random.ts';
import type { Command } from './commands.ts';
import { type Choice, openCover } from './cover.ts';
import type { Ended, Job } from './drivers.ts';
import { type Law, laws } from './laws.ts';
import type { openScripted } from './scripted.ts';
import { runnerOf, type Subject, spaceOf } from './subjects.ts';

export interface Found {
  /** A sentence for each law that was broken, with the shortest line that breaks it. */
  readonly broken: readonly string[];
  readonly runs: number;
}

const usage = 2;

/** Runs combinations of a command until each pair of values has occurred, or `most` combinations. */
export async function tryMeetings(
  command: Command,
  service: Awaited<ReturnType<typeof openScripted>>,
  run: (job: Job) => Promise<Ended>,
  { seed, most = Number.POSITIVE_INFINITY }: { seed: number; most?: number },
): Promise<Found> {
  const space = spaceOf(command);
  const runChoice = runnerOf(command, service, run);
  const cover = openCover(space, randomOf(seed));
  const nothing = Object.fromEntries(Object.entries(space).map(([name, [first = '']]) => [name, first]));
  const broken = new Map<string, string>();
  let runs = 0;
  const hold = async (subject: Subject) => {
    runs++;
    for (const law of laws) {
      // A fault of one format must not hide that of another.
      const name = `${law.says} ${subject.choice.format}`;
      if (broken.has(name) || !(await faultOf(law, subject))) continue;
      const least = await shortest(subject, nothing, async (one) => (await faultOf(law, one)) !== undefined);
      broken.set(name, `${law.says} ${lineOf(least)}: ${await faultOf(law, least)}`);
    }
  };
  for (let choice = cover.next(); choice && runs < most; choice = cover.next()) {
    const subject = await runChoice(choice);
    await hold(subject);
    // What the others do together shows best with the usual answer.
    if (choice.answer !== nothing.answer) await hold(await runChoice({ ...choice, answer: nothing.answer ?? '' }));
    if (subject.code !== usage) continue;
    // Two values that are refused together must not hide the others.
    const special = Object.entries(choice).filter(([name, value]) => value !== nothing[name] && name !== 'answer');
    for (const [at, [a, first]] of special.entries())
      for (const [b, second] of special.slice(at + 1)) {
        const pair = await runChoice({ ...nothing, [a]: first, [b]: second });
        if (pair.code === usage) cover.refuse(`${a}=${first}`, `${b}=${second}`);
      }
  }
  return { broken: [...new Set(broken.values())], runs };
}

/** A result that a law cannot read breaks it too. */
async function faultOf(law: Law, subject: Subject): Promise<string | undefined> {
  try {
    return (await law.broken(subject)) || undefined;
  } catch (error) {
    return `the result cannot be read: ${String(error)}`;
  }
}

/** Leaves out the values that the fault does not need. */
async function shortest(subject: Subject, nothing: Choice, isFaulty: (subject: Subject) => Promise<boolean>) {
  let least = subject;
  for (const [name, value] of Object.entries(nothing)) {
    if (least.choice[name] === value) continue;
    const less = await least.again({ [name]: value });
    if (await isFaulty(less)) least = less;
  }
  return least;
}

const lineOf = ({ argv, choice: { answer, target } }: Subject): string =>
  `\n  dtp ${argv.join(' ')}\n  answer: ${answer}${target === 'terminal' ? ', on a terminal' : ''}`;
