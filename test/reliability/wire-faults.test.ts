/** Every wire fault × every operation, over real sockets: a typed error, no hang, no secret, no partial file. */
import { expect, test } from 'vitest';
import { runTrials, type Trial, tryOut } from '../support/faulty-run.ts';
import { rounds, seed } from '../support/random.ts';
import { runQuick } from '../support/run-on-sockets.ts';
import type { Fault } from '../support/wire-fault.ts';
import { faults } from '../support/wire-faults.ts';
import {
  download,
  endOf,
  everyOperation,
  isFor,
  postWithoutQueue,
  rowByRow,
  type Subject,
} from '../support/wire-subjects.ts';

const subjects = [...everyOperation, postWithoutQueue, download];

const isFirstOfKind = ({ kind }: Subject, at: number): boolean => subjects.findIndex((one) => one.kind === kind) === at;

/**
 * In a sample each operation gets an eighth of the faults, chosen by the seed. The large ones get one of each
 * kind.
 */
function trialsOf(fault: Fault): readonly Trial[] {
  const share = rounds(8, 1);
  const isDue = (subject: Subject, at: number): boolean =>
    share > 1 && fault.isLarge ? isFirstOfKind(subject, at) : (at + faults.indexOf(fault) + seed) % share === 0;
  const due = subjects.filter(isDue);
  return due
    .filter((subject) => isFor(fault, subject))
    .map((subject, at) => ({
      fault,
      subject,
      // A body too long for memory could be written to a file forever.
      toFile: at % 2 === 1 && fault.ends[subject.kind] !== 'usage',
      end: endOf(fault, subject),
    }));
}

test('each operation is covered, by enough faults', () => {
  expect(everyOperation).toHaveLength(77);
  expect(faults.length).toBeGreaterThanOrEqual(30);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test.each(faults.map((fault) => [fault.name, fault] as const))(`%s (seed ${seed})`, async (_, fault) => {
  const found = await runTrials(trialsOf(fault), 6, (trial) => tryOut(trial, runQuick));
  expect(found).toEqual([]);
});

test('a list printed row by row meets each fault', async () => {
  const trials = faults.map((fault, at) => {
    const end = endOf(fault, rowByRow);
    return { fault, subject: rowByRow, toFile: at % 2 === 1, end } satisfies Trial;
  });
  expect(await runTrials(trials, 6, (trial) => tryOut(trial, runQuick))).toEqual([]);
});
