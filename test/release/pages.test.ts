/**
 * The commands of the README and of `docs/` work as they stand: in the order of the page, on the files of `examples/`, in a
 * terminal and in a pipe, with an empty HOME. A page shows what a terminal shows. UPDATE=1 writes the pages again.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixedPage, pageWith, type RunStep, runPage, stepsOf } from '../support/pages.ts';
import { hasTmux } from '../support/screens.ts';

const root = resolve(import.meta.dirname, '../..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const names = ['README.md', ...docs.map((name) => `docs/${name}`)];
const isWriting = (process.env.UPDATE ?? '') !== '';
const read = (name: string) => readFileSync(join(root, name), 'utf8');

/** A page shows the output of a command that fails, so that nobody is surprised. */
const isFailure = (shown: string) => /^(error:|\{"error")/m.test(shown);

const faultsOf = (page: string, ran: readonly RunStep[]) =>
  stepsOf(page).flatMap(({ line, shown }, at) => {
    const { code = -1, text = '' } = ran[at] ?? {};
    return (code === 0) === !isFailure(isWriting ? text : shown) ? [] : [`${line}: exit code ${code}\n${text}`];
  });

const withSteps = names.filter((name) => stepsOf(read(name)).length > 0);

test('almost every page has commands to run', () => {
  // many-machines.test.ts and deploy.test.ts run the recipes of the other ones.
  expect(names.filter((name) => !withSteps.includes(name))).toEqual([
    'docs/agents.md',
    'docs/many-machines.md',
    'docs/team-service.md',
  ]);
});

describe.each(withSteps)('%s', (name) => {
  test('in a pipe, each command works', async () => {
    const page = read(name);
    expect(faultsOf(page, await runPage(stepsOf(page), false))).toEqual([]);
  });

  test.skipIf(!hasTmux)('in a terminal, each command works and prints what the page shows', async () => {
    const page = read(name);
    const ran = await runPage(stepsOf(page), true);
    expect(faultsOf(page, ran)).toEqual([]);
    const whole = pageWith(page, ran);
    if (isWriting) writeFileSync(join(root, name), whole);
    else expect(fixedPage(whole)).toBe(fixedPage(page));
  });
});
