/** Combinations of flags, formats and answers of every command are held against laws. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../support/random.ts';
import { commands, excluded, schema } from './commands.ts';
import { openDrivers } from './drivers.ts';
import { tryMeetings } from './rig.ts';
import { openScripted } from './scripted.ts';

let service: Awaited<ReturnType<typeof openScripted>>;
const drivers = openDrivers(3);
beforeAll(async () => {
  service = await openScripted();
});
afterAll(() => {
  drivers.close();
  service.close();
});

/** How many combinations of each command run. */
const most = Number(process.env.DTP_MEETINGS ?? 6);
/** The command to try; all of them if it is not set. */
const only = process.env.DTP_MEETING;

test('every command has a line, or is tested elsewhere', () => {
  const known = [...commands.map(({ command }) => command), ...excluded].sort();
  expect(known).toEqual(schema.commands.map(({ command }) => command).sort());
});

test(`combinations of every command (seed ${seed})`, async () => {
  const tried = commands.filter(({ command }) => only === undefined || command === only);
  const found = await drivers.each(tried, (command, run) => tryMeetings(command, service, run, { seed, most }));
  expect(found.flatMap(({ broken }) => broken)).toEqual([]);
  expect(found.every(({ runs }) => runs >= Math.min(most, 20))).toBe(true);
});
