/** Every command that dtp suggests is complete: after each outcome of each operation, it can be run unchanged. */
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/operations/operation.ts';
import { hastyClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { everyOperation, sampleLine, writeSampleFile } from '../support/samples.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ORGANIZATION_SLUG: 'o',
  DTP_WORKSPACE_SLUG: 'w',
  NO_COLOR: '1',
};

/** A record that has every field from which a next command is made. */
const record = { id: 'x_1', job_id: 'x_1', url: 'https://x.example/1', short_url: 'https://x.example/2' };

/** Runs a command at a terminal, with a service that always answers the same. */
function run(argv: readonly string[], status: number, cwd: string) {
  const body = status === 200 ? record : { message: `no x_1` };
  const { openSend } = service(() => (status === 204 ? [204] : [status, body]));
  // Suggestions may open a browser or wait for an answer, which these do at once.
  const world = { openBrowser: async () => undefined, clock: hastyClock, signal: AbortSignal.timeout(5000) };
  return dtp(argv, { env, own: 'w_1', tty: true, cwd, openSend, ...world });
}

/** The words of a command line that dtp quoted. */
const wordsIn = (line: string): readonly string[] =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

const suggestions = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^ {2}(?:try|next): (dtp .*)$/gm)].map(([, line = '']) => line);

/** Without those that are tried again, whose advice is to wait. */
const statuses = [200, 204, 400, 401, 403, 404, 409, 422] as const;

async function suggestedAfter(operation: Operation, cwd: string): Promise<readonly string[]> {
  const all = new Set<string>();
  for (const status of statuses)
    for (const line of suggestions((await run(sampleLine(operation), status, cwd)).stderr)) all.add(line);
  return [...all];
}

describe.each(everyOperation.map((one) => [one.command.join(' '), one] as const))('%s', (_, operation) => {
  test('what it suggests can be run', async () => {
    const cwd = temporaryFolder();
    writeSampleFile(cwd);
    const all = await suggestedAfter(operation, cwd);
    expect(all.length).toBeGreaterThan(0);
    for (const line of all) {
      // A person replaces words in capitals, and a shell opens the file.
      const [command = '', input] = line.split(' < ');
      if (input !== undefined) continue;
      const ended = await run([...wordsIn(command).slice(1), '--no-input'], 200, cwd);
      expect(ended.stderr, line).not.toMatch(/missing (flag|argument)|has no flag|unknown command/);
      expect(ended.code, `${line}\n${ended.stderr}`).not.toBe(2);
    }
  });
});
